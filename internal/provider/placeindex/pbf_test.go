package placeindex

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"math"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
)

// pbfWriter writes small OpenStreetMap files: each block with its own strings.
type pbfWriter struct {
	features []string
	blocks   [][]byte
	raw      bool // not compressed
}

type osmNode struct {
	id       int64
	lat, lng float64
	tags     []string // key, value, …
}

type osmWay struct {
	id    int64
	nodes []int64
	tags  []string
	at    []osmNode // positions carried along
}

// block adds a block of dense nodes, plain nodes and ways.
func (w *pbfWriter) block(dense, plain []osmNode, ways []osmWay) {
	strs := []string{""}
	index := func(s string) uint64 {
		for i, have := range strs {
			if have == s && i > 0 {
				return uint64(i)
			}
		}
		strs = append(strs, s)
		return uint64(len(strs) - 1)
	}
	var group []byte
	if len(dense) > 0 {
		group = field1(group, 2, denseMessage(dense, index))
	}
	for _, n := range plain {
		keys, values := pairs(n.tags, index)
		m := protowire.AppendVarint(protowire.AppendTag(nil, 1, protowire.VarintType), protowire.EncodeZigZag(n.id))
		m = field1(field1(m, 2, keys), 3, values)
		m = protowire.AppendVarint(protowire.AppendTag(m, 8, protowire.VarintType), protowire.EncodeZigZag(units(n.lat)))
		m = protowire.AppendVarint(protowire.AppendTag(m, 9, protowire.VarintType), protowire.EncodeZigZag(units(n.lng)))
		group = field1(group, 1, m)
	}
	for _, way := range ways {
		keys, values := pairs(way.tags, index)
		m := protowire.AppendVarint(protowire.AppendTag(nil, 1, protowire.VarintType), uint64(way.id))
		m = field1(field1(m, 2, keys), 3, values)
		m = field1(m, 8, deltaList(len(way.nodes), func(i int) int64 { return way.nodes[i] }))
		if way.at != nil {
			m = field1(m, 9, deltaList(len(way.at), func(i int) int64 { return units(way.at[i].lat) }))
			m = field1(m, 10, deltaList(len(way.at), func(i int) int64 { return units(way.at[i].lng) }))
		}
		group = field1(group, 3, m)
	}
	var table []byte
	for _, s := range strs {
		table = field1(table, 1, []byte(s))
	}
	w.blocks = append(w.blocks, field1(field1(nil, 1, table), 2, group))
}

func denseMessage(nodes []osmNode, index func(string) uint64) []byte {
	var tags []byte
	for _, n := range nodes {
		for _, s := range n.tags {
			tags = protowire.AppendVarint(tags, index(s))
		}
		tags = protowire.AppendVarint(tags, 0)
	}
	m := field1(nil, 1, deltaList(len(nodes), func(i int) int64 { return nodes[i].id }))
	m = field1(m, 8, deltaList(len(nodes), func(i int) int64 { return units(nodes[i].lat) }))
	m = field1(m, 9, deltaList(len(nodes), func(i int) int64 { return units(nodes[i].lng) }))
	return field1(m, 10, tags)
}

func pairs(tags []string, index func(string) uint64) (keys, values []byte) {
	for i := 0; i+1 < len(tags); i += 2 {
		keys = protowire.AppendVarint(keys, index(tags[i]))
		values = protowire.AppendVarint(values, index(tags[i+1]))
	}
	return keys, values
}

func units(degrees float64) int64 { return int64(math.Round(degrees * 1e7)) }

func deltaList(n int, at func(int) int64) []byte {
	var out []byte
	last := int64(0)
	for i := range n {
		out = protowire.AppendVarint(out, protowire.EncodeZigZag(at(i)-last))
		last = at(i)
	}
	return out
}

func field1(b []byte, number protowire.Number, data []byte) []byte {
	return protowire.AppendBytes(protowire.AppendTag(b, number, protowire.BytesType), data)
}

