package document

import (
	"errors"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"golang.org/x/text/unicode/bidi"
)

// Faces finds characters that the built-in face lacks.
type Faces interface {
	// Patch makes a TrueType font of those of the characters that it finds; nil when it finds none.
	Patch(missing []rune) (ttf []byte, err error)
}

// The names of the faces in a PDF.
const (
	regular = "regular"
	bold    = "bold"
	patch   = "patch"
)

// writing is the faces of a PDF by their names.
type writing map[string]*face

// face is a font that tells how wide its characters are.
type face struct {
	font   *sfnt.Font
	buffer sfnt.Buffer
	widths map[rune]float64 // in a size of 1; below 0 is a character that it lacks
}

func newFace(ttf []byte) (*face, error) {
	font, err := sfnt.Parse(ttf)
	return &face{font: font, widths: map[rune]float64{}}, err
}

const perEm = 1000 // in which widths are measured, as a PDF does

func (f *face) width(c rune) float64 {
	if width, known := f.widths[c]; known {
		return width
	}
	f.widths[c] = -1
	if glyph, err := f.font.GlyphIndex(&f.buffer, c); err == nil && glyph != 0 {
		if advance, err := f.font.GlyphAdvance(&f.buffer, glyph, fixed.I(perEm), font.HintingNone); err == nil {
			f.widths[c] = float64(advance) / 64 / perEm
		}
	}
	return f.widths[c]
}

func (f *face) has(c rune) bool { return f != nil && f.width(c) >= 0 }

func (p *pdf) addFace(name string, ttf []byte) (err error) {
	p.AddUTF8FontFromBytes(name, "", ttf)
	p.faces[name], err = newFace(ttf)
	return errors.Join(err, p.Error())
}

// addFaces gives the PDF the faces that the texts of the report need. It returns the characters that cannot be written.
func (p *pdf) addFaces(r *Report, faces Faces) (left []rune, err error) {
	p.faces = writing{}
	if err := errors.Join(p.addFace(regular, goregular.TTF), p.addFace(bold, gobold.TTF)); err != nil {
		return nil, err
	}
	for c := range r.characters() {
		if !p.faces.has(c) {
			left = append(left, c)
		}
	}
	if len(left) == 0 || faces == nil {
		return left, nil
	}
	slices.Sort(left)
	ttf, err := faces.Patch(slices.DeleteFunc(slices.Clone(left), needsLayout))
	if err != nil || ttf == nil {
		return left, err
	}
	err = p.addFace(patch, ttf)
	return slices.DeleteFunc(left, p.faces.has), err
}

// has tells whether a character can be written. What takes no ink always can.
func (w writing) has(c rune) bool {
	return c <= ' ' || !needsLayout(c) && (w[regular].has(c) || w[patch].has(c))
}

// joined are scripts whose letters join or change places.
var joined = []*unicode.RangeTable{
	unicode.Mongolian, unicode.Phags_Pa,
	unicode.Devanagari, unicode.Bengali, unicode.Gurmukhi, unicode.Gujarati, unicode.Oriya, unicode.Tamil, unicode.Telugu, unicode.Kannada, unicode.Malayalam, unicode.Sinhala,
	unicode.Tibetan, unicode.Myanmar, unicode.Khmer, unicode.Javanese, unicode.Balinese, unicode.Sundanese, unicode.Chakma, unicode.Meetei_Mayek,
}

// needsLayout tells of a character that cannot be read when it is drawn as it stands, after the one before it: of a script that
// runs from right to left, or is joined.
func needsLayout(c rune) bool {
	properties, _ := bidi.LookupRune(c)
	class := properties.Class()
	return class == bidi.R || class == bidi.AL || unicode.In(c, joined...)
}

