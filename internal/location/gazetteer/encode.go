package gazetteer

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
)

// magic begins the file and names the version of its format.
const magic = "trigpoint places 1\n"

// Encode makes the file: the magic, then unsigned varints and texts in columns, so that like stands beside like
// and it compresses well:
//
//	updated
//	areas    count, then for each: id, kind, parent, population, code, name (texts: length, bytes)
//	cities   count, then columns: id less the previous id; area; population; length of the name; names
//	keys     count, then columns: bytes shared with the previous key; bytes of its own; those bytes;
//	         place << 2 | form
//
// Encode writes it. It sorts cities and keys itself, so places in keys refer to the cities as given.
func Encode(updated int64, areas []Area, cities []City, keys []Key) ([]byte, error) {
	if err := check(areas, cities, keys); err != nil {
		return nil, err
	}
	e := encoder{out: []byte(magic)}
	e.number(int(updated))
	e.areas(areas)
	cities, keys = inOrder(len(areas), cities, keys)
	e.cities(cities)
	e.keys(keys)
	return e.out, nil
}

// inOrder sorts the cities by id, lets the keys follow them, and sorts the keys, each once.
func inOrder(areas int, cities []City, keys []Key) ([]City, []Key) {
	order := make([]int, len(cities))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(cities[a].ID, cities[b].ID) })
	sorted, moved := make([]City, len(cities)), make([]int, len(cities))
	for to, from := range order {
		sorted[to], moved[from] = cities[from], to
	}
	keys = slices.Clone(keys)
	for i, k := range keys {
		if k.Place >= areas {
			keys[i].Place = areas + moved[k.Place-areas]
		}
	}
	slices.SortFunc(keys, func(a, b Key) int {
		return cmp.Or(cmp.Compare(a.Text, b.Text), cmp.Compare(a.Place, b.Place), cmp.Compare(a.Form, b.Form))
	})
	// Of two ways to say the same, the stronger form came first.
	keys = slices.CompactFunc(keys, func(a, b Key) bool { return a.Text == b.Text && a.Place == b.Place })
	return sorted, keys
}

type encoder struct{ out []byte }

func (e *encoder) number(n int) { e.out = binary.AppendUvarint(e.out, uint64(n)) }

func (e *encoder) text(s string) {
	e.number(len(s))
	e.out = append(e.out, s...)
}

func (e *encoder) areas(areas []Area) {
	e.number(len(areas))
	for _, a := range areas {
		for _, n := range []int{a.ID, int(a.Kind), a.Parent, a.Population} {
			e.number(n)
		}
		e.text(a.Code)
		e.text(a.Name)
	}
}

func (e *encoder) cities(cities []City) {
	e.number(len(cities))
	previous := 0
	for _, c := range cities {
		e.number(c.ID - previous)
		previous = c.ID
	}
	for _, c := range cities {
		e.number(c.Area)
	}
	for _, c := range cities {
		e.number(c.Population)
	}
	for _, c := range cities {
		e.number(len(c.Name))
	}
	for _, c := range cities {
		e.out = append(e.out, c.Name...)
	}
}

func (e *encoder) keys(keys []Key) {
	e.number(len(keys))
	shared := make([]int, len(keys))
	for i := 1; i < len(keys); i++ {
		shared[i] = commonPrefix(keys[i-1].Text, keys[i].Text)
	}
	for _, n := range shared {
		e.number(n)
	}
	for i, k := range keys {
		e.number(len(k.Text) - shared[i])
	}
	for i, k := range keys {
		e.out = append(e.out, k.Text[shared[i]:]...)
	}
	for _, k := range keys {
		e.number(k.Place<<formBits | int(k.Form))
	}
}

func commonPrefix(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

func check(areas []Area, cities []City, keys []Key) error {
	if len(areas) == 0 || areas[0].Kind != World || len(areas) > MaxAreas || len(areas)+len(cities) > MaxPlaces {
		return fmt.Errorf("%d areas and %d cities: the world comes first, and there is a limit", len(areas), len(cities))
	}
	ids := map[int]bool{}
	place := func(id, parent, population int, name string) error {
		if id < 0 || id > math.MaxUint32 || ids[id] || parent < 0 || parent >= len(areas) ||
			population < 0 || population > math.MaxUint32 || len(name) == 0 || len(name) > maxText {
			return fmt.Errorf("place %d %q in %d with %d people cannot be written", id, name, parent, population)
		}
		ids[id] = true
		return nil
	}
	for _, a := range areas {
		if err := place(a.ID, a.Parent, a.Population, a.Name); err != nil {
			return err
		}
	}
	for _, c := range cities {
		if err := place(c.ID, c.Area, c.Population, c.Name); err != nil {
			return err
		}
	}
	for _, k := range keys {
		if k.Text == "" || len(k.Text) > maxText || k.Place < 0 || k.Place >= len(areas)+len(cities) || k.Form > Code {
			return fmt.Errorf("key %q of place %d cannot be written", k.Text, k.Place)
		}
	}
	return nil
}
