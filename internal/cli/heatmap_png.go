package cli

import (
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"io"
	"math"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
	"golang.org/x/image/vector"
)

// The picture's measures in pixels.
const (
	pictureWidth = 960
	margin       = 40
	headHeight   = 96
	footHeight   = 96
)

// picture is a heatmap being painted.
type picture struct {
	*image.RGBA
	title, text, small font.Face
}

// writePNG paints the map: a disc for each point, with its rank.
func (m *rankMap) writePNG(out io.Writer) error {
	cell := float64(pictureWidth-2*margin) / float64(max(m.columns, 1))
	height := headHeight + int(cell*float64(m.rows)) + footHeight
	p := &picture{RGBA: image.NewRGBA(image.Rect(0, 0, pictureWidth, height))}
	var err error
	if p.title, err = face(gobold.TTF, 26); err != nil {
		return err
	}
	if p.text, err = face(goregular.TTF, 17); err != nil {
		return err
	}
	radius := math.Min(cell*0.44, 44)
	if p.small, err = face(gobold.TTF, math.Max(9, radius*0.62)); err != nil {
		return err
	}
	ink, pale := color.RGBA{0x22, 0x2a, 0x33, 0xff}, color.RGBA{0x5c, 0x68, 0x75, 0xff}
	draw.Draw(p, p.Bounds(), image.NewUniform(color.RGBA{0xf6, 0xf4, 0xee, 0xff}), image.Point{}, draw.Src)
	p.write(p.title, m.title, margin, 46, ink)
	p.write(p.text, m.subtitle, margin, 74, pale)
	for at, position := range m.cells {
		x := margin + (float64(at[1])+0.5)*cell
		y := headHeight + (float64(at[0])+0.5)*cell
		c := rankColor(position.Position)
		p.disc(x, y, radius, c)
		p.centre(p.small, label(position.Position), x, y, inkOn(c))
	}
	p.legend(float64(height) - 62)
	p.write(p.text, m.figures, margin, float64(height)-22, ink)
	return png.Encode(out, p)
}

func face(ttf []byte, size float64) (font.Face, error) {
	parsed, err := opentype.Parse(ttf)
	if err != nil {
		return nil, err
	}
	return opentype.NewFace(parsed, &opentype.FaceOptions{Size: size, DPI: 72, Hinting: font.HintingFull})
}

func (p *picture) write(f font.Face, text string, x, y float64, c color.Color) {
	d := font.Drawer{Dst: p, Src: image.NewUniform(c), Face: f, Dot: fixed.Point26_6{X: fixed.Int26_6(x * 64), Y: fixed.Int26_6(y * 64)}}
	d.DrawString(text)
}

// centre writes text around a point.
func (p *picture) centre(f font.Face, text string, x, y float64, c color.Color) {
	bounds, advance := font.BoundString(f, text)
	p.write(f, text, x-float64(advance)/128, y-float64(bounds.Min.Y+bounds.Max.Y)/128, c)
}

// disc fills a circle with smooth edges.
func (p *picture) disc(x, y, radius float64, c color.Color) {
	left, top := int(x-radius)-1, int(y-radius)-1
	side := int(2*radius) + 4
	const k = 0.5522847498307936 // control points of a quarter circle
	cx, cy, r := float32(x)-float32(left), float32(y)-float32(top), float32(radius)
	z := vector.NewRasterizer(side, side)
	z.MoveTo(cx+r, cy)
	z.CubeTo(cx+r, cy+k*r, cx+k*r, cy+r, cx, cy+r)
	z.CubeTo(cx-k*r, cy+r, cx-r, cy+k*r, cx-r, cy)
	z.CubeTo(cx-r, cy-k*r, cx-k*r, cy-r, cx, cy-r)
	z.CubeTo(cx+k*r, cy-r, cx+r, cy-k*r, cx+r, cy)
	z.ClosePath()
	z.Draw(p, image.Rect(left, top, left+side, top+side), image.NewUniform(c), image.Point{})
}

// legend shows the colours of some ranks.
func (p *picture) legend(y float64) {
	x := float64(margin) + 14
	for _, rank := range []int{1, 3, 7, 12, 20, 21} {
		p.disc(x, y, 11, rankColor(rank))
		p.write(p.text, label(rank), x+18, y+6, color.RGBA{0x5c, 0x68, 0x75, 0xff})
		x += 74
	}
}
