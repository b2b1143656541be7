package placeindex

import (
	"math/bits"
	"slices"
	"sync"

	"github.com/trigpoint/trigpoint/internal/geo"
)

// Snapshot is an unchanging set of places; later changes of the index only shift how rare words are, which weighs
// in its scores. It is kept as segments of falling size; a change makes a new
// snapshot that shares all segments but the smallest ones.
type Snapshot struct {
	shared *shared
	views  []*view
}

// shared is what all snapshots of an index have in common.
type shared struct {
	vocab     *vocabulary
	searchers sync.Pool
}

// view is a segment without the places that have been removed or replaced since it was made.
type view struct {
	*segment
	dead []uint64 // bits by block; nil when all live
	live int
}

func viewsOf(s *segment) []*view {
	if s.len() == 0 {
		return nil
	}
	return []*view{{segment: s, live: s.len()}}
}

// Len is the number of places.
func (s *Snapshot) Len() int {
	n := 0
	for _, v := range s.views {
		n += v.live
	}
	return n
}

// Bytes is about how much memory the places and their index take.
func (s *Snapshot) Bytes() int {
	n := 0
	for _, v := range s.views {
		n += v.bytes()
	}
	return n
}

// Get finds a place by its place id.
func (s *Snapshot) Get(id string) (Place, bool) {
	if v, place, ok := s.find(id); ok {
		return v.place(place), true
	}
	return Place{}, false
}

// GetByCID finds a place by its cid.
func (s *Snapshot) GetByCID(cid string) (Place, bool) {
	for _, v := range s.views {
		for i := range v.named(cid) {
			if p := v.place(i); p.CID == cid && cid != "" && v.lives(i) {
				return p, true
			}
		}
	}
	return Place{}, false
}

func (s *Snapshot) find(id string) (*view, uint32, bool) {
	for _, v := range s.views {
		for i := range v.named(id) {
			if v.lives(i) && string(recordID(v.record(i))) == id {
				return v, i, true
			}
		}
	}
	return nil, 0, false
}

// Search finds the best places for the words around a point, as Index.Search does.
func (s *Snapshot) Search(words string, at geo.Point, limit int) []Hit {
	plan := newPlan(words, s.Len(), s)
	if plan == nil || limit < 1 || !at.Valid() {
		return nil
	}
	run := s.shared.searchers.Get().(*searcher)
	defer s.shared.searchers.Put(run)
	run.begin(plan, at, limit)
	for _, v := range s.views {
		run.search(v)
	}
	hits := make([]Hit, len(run.best.hits))
	for i, f := range run.best.hits {
		hits[i] = Hit{f.segment.place(f.place), f.score, f.text, f.km, f.prominence}
	}
	return hits
}

func (s *Snapshot) count(key string) (c counts) {
	for _, v := range s.views {
		v.count(key, &c)
	}
	return c
}

func (s *Snapshot) translated(phrase string) []string { return s.shared.vocab.translated(phrase) }

// apply makes the snapshot after a change.
func (s *Snapshot) apply(c change) *Snapshot {
	next := &Snapshot{shared: s.shared, views: slices.Clone(s.views)}
	fresh := map[*view]bool{}
	for _, id := range c.remove {
		next.kill(id, fresh)
	}
	if len(c.put) > 0 {
		b := newBuilder(s.shared.vocab)
		for i := range c.put {
			next.kill(c.put[i].ID, fresh)
			b.add(&c.put[i])
		}
		next.views = append(next.views, viewsOf(b.finish())...)
	}
	next.tidy()
	return next
}

// kill marks a place dead in a copy of its view; fresh are the views that are copies already.
func (s *Snapshot) kill(id string, fresh map[*view]bool) {
	v, place, ok := s.find(id)
	if !ok {
		return
	}
	if !fresh[v] {
		old := v
		v = &view{segment: old.segment, live: old.live, dead: make([]uint64, len(old.boxes))}
		copy(v.dead, old.dead)
		s.views[slices.Index(s.views, old)] = v
		fresh[v] = true
	}
	v.dead[place/blockSize] |= 1 << (place % blockSize)
	v.live--
	v.forget(place)
}

func (v *view) lives(place uint32) bool {
	return v.dead == nil || v.dead[place/blockSize]>>(place%blockSize)&1 == 0
}

// tidy drops empty segments, rewrites those that are more than half dead, and merges the last ones until each
// segment is growth times as large as the next.
func (s *Snapshot) tidy() {
	s.views = slices.DeleteFunc(s.views, func(v *view) bool { return v.live == 0 })
	for i, v := range s.views {
		if v.live*2 < v.len() {
			s.views[i] = merge(s.shared.vocab, v)
		}
	}
	for n := len(s.views); n > 1 && s.views[n-2].live < growth*s.views[n-1].live; n = len(s.views) {
		s.views = append(s.views[:n-2], merge(s.shared.vocab, s.views[n-2:]...))
	}
}

func merge(v *vocabulary, views ...*view) *view {
	b := newBuilder(v)
	for _, v := range views {
		for i := range v.places() {
			p := v.place(i)
			b.add(&p)
		}
	}
	return viewsOf(b.finish())[0]
}

// places yields the living ones.
func (v *view) places() func(yield func(uint32) bool) {
	return func(yield func(uint32) bool) {
		for block := range v.boxes {
			first := uint32(block * blockSize)
			alive := ^uint64(0)
			if left := v.len() - int(first); left < blockSize {
				alive = 1<<left - 1
			}
			if v.dead != nil {
				alive &^= v.dead[block]
			}
			for ; alive != 0; alive &= alive - 1 {
				if !yield(first + uint32(bits.TrailingZeros64(alive))) {
					return
				}
			}
		}
	}
}
