package snapshot

import (
	"fmt"
	"strings"
	"unicode"

	"golang.org/x/image/font"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

// face is a font at a size, with its glyphs drawn once.
type face struct {
	font   *sfnt.Font
	face   font.Face
	size   int
	buf    sfnt.Buffer
	glyphs map[rune]glyph
}

type glyph struct {
	mask    []byte // alpha, w pixels a row
	w       int
	dx, dy  int // from the dot to the mask's corner
	advance fixed.Int26_6
}

func (c *canvas) face(size int, bold bool) (*face, error) {
	key := faceKey{size, bold}
	if f, ok := c.faces[key]; ok {
		return f, nil
	}
	ff, err := opentype.NewFace(c.fonts[bold], &opentype.FaceOptions{Size: float64(size), DPI: 72, Hinting: font.HintingNone})
	if err != nil {
		return nil, fmt.Errorf("sizing the built-in font: %w", err)
	}
	f := &face{font: c.fonts[bold], face: ff, size: size, glyphs: map[rune]glyph{}}
	c.faces[key] = f
	return f, nil
}

func (f *face) glyph(r rune) glyph {
	g, ok := f.glyphs[r]
	if !ok {
		g = f.draw(r)
		f.glyphs[r] = g
	}
	return g
}

// draw rasterises a glyph. The built-in fonts know Latin, Greek and Cyrillic; any other character
// becomes an empty box. Symbols (stars, emoji) and marks on the character before are left out.
func (f *face) draw(r rune) glyph {
	if index, err := f.font.GlyphIndex(&f.buf, r); err != nil || index == 0 {
		if unicode.In(r, unicode.M, unicode.So, unicode.Sk, unicode.Cf) {
			return glyph{}
		}
		return f.box()
	}
	rect, mask, at, advance, ok := f.face.Glyph(fixed.Point26_6{}, r)
	if !ok {
		return f.box()
	}
	g := glyph{w: rect.Dx(), dx: rect.Min.X, dy: rect.Min.Y, advance: advance}
	g.mask = make([]byte, rect.Dx()*rect.Dy())
	for i := range g.mask {
		_, _, _, a := mask.At(at.X+i%g.w, at.Y+i/g.w).RGBA()
		g.mask[i] = byte(a >> 8)
	}
	return g
}

func (f *face) box() glyph {
	w, h := f.size*11/20, f.size*7/10
	line := max(1, f.size/16)
	g := glyph{mask: make([]byte, w*h), w: w, dx: line, dy: -h, advance: fixed.I(w + 2*line)}
	for i := range g.mask {
		if x, y := i%w, i/w; x < line || y < line || x >= w-line || y >= h-line {
			g.mask[i] = 120
		}
	}
	return g
}

func (f *face) width(s string) int {
	var sum fixed.Int26_6
	for _, r := range s {
		sum += f.glyph(r).advance
	}
	return sum.Ceil()
}

// fit is how many bytes of s go into width; at least one character.
func (f *face) fit(s string, width int) int {
	var sum fixed.Int26_6
	for i, r := range s {
		if sum += f.glyph(r).advance; sum.Ceil() > width && i > 0 {
			return i
		}
	}
	return len(s)
}

// clip shortens s to width, with an ellipsis.
func (f *face) clip(s string, width int) string {
	if f.width(s) <= width {
		return s
	}
	return strings.TrimRight(s[:f.fit(s, width-f.width("…"))], " ") + "…"
}

// wrap breaks s at spaces, and inside words too long for a line, into at most lines lines.
func (f *face) wrap(s string, width, lines int) []string {
	var out []string
	for s != "" && len(out) < lines-1 {
		n := f.fit(s, width)
		if n < len(s) && s[n] != ' ' {
			if i := strings.LastIndexByte(s[:n], ' '); i > 0 {
				n = i
			}
		}
		out = append(out, strings.TrimRight(s[:n], " "))
		s = strings.TrimLeft(s[n:], " ")
	}
	if s != "" {
		out = append(out, f.clip(s, width))
	}
	return out
}
