package location

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"encoding/binary"
	"fmt"
	"io"
	"sort"
	"strings"
	"sync"

	"golang.org/x/text/language"

	"github.com/trigpoint/trigpoint/internal/location/gazetteer"
)

//go:embed places.gz
var packed []byte

// world is the area that holds all others.
const world = 0

// index is the gazetteer with what a search needs besides.
type index struct {
	*gazetteer.Gazetteer
	areaByID  map[int]int
	countries map[string]int // by ISO 3166-1 alpha-2
	areaKeys  []uint32       // the keys of areas, in order
}

// load reads the data on first use: many processes never search. Damage would be a bug of the build.
var load = sync.OnceValue(func() *index {
	ix, err := read(packed)
	if err != nil {
		panic(fmt.Errorf("location data: %w", err))
	}
	return ix
})

func read(zipped []byte) (*index, error) {
	unzipped, err := gzip.NewReader(bytes.NewReader(zipped))
	if err != nil {
		return nil, err
	}
	// Gzip ends with the size of what is in it: no need to grow, which would double the memory.
	size := binary.LittleEndian.Uint32(zipped[len(zipped)-4:])
	data := make([]byte, size)
	if _, err := io.ReadFull(unzipped, data); err != nil {
		return nil, err
	}
	g, err := gazetteer.Decode(data)
	if err != nil {
		return nil, err
	}
	ix := &index{Gazetteer: g, areaByID: make(map[int]int, len(g.Areas)), countries: map[string]int{}}
	for i, a := range g.Areas {
		ix.areaByID[a.ID] = i
		if a.Kind == gazetteer.Country {
			ix.countries[a.Code] = i
		}
	}
	for i := range g.Keys() {
		if place, _ := g.KeyRef(i); place < len(g.Areas) {
			ix.areaKeys = append(ix.areaKeys, uint32(i))
		}
	}
	return ix, nil
}

// byID finds a place by its id.
func (ix *index) byID(id int) (place int, ok bool) {
	if area, ok := ix.areaByID[id]; ok {
		return area, true
	}
	i := sort.Search(ix.Cities(), func(i int) bool { return ix.CityID(i) >= id })
	return len(ix.Areas) + i, i < ix.Cities() && ix.CityID(i) == id
}

// byAdvertisingID finds a country by 2000 + its ISO 3166-1 numeric code.
func (ix *index) byAdvertisingID(id int) (place int, ok bool) {
	if id <= 2000 || id >= 3000 {
		return 0, false
	}
	region, err := language.EncodeM49(id - 2000)
	if err != nil {
		return 0, false
	}
	place, ok = ix.countries[region.String()]
	return place, ok
}

// prefixed is the range of the n texts in order that begin with the prefix.
func prefixed(n int, text func(int) string, prefix string) (from, to int) {
	from = sort.Search(n, func(i int) bool { return text(i) >= prefix })
	to = from + sort.Search(n-from, func(i int) bool { return !strings.HasPrefix(text(from+i), prefix) })
	return from, to
}
