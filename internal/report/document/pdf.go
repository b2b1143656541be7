package document

import (
	"bytes"
	"fmt"
	"image"
	_ "image/jpeg" // logos may be JPEG
	"image/png"
	"io"
	"slices"

	"codeberg.org/go-pdf/fpdf"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
)

// Paper is what a PDF is made for.
type Paper string

// The papers.
const (
	A4     Paper = "A4"
	Letter Paper = "Letter"
)

// PDF writes the report as a PDF: its text can be selected, its maps and charts are drawn, and its sections are bookmarks.
// Characters that no face has are left out and returned.
func (r *Report) PDF(w io.Writer, paper Paper, found Faces) (left []rune, err error) {
	faces, left, err := newWriting(r, found)
	if err != nil {
		return nil, err
	}
	p := r.write(paper, faces, nil)
	if ttf := faces.patch.TTF(); ttf != nil { // it has all that the lines come to, now that they are known
		p = r.write(paper, faces, ttf)
	}
	return left, p.Output(w)
}

func (r *Report) write(paper Paper, faces *writing, patched []byte) *pdf {
	p := &pdf{Fpdf: fpdf.New("P", "pt", string(paper), ""), report: r, faces: faces, hasPatch: patched != nil}
	p.SetMargins(margin, margin, margin)
	p.SetAutoPageBreak(false, 0)
	p.SetTitle(r.Title+" – "+r.Period(), true)
	p.SetAuthor(r.By(), true)
	p.SetCreator(r.By(), true)
	p.SetProducer(r.By(), true)
	p.SetLang("en")
	p.SetCreationDate(r.Made)
	p.SetModificationDate(r.Made)
	p.SetCatalogSort(true) // so that the same report is the same file
	p.AddUTF8FontFromBytes(regular, "", goregular.TTF)
	p.AddUTF8FontFromBytes(bold, "", gobold.TTF)
	if p.hasPatch {
		p.AddUTF8FontFromBytes(patch, "", patched)
	}
	width, height := p.GetPageSize()
	p.width, p.bottom = width-2*margin, height-margin-14
	p.newPage()
	p.head()
	for i := range r.Sections {
		p.section(&r.Sections[i])
	}
	p.feet(height)
	return p
}

// pdf is a PDF that is being written from top to bottom.
type pdf struct {
	*fpdf.Fpdf
	report   *Report
	faces    *writing
	hasPatch bool    // else what it writes is only laid out
	width    float64 // of what is written
	bottom   float64
	y        float64 // where the next part begins
}

const (
	margin   = 44
	gutter   = 14 // between what stands side by side
	rounding = 1  // spared for sums that are rounded
)

func (p *pdf) newPage() {
	p.AddPage()
	p.y = margin
}

// room begins a new page where there is too little left of this one.
func (p *pdf) room(height float64) {
	if p.y+height > p.bottom && p.y > margin {
		p.newPage()
	}
}

// head is what the report begins with: who made it, whom it is about, and when.
func (p *pdf) head() {
	r := p.report
	after := p.logo(r.Brand.Logo)
	p.text(margin+p.width, p.y+26, 10, textStyle{anchor: right, colour: soft}, r.Period())
	const leading = 17
	by := p.wrap(r.By(), 13, true, p.width-after-p.measure(r.Period(), 10, false)-gutter, 2)
	for i, line := range by {
		p.text(margin+after, p.y+26+leading*(float64(i)-float64(len(by)-1)/2), 13, textStyle{bold: true, colour: ink}, line)
	}
	p.y += 68
	p.paragraph(r.Title, 24, 29, textStyle{bold: true, colour: ink}, 3)
	about := r.Kind
	if r.Subtitle != "" {
		about += " · " + r.Subtitle
	}
	p.y += 2
	p.paragraph(about, 10, 14, textStyle{colour: soft}, 3)
	p.y += 8
	p.line([]spot{{margin, p.y}, {margin + p.width, p.y}}, 2.5, r.accent())
	p.y += 24
}

