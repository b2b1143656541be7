package geo

import (
	"math"

	tzfrellite "github.com/ringsaturn/tzf-rel-lite"
	"google.golang.org/protobuf/encoding/protowire"
)

// The zone boundaries come from tzf's data set (timezone-boundary-builder, ODbL) in its compressed
// form: a protobuf message whose rings are polylines in 1e-5 degrees. tzf's own finder unpacks all of
// it, which takes about a second and 32 MB. A zone is asked for once per new business, so the rings
// stay packed in the binary and only those whose box holds the point are walked.

// unitsPerDegree is the resolution of the packed rings.
const unitsPerDegree = 1e5

// boundary is one polygon of a zone: an outer ring less its holes.
type boundary struct {
	zone  string
	outer ring
	holes []ring
}

func (b *boundary) contains(x, y float64) bool {
	if !b.outer.contains(x, y) {
		return false
	}
	for i := range b.holes {
		if b.holes[i].contains(x, y) {
			return false
		}
	}
	return true
}

// ring is a closed polyline, longitude before latitude, with its bounding box in units.
type ring struct {
	packed                 []byte
	minX, maxX, minY, maxY int32
}

func newRing(packed []byte) ring {
	r := ring{packed: packed, minX: math.MaxInt32, maxX: math.MinInt32, minY: math.MaxInt32, maxY: math.MinInt32}
	for walk := (polyline{rest: packed}); walk.next(); {
		r.minX, r.maxX = min(r.minX, walk.x), max(r.maxX, walk.x)
		r.minY, r.maxY = min(r.minY, walk.y), max(r.maxY, walk.y)
	}
	return r
}

// contains counts how many edges a ray eastward from the point crosses: odd is inside.
func (r *ring) contains(x, y float64) bool {
	if x < float64(r.minX) || x > float64(r.maxX) || y < float64(r.minY) || y > float64(r.maxY) {
		return false
	}
	walk := polyline{rest: r.packed}
	if !walk.next() {
		return false
	}
	firstX, firstY := float64(walk.x), float64(walk.y)
	inside := false
	fromX, fromY := firstX, firstY
	for more := true; more; {
		toX, toY := firstX, firstY
		if more = walk.next(); more {
			toX, toY = float64(walk.x), float64(walk.y)
		}
		if (fromY > y) != (toY > y) && x < fromX+(toX-fromX)*(y-fromY)/(toY-fromY) {
			inside = !inside
		}
		fromX, fromY = toX, toY
	}
	return inside
}

// polyline walks the points of a packed ring: each coordinate is the zigzag difference to the last,
// in 5-bit groups, low first, each plus 63, bit 0x20 marking that more follow.
type polyline struct {
	rest []byte
	x, y int32
}

// next moves to the next point; false at the end or at a point cut short.
func (p *polyline) next() bool {
	dx, okX := p.delta()
	dy, okY := p.delta()
	p.x, p.y = p.x+dx, p.y+dy
	return okX && okY
}

func (p *polyline) delta() (int32, bool) {
	var value uint32
	for i, c := range p.rest {
		value |= uint32(c-63) & 0x1f << (5 * i)
		if c-63 < 0x20 {
			p.rest = p.rest[i+1:]
			return int32(value>>1) ^ -int32(value&1), true
		}
	}
	return 0, false
}

// loadBoundaries indexes the embedded data. Broken data is a broken build, hence the panic.
func loadBoundaries() []boundary {
	var all []boundary
	eachField(tzfrellite.LiteCompressData, func(field protowire.Number, zone []byte) {
		if field != 2 { // CompressedTimezones.timezones
			return
		}
		first := len(all)
		var name string
		eachField(zone, func(field protowire.Number, value []byte) {
			switch field {
			case 1: // CompressedTimezone.data
				all = append(all, newBoundary(value))
			case 2: // CompressedTimezone.name
				name = string(value)
			}
		})
		for i := range all[first:] {
			all[first+i].zone = name
		}
	})
	return all
}

func newBoundary(polygon []byte) boundary {
	var b boundary
	eachField(polygon, func(field protowire.Number, value []byte) {
		switch field {
		case 1: // CompressedPolygon.points
			b.outer = newRing(value)
		case 2: // CompressedPolygon.holes
			b.holes = append(b.holes, newBoundary(value).outer)
		}
	})
	return b
}

// eachField calls visit for every length-delimited field of a protobuf message and skips the others.
func eachField(message []byte, visit func(protowire.Number, []byte)) {
	for len(message) > 0 {
		field, kind, n := protowire.ConsumeTag(message)
		if n < 0 {
			panic("geo: zone boundaries: " + protowire.ParseError(n).Error())
		}
		message = message[n:]
		if kind == protowire.BytesType {
			value, n := protowire.ConsumeBytes(message)
			if n < 0 {
				panic("geo: zone boundaries: " + protowire.ParseError(n).Error())
			}
			visit(field, value)
			message = message[n:]
			continue
		}
		if n = protowire.ConsumeFieldValue(field, kind, message); n < 0 {
			panic("geo: zone boundaries: " + protowire.ParseError(n).Error())
		}
		message = message[n:]
	}
}
