package document

import (
	"fmt"
	"maps"
	"slices"
	"sort"
	"strings"
	"unicode"
	"unicode/utf16"

	"github.com/go-text/typesetting/segmenter"
	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"golang.org/x/text/unicode/bidi"

	"github.com/trigpoint/trigpoint/internal/typeface"
)

// Faces finds characters that the built-in face lacks.
type Faces interface {
	// Patch finds those of the characters that there are; nil when there are none.
	Patch(missing []rune) *typeface.Patch
}

// The names of the faces in a PDF.
const (
	regular = "regular"
	bold    = "bold"
	patch   = "patch"
)

// writing is the faces that a PDF is written in.
type writing struct {
	regular, bold *face
	patch         *typeface.Patch // nil where there is none
}

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

func (f *face) has(c rune) bool { return f.width(c) >= 0 }

// newWriting finds the faces that the texts of a report need, and the characters that cannot be written.
func newWriting(r *Report, faces Faces) (w *writing, left []rune, err error) {
	w = &writing{}
	w.regular, err = newFace(goregular.TTF)
	if err == nil {
		w.bold, err = newFace(gobold.TTF)
	}
	if err != nil {
		return nil, nil, err
	}
	left = slices.DeleteFunc(slices.Sorted(maps.Keys(r.characters())), w.has)
	if len(left) > 0 && faces != nil {
		w.patch = faces.Patch(left)
		left = slices.DeleteFunc(left, w.has)
	}
	return w, left, nil
}

// has tells whether a character can be written. What takes no ink always can.
func (w *writing) has(c rune) bool {
	return c <= ' ' || unicode.Is(unicode.Cf, c) || w.regular.has(c) || w.patch.Has(c)
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
func (w *writing) readable(text string) string {
	var b strings.Builder
	left := false
	for _, c := range text {
		lacks := !w.has(c) || left && attaches(c)
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

// run is text in one face, as it is written from left to right.
type run struct {
	face  string
	text  string
	reads string  // what it stands for
	width float64 // in a size of 1
}

// runs divides text among the faces, from left to right.
func (w *writing) runs(text string, heavy bool) (all []run) {
	for _, s := range inOrder(w.readable(text)) {
		var some [][]run
		for rest := s.text; rest != ""; {
			n, patched := w.cut(rest)
			if patched {
				some = append(some, w.patched(stretch{rest[:n], s.leftwards}, heavy))
			} else {
				some = append(some, []run{w.plain(stretch{rest[:n], s.leftwards}, heavy)})
			}
			rest = rest[n:]
		}
		if s.leftwards {
			slices.Reverse(some)
		}
		all = append(all, slices.Concat(some...)...)
	}
	return all
}

// cut is how much of a text the face of its first character writes.
func (w *writing) cut(text string) (n int, patched bool) {
	for i, c := range text {
		isPatched := c > ' ' && !unicode.Is(unicode.Cf, c) && !w.regular.has(c)
		if i == 0 {
			patched = isPatched
		} else if isPatched != patched && (!patched || !attaches(c)) {
			return i, patched
		}
	}
	return len(text), patched
}

// patched writes what the built-in face lacks.
func (w *writing) patched(s stretch, heavy bool) (all []run) {
	letters, ok := w.patch.Lay(s.text, s.leftwards)
	if !ok {
		return []run{w.plain(stretch{text: "…"}, heavy)}
	}
	for _, l := range letters {
		all = append(all, run{patch, l.Chars, l.Text, l.Width})
	}
	return all
}

// plain writes what the built-in face has.
func (w *writing) plain(s stretch, heavy bool) run {
	r, in := run{face: regular}, w.regular
	if heavy {
		r.face, in = bold, w.bold
	}
	if s.leftwards {
		s.text = bidi.ReverseString(s.text) // with brackets that open the other way
	}
	for _, c := range s.text {
		if !unicode.Is(unicode.Cf, c) {
			r.text += string(c)
			r.width += max(in.width(c), 0)
		}
	}
	r.reads = r.text
	return r
}

// measure is how wide a text is.
func (p *pdf) measure(text string, size float64, heavy bool) (width float64) {
	for _, r := range p.faces.runs(text, heavy) {
		width += size * r.width
	}
	return width
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
		p.run(x, y, size, r)
		x += size * r.width
	}
}

// run writes a run, so that what it stands for is found and copied.
func (p *pdf) run(x, y, size float64, r run) {
	if r.face == patch && !p.hasPatch || r.text == "" {
		return
	}
	p.SetFont(r.face, "", size)
	if r.text == r.reads {
		p.Text(x, y, r.text)
		return
	}
	p.RawWriteStr(fmt.Sprintf("/Span <</ActualText <FEFF%s>>> BDC", inUTF16(r.reads)))
	p.Text(x, y, r.text)
	p.RawWriteStr("EMC")
}

// inUTF16 is a text as hexadecimal digits.
func inUTF16(text string) string {
	var b strings.Builder
	for _, unit := range utf16.Encode([]rune(text)) {
		fmt.Fprintf(&b, "%04X", unit)
	}
	return b.String()
}

// clip shortens text to a width, with an ellipsis.
func (p *pdf) clip(text string, size float64, heavy bool, width float64) string {
	if text = p.faces.readable(text); p.measure(text, size, heavy) <= width {
		return text
	}
	n := p.fit(text, size, heavy, width-p.measure("…", size, heavy))
	return withEllipsis(strings.TrimRight(text[:n], " "))
}

// fit is how many bytes of a readable text go into a width; at least one letter with its marks.
func (p *pdf) fit(text string, size float64, heavy bool, width float64) int {
	if p.measure(text, size, heavy) <= width {
		return len(text)
	}
	ends := letterEnds(text)
	first := sort.Search(len(ends), func(i int) bool { return p.measure(text[:ends[i]], size, heavy) > width })
	return ends[max(first-1, 0)]
}

// letterEnds are where text may be broken inside a word: behind each letter with the marks on it.
func letterEnds(text string) (ends []int) {
	var letters segmenter.Segmenter
	letters.Init([]rune(text))
	end := 0
	for each := letters.GraphemeIterator(); each.Next(); {
		end += len(string(each.Grapheme().Text))
		ends = append(ends, end)
	}
	return ends
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