// logo draws the brand's picture, and tells how much room it takes; none where there is no picture that can be drawn.
func (p *pdf) logo(data []byte) float64 {
	picture, _, err := image.Decode(bytes.NewReader(data))
	if err != nil {
		return 0
	}
	const most, high = 160.0, 42.0
	size := picture.Bounds().Size()
	scale := min(most/float64(size.X), high/float64(size.Y), 1)
	var plain bytes.Buffer // a kind of PNG that every reader takes
	if err := png.Encode(&plain, picture); err != nil {
		return 0
	}
	p.RegisterImageOptionsReader("logo", fpdf.ImageOptions{ImageType: "png"}, &plain)
	p.ImageOptions("logo", margin, p.y, float64(size.X)*scale, float64(size.Y)*scale, false, fpdf.ImageOptions{ImageType: "png"}, 0, "")
	return float64(size.X)*scale + 12
}

func (p *pdf) section(s *Section) {
	if s.NewPage {
		p.room(p.bottom)
	}
	p.room(p.beginning(s))
	p.SetFont(regular, "", 10)
	p.Bookmark(s.Title, 0, p.y)
	p.y += aboveTitle
	p.paragraph(s.Title, titleText, titleLine, textStyle{bold: true, colour: p.report.accent()}, titleLines)
	p.paragraph(s.Lead, leadText, leadLine, textStyle{colour: ink}, leadLines)
	p.y += belowLead
	p.figures(s.Figures)
	scale := p.scale(s, p.y)
	p.maps(s.Maps, scale)
	p.charts(s.Charts, scale)
	for i := range s.Tables {
		p.table(&s.Tables[i])
	}
	p.y += 16
}

const (
	aboveTitle = 4
	titleText  = 15
	titleLine  = 20
	titleLines = 2
	leadText   = 10
	leadLine   = 14.5
	leadLines  = 12
	belowLead  = 10
)

// beginning is how high the heading of a section is with the first of its parts, below which it must not stand alone.
func (p *pdf) beginning(s *Section) float64 {
	heading := aboveTitle + titleLine*float64(len(p.wrap(s.Title, titleText, true, p.width, titleLines))) +
		leadLine*float64(len(p.wrap(s.Lead, leadText, false, p.width, leadLines))) + belowLead
	switch {
	case len(s.Figures) > 0:
		return heading + figureTall
	case len(s.Maps) > 0:
		return heading + p.scale(s, p.y+heading)*p.half() + mapWords
	case len(s.Charts) > 0:
		return heading + p.scale(s, p.y+heading)*chartTall
	case len(s.Tables) > 0:
		return heading + p.measureTable(&s.Tables[0]).least()
	}
	return heading
}

// scale is how large the maps and charts of a section are drawn from a height on: smaller where the rest of it then goes on this page as well.
func (p *pdf) scale(s *Section, from float64) float64 {
	drawn := pairs(len(s.Maps))*p.half() + pairs(len(s.Charts))*chartTall
	beside := pairs(len(s.Maps))*mapWords + pairs(len(s.Charts))*chartGap
	for i := range s.Tables {
		beside += p.measureTable(&s.Tables[i]).height()
	}
	const least = 0.55 // smaller ones cannot be read
	if fits := (p.bottom - from - beside - rounding) / drawn; fits >= least && fits < 1 {
		return fits
	}
	return 1
}

// pairs is how many rows things take that stand side by side.
func pairs(things int) float64 { return float64((things + 1) / 2) }

// half is the width of one of two things side by side.
func (p *pdf) half() float64 { return (p.width - gutter) / 2 }

// paragraph writes text over as many lines as it needs, and at most so many.
func (p *pdf) paragraph(text string, size, leading float64, style textStyle, lines int) {
	for _, line := range p.wrap(text, size, style.bold, p.width, lines) {
		p.room(leading)
		p.text(margin, p.y+size, size, style, line)
		p.y += leading
	}
}