func (w *pbfWriter) file() []byte {
	var header []byte
	for _, f := range append([]string{"OsmSchema-V0.6", "DenseNodes"}, w.features...) {
		header = field1(header, 4, []byte(f))
	}
	out := w.blob(nil, "OSMHeader", header)
	for _, b := range w.blocks {
		out = w.blob(out, "OSMData", b)
	}
	return out
}

func (w *pbfWriter) blob(out []byte, kind string, data []byte) []byte {
	blob := field1(nil, 1, data)
	if !w.raw {
		var packed bytes.Buffer
		z := zlib.NewWriter(&packed)
		z.Write(data)
		z.Close()
		blob = protowire.AppendVarint(protowire.AppendTag(nil, 2, protowire.VarintType), uint64(len(data)))
		blob = field1(blob, 3, packed.Bytes())
	}
	header := field1(nil, 1, []byte(kind))
	header = protowire.AppendVarint(protowire.AppendTag(header, 3, protowire.VarintType), uint64(len(blob)))
	out = binary.BigEndian.AppendUint32(out, uint32(len(header)))
	return append(append(out, header...), blob...)
}

func samplePBF() *pbfWriter {
	w := &pbfWriter{}
	w.block([]osmNode{
		{id: 1, lat: 33.7745, lng: -84.2951, tags: []string{
			"name", "Tarnley Pizza", "amenity", "restaurant", "cuisine", "pizza", "addr:housenumber", "1",
			"addr:street", "Main Street", "addr:city", "Decatur", "addr:state", "GA", "addr:postcode", "30030",
			"addr:country", "US", "phone", "+1 404-555-0101;+1 404-555-0109", "website", "https://tarnley.example",
		}},
		{id: 2, lat: 33.77, lng: -84.30, tags: []string{"amenity", "bar"}},                           // no name
		{id: 3, lat: 33.77, lng: -84.30, tags: []string{"name", "Main Street", "highway", "street"}}, // no place
		{id: 4, lat: 33.77, lng: -84.30, tags: []string{"name", "A bench", "amenity", "bench"}},      // not in the catalogue
		{id: 10, lat: 33.77, lng: -84.30},
		{id: 11, lat: 33.77, lng: -84.29},
		{id: 12, lat: 33.78, lng: -84.29},
		{id: 13, lat: 33.78, lng: -84.30},
	}, nil, nil)
	w.block(nil, []osmNode{
		{id: 14, lat: 33.7712, lng: -84.301, tags: []string{"shop", "bakery", "name", "Marlford Bread", "contact:phone", "+1 404-555-0102"}},
		{id: 15, lat: 33.7, lng: -84.3, tags: []string{"shop", "bakery", "name", strings.Repeat("x", maxName+1)}},
	}, []osmWay{
		{id: 1, nodes: []int64{10, 11, 12, 13, 10}, tags: []string{"name", "Lummwick Gym", "leisure", "fitness_centre"}},
		{id: 2, nodes: []int64{90, 91}, tags: []string{"name", "Elsewhere Bar", "amenity", "bar"}},
		{id: 3, nodes: []int64{10, 11}, tags: []string{"name", "Main Street", "highway", "street"}},
		{id: 4, nodes: []int64{80, 81}, tags: []string{"name", "Ruskdell Dental", "amenity", "dentist"}, at: []osmNode{
			{lat: 33.76, lng: -84.28}, {lat: 33.77, lng: -84.29},
		}},
	})
	return w
}

func TestReadPBF(t *testing.T) {
	t.Parallel()
	for _, raw := range []bool{false, true} {
		w := samplePBF()
		w.raw = raw
		places, problems, err := readAll(bytes.NewReader(w.file()), PBF, testOptions())
		if err != nil {
			t.Fatal(err)
		}
		golden(t, "places.pbf.golden", places, problems)
	}
}

