package typeface

import (
	"encoding/binary"
	"math"
	"math/bits"
	"slices"

	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/font/opentype"
)

// perEm is the size in which outlines are kept.
const perEm = 1000

// glyph is the outline of a character: closed curves of quadratic splines, with y upwards.
type glyph struct {
	char     rune
	advance  int
	contours [][]outlinePoint
}

type outlinePoint struct {
	x, y int
	on   bool // the curve, else it pulls the curve
}

// mostPoints bounds an outline; the most intricate characters have a few hundred.
const mostPoints = 10_000

// newGlyph is the outline of a drawing; empty where it is beyond all bounds.
func newGlyph(c rune, outline font.GlyphOutline, d drawing) glyph {
	g := glyph{char: c, advance: scaled(d.advance, d.from)}
	if len(outline.Segments) > mostPoints {
		return g
	}
	scale := perEm / float64(d.from.face.Upem())
	var at [2]float64
	add := func(p [2]float64, on bool) {
		last := &g.contours[len(g.contours)-1]
		*last = append(*last, outlinePoint{int(math.Round(p[0])), int(math.Round(p[1])), on})
	}
	for _, s := range outline.Segments {
		p := func(i int) [2]float64 {
			return [2]float64{scale * (float64(s.Args[i].X) + float64(d.x)), scale * (float64(s.Args[i].Y) + float64(d.y))}
		}
		switch s.Op {
		case opentype.SegmentOpMoveTo:
			g.contours = append(g.contours, nil)
			at = p(0)
			add(at, true)
		case opentype.SegmentOpLineTo:
			at = p(0)
			add(at, true)
		case opentype.SegmentOpQuadTo:
			add(p(0), false)
			at = p(1)
			add(at, true)
		case opentype.SegmentOpCubeTo:
			for _, q := range quadratics(at, p(0), p(1), p(2)) {
				add(q[0], false)
				add(q[1], true)
			}
			at = p(2)
		}
	}
	for i, contour := range g.contours { // the end is the beginning again
		if n := len(contour); n > 1 && contour[0] == contour[n-1] {
			g.contours[i] = contour[:n-1]
		}
	}
	g.contours = slices.DeleteFunc(g.contours, func(c []outlinePoint) bool { return len(c) < 3 })
	return g
}

// quadratics are splines that run close to a cubic one: each a point that pulls and an end.
func quadratics(a, b, c, d [2]float64) [][2][2]float64 {
	const parts = 4
	point := func(t float64) (p [2]float64) {
		u := 1 - t
		for i := range p {
			p[i] = u*u*u*a[i] + 3*u*u*t*b[i] + 3*u*t*t*c[i] + t*t*t*d[i]
		}
		return p
	}
	slope := func(t float64) (v [2]float64) {
		u := 1 - t
		for i := range v {
			v[i] = 3*u*u*(b[i]-a[i]) + 6*u*t*(c[i]-b[i]) + 3*t*t*(d[i]-c[i])
		}
		return v
	}
	var all [][2][2]float64
	for i := range parts {
		from, to := float64(i)/parts, float64(i+1)/parts
		p, q, v, w := point(from), point(to), slope(from), slope(to)
		var pull [2]float64 // the end of both tangents, each a half of the step along
		for k := range pull {
			pull[k] = (p[k] + v[k]*(to-from)/2 + q[k] - w[k]*(to-from)/2) / 2
		}
		all = append(all, [2][2]float64{pull, q})
	}
	return all
}

