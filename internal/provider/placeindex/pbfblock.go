package placeindex

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
)

// Bounds of a block, so that a small file cannot ask for much memory. OpenStreetMap itself has that of nodes; what
// writes the format has some thousand strings to a block.
const (
	maxWayNodes = 2000
	maxStrings  = 1 << 20
	maxTags     = 10_000 // of one object
)

// pass is what the file is read for.
type pass int

const (
	surveying pass = iota // which nodes and ways are needed
	tracing               // which nodes the ways of relations need
	reading
)

// pbfReader reads blocks of objects, pass by pass.
type pbfReader struct {
	cats    Categories
	keys    []string // of tags that may make an object a place
	out     *sink
	pass    pass
	end     int64 // of the blob at hand, in the file
	stopped error // what yield returned

	needed   *nodeTable
	outlines map[int64]bounds // of the ways that are members of places
	hasWays  map[int64]bool   // by position: the blob holds ways

	// of the block at hand
	at         int64
	strings    [][]byte
	telling    []bool // by string: a key that may make an object a place
	naming     []bool // by string: a key whose value may be the place's name
	scale      float64
	lat0, lng0 float64
}

// skips tells the blobs that hold nothing for the pass.
func (r *pbfReader) skips(at int64) bool { return r.pass == tracing && !r.hasWays[at] }

// blob reads one blob. What is broken is told in the last pass.
func (r *pbfReader) blob(at int64, data []byte) error {
	r.at, r.end = at, at+int64(len(data))
	block, err := inflate(data)
	if err == nil {
		err = r.block(block)
	}
	switch {
	case r.stopped != nil:
		return r.stopped
	case r.pass != reading:
		return r.full()
	case err != nil:
		return r.out.take(at, r.end, Place{}, fmt.Errorf("block at byte %d: %w", at, err))
	}
	return nil
}

// full bounds what is kept from pass to pass.
func (r *pbfReader) full() error {
	if len(r.needed.ids) > maxNeeded || len(r.outlines) > maxOutlines {
		return fmt.Errorf("the places of this file have more than %d nodes or %d ways; cut it into smaller extracts", maxNeeded, maxOutlines)
	}
	return nil
}

var errBroken = errors.New("broken list of numbers")

// block reads one block. It stops at the first broken object.
func (r *pbfReader) block(raw []byte) error {
	r.strings, r.telling, r.naming = r.strings[:0], r.telling[:0], r.naming[:0]
	granularity, latOffset, lngOffset := int64(100), int64(0), int64(0)
	var groups [][]byte
	err := message(raw, func(f wireField) error {
		switch f.number {
		case 1:
			return r.stringTable(f.bytes)
		case 2:
			groups = append(groups, f.bytes)
		case 17:
			granularity = int64(int32(f.value))
		case 19:
			latOffset = int64(f.value)
		case 20:
			lngOffset = int64(f.value)
		}
		return nil
	})
	if err != nil {
		return err
	}
	r.scale, r.lat0, r.lng0 = 1e-9*float64(granularity), 1e-9*float64(latOffset), 1e-9*float64(lngOffset)
	for _, g := range groups {
		if err := message(g, r.group); err != nil {
			return err
		}
	}
	return nil
}

func (r *pbfReader) stringTable(raw []byte) error {
	return message(raw, func(f wireField) error {
		if f.number == 1 {
			if len(r.strings) == maxStrings {
				return fmt.Errorf("more than %d strings", maxStrings)
			}
			r.strings = append(r.strings, f.bytes)
			r.telling = append(r.telling, slices.Contains(r.keys, string(f.bytes)))
			r.naming = append(r.naming, slices.Contains(osmNames, string(f.bytes)))
		}
		return nil
	})
}

func (r *pbfReader) group(f wireField) error {
	switch {
	case f.number == 1 && r.pass == reading:
		return r.node(f.bytes)
	case f.number == 2 && r.pass == reading:
		return r.denseNodes(f.bytes)
	case f.number == 3:
		return r.way(f.bytes)
	case f.number == 4 && r.pass != tracing:
		return r.relation(f.bytes)
	}
	return nil
}

// denseNodes reads the usual form of nodes: a list for each property, and for tags one list of pairs of
// strings that ends with 0 for each node.
func (r *pbfReader) denseNodes(raw []byte) error {
	var id, lat, lng deltas
	var pairs numbers
	err := message(raw, func(f wireField) error {
		switch f.number {
		case 1:
			id.raw = f.bytes
		case 8:
			lat.raw = f.bytes
		case 9:
			lng.raw = f.bytes
		case 10:
			pairs.raw = f.bytes
		}
		return nil
	})
	if err != nil {
		return err
	}
	var keys, values []uint64
	for {
		node, ok := id.next()
		if !ok {
			break
		}
		y, okLat := lat.next()
		x, okLng := lng.next()
		if !okLat || !okLng {
			return errBroken
		}
		keys, values = keys[:0], values[:0]
		for {
			key, ok := pairs.next()
			if !ok || key == 0 {
				break
			}
			value, ok := pairs.next()
			if !ok || len(keys) == maxTags {
				return errBroken
			}
			keys, values = append(keys, key), append(values, value)
		}
		if err := r.found(node, keys, values, y, x); err != nil {
			return err
		}
	}
	if id.broken || pairs.broken {
		return errBroken
	}
	return nil
}