func TestPBFAndGeoJSONOfAnObjectAreOnePlace(t *testing.T) {
	t.Parallel()
	fromPBF, _, err := readAll(bytes.NewReader(samplePBF().file()), PBF, testOptions())
	if err != nil {
		t.Fatal(err)
	}
	feature := `{"type":"Feature","id":"node/1","geometry":{"type":"Point","coordinates":[-84.2951,33.7745]},` +
		`"properties":{"name":"Tarnley Pizza","amenity":"restaurant"}}`
	fromJSON, _, err := readAll(strings.NewReader(feature), GeoJSON, testOptions())
	if err != nil || len(fromJSON) != 1 || fromJSON[0].ID != fromPBF[0].ID {
		t.Errorf("%+v and %+v have different ids (%v)", fromJSON, fromPBF[0], err)
	}
}

func TestReadBrokenPBF(t *testing.T) {
	t.Parallel()
	whole := samplePBF().file()
	spoiled := samplePBF()
	spoiled.raw = true
	spoiled.blocks[0] = spoiled.blocks[0][:len(spoiled.blocks[0])-1]
	needs := samplePBF()
	needs.features = []string{"HistoricalInformation"}
	for _, c := range []struct {
		name       string
		file       []byte
		want       int
		bad, fails string
	}{
		{"whole", whole, 4, "way/2: nothing that it is made of", ""},
		{"cut off", whole[:len(whole)-5], 0, "", "cut off"},
		{"cut between blocks", whole[:len(whole)/2], 0, "", "cut off"},
		{"empty", nil, 0, "", "cut off"},
		{"text", []byte("name,lat,lng\n"), 0, "", "not an OpenStreetMap"},
		{"a broken block", spoiled.file(), 2, "block at byte", ""}, // the gym lost its nodes
		{"unknown feature", needs.file(), 0, "", `"HistoricalInformation"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			places, problems, err := readAll(bytes.NewReader(c.file), PBF, testOptions())
			if c.fails == "" && err != nil || c.fails != "" && (err == nil || !strings.Contains(err.Error(), c.fails)) {
				t.Errorf("err = %v, want %q", err, c.fails)
			}
			if len(places) != c.want || !strings.Contains(strings.Join(problems, "\n"), c.bad) {
				t.Errorf("%d places, problems %q, want %d, %q", len(places), problems, c.want, c.bad)
			}
		})
	}
}

// A small file must not unpack into a large amount of memory.
func TestPBFBombIsRefused(t *testing.T) {
	t.Parallel()
	strs := field1(nil, 1, bytes.Repeat([]byte{1<<3 | 2, 0}, maxStrings+1)) // a table of nothing but empty strings
	tags := &pbfWriter{}
	tags.block([]osmNode{{id: 1, tags: make([]string, 2*maxTags+2)}}, nil, nil)
	for want, block := range map[string][]byte{
		"more than the format allows": make([]byte, maxBlob+1),
		"more than 1048576 strings":   strs,
		errBroken.Error():             tags.blocks[0],
	} {
		w := &pbfWriter{blocks: [][]byte{block}}
		_, problems, err := readAll(bytes.NewReader(w.file()), PBF, testOptions())
		if err != nil || len(problems) != 1 || !strings.Contains(problems[0], want) {
			t.Errorf("problems %q, err %v, want %s", problems, err, want)
		}
	}
}

func TestNodeTableFindsUnsortedNodes(t *testing.T) {
	t.Parallel()
	table := &nodeTable{}
	table.add([]int64{5, 3, 9, 5, -2})
	table.seal()
	for _, id := range []int64{9, 3, 4, 5, -2, 100} {
		table.set(id, float64(id), -float64(id))
	}
	for _, id := range []int64{-2, 3, 5, 9} {
		if lat, lng, ok := table.get(id); !ok || lat != float64(id) || lng != -float64(id) {
			t.Errorf("node %d is at %v,%v (%v)", id, lat, lng, ok)
		}
	}
	if _, _, ok := table.get(4); ok {
		t.Error("a node that no way needs was kept")
	}
}
