package typeface

import (
	"fmt"
	"log/slog"
	"math"
	"slices"
	"unicode"
	"unicode/utf8"

	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/harfbuzz"
	"github.com/go-text/typesetting/language"
)

// Patch is a font for one document, made of what it writes that another font lacks. Letters are joined, moved and stacked as their
// script asks; what comes of that are characters of the patch, each drawn as it stands. It is not safe for concurrent use.
type Patch struct {
	fonts  []*patchFont
	has    map[rune]bool
	laid   map[stretch]line
	chars  map[drawing]rune
	taken  map[rune]bool
	glyphs []glyph
	free   rune // the next one of those that are for private use
	log    *slog.Logger
}

// patchFont is a font that glyphs are taken from.
type patchFont struct {
	path   string
	face   *font.Face
	shaper *harfbuzz.Font
	found  []rune // of the wanted characters
	broken bool   // it was found to be so when it was used
}

// stretch is text that runs one way.
type stretch struct {
	text      string
	leftwards bool
}

// Letter is what is drawn as one: a letter with its marks, letters that become one, or several that are drawn as they are.
type Letter struct {
	Text  string  // that it stands for
	Chars string  // of the patch that draw it, from left to right
	Width float64 // in a size of 1
}

// line is a stretch as it is drawn.
type line struct {
	letters []Letter
	whole   bool
}

// drawing is a glyph of a font, moved, and where the next one stands.
type drawing struct {
	from          *patchFont
	glyph         font.GID
	x, y, advance harfbuzz.Position
}

// The characters for private use.
const (
	firstPrivate = 0xe000
	lastPrivate  = 0xf8ff
)

func newPatch(log *slog.Logger) *Patch {
	return &Patch{has: map[rune]bool{}, laid: map[stretch]line{}, chars: map[drawing]rune{}, taken: map[rune]bool{}, free: firstPrivate, log: log}
}

// Has tells whether a font of the patch has a character.
func (p *Patch) Has(c rune) bool { return p != nil && p.has[c] }

// Lay lays out a stretch of characters that the patch has, from left to right. It fails where a font turns out to be broken, or the patch
// is full.
func (p *Patch) Lay(text string, leftwards bool) (letters []Letter, ok bool) {
	s := stretch{text, leftwards}
	laid, known := p.laid[s]
	if !known {
		laid = p.lay([]rune(text), leftwards)
		p.laid[s] = laid
	}
	return laid.letters, laid.whole
}

func (p *Patch) lay(text []rune, leftwards bool) line {
	parts := p.divide(text)
	if leftwards {
		slices.Reverse(parts)
	}
	var all line
	left := len(text)
	for _, part := range parts {
		letters, err := p.shape(part, leftwards)
		if err != nil {
			part.font.broken = true
			p.log.Warn("a font cannot be used", "font", part.font.path, "error", err)
			continue
		}
		all.letters = append(all.letters, letters...)
		left -= len(part.text)
	}
	all.whole = left == 0
	return all
}

// part is text of one script that one font draws.
type part struct {
	font   *patchFont
	script language.Script
	text   []rune
}

// divide cuts text into parts: from the first font that has all of it, or else each character from the font before or the first that has it.
func (p *Patch) divide(text []rune) (parts []*part) {
	among := p.fonts
	if i := slices.IndexFunc(p.fonts, func(f *patchFont) bool { return !slices.ContainsFunc(text, f.lacks) }); i >= 0 {
		among = p.fonts[i : i+1]
	}
	for _, c := range text {
		script := language.LookupScript(c)
		if n := len(parts); n > 0 {
			last := parts[n-1]
			if !last.font.lacks(c) && (!script.Strong() || !last.script.Strong() || script == last.script) {
				if last.text = append(last.text, c); script.Strong() {
					last.script = script
				}
				continue
			}
		}
		if i := slices.IndexFunc(among, func(f *patchFont) bool { return !f.lacks(c) }); i >= 0 {
			parts = append(parts, &part{among[i], script, []rune{c}})
		}
	}
	return parts
}