// characters are those of all texts that people have written.
func (r *Report) characters() map[rune]bool {
	all := map[rune]bool{}
	add := func(texts ...string) {
		for _, text := range texts {
			for _, c := range text {
				all[c] = true
			}
		}
	}
	add(r.Title, r.Kind, r.Subtitle, r.Brand.Name)
	for _, s := range r.Sections {
		add(s.Title, s.Lead)
		for _, m := range s.Maps {
			add(m.Title, m.Note)
		}
		for _, c := range s.Charts {
			add(c.Title)
		}
		for _, t := range s.Tables {
			add(t.Title, t.Note)
			for _, row := range t.Rows {
				for _, cell := range row {
					add(cell.Text)
				}
			}
		}
	}
	return all
}

// readable is text without the characters that cannot be written, and the marks on them: an ellipsis stands for each stretch.
func (w writing) readable(text string) string {
	var b strings.Builder
	left := false
	for _, c := range text {
		lacks := !w.has(c) || left && unicode.Is(unicode.M, c)
		switch {
		case !lacks:
			b.WriteRune(c)
		case !left:
			b.WriteRune('…')
		}
		left = lacks
	}
	return b.String()
}

// run is a stretch of text in one face.
type run struct {
	face string
	text string
}

// runs divides text among the faces.
func (w writing) runs(text string, heavy bool) []run {
	var all []run
	for _, c := range w.readable(text) {
		face := regular
		switch {
		case c > ' ' && !w[regular].has(c):
			face = patch
		case heavy:
			face = bold
		}
		if n := len(all); n > 0 && all[n-1].face == face {
			all[n-1].text += string(c)
		} else {
			all = append(all, run{face, string(c)})
		}
	}
	return all
}

// width is how wide a text is in a size of 1.
func (w writing) width(text string, heavy bool) (sum float64) {
	for _, r := range w.runs(text, heavy) {
		for _, c := range r.text {
			sum += max(w[r.face].width(c), 0)
		}
	}
	return sum
}

// measure is how wide a text is.
func (p *pdf) measure(text string, size float64, heavy bool) float64 {
	return size * p.faces.width(text, heavy)
}

func (p *pdf) text(x, y, size float64, style textStyle, text string) {
	switch style.anchor {
	case middle:
		x -= p.measure(text, size, style.bold) / 2
	case right:
		x -= p.measure(text, size, style.bold)
	}
	p.SetTextColor(parts(style.colour))
	for _, r := range p.faces.runs(text, style.bold) {
		p.SetFont(r.face, "", size)
		p.Text(x, y, r.text)
		x += p.measure(r.text, size, style.bold)
	}
}

// clip shortens text to a width, with an ellipsis.
func (p *pdf) clip(text string, size float64, heavy bool, width float64) string {
	if text = p.faces.readable(text); p.measure(text, size, heavy) <= width {
		return text
	}
	n := p.fit(text, size, heavy, width-p.measure("…", size, heavy))
	return strings.TrimRight(text[:n], " ") + "…"
}

// fit is how many bytes of a readable text go into a width; at least one character.
func (p *pdf) fit(text string, size float64, heavy bool, width float64) int {
	sum := 0.0
	for i, c := range text {
		if sum += p.measure(string(c), size, heavy); sum > width && i > 0 {
			return i
		}
	}
	return len(text)
}

// wrap breaks text at spaces, and words that are too long for a line after a dot, hyphen or slash or else anywhere, into at most so many
// lines.
func (p *pdf) wrap(text string, size float64, heavy bool, width float64, lines int) []string {
	text = p.faces.readable(text) // as wide as it is written
	var out []string
	for text != "" && len(out) < lines-1 {
		n := p.fit(text, size, heavy, width)
		if n < len(text) && text[n] != ' ' {
			if i := strings.LastIndexByte(text[:n], ' '); i > 0 {
				n = i
			} else if i := strings.LastIndexAny(text[:n], ".-/"); i > 0 {
				n = i + 1
			}
		}
		out = append(out, strings.TrimRight(text[:n], " "))
		text = strings.TrimLeft(text[n:], " ")
	}
	if text != "" {
		out = append(out, p.clip(text, size, heavy, width))
	}
	return out
}
