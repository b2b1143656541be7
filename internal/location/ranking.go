package location

import (
	"slices"

	"github.com/trigpoint/trigpoint/internal/location/gazetteer"
)

// ranking keeps the best few places, each once, however many are offered.
type ranking struct {
	limit int
	top   []uint64 // best first: match, people, place
}

const (
	placeMask  = gazetteer.MaxPlaces - 1
	peopleUnit = gazetteer.MaxPlaces
	matchUnit  = peopleUnit << 32
)

// add offers a place. Equals are ranked by their order in the gazetteer, so that an answer is stable.
func (r *ranking) add(match, people, place int) {
	score := uint64(match)*matchUnit + uint64(people)*peopleUnit + uint64(placeMask-place)
	if len(r.top) == r.limit && score <= r.top[r.limit-1] {
		return // almost all of them
	}
	for i, other := range r.top {
		if other&placeMask != score&placeMask {
			continue
		}
		if other >= score {
			return
		}
		r.top = slices.Delete(r.top, i, i+1)
		break
	}
	at, _ := slices.BinarySearchFunc(r.top, score, func(a, b uint64) int {
		if a > b {
			return -1
		}
		return 1
	})
	r.top = slices.Insert(r.top, at, score)
	r.top = r.top[:min(len(r.top), r.limit)]
}

func (r *ranking) places() []int {
	places := make([]int, len(r.top))
	for i, score := range r.top {
		places[i] = placeMask - int(score&placeMask)
	}
	return places
}
