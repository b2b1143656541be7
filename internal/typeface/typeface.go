// Package typeface measures, cuts and wraps lines of text in a TrueType font, and draws them by way of font.Drawer.
package typeface

import (
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"strings"
	"unicode"

	"golang.org/x/image/font"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

// Face is a font in one size. A character that the font lacks is an empty box; symbols (stars, emoji) and marks on
// the character before are left out. It is not safe for concurrent use.
type Face struct {
	font.Face
	glyphs *sfnt.Font
	buf    sfnt.Buffer
	box    *image.Alpha
}

// New reads a font; size is in pixels. Every character takes whole pixels, so that one that comes back is the same
// picture again, and a PNG of long text is small.
func New(ttf []byte, size float64) (*Face, error) {
	glyphs, err := opentype.Parse(ttf)
	if err != nil {
		return nil, fmt.Errorf("reading the font: %w", err)
	}
	face, err := opentype.NewFace(glyphs, &opentype.FaceOptions{Size: size, DPI: 72, Hinting: font.HintingFull})
	if err != nil {
		return nil, fmt.Errorf("sizing the font: %w", err)
	}
	return &Face{Face: face, glyphs: glyphs, box: newBox(int(size))}, nil
}

// newBox is the picture of a missing character, with the space beside it.
func newBox(size int) *image.Alpha {
	line := max(1, size/16)
	box := image.Rect(line, 0, line+size*11/20, size*7/10)
	picture := image.NewAlpha(image.Rect(0, 0, box.Max.X+line, box.Max.Y))
	draw.Draw(picture, box, image.NewUniform(color.Alpha{120}), image.Point{}, draw.Src)
	draw.Draw(picture, box.Inset(line), image.Transparent, image.Point{}, draw.Src)
	return picture
}

func (f *Face) has(r rune) bool {
	index, err := f.glyphs.GlyphIndex(&f.buf, r)
	return err == nil && index != 0
}

func isLeftOut(r rune) bool { return unicode.In(r, unicode.M, unicode.So, unicode.Sk, unicode.Cf) }

// Glyph implements font.Face.
func (f *Face) Glyph(dot fixed.Point26_6, r rune) (dr image.Rectangle, mask image.Image, maskp image.Point, advance fixed.Int26_6, ok bool) {
	if f.has(r) {
		return f.Face.Glyph(dot, r)
	}
	if advance, _ = f.GlyphAdvance(r); advance > 0 {
		dr = f.box.Rect.Add(image.Pt(dot.X.Round(), dot.Y.Round()-f.box.Rect.Dy()))
	}
	return dr, f.box, image.Point{}, advance, true
}

// GlyphAdvance implements font.Face.
func (f *Face) GlyphAdvance(r rune) (advance fixed.Int26_6, ok bool) {
	switch {
	case f.has(r):
		return f.Face.GlyphAdvance(r)
	case isLeftOut(r):
		return 0, true
	}
	return fixed.I(f.box.Rect.Dx()), true
}

// Readable is text with an ellipsis in place of what the font lacks, where boxes would say too little.
func (f *Face) Readable(text string) string {
	var b strings.Builder
	left := false
	for _, r := range text {
		missing := !f.has(r)
		if missing && !left {
			r = '…'
		}
		if !missing || !left {
			b.WriteRune(r)
		}
		left = missing
	}
	return b.String()
}

// Width is how many pixels a text takes.
func (f *Face) Width(text string) int { return font.MeasureString(f, text).Ceil() }

// fit is how many bytes of text go into width; at least one character.
func (f *Face) fit(text string, width int) int {
	var sum fixed.Int26_6
	before := rune(-1)
	for i, r := range text {
		if before >= 0 {
			sum += f.Kern(before, r)
		}
		advance, _ := f.GlyphAdvance(r)
		if sum += advance; sum.Ceil() > width && i > 0 {
			return i
		}
		before = r
	}
	return len(text)
}

// Clip shortens text to width, with an ellipsis.
func (f *Face) Clip(text string, width int) string {
	if f.Width(text) <= width {
		return text
	}
	return strings.TrimRight(text[:f.fit(text, width-f.Width("…"))], " ") + "…"
}

// Wrap breaks text at spaces, and inside words too long for a line, into at most the given number of lines.
func (f *Face) Wrap(text string, width, lines int) []string {
	var out []string
	for text != "" && len(out) < lines-1 {
		n := f.fit(text, width)
		if n < len(text) && text[n] != ' ' {
			if i := strings.LastIndexByte(text[:n], ' '); i > 0 {
				n = i
			}
		}
		out = append(out, strings.TrimRight(text[:n], " "))
		text = strings.TrimLeft(text[n:], " ")
	}
	if text != "" {
		out = append(out, f.Clip(text, width))
	}
	return out
}
