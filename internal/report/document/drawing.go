package document

import (
	"fmt"
	"math"
	"time"

	"github.com/dustin/go-humanize"

	"github.com/trigpoint/trigpoint/internal/geo"
	"github.com/trigpoint/trigpoint/internal/rankscale"
)

// pen draws on the page or on the PDF. Lengths are points, y runs down; colours are #rrggbb.
type pen interface {
	box(x, y, width, height float64, fill string)
	disc(x, y, radius float64, fill, edge string) // an empty colour is none
	line(through []spot, width float64, colour string)
	text(x, y, size float64, style textStyle, text string) // y is the baseline
}

type spot struct{ x, y float64 }

type textStyle struct {
	anchor anchor
	bold   bool
	colour string
}

type anchor int

const (
	left anchor = iota
	middle
	right
)

// The colours of paper, as the dashboard has them by day.
const (
	ink       = "#16201f"
	soft      = "#4a5655"
	hairline  = "#dfe3e3"
	mapGround = "#eaeeec"
	good      = "#15703b"
	bad       = "#b42318"
)

// wayColour is what a change is written in.
func wayColour(way int) string {
	switch {
	case way > 0:
		return good
	case way < 0:
		return bad
	}
	return soft
}

const mapMargin = 12

// drawMap draws a map in a square, with its scale.
func drawMap(p pen, m *Map, x, y, side float64) {
	p.box(x, y, side, side, mapGround)
	if len(m.Points) == 0 {
		p.text(x+side/2, y+side/2, 9, textStyle{anchor: middle, colour: soft}, "no report yet")
		return
	}
	radius, scale := discs(m, side-2*mapMargin)
	west, south := x+(side-m.Width*scale)/2, y+(side+m.Height*scale)/2
	place := func(at Point) (float64, float64) { return west + at.East*scale, south - at.North*scale }
	if m.Centre != nil {
		cx, cy := place(*m.Centre)
		p.disc(cx, cy, radius+1.6, "", ink)
		for _, tick := range []spot{{1, 0}, {-1, 0}, {0, 1}, {0, -1}} {
			near, far := radius+1.6, radius+4.5
			p.line([]spot{{cx + tick.x*near, cy + tick.y*near}, {cx + tick.x*far, cy + tick.y*far}}, 1, ink)
		}
	}
	for _, at := range m.Points {
		px, py := place(at)
		if at.Rank == 0 {
			p.disc(px, py, radius-0.5, "", soft)
			continue
		}
		shade := rankscale.Of(rankscale.Default, at.Rank)
		label := rankscale.Label(at.Rank)
		size := radius * 1.05
		if len(label) > 2 {
			size = radius * 0.82
		}
		p.disc(px, py, radius, shade.Fill.String(), "")
		p.text(px, py+size*0.36, size, textStyle{anchor: middle, bold: true, colour: shade.Ink.String()}, label)
	}
	if scale > 0 && m.Width+m.Height > 0 {
		km := geo.RoundLength(side / 4 / scale)
		from, to, at := x+5, x+5+km*scale, y+side-3.5
		p.line([]spot{{from, at - 3}, {from, at}, {to, at}, {to, at - 3}}, 0.8, ink)
		p.text(to+3, at, 6.5, textStyle{colour: soft}, geo.LengthLabel(km))
	}
}

// discs says how large the discs are and how many points a kilometre has, so that neighbours do not touch.
func discs(m *Map, side float64) (radius, scale float64) {
	nearest := math.Inf(1)
	for i, a := range m.Points {
		for _, b := range m.Points[:i] {
			if d := math.Hypot(a.East-b.East, a.North-b.North); d > 1e-6 {
				nearest = min(nearest, d)
			}
		}
	}
	const largest, smallest = 15, 3
	fit := func(radius float64) float64 { return (side - 2*radius) / max(m.Width, m.Height, 1e-3) }
	radius = largest
	for radius > smallest && 0.47*nearest*fit(radius) < radius {
		radius -= 0.25
	}
	return radius, fit(radius)
}

