package cli

import (
	"strings"

	"golang.org/x/image/font"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

// typeface is a font in one size.
type typeface struct {
	font.Face
	glyphs *sfnt.Font
	buf    sfnt.Buffer
}

func newTypeface(ttf []byte, size float64) (*typeface, error) {
	glyphs, err := opentype.Parse(ttf)
	if err != nil {
		return nil, err
	}
	face, err := opentype.NewFace(glyphs, &opentype.FaceOptions{Size: size, DPI: 72, Hinting: font.HintingFull})
	return &typeface{Face: face, glyphs: glyphs}, err
}

// known is text with an ellipsis in place of what the font has no glyphs for: it would draw boxes.
func (f *typeface) known(text string) string {
	var b strings.Builder
	left := false
	for _, r := range text {
		index, err := f.glyphs.GlyphIndex(&f.buf, r)
		missing := err != nil || index == 0
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

func (f *typeface) width(text string) float64 {
	return float64(font.MeasureString(f.Face, f.known(text))) / float64(fixed.I(1))
}

// clip shortens text to a width, with an ellipsis.
func (f *typeface) clip(text string, width float64) string {
	if f.width(text) <= width {
		return text
	}
	runes := []rune(text)
	for len(runes) > 0 && f.width(string(runes)+"…") > width {
		runes = runes[:len(runes)-1]
	}
	return strings.TrimRight(string(runes), " ") + "…"
}
