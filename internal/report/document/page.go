package document

import (
	"bytes"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html"
	"html/template"
	"strings"
)

//go:embed page.html
var pageText string

var pageTemplate = template.Must(template.New("report").Funcs(template.FuncMap{
	"map": func(m Map) template.HTML {
		return svgOf(mapSide, mapSide, func(p pen) { drawMap(p, &m, 0, 0, mapSide) })
	},
	"legend": func() template.HTML { return svgOf(360, 12, func(p pen) { drawLegend(p, 0, 9) }) },
}).Parse(pageText))

// PagePolicy is the Content-Security-Policy that the page works under: it loads nothing and runs nothing.
const PagePolicy = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'"

// Sizes of what is drawn on the page, in its own units; a browser scales them to their place.
const (
	mapSide     = 240
	chartWidth  = 245
	chartHeight = 130
)

// Page is the report as one file of HTML, which prints on any paper.
func (r *Report) Page() ([]byte, error) {
	var page bytes.Buffer
	err := pageTemplate.Execute(&page, struct {
		*Report
		Accent template.CSS
		Logo   template.URL
	}{r, template.CSS(r.accent()), r.Brand.dataURL()}) //nolint:gosec // a colour of six digits, and a picture that was checked when it was uploaded
	return page.Bytes(), err
}

// Chart draws a chart of the report for its page.
func (r *Report) Chart(c Chart) template.HTML {
	return svgOf(chartWidth, chartHeight, func(p pen) { drawChart(p, &c, r.accent(), 0, 0, chartWidth, chartHeight) })
}

func (r *Report) accent() string {
	if r.Brand.Accent == "" {
		return "#0f766e"
	}
	return r.Brand.Accent
}

func (b Brand) dataURL() template.URL {
	if b.Logo == nil {
		return ""
	}
	kind := "jpeg"
	if bytes.HasPrefix(b.Logo, []byte("\x89PNG")) {
		kind = "png"
	}
	return template.URL("data:image/" + kind + ";base64," + base64.StdEncoding.EncodeToString(b.Logo)) //nolint:gosec // as above
}

// svg is a pen that writes SVG. Presentation attributes need no style, which a policy would have to allow.
type svg struct{ strings.Builder }

func svgOf(width, height float64, draw func(pen)) template.HTML {
	s := &svg{}
	fmt.Fprintf(s, `<svg viewBox="0 0 %g %g" preserveAspectRatio="xMinYMin" role="img" font-family="inherit">`, width, height)
	draw(s)
	s.WriteString("</svg>")
	return template.HTML(s.String()) //nolint:gosec // made here; its texts are escaped
}

func (s *svg) box(x, y, width, height float64, fill string) {
	fmt.Fprintf(s, `<rect x="%.5g" y="%.5g" width="%.5g" height="%.5g" rx="6" fill="%s"/>`, x, y, width, height, fill)
}

func (s *svg) disc(x, y, radius float64, fill, edge string) {
	fmt.Fprintf(s, `<circle cx="%.5g" cy="%.5g" r="%.5g"`, x, y, radius)
	if fill == "" {
		s.WriteString(` fill="none"`)
	} else {
		fmt.Fprintf(s, ` fill="%s"`, fill)
	}
	if edge != "" {
		fmt.Fprintf(s, ` stroke="%s"`, edge)
	}
	s.WriteString("/>")
}

func (s *svg) line(through []spot, width float64, colour string) {
	fmt.Fprintf(s, `<polyline fill="none" stroke="%s" stroke-width="%g" stroke-linejoin="round" points="`, colour, width)
	for i, at := range through {
		if i > 0 {
			s.WriteByte(' ')
		}
		fmt.Fprintf(s, "%.5g,%.5g", at.x, at.y)
	}
	s.WriteString(`"/>`)
}

func (s *svg) text(x, y, size float64, style textStyle, text string) {
	fmt.Fprintf(s, `<text x="%.5g" y="%.5g" font-size="%.3g" fill="%s"`, x, y, size, style.colour)
	if style.anchor != left {
		fmt.Fprintf(s, ` text-anchor="%s"`, map[anchor]string{middle: "middle", right: "end"}[style.anchor])
	}
	if style.bold {
		s.WriteString(` font-weight="600"`)
	}
	s.WriteString(">" + html.EscapeString(text) + "</text>")
}