// drawLegend shows what the colours stand for, in one line.
func drawLegend(p pen, x, y float64) {
	for _, band := range rankscale.Bands(rankscale.Default) {
		p.disc(x+4, y-3, 4, band.Fill.String(), "")
		p.text(x+11, y, 8, textStyle{colour: soft}, band.Name())
		x += 46
	}
	p.disc(x+4, y-3, 3.5, "", soft)
	p.text(x+11, y, 8, textStyle{colour: soft}, "not searched")
}

const (
	chartHead  = 18 // title
	chartFoot  = 14 // days
	chartSide  = 30 // numbers of the axis, unless they are long
	digitWidth = 4.3
	manyValues = 40 // beyond them the line has no dots
)

// drawChart draws a chart within a box.
func drawChart(p pen, c *Chart, accent string, x, y, width, height float64) {
	p.text(x, y+10, 9, textStyle{bold: true, colour: ink}, c.Title)
	low, high, step := c.axis()
	if math.IsNaN(low) {
		p.text(x, y+chartHead+14, 9, textStyle{colour: soft}, "There is nothing to draw for these days yet.")
		return
	}
	top, bottom := y+chartHead, y+height-chartFoot
	side := max(chartSide, digitWidth*float64(max(len(short(low)), len(short(high)))+len(c.Unit))+6)
	start, end := x+side, x+width-6
	level := func(v float64) float64 {
		share := (v - low) / (high - low)
		if c.Down {
			return top + share*(bottom-top)
		}
		return bottom - share*(bottom-top)
	}
	for v := low; v <= high+step/1e6; v += step {
		p.line([]spot{{start, level(v)}, {end, level(v)}}, 0.5, hairline)
		p.text(start-5, level(v)+2.6, 7.5, textStyle{anchor: right, colour: soft}, short(v)+c.Unit)
	}
	first, last := c.Points[0].At, c.Points[len(c.Points)-1].At
	when := func(t time.Time) float64 {
		if !last.After(first) {
			return (start + end) / 2
		}
		return start + (end-start)*float64(t.Sub(first))/float64(last.Sub(first))
	}
	var run []spot
	flush := func() {
		if len(run) > 1 {
			p.line(run, 1.5, accent)
		}
		run = nil
	}
	for _, at := range c.Points {
		if math.IsNaN(at.Value) {
			flush()
			continue
		}
		here := spot{when(at.At), level(at.Value)}
		if run = append(run, here); len(c.Points) <= manyValues {
			p.disc(here.x, here.y, 2, accent, "")
		}
	}
	flush()
	p.text(start, y+height-3, 7.5, textStyle{colour: soft}, first.Format("2 Jan 2006"))
	if last.After(first) {
		p.text(end, y+height-3, 7.5, textStyle{anchor: right, colour: soft}, last.Format("2 Jan 2006"))
	}
}

// axis is a range of round numbers around the values; NaN without any.
func (c *Chart) axis() (low, high, step float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, p := range c.Points {
		if !math.IsNaN(p.Value) {
			low, high = min(low, p.Value), max(high, p.Value)
		}
	}
	if low > high {
		return math.NaN(), math.NaN(), 0
	}
	least := 0.0
	if c.Down {
		least = 1
	}
	const lines = 4
	finest := 0.1
	if c.Whole {
		finest = 1
	}
	step = roundStep(max((high-low)/lines, finest))
	low = max(least, math.Floor(low/step)*step)
	high = math.Ceil(high/step) * step
	if high-low < step {
		high = low + step
	}
	return low, high, step
}

// roundStep is the least of 1, 2 or 5 times a power of ten that is not below a length.
func roundStep(length float64) float64 {
	power := math.Pow(10, math.Floor(math.Log10(length)))
	for _, n := range []float64{1, 2, 5} {
		if n*power >= length-1e-9 {
			return n * power
		}
	}
	return 10 * power
}

// short is a number with no more places than it needs.
func short(v float64) string {
	if math.Abs(v-math.Round(v)) < 1e-6 {
		return humanize.Comma(int64(math.Round(v)))
	}
	return fmt.Sprintf("%.1f", v)
}
