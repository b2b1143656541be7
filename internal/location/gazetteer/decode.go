package gazetteer

import (
	"encoding/binary"
	"errors"
	"math"
	"strings"
)

var errDamaged = errors.New("gazetteer: damaged file")

// Decode reads what Encode wrote. It never panics and allocates in proportion to the data.
func Decode(data []byte) (*Gazetteer, error) {
	d := decoder{rest: data}
	if !strings.HasPrefix(string(data[:min(len(data), len(magic))]), magic) {
		return nil, errDamaged
	}
	d.rest = d.rest[len(magic):]
	g := &Gazetteer{Updated: int64(d.number(math.MaxInt64))}
	d.areas(g)
	d.cities(g)
	d.keys(g)
	if d.failed || len(d.rest) > 0 {
		return nil, errDamaged
	}
	return g, nil
}

// decoder reads until it fails once; then it only returns zeros.
type decoder struct {
	rest   []byte
	failed bool
}

func (d *decoder) fail() { d.failed, d.rest = true, nil }

func (d *decoder) number(limit uint64) int {
	n, size := binary.Uvarint(d.rest)
	if size <= 0 || n > limit {
		d.fail()
		return 0
	}
	d.rest = d.rest[size:]
	return int(n)
}

// count is a number of things that take at least one byte each.
func (d *decoder) count() int { return d.number(uint64(len(d.rest))) }

func (d *decoder) bytes(n int) []byte {
	if n > len(d.rest) {
		d.fail()
		return nil
	}
	b := d.rest[:n]
	d.rest = d.rest[n:]
	return b
}

func (d *decoder) text() string { return string(d.bytes(d.number(maxText))) }

func (d *decoder) areas(g *Gazetteer) {
	n := d.count()
	if n == 0 || n > MaxAreas {
		d.fail()
		return
	}
	g.Areas = make([]Area, n)
	for i := range g.Areas {
		g.Areas[i] = Area{
			ID: d.number(math.MaxUint32), Kind: Kind(d.number(uint64(Region))), Parent: d.number(uint64(n - 1)),
			Population: d.number(math.MaxUint32), Code: d.text(), Name: d.text(),
		}
	}
}

func (d *decoder) cities(g *Gazetteer) {
	n := d.count()
	if len(g.Areas)+n > MaxPlaces {
		d.fail()
		return
	}
	g.cityIDs, g.cityAreas, g.cityPops = make([]uint32, n), make([]uint16, n), make([]uint32, n)
	id := 0
	for i := range n {
		id += d.number(uint64(math.MaxUint32 - id))
		g.cityIDs[i] = uint32(id)
	}
	for i := range n {
		g.cityAreas[i] = uint16(d.number(uint64(len(g.Areas) - 1)))
	}
	for i := range n {
		g.cityPops[i] = uint32(d.number(math.MaxUint32))
	}
	starts := make([]uint32, n+1)
	for i := range n {
		starts[i+1] = starts[i] + uint32(d.number(maxText))
	}
	g.cityNames = texts{string(d.bytes(int(starts[n]))), starts}
	if d.failed {
		g.cityNames = texts{}
	}
}

func (d *decoder) keys(g *Gazetteer) {
	n := d.count()
	shared, own := make([]uint8, n), make([]uint8, n)
	for i := range n {
		shared[i] = uint8(d.number(maxText))
	}
	total, owned := 0, 0
	for i := range n {
		own[i] = uint8(d.number(uint64(maxText - int(shared[i]))))
		owned += int(own[i])
		total += int(own[i]) + int(shared[i])
	}
	tails := d.bytes(owned)
	if d.failed || total > math.MaxUint32 {
		d.fail()
		return
	}
	var all strings.Builder
	all.Grow(total)
	starts := make([]uint32, n+1)
	previous := ""
	for i := range n {
		if int(shared[i]) > len(previous) {
			d.fail()
			return
		}
		all.WriteString(previous[:shared[i]])
		all.Write(tails[:own[i]])
		tails = tails[own[i]:]
		starts[i+1] = uint32(all.Len())
		previous = all.String()[starts[i]:]
	}
	g.keys = texts{all.String(), starts}
	g.refs = make([]uint32, n)
	places := uint64(len(g.Areas) + len(g.cityIDs))
	for i := range g.refs {
		g.refs[i] = uint32(d.number(places<<formBits - 1))
	}
}