// writeFont makes a TrueType font of glyphs, which are sorted by their characters.
func writeFont(glyphs []glyph) []byte {
	all := append([]glyph{{advance: perEm / 2}}, glyphs...) // the first stands for what is missing
	var glyf, loca, hmtx []byte
	most, contours := 0, 0
	lowest, highest, widest := 0, 0, 0
	for _, g := range all {
		loca = binary.BigEndian.AppendUint32(loca, uint32(len(glyf)))
		data, box := g.data()
		glyf = append(glyf, data...)
		hmtx = words(hmtx, g.advance, box[0])
		n := 0
		for _, c := range g.contours {
			n += len(c)
		}
		most, contours = max(most, n), max(contours, len(g.contours))
		lowest, highest, widest = min(lowest, box[1]), max(highest, box[3]), max(widest, g.advance)
	}
	loca = binary.BigEndian.AppendUint32(loca, uint32(len(glyf)))
	head := words(nil, 1, 0, 1, 0, 0, 0, 0x5f0f, 0x3cf5, 0, perEm, 0, 0, 0, 0, 0, 0, 0, 0, 0, lowest, widest, highest, 0, 8, 2, 1, 0)
	hhea := words(nil, 1, 0, highest, lowest, 0, widest, 0, 0, widest, 1, 0, 0, 0, 0, 0, 0, 0, len(all))
	maxp := words(nil, 1, 0, len(all), most, contours, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0)
	first, last := int(glyphs[0].char), int(glyphs[len(glyphs)-1].char)
	os2 := words(nil, 4, perEm/2, 400, 5, 0, 650, 600, 0, 75, 650, 600, 0, 350, 50, 250, 0)
	os2 = append(os2, make([]byte, 10+16)...)
	os2 = append(os2, "TRIG"...)
	os2 = words(os2, 0x40, first, last, highest, lowest, 0, max(highest, 0), max(-lowest, 0), 0, 0, 0, 0, 500, 700, 0, ' ', 1)
	return container(map[string][]byte{
		"OS/2": os2, "cmap": cmap(glyphs), "glyf": glyf, "head": head, "hhea": hhea, "hmtx": hmtx, "loca": loca, "maxp": maxp,
		"name": words(nil, 0, 0, 6), "post": append(words(nil, 3, 0, 0, 0, -100, 50), make([]byte, 20)...),
	})
}

// data is the outline as TrueType has it, and the box around it: left, bottom, right, top.
func (g *glyph) data() (data []byte, box [4]int) {
	if len(g.contours) == 0 {
		return nil, box
	}
	box = [4]int{math.MaxInt16, math.MaxInt16, math.MinInt16, math.MinInt16}
	var ends, flags, xs, ys []byte
	n, x, y := 0, 0, 0
	for _, contour := range g.contours {
		for _, p := range contour {
			box = [4]int{min(box[0], p.x), min(box[1], p.y), max(box[2], p.x), max(box[3], p.y)}
			flag := byte(0)
			if p.on {
				flag = 1
			}
			flags, xs, ys = append(flags, flag), words(xs, p.x-x), words(ys, p.y-y)
			x, y = p.x, p.y
			n++
		}
		ends = words(ends, n-1)
	}
	data = words(nil, len(g.contours), box[0], box[1], box[2], box[3])
	data = words(append(data, ends...), 0)
	data = slices.Concat(data, flags, xs, ys)
	for len(data)%4 != 0 {
		data = append(data, 0)
	}
	return data, box
}

// cmap maps characters to glyphs in format 4, with a segment for each character.
func cmap(glyphs []glyph) []byte {
	n := len(glyphs) + 1
	power := bits.Len(uint(n)) - 1
	table := words(nil, 4, 16+8*n, 0, 2*n, 2<<power, power, 2*n-2<<power)
	var starts, deltas []byte
	for i, g := range glyphs {
		table, starts, deltas = words(table, int(g.char)), words(starts, int(g.char)), words(deltas, i+1-int(g.char))
	}
	table = words(table, 0xffff, 0)
	table = slices.Concat(table, words(starts, 0xffff), words(deltas, 1), make([]byte, 2*n))
	return append(words(nil, 0, 1, 3, 1, 0, 12), table...)
}

// words appends numbers of 16 bits.
func words(to []byte, numbers ...int) []byte {
	for _, n := range numbers {
		to = binary.BigEndian.AppendUint16(to, uint16(n)) //nolint:gosec // negative ones are meant to wrap
	}
	return to
}

// container puts tables into a file.
func container(tables map[string][]byte) []byte {
	var names []string
	for name := range tables {
		names = append(names, name)
	}
	slices.Sort(names)
	n := len(names)
	power := bits.Len(uint(n)) - 1
	file := words(nil, 1, 0, n, 16<<power, power, 16*n-16<<power)
	offset := len(file) + 16*n
	var body []byte
	for _, name := range names {
		data := tables[name]
		length := len(data)
		for len(data)%4 != 0 {
			data = append(data, 0)
		}
		sum := uint32(0)
		for i := 0; i < len(data); i += 4 {
			sum += binary.BigEndian.Uint32(data[i:])
		}
		file = append(file, name...)
		file = binary.BigEndian.AppendUint32(file, sum)
		file = binary.BigEndian.AppendUint32(file, uint32(offset+len(body)))
		file = binary.BigEndian.AppendUint32(file, uint32(length))
		body = append(body, data...)
	}
	return append(file, body...)
}
