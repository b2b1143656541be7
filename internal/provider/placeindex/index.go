package placeindex

import (
	"fmt"
	"iter"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/trigpoint/trigpoint/internal/geo"
)

// growth is how many times larger than the next segment each segment is kept. A place is so rewritten a few
// times as the index grows, and a search looks into a handful of segments.
const growth = 4

// Index is a set of places that can be searched while it changes. Readers never wait: they see the
// snapshot that was current when they began.
type Index struct {
	shared  *shared
	current atomic.Pointer[Snapshot]

	loading sync.Mutex // one Load at a time
	writing sync.Mutex
	journal *[]change // what is written during a Load
}

type change struct {
	put    []Place
	remove []string
}

// New makes an empty index over the category tree.
func New(categories Categories) *Index {
	x := &Index{shared: &shared{vocab: newVocabulary(categories)}}
	x.shared.searchers.New = func() any { return new(searcher) }
	return x.Empty()
}

// Empty makes an empty index over the same category tree, whose words are read once for both.
func (x *Index) Empty() *Index {
	other := &Index{shared: x.shared}
	other.current.Store(&Snapshot{shared: x.shared})
	return other
}

// Snapshot is what the index holds at the moment.
func (x *Index) Snapshot() *Snapshot { return x.current.Load() }

// Len is the number of places.
func (x *Index) Len() int { return x.Snapshot().Len() }

// Get finds a place by its place id.
func (x *Index) Get(id string) (Place, bool) { return x.Snapshot().Get(id) }

// Search finds the best places for the words around a point, at most limit (and at most 100) of them.
func (x *Index) Search(words string, at geo.Point, limit int) []Hit {
	return x.Snapshot().Search(words, at, limit)
}

// Build makes a snapshot of places without touching the index. Of places with one id the last counts.
// It fails at the first error of the sequence, or at a place that fails its Check.
func (x *Index) Build(places iter.Seq2[Place, error]) (*Snapshot, error) {
	b := newBuilder(x.shared.vocab)
	for p, err := range places {
		if err != nil {
			return nil, fmt.Errorf("read places: %w", err)
		}
		if err := p.Check(); err != nil {
			return nil, fmt.Errorf("place %q: %w", p.ID, err)
		}
		b.add(&p)
	}
	return &Snapshot{shared: x.shared, views: viewsOf(b.finish())}, nil
}

// Swap puts a snapshot of this index's Build in place of all it holds, and returns what it held.
func (x *Index) Swap(s *Snapshot) *Snapshot {
	x.writing.Lock()
	defer x.writing.Unlock()
	return x.current.Swap(s)
}

// Load replaces all places. Searches go on over the old ones meanwhile; what is put or removed during
// the load is applied again to the new ones. On error nothing changes.
func (x *Index) Load(places iter.Seq2[Place, error]) error {
	x.loading.Lock()
	defer x.loading.Unlock()
	var journal []change
	x.record(&journal)
	defer x.record(nil)

	s, err := x.Build(places)
	if err != nil {
		return err
	}
	x.writing.Lock()
	defer x.writing.Unlock()
	for _, c := range journal {
		s = s.apply(c)
	}
	x.journal = nil
	x.current.Store(s)
	return nil
}

func (x *Index) record(journal *[]change) {
	x.writing.Lock()
	x.journal = journal
	x.writing.Unlock()
}

// Put adds places, or replaces those with the same id: all of them, or none when one fails its Check.
// Many at once are much cheaper than one by one. Now and then a Put also merges what earlier ones left; at worst
// it takes as long as a Load, while searches go on.
func (x *Index) Put(places ...Place) error {
	for _, p := range places {
		if err := p.Check(); err != nil {
			return fmt.Errorf("place %q: %w", p.ID, err)
		}
	}
	x.write(change{put: places})
	return nil
}

// Remove takes places out by id; unknown ids are ignored.
func (x *Index) Remove(ids ...string) { x.write(change{remove: ids}) }

func (x *Index) write(c change) {
	x.writing.Lock()
	defer x.writing.Unlock()
	if x.journal != nil {
		c = change{slices.Clone(c.put), slices.Clone(c.remove)}
		*x.journal = append(*x.journal, c)
	}
	x.current.Store(x.current.Load().apply(c))
}