func (p *pdf) figures(all []Figure) {
	const most, height = 4, figureTall
	for row := range slices.Chunk(all, most) {
		p.room(height)
		width := (p.width - gutter*(most-1)) / most
		for i, f := range row {
			x := margin + float64(i)*(width+gutter)
			p.box(x, p.y, width, height, "#f6f7f7")
			p.text(x+10, p.y+17, 8.5, textStyle{colour: soft}, p.clip(f.Name, 8.5, false, width-16))
			p.text(x+width-10, p.y+40, 9, textStyle{anchor: right, bold: true, colour: wayColour(f.Change.Way)}, f.Change.String())
			beside := width - 26 - p.measure(f.Change.String(), 9, true)
			size := min(19, beside/p.measure(f.Value, 1, true))
			p.text(x+10, p.y+40, size, textStyle{bold: true, colour: ink}, f.Value)
		}
		p.y += height + 12
	}
}

const (
	figureTall = 52
	mapWords   = 46 // above and below maps
	chartTall  = 128
	chartGap   = 14
)

func (p *pdf) maps(all []Map, scale float64) {
	column, side := p.half(), scale*p.half()
	for row := range slices.Chunk(all, 2) {
		p.room(side + mapWords)
		for i := range row {
			x := margin + float64(i)*(column+gutter)
			title := p.clip(row[i].Title, 9.5, true, column)
			p.text(x, p.y+9, 9.5, textStyle{bold: true, colour: ink}, title)
			used := p.measure(title, 9.5, true) + 6
			p.text(x+used, p.y+9, 8.5, textStyle{colour: soft}, p.clip(row[i].Note, 8.5, false, column-used))
			drawMap(p, &row[i], x, p.y+15, side)
		}
		drawLegend(p, margin, p.y+side+31)
		p.y += side + mapWords
	}
}

func (p *pdf) charts(all []Chart, scale float64) {
	width, height := p.half(), scale*chartTall
	for row := range slices.Chunk(all, 2) {
		p.room(height)
		for i := range row {
			drawChart(p, &row[i], p.report.accent(), margin+float64(i)*(width+gutter), p.y, width, height)
		}
		p.y += height + chartGap
	}
}

// feet writes the foot of every page, now that their number is known.
func (p *pdf) feet(height float64) {
	pages := p.PageCount()
	for page := 1; page <= pages; page++ {
		p.SetPage(page)
		about := p.clip(p.report.By()+" · "+p.report.Title, 8, false, p.width-80)
		p.text(margin, height-margin+12, 8, textStyle{colour: soft}, about)
		p.text(margin+p.width, height-margin+12, 8, textStyle{anchor: right, colour: soft}, fmt.Sprintf("Page %d of %d", page, pages))
	}
}

func (p *pdf) box(x, y, width, height float64, fill string) {
	p.SetFillColor(parts(fill))
	p.RoundedRect(x, y, width, height, 5, "1234", "F")
}

func (p *pdf) disc(x, y, radius float64, fill, edge string) {
	style := ""
	if fill != "" {
		p.SetFillColor(parts(fill))
		style = "F"
	}
	if edge != "" {
		p.SetDrawColor(parts(edge))
		p.SetLineWidth(1)
		style += "D"
	}
	p.Circle(x, y, radius, style)
}

func (p *pdf) line(through []spot, width float64, colour string) {
	p.SetDrawColor(parts(colour))
	p.SetLineWidth(width)
	p.SetLineJoinStyle("round")
	p.MoveTo(through[0].x, through[0].y)
	for _, at := range through[1:] {
		p.LineTo(at.x, at.y)
	}
	p.DrawPath("D")
}

func parts(colour string) (r, g, b int) {
	_, _ = fmt.Sscanf(colour, "#%02x%02x%02x", &r, &g, &b) // black when it is none
	return r, g, b
}
