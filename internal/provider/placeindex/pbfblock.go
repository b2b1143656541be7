package placeindex

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
)

const maxWayNodes = 2000 // as OpenStreetMap itself has it

// pbfReader reads blocks of objects. Without out it only notes the nodes that ways need.
type pbfReader struct {
	cats    Categories
	needed  *nodeTable
	out     *sink
	end     int64 // of the blob at hand, in the file
	stopped error // what yield returned

	// of the block at hand
	strings    [][]byte
	telling    []bool // by string: a key that may make an object a place
	name       uint64 // position of the string "name"
	scale      float64
	lat0, lng0 float64
}

var errBroken = errors.New("broken list of numbers")

// block reads one block. It stops at the first broken object.
func (r *pbfReader) block(raw []byte) error {
	r.strings, r.telling, r.name = nil, nil, 0
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
			r.strings = append(r.strings, f.bytes)
			r.telling = append(r.telling, slices.Contains(osmKeys, string(f.bytes)))
			if string(f.bytes) == "name" {
				r.name = uint64(len(r.strings) - 1)
			}
		}
		return nil
	})
}

func (r *pbfReader) group(f wireField) error {
	switch {
	case f.number == 1 && r.out != nil:
		return r.node(f.bytes)
	case f.number == 2 && r.out != nil:
		return r.denseNodes(f.bytes)
	case f.number == 3:
		return r.way(f.bytes)
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
			if !ok {
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

func (r *pbfReader) node(raw []byte) error {
	var id, lat, lng int64
	var keys, values numbers
	err := message(raw, func(f wireField) error {
		switch f.number {
		case 1:
			id = zigzag(f.value)
		case 2:
			keys.raw = f.bytes
		case 3:
			values.raw = f.bytes
		case 8:
			lat = zigzag(f.value)
		case 9:
			lng = zigzag(f.value)
		}
		return nil
	})
	if err != nil {
		return err
	}
	return r.found(id, keys.all(), values.all(), lat, lng)
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
	var id int64
	var keys, values numbers
	var refs, lats, lngs deltas
	err := message(raw, func(f wireField) error {
		switch f.number {
		case 1:
			id = int64(f.value)
		case 2:
			keys.raw = f.bytes
		case 3:
			values.raw = f.bytes
		case 8:
			refs.raw = f.bytes
		case 9:
			lats.raw = f.bytes
		case 10:
			lngs.raw = f.bytes
		}
		return nil
	})
	if err != nil {
		return err
	}
	tags, err := r.tags(keys.all(), values.all())
	if _, ok := osmCategory(tags, r.cats); !ok {
		return err
	}
	nodes := refs.ring()
	if r.out == nil {
		r.needed.add(nodes)
		return nil
	}
	var m mean
	for _, node := range nodes {
		y, okLat := lats.next() // some files carry the positions along
		x, okLng := lngs.next()
		if okLat && okLng {
			m.add(r.lat0+r.scale*float64(y), r.lng0+r.scale*float64(x))
		} else if lat, lng, ok := r.needed.get(node); ok {
			m.add(lat, lng)
		}
	}
	lat, lng, err := m.center()
	if err != nil {
		err = errors.New("none of its nodes is in the file")
	}
	return r.take("way", id, tags, lat, lng, err)
}

// take gives an object that has a name and a telling key to the sink, if its category is known.
func (r *pbfReader) take(kind string, id int64, tags map[string]string, lat, lng float64, problem error) error {
	category, ok := osmCategory(tags, r.cats)
	if !ok {
		return nil
	}
	object := kind + "/" + strconv.FormatInt(id, 10)
	var p Place
	if problem == nil {
		row := row{colLat: formatDegrees(lat), colLng: formatDegrees(lng)}
		osmRow(tags, &row)
		p, problem = row.place(r.out.options.Source)
		p.Categories = []string{category}
		p.ID, p.CID = Identify("osm:" + object)
	}
	if problem == nil {
		problem = p.Check()
	}
	if problem != nil {
		problem = fmt.Errorf("%s: %w", object, problem)
	}
	r.stopped = r.out.take(id, r.end, p, problem)
	return r.stopped
}

// tags are those of an object that has a name and a telling key; nil for all others.
func (r *pbfReader) tags(keys, values []uint64) (map[string]string, error) {
	telling := false
	for _, k := range keys {
		if k >= uint64(len(r.strings)) {
			return nil, errors.New("a tag is not in the table of strings")
		}
		telling = telling || r.telling[k]
	}
	if !telling || r.name == 0 || !slices.Contains(keys, r.name) {
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

func (p *numbers) all() []uint64 {
	var list []uint64
	for {
		v, ok := p.next()
		if !ok {
			return list
		}
		list = append(list, v)
	}
}

func zigzag(v uint64) int64 { return int64(v>>1) ^ -int64(v&1) }

// formatDegrees keeps the seven decimals that OpenStreetMap has.
func formatDegrees(f float64) string { return strconv.FormatFloat(math.Round(f*1e7)/1e7, 'f', -1, 64) }
