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
	"golang.org/x/image/math/fixed"
	"golang.org/x/image/vector"

	"github.com/trigpoint/trigpoint/internal/geo"
	"github.com/trigpoint/trigpoint/internal/rankscale"
	"github.com/trigpoint/trigpoint/internal/typeface"
)

// The picture's measures in pixels.
const (
	pictureWidth = 960
	margin       = 40
	headHeight   = 96
	footHeight   = 96
	mapWidth     = pictureWidth - 2*margin
	mapHeight    = 1200 // at most
	minMap       = 240  // of either side
)

var (
	paper = color.RGBA{0xf6, 0xf4, 0xee, 0xff}
	ink   = color.RGBA{0x22, 0x2a, 0x33, 0xff}
	pale  = color.RGBA{0x5c, 0x68, 0x75, 0xff}
)

// picture is a heatmap being painted.
type picture struct {
	*image.RGBA
	title, text, small *typeface.Face
}

// writePNG paints the map to scale: a disc for each point, with its rank.
func (m *rankMap) writePNG(out io.Writer) error {
	radius, scale := m.discs()
	height := headHeight + int(max(m.height*scale+2*radius+8, minMap)) + footHeight
	p := &picture{RGBA: image.NewRGBA(image.Rect(0, 0, pictureWidth, height))}
	var err error
	if p.title, err = typeface.New(gobold.TTF, 26); err != nil {
		return err
	}
	if p.text, err = typeface.New(goregular.TTF, 17); err != nil {
		return err
	}
	if p.small, err = typeface.New(gobold.TTF, math.Max(8, radius*0.62)); err != nil {
		return err
	}
	draw.Draw(p, p.Bounds(), image.NewUniform(paper), image.Point{}, draw.Src)
	p.write(p.title, p.title.Clip(p.title.Readable(m.title), mapWidth), margin, 46, ink)
	p.write(p.text, p.text.Clip(p.text.Readable(m.subtitle), mapWidth), margin, 74, pale)
	left := (pictureWidth - m.width*scale) / 2
	bottom := (headHeight+float64(height-footHeight))/2 + m.height*scale/2
	place := func(x, y float64) (float64, float64) { return left + x*scale, bottom - y*scale }
	if m.centre != nil {
		x, y := place(m.centre[0], m.centre[1])
		p.centreMark(x, y, radius)
	}
	for _, point := range m.points {
		x, y := place(point.x, point.y)
		s := shade(point.position)
		p.disc(x, y, radius, s.Fill)
		p.centre(p.small, rankscale.Label(point.position), x, y, s.Ink)
	}
	p.legend(float64(height) - 62)
	if scale > 0 && m.width+m.height > 0 {
		p.scaleBar(scale, float64(height)-62)
	}
	p.write(p.text, p.text.Clip(p.text.Readable(m.figures), mapWidth), margin, float64(height)-22, ink)
	return png.Encode(out, p)
}

// discs says how large the discs are, and how many pixels a kilometre has, so that all of them are within the
// picture and neighbours as far as may be apart.
func (m *rankMap) discs() (radius, scale float64) {
	nearest := math.Inf(1)
	for i, a := range m.points {
		for _, b := range m.points[:i] {
			if d := math.Hypot(a.x-b.x, a.y-b.y); d > 0 {
				nearest = min(nearest, d)
			}
		}
	}
	const largest, smallest = 44, 11
	fit := func(radius float64) float64 {
		return min((mapWidth-2*radius)/max(m.width, 1e-3), (mapHeight-2*radius)/max(m.height, 1e-3))
	}
	radius = largest
	for radius > smallest && 0.44*nearest*fit(radius) < radius {
		radius--
	}
	return radius, fit(radius)
}

// write draws text; y is its baseline.
func (p *picture) write(f *typeface.Face, text string, x, y float64, c color.Color) {
	d := font.Drawer{Dst: p, Src: image.NewUniform(c), Face: f, Dot: fixed.Point26_6{X: fixed.Int26_6(x * 64), Y: fixed.Int26_6(y * 64)}}
	d.DrawString(text)
}

// centre writes text around a point.
func (p *picture) centre(f *typeface.Face, text string, x, y float64, c color.Color) {
	bounds, advance := font.BoundString(f, text)
	p.write(f, text, x-float64(advance)/128, y-float64(bounds.Min.Y+bounds.Max.Y)/128, c)
}

// centreMark marks a place by a ring with four ticks, which a disc on it leaves to be seen.
func (p *picture) centreMark(x, y, radius float64) {
	p.disc(x, y, radius+5, ink)
	p.disc(x, y, radius+2.5, paper)
	for _, tick := range [][2]float64{{1, 0}, {-1, 0}, {0, 1}, {0, -1}} {
		for i := radius + 2.5; i < radius+11; i++ {
			p.disc(x+tick[0]*i, y+tick[1]*i, 1.2, ink)
		}
	}
	p.disc(x, y, 2.5, ink)
}

// scaleBar draws a round length at the right of the legend.
func (p *picture) scaleBar(scale, y float64) {
	const longest = 220
	km := geo.RoundLength(longest / scale)
	right := float64(pictureWidth - margin)
	left := right - km*scale
	line := func(x0, y0, x1, y1 float64) {
		draw.Draw(p, image.Rect(int(x0), int(y0), int(math.Ceil(x1)), int(math.Ceil(y1))), image.NewUniform(ink), image.Point{}, draw.Src)
	}
	line(left, y+6, right, y+8)
	line(left, y, left+2, y+8)
	line(right-2, y, right, y+8)
	text := geo.LengthLabel(km)
	p.write(p.text, text, right-float64(p.text.Width(text)), y-4, ink)
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

// legend shows the colours of the bands.
func (p *picture) legend(y float64) {
	x := float64(margin) + 14
	for _, band := range rankscale.Bands(rankscale.Default) {
		p.disc(x, y, 11, band.Fill)
		p.write(p.text, band.Name(), x+18, y+6, pale)
		x += 92
	}
}
