package webindex

import (
	"slices"
	"strings"
)

type hit struct {
	page  uint32
	score float32
}

// hitHeap gives the best hits first without sorting all of them: a binary heap.
type hitHeap struct {
	hits []hit
	docs []doc
}

func (h *hitHeap) better(a, b hit) bool {
	if a.score != b.score {
		return a.score > b.score
	}
	return h.docs[a.page].url < h.docs[b.page].url
}

func (h *hitHeap) init() {
	for i := len(h.hits)/2 - 1; i >= 0; i-- {
		h.sink(i)
	}
}

func (h *hitHeap) pop() hit {
	best, last := h.hits[0], len(h.hits)-1
	h.hits[0] = h.hits[last]
	h.hits = h.hits[:last]
	h.sink(0)
	return best
}

func (h *hitHeap) sink(i int) {
	for {
		child := 2*i + 1
		if child >= len(h.hits) {
			return
		}
		if right := child + 1; right < len(h.hits) && h.better(h.hits[right], h.hits[child]) {
			child = right
		}
		if !h.better(h.hits[child], h.hits[i]) {
			return
		}
		h.hits[i], h.hits[child] = h.hits[child], h.hits[i]
		i = child
	}
}

// rank makes the final scores.
func (x *Index) rank(s *scratch, q Query) *hitHeap {
	country, language := strings.ToLower(q.Country), primary(q.Language)
	h := &hitHeap{hits: make([]hit, 0, len(s.touched)), docs: x.docs}
	for _, page := range s.touched {
		cover := s.cover[page] / s.total
		if cover < MinCover {
			continue
		}
		score := s.text[page] * cover * cover * (1 + PriorWeight*x.prior[page])
		d := &x.docs[page]
		if country != "" && d.country != "" && d.country != country {
			score *= OtherCountry
		}
		if language != "" && d.language != "" && d.language != language {
			score *= OtherLanguage
		}
		h.hits = append(h.hits, hit{page, score})
	}
	h.init()
	return h
}

// spread takes the best hits and applies host crowding: what does not fit waits for its turn.
func (x *Index) spread(h *hitHeap, limit int) []hit {
	out := make([]hit, 0, min(limit, len(h.hits)))
	// The waiting hits, best first, one list a domain. Few domains wait at a time: each has had
	// CrowdLimit of the last CrowdWindow places, and is served as soon as that is over.
	var waiting [][]hit
	serve := func(i int) {
		out = append(out, waiting[i][0])
		if waiting[i] = waiting[i][1:]; len(waiting[i]) == 0 {
			waiting = slices.Delete(waiting, i, i+1)
		}
	}
	for len(out) < limit {
		if i := x.bestWaiting(h, waiting, out, false); i >= 0 {
			serve(i)
		} else if len(h.hits) > 0 {
			next := h.pop()
			if !x.crowded(next, out) {
				out = append(out, next)
			} else {
				waiting = x.wait(waiting, next, limit)
			}
		} else if i := x.bestWaiting(h, waiting, out, true); i >= 0 {
			serve(i)
		} else {
			break
		}
	}
	return out
}

// bestWaiting is the list whose first hit is best, of those that have room or of any; -1 for none.
func (x *Index) bestWaiting(h *hitHeap, waiting [][]hit, out []hit, anyone bool) int {
	best := -1
	for i, list := range waiting {
		if (anyone || !x.crowded(list[0], out)) && (best < 0 || h.better(list[0], waiting[best][0])) {
			best = i
		}
	}
	return best
}

func (x *Index) wait(waiting [][]hit, h hit, limit int) [][]hit {
	for i, list := range waiting {
		if x.docs[list[0].page].domain == x.docs[h.page].domain {
			if len(list) < limit { // more can never be shown
				waiting[i] = append(list, h)
			}
			return waiting
		}
	}
	return append(waiting, []hit{h})
}

// crowded tells whether the domain has its share of the last places.
func (x *Index) crowded(h hit, out []hit) bool {
	n := 0
	for _, o := range out[max(0, len(out)-CrowdWindow+1):] {
		if x.docs[o.page].domain == x.docs[h.page].domain {
			n++
		}
	}
	return n >= CrowdLimit
}
