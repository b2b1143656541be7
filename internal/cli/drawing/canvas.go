// Package drawing draws the pictures of the demo: a deli, its dishes and its sign, as flat shapes. They are the same
// every time.
package drawing

import (
	"bytes"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"math"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/math/fixed"
	"golang.org/x/image/vector"

	"github.com/trigpoint/trigpoint/internal/typeface"
)

// canvas is a picture being drawn out of plain shapes.
type canvas struct{ *image.RGBA }

func newCanvas(w, h int, ground uint32) canvas {
	c := canvas{image.NewRGBA(image.Rect(0, 0, w, h))}
	draw.Draw(c, c.Bounds(), image.NewUniform(rgb(ground)), image.Point{}, draw.Src)
	return c
}

// rgb is a colour written as 0xrrggbb.
func rgb(v uint32) color.RGBA { return color.RGBA{uint8(v >> 16), uint8(v >> 8), uint8(v), 255} }

// outline is a closed line: points, each reached by a curve whose two handles stand before it.
type outline [][3][2]float64

func (o *outline) to(x, y float64) { o.curve(x, y, x, y, x, y) }

func (o *outline) curve(x1, y1, x2, y2, x, y float64) {
	*o = append(*o, [3][2]float64{{x1, y1}, {x2, y2}, {x, y}})
}

// fill paints what the outline surrounds.
func (c canvas) fill(colour uint32, o outline) {
	if len(o) == 0 {
		return
	}
	low, high := [2]float64{math.Inf(1), math.Inf(1)}, [2]float64{math.Inf(-1), math.Inf(-1)}
	for _, step := range o {
		for _, p := range step {
			for axis := range 2 {
				low[axis], high[axis] = min(low[axis], p[axis]), max(high[axis], p[axis])
			}
		}
	}
	box := image.Rect(int(math.Floor(low[0])), int(math.Floor(low[1])), int(math.Ceil(high[0]))+1, int(math.Ceil(high[1]))+1)
	at := func(p [2]float64) (x, y float32) {
		return float32(p[0] - float64(box.Min.X)), float32(p[1] - float64(box.Min.Y))
	}
	z := vector.NewRasterizer(box.Dx(), box.Dy())
	x, y := at(o[0][2])
	z.MoveTo(x, y)
	for _, step := range o[1:] {
		x1, y1 := at(step[0])
		x2, y2 := at(step[1])
		x, y := at(step[2])
		z.CubeTo(x1, y1, x2, y2, x, y)
	}
	z.ClosePath()
	z.Draw(c, box, image.NewUniform(rgb(colour)), image.Point{})
}

func (c canvas) rect(colour uint32, x, y, w, h float64) {
	c.polygon(colour, x, y, x+w, y, x+w, y+h, x, y+h)
}

// polygon takes x and y of each corner in turn.
func (c canvas) polygon(colour uint32, at ...float64) {
	var o outline
	for i := 0; i+1 < len(at); i += 2 {
		o.to(at[i], at[i+1])
	}
	c.fill(colour, o)
}

// quarter is how far the handles of a quarter circle reach, as a share of its radius.
const quarter = 0.5523

func (c canvas) ellipse(colour uint32, x, y, rx, ry float64) {
	var o outline
	o.to(x+rx, y)
	o.curve(x+rx, y+quarter*ry, x+quarter*rx, y+ry, x, y+ry)
	o.curve(x-quarter*rx, y+ry, x-rx, y+quarter*ry, x-rx, y)
	o.curve(x-rx, y-quarter*ry, x-quarter*rx, y-ry, x, y-ry)
	o.curve(x+quarter*rx, y-ry, x+rx, y-quarter*ry, x+rx, y)
	c.fill(colour, o)
}

func (c canvas) circle(colour uint32, x, y, r float64) { c.ellipse(colour, x, y, r, r) }

// round is a rectangle with round corners, whose radii run clockwise from the top left.
func (c canvas) round(colour uint32, x, y, w, h float64, radius ...float64) {
	for len(radius) < 4 {
		radius = append(radius, radius[len(radius)-1])
	}
	tl, tr, br, bl := radius[0], radius[1], radius[2], radius[3]
	bend := func(r float64) float64 { return r * (1 - quarter) }
	var o outline
	o.to(x+tl, y)
	o.to(x+w-tr, y)
	o.curve(x+w-bend(tr), y, x+w, y+bend(tr), x+w, y+tr)
	o.to(x+w, y+h-br)
	o.curve(x+w, y+h-bend(br), x+w-bend(br), y+h, x+w-br, y+h)
	o.to(x+bl, y+h)
	o.curve(x+bend(bl), y+h, x, y+h-bend(bl), x, y+h-bl)
	o.to(x, y+tl)
	o.curve(x, y+bend(tl), x+bend(tl), y, x+tl, y)
	c.fill(colour, o)
}

// wave is a band whose lower edge, or with a negative height its upper one, hangs in waves.
func (c canvas) wave(colour uint32, x, y, w, h float64, waves int, depth float64) {
	var o outline
	o.to(x, y)
	o.to(x, y+h)
	step := w / float64(waves)
	for i := range waves {
		from := x + float64(i)*step
		o.curve(from+step/4, y+h+depth, from+3*step/4, y+h+depth, from+step, y+h)
	}
	o.to(x+w, y)
	c.fill(colour, o)
}

// write centres words on a line.
func (c canvas) write(colour uint32, size, x, y float64, words string) error {
	face, err := typeface.New(gobold.TTF, size)
	if err != nil {
		return err
	}
	d := font.Drawer{Dst: c, Src: image.NewUniform(rgb(colour)), Face: face}
	d.Dot = fixed.Point26_6{X: fixed.I(int(x)) - d.MeasureString(words)/2, Y: fixed.I(int(y))}
	d.DrawString(words)
	return nil
}

func (c canvas) png() ([]byte, error) {
	var b bytes.Buffer
	err := (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(&b, c.RGBA)
	return b.Bytes(), err
}
