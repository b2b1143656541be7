package placeindex

import (
	"math"
	"slices"
)

// Bounds of what is kept while a file is read: nodes of ways, 16 bytes each, and ways of relations, about 100.
const (
	maxNeeded   = 40_000_000
	maxOutlines = 5_000_000
)

// nodeTable keeps the positions of the nodes that ways need: first their ids, then where they are.
type nodeTable struct {
	ids []int64
	at  [][2]int32 // in 1e-7 degrees, latitude first
	// next is the position of the first id not below the one set last: files are sorted, so nearly all that is
	// set is found there, or not needed.
	next int
}

const unknownNode = math.MinInt32

func (t *nodeTable) add(ids []int64) { t.ids = append(t.ids, ids...) }

// seal ends the adding.
func (t *nodeTable) seal() {
	slices.Sort(t.ids)
	t.ids = slices.Clip(slices.Compact(t.ids))
	t.at = make([][2]int32, len(t.ids))
	for i := range t.at {
		t.at[i][0] = unknownNode
	}
}

func (t *nodeTable) set(id int64, lat, lng float64) {
	i, ok := t.find(id)
	if ok && math.Abs(lat) <= 90 && math.Abs(lng) <= 180 {
		t.at[i] = [2]int32{int32(math.Round(lat * 1e7)), int32(math.Round(lng * 1e7))}
	}
}

func (t *nodeTable) find(id int64) (int, bool) {
	for t.next < len(t.ids) && t.ids[t.next] < id {
		t.next++
	}
	if t.next > 0 && t.ids[t.next-1] >= id { // not sorted after all
		return slices.BinarySearch(t.ids, id)
	}
	return t.next, t.next < len(t.ids) && t.ids[t.next] == id
}

func (t *nodeTable) get(id int64) (lat, lng float64, ok bool) {
	i, ok := slices.BinarySearch(t.ids, id)
	if !ok || t.at[i][0] == unknownNode {
		return 0, 0, false
	}
	return float64(t.at[i][0]) / 1e7, float64(t.at[i][1]) / 1e7, true
}