// lacks tells of a character that a font cannot draw. What only says how others are drawn is never lacked.
func (f *patchFont) lacks(c rune) bool {
	_, found := f.face.NominalGlyph(c)
	return f.broken || !found && !unicode.Is(unicode.Cf, c)
}

// shape lays out a part. A fault of its font must not end the program.
func (p *Patch) shape(t *part, leftwards bool) (letters []Letter, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = fmt.Errorf("it is broken: %v", fault)
		}
	}()
	buffer := harfbuzz.NewBuffer()
	buffer.Props = harfbuzz.SegmentProperties{Direction: harfbuzz.LeftToRight, Script: t.script, Language: "und"}
	if leftwards {
		buffer.Props.Direction = harfbuzz.RightToLeft
	}
	buffer.AddRunes(t.text, 0, -1)
	buffer.Shape(t.font.shaper, nil)
	begins := []int{len(t.text)} // of letters, with the end
	for _, g := range buffer.Info {
		begins = append(begins, g.Cluster)
	}
	slices.Sort(begins)
	for from := 0; from < len(buffer.Info); {
		begin := buffer.Info[from].Cluster
		to := from + 1
		for to < len(buffer.Info) && buffer.Info[to].Cluster == begin {
			to++
		}
		end, _ := slices.BinarySearch(begins, begin+1)
		letter := Letter{Text: string(t.text[begin:begins[end]])}
		for i := from; i < to && err == nil; i++ {
			err = p.draw(&letter, t.font, buffer.Info[i].Glyph, buffer.Pos[i])
		}
		if n := len(letters); n > 0 && !leftwards && letter.asItIs() && letters[n-1].asItIs() {
			last := &letters[n-1]
			*last = Letter{last.Text + letter.Text, last.Chars + letter.Chars, last.Width + letter.Width}
		} else {
			letters = append(letters, letter)
		}
		from = to
	}
	return letters, err
}

// asItIs tells of a letter that draws itself.
func (l Letter) asItIs() bool { return l.Chars == l.Text }

// draw adds a glyph to a letter.
func (p *Patch) draw(l *Letter, f *patchFont, glyph font.GID, at harfbuzz.GlyphPosition) error {
	if glyph == 0 {
		return nil // a box
	}
	d := drawing{f, glyph, at.XOffset, at.YOffset, max(at.XAdvance, 0)}
	c, known := p.chars[d]
	if !known {
		own, _ := utf8.DecodeRuneInString(l.Text)
		var err error
		if c, err = p.add(d, own); err != nil {
			return err
		}
	}
	l.Chars += string(c)
	l.Width += float64(scaled(d.advance, f)) / perEm
	return nil
}

// add makes a drawing a character of the patch: its own where it is what the font draws for that, so that it can be copied.
func (p *Patch) add(d drawing, own rune) (rune, error) {
	c := p.free
	nominal, found := d.from.face.NominalGlyph(own)
	if found && nominal == d.glyph && d.x == 0 && d.y == 0 && own <= math.MaxUint16 && !p.taken[own] && !unicode.Is(unicode.Co, own) {
		c = own
	} else if p.free++; c > lastPrivate {
		return 0, fmt.Errorf("a document draws more than %d glyphs", lastPrivate-firstPrivate)
	}
	outline, _ := d.from.face.GlyphDataOutline(d.glyph)
	p.glyphs = append(p.glyphs, newGlyph(c, outline, d))
	p.chars[d], p.taken[c] = c, true
	return c, nil
}

// scaled is a length of a font in thousandths of its size.
func scaled(length harfbuzz.Position, f *patchFont) int {
	return int(math.Round(float64(length) * perEm / float64(f.face.Upem())))
}

// TTF is the patch as a TrueType font, of all that was laid out; nil when that was nothing.
func (p *Patch) TTF() []byte {
	if p == nil || len(p.glyphs) == 0 {
		return nil
	}
	slices.SortFunc(p.glyphs, func(a, b glyph) int { return int(a.char - b.char) })
	return writeFont(p.glyphs)
}
