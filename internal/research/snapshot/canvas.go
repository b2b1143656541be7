package snapshot

import (
	"errors"
	"image"
	"image/color"

	"golang.org/x/image/font"
	"golang.org/x/image/math/fixed"

	"github.com/trigpoint/trigpoint/internal/typeface"
)

// canvas draws fills and text into one byte a pixel. A result page has few colours, so every pair of
// ink and paper gets a ramp of shades in the palette; a long page then costs a quarter of the memory
// of true colour and its PNG is small. All lengths are pixels of the final picture.
type canvas struct {
	width, height int
	pix           []byte // nil while measuring
	palette       color.Palette
	ramps         map[[2]color.RGBA]uint8 // index of the paper's shade; the ink's is the last of the ramp
	fills         map[color.RGBA]uint8
	err           error // the first fault; drawing goes on without effect
}

// shades is the length of a ramp from paper to ink: enough for smooth text, and all ramps fit.
const shades = 11

func newCanvas(width int) *canvas {
	return &canvas{width: width, ramps: map[[2]color.RGBA]uint8{}, fills: map[color.RGBA]uint8{}}
}

// start ends measuring: from here on drawing leaves marks.
func (c *canvas) start(height int, paper color.RGBA) {
	c.height = height
	c.pix = make([]byte, c.width*height)
	c.fill(image.Rect(0, 0, c.width, height), paper)
}

// measure runs a drawing without leaving marks.
func (c *canvas) measure(draw func() int) int {
	pix := c.pix
	c.pix = nil
	defer func() { c.pix = pix }()
	return draw()
}

func (c *canvas) image() *image.Paletted {
	return &image.Paletted{Pix: c.pix, Stride: c.width, Rect: image.Rect(0, 0, c.width, c.height), Palette: c.palette}
}

var errTooManyColours = errors.New("snapshot uses more than 256 shades")

// ramp returns the index of the paper's shade in the ramp from paper to ink.
func (c *canvas) ramp(ink, paper color.RGBA) uint8 {
	key := [2]color.RGBA{ink, paper}
	if base, ok := c.ramps[key]; ok {
		return base
	}
	mix := func(a, b uint8, i int) uint8 {
		return uint8((int(a)*(shades-1-i) + int(b)*i + shades/2) / (shades - 1))
	}
	base := len(c.palette)
	if base+shades > 256 {
		c.err = errTooManyColours
		return 0
	}
	for i := range shades {
		c.palette = append(c.palette, color.RGBA{mix(paper.R, ink.R, i), mix(paper.G, ink.G, i), mix(paper.B, ink.B, i), 255})
	}
	c.ramps[key] = uint8(base)
	return uint8(base)
}

func (c *canvas) shade(ink color.RGBA) uint8 {
	if index, ok := c.fills[ink]; ok {
		return index
	}
	if len(c.palette) >= 256 {
		c.err = errTooManyColours
		return 0
	}
	c.palette = append(c.palette, ink)
	c.fills[ink] = uint8(len(c.palette) - 1)
	return c.fills[ink]
}

func (c *canvas) fill(r image.Rectangle, ink color.RGBA) {
	if c.pix == nil {
		return
	}
	index := c.shade(ink)
	r = r.Intersect(image.Rect(0, 0, c.width, c.height))
	if r.Empty() {
		return
	}
	row := func(y int) []byte { return c.pix[y*c.width+r.Min.X : y*c.width+r.Max.X] }
	first := row(r.Min.Y)
	for i := range first {
		first[i] = index
	}
	for y := r.Min.Y + 1; y < r.Max.Y; y++ {
		copy(row(y), first)
	}
}

// round fills a rectangle with smooth corners on the given paper.
func (c *canvas) round(r image.Rectangle, radius int, ink, paper color.RGBA) {
	if c.pix == nil {
		return
	}
	c.fill(image.Rect(r.Min.X, r.Min.Y+radius, r.Max.X, r.Max.Y-radius), ink)
	c.fill(image.Rect(r.Min.X+radius, r.Min.Y, r.Max.X-radius, r.Max.Y), ink)
	base := c.ramp(ink, paper)
	for dy := range radius {
		for dx := range radius {
			cover := cornerShade(radius, dx, dy)
			if cover == 0 {
				continue
			}
			shade := base + cover
			for _, x := range []int{r.Min.X + dx, r.Max.X - 1 - dx} {
				c.set(x, r.Min.Y+dy, shade)
				c.set(x, r.Max.Y-1-dy, shade)
			}
		}
	}
}

// cornerShade samples how much of a corner's pixel lies inside its circle.
func cornerShade(radius, dx, dy int) uint8 {
	const n = 4
	inside := 0
	for i := range n * n {
		x := float64(radius) - float64(dx) - (float64(i%n)+0.5)/n
		y := float64(radius) - float64(dy) - (float64(i/n)+0.5)/n
		if x*x+y*y <= float64(radius*radius) {
			inside++
		}
	}
	return uint8(inside * (shades - 1) / (n * n))
}

func (c *canvas) set(x, y int, index uint8) {
	if image.Pt(x, y).In(image.Rect(0, 0, c.width, c.height)) {
		c.pix[y*c.width+x] = index
	}
}

// text draws one line with its baseline at y.
func (c *canvas) text(f *typeface.Face, x, y int, s string, ink, paper color.RGBA) {
	if c.pix == nil {
		return
	}
	line := font.Drawer{Dst: inked{c, c.ramp(ink, paper)}, Src: image.Opaque, Face: f, Dot: fixed.P(x, y)}
	line.DrawString(s)
}

// inked is a canvas on which opacity is a shade of one ramp.
type inked struct {
	*canvas
	base uint8
}

// ColorModel implements draw.Image.
func (inked) ColorModel() color.Model { return color.AlphaModel }

// Bounds implements draw.Image.
func (i inked) Bounds() image.Rectangle { return image.Rect(0, 0, i.width, i.height) }

// At implements draw.Image.
func (i inked) At(x, y int) color.Color {
	if shade := i.pix[y*i.width+x] - i.base; shade < shades {
		return color.Alpha{uint8(uint16(shade) * 255 / (shades - 1))}
	}
	return color.Transparent
}

// Set implements draw.Image.
func (i inked) Set(x, y int, c color.Color) {
	_, _, _, alpha := c.RGBA()
	i.set(x, y, i.base+uint8((alpha*(shades-1)+0x7fff)/0xffff))
}