// object is what nodes, ways and relations have in common.
type object struct {
	id           uint64
	keys, values numbers      // of its tags, in the table of strings
	own          [3]wireField // fields 8 to 10, whose meaning depends on the kind
}

func readObject(raw []byte) (o object, err error) {
	err = message(raw, func(f wireField) error {
		switch f.number {
		case 1:
			o.id = f.value
		case 2:
			o.keys.raw = f.bytes
		case 3:
			o.values.raw = f.bytes
		case 8, 9, 10:
			o.own[f.number-8] = f
		}
		return nil
	})
	return o, err
}

// numbers and deltas read one of the object's own fields as a list.
func (o *object) numbers(i int) numbers { return numbers{raw: o.own[i].bytes} }
func (o *object) deltas(i int) deltas   { return deltas{numbers: o.numbers(i)} }

func (r *pbfReader) node(raw []byte) error {
	o, err := readObject(raw)
	if err != nil {
		return err
	}
	return r.found(zigzag(o.id), o.keys.all(), o.values.all(), zigzag(o.own[0].value), zigzag(o.own[1].value))
}

// found deals with a node: a way may need it, and it may be a place itself.
func (r *pbfReader) found(id int64, keys, values []uint64, lat, lng int64) error {
	y, x := r.lat0+r.scale*float64(lat), r.lng0+r.scale*float64(lng)
	r.needed.set(id, y, x)
	tags, err := r.tags(keys, values)
	if tags == nil {
		return err
	}
	return r.take("node", id, tags, y, x, nil)
}

func (r *pbfReader) way(raw []byte) error {
	o, err := readObject(raw)
	if err != nil {
		return err
	}
	id, refs, lats, lngs := int64(o.id), o.deltas(0), o.deltas(1), o.deltas(2)
	r.hasWays[r.at] = true
	tags, err := r.tags(o.keys.all(), o.values.all())
	if err != nil {
		return err
	}
	_, isPlace := osmCategory(tags, r.cats)
	_, isMember := r.outlines[id]
	if r.pass != reading {
		if isPlace && r.pass == surveying || isMember && r.pass == tracing {
			r.needed.add(refs.ring())
		}
		return nil
	}
	if !isPlace && !isMember {
		return nil
	}
	var outline bounds
	for _, node := range refs.ring() {
		y, okLat := lats.next() // some files carry the positions along
		x, okLng := lngs.next()
		if okLat && okLng {
			outline.add(r.lat0+r.scale*float64(y), r.lng0+r.scale*float64(x))
		} else if lat, lng, ok := r.needed.get(node); ok {
			outline.add(lat, lng)
		}
	}
	if isMember {
		r.outlines[id] = outline
	}
	return r.takeArea("way", id, tags, outline)
}

// takeArea takes what has an outline in place of a position.
func (r *pbfReader) takeArea(kind string, id int64, tags map[string]string, outline bounds) error {
	lat, lng, err := outline.center()
	if err != nil {
		err = errors.New("nothing that it is made of is in the file")
	}
	return r.take(kind, id, tags, lat, lng, err)
}

// take gives an object to the sink.
func (r *pbfReader) take(kind string, id int64, tags map[string]string, lat, lng float64, problem error) error {
	r.stopped = r.out.takeObject(osmElement{kind, id, tags}, r.end, lat, lng, problem)
	return r.stopped
}

// tags are those of an object that has a name and a telling key; nil for all others.
func (r *pbfReader) tags(keys, values []uint64) (map[string]string, error) {
	telling, named := false, false
	for _, k := range keys {
		if k >= uint64(len(r.strings)) {
			return nil, errors.New("a tag is not in the table of strings")
		}
		telling, named = telling || r.telling[k], named || r.naming[k]
	}
	if !telling || !named {
		return nil, nil
	}
	tags := make(map[string]string, len(keys))
	for i, k := range keys {
		if i >= len(values) || values[i] >= uint64(len(r.strings)) {
			return nil, errors.New("a tag is not in the table of strings")
		}
		tags[string(r.strings[k])] = string(r.strings[values[i]])
	}
	return tags, nil
}

// ring lists the nodes of a way, the first not again at the end.
func (d *deltas) ring() []int64 {
	var nodes []int64
	for len(nodes) < maxWayNodes {
		node, ok := d.next()
		if !ok {
			break
		}
		nodes = append(nodes, node)
	}
	if n := len(nodes); n > 1 && nodes[0] == nodes[n-1] {
		nodes = nodes[:n-1]
	}
	return nodes
}

// all lists the numbers of an object's tags; beyond the bound there are none.
func (p *numbers) all() []uint64 {
	var list []uint64
	for len(list) < maxTags {
		v, ok := p.next()
		if !ok {
			break
		}
		list = append(list, v)
	}
	return list
}

func zigzag(v uint64) int64 { return int64(v>>1) ^ -int64(v&1) }

// formatDegrees keeps the seven decimals that OpenStreetMap has.
func formatDegrees(f float64) string { return strconv.FormatFloat(math.Round(f*1e7)/1e7, 'f', -1, 64) }
