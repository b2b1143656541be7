package placeindex

import (
	"cmp"
	"hash/maphash"
	"slices"
	"sync/atomic"
)

// segment is an immutable set of places, ready to be searched. Its places are numbered from 0 in the
// order of cluster, blockSize to a block. Only the counts of its terms change, when a place dies.
type segment struct {
	vocab *vocabulary

	at         []vector
	prominence []float64
	boxes      []box

	records []byte
	start   []int // of each record, and the end of the last

	seed  maphash.Seed
	names []nameRef // by hash, to find a place by its place id or cid

	dictionary map[string]uint32
	terms      []term
	// runs are the blocks in which a term occurs, term by term; one more closes the last.
	runs  []run
	slots []uint8 // of each posting: the place's position in its block
	in    []field // of each posting
}

// term is a key's entry in the dictionary: its runs, and the number of live places found by it.
type term struct {
	first, end        uint32
	what, where, kind atomic.Int32
}

// run is the postings of one term in one block; they reach to the start of the next run.
type run struct {
	block uint32
	start uint32
	in    field // the union of its postings' fields
}

type nameRef struct {
	hash  uint64
	place uint32
}

func (s *segment) len() int { return len(s.at) }

func (s *segment) record(place uint32) []byte { return s.records[s.start[place]:s.start[place+1]] }

func (s *segment) place(place uint32) Place { return decodeRecord(s.record(place)) }

// indexNames makes the places findable by place id and by cid.
func (s *segment) indexNames() {
	s.seed = maphash.MakeSeed()
	s.names = make([]nameRef, 0, 2*s.len())
	for i := range uint32(s.len()) {
		p := s.place(i)
		s.names = append(s.names, nameRef{maphash.String(s.seed, p.ID), i})
		if p.CID != "" {
			s.names = append(s.names, nameRef{maphash.String(s.seed, p.CID), i})
		}
	}
	slices.SortFunc(s.names, func(a, b nameRef) int {
		return cmp.Or(cmp.Compare(a.hash, b.hash), cmp.Compare(a.place, b.place))
	})
}

// named yields the places whose id or cid may be name; the caller compares.
func (s *segment) named(name string) func(yield func(uint32) bool) {
	hash := maphash.String(s.seed, name)
	at, _ := slices.BinarySearchFunc(s.names, hash, func(r nameRef, h uint64) int { return cmp.Compare(r.hash, h) })
	return func(yield func(uint32) bool) {
		for _, r := range s.names[at:] {
			if r.hash != hash || !yield(r.place) {
				return
			}
		}
	}
}

// count adds the segment's counts of a key to c.
func (s *segment) count(key string, c *counts) {
	if i, ok := s.dictionary[key]; ok {
		t := &s.terms[i]
		c.what += int(t.what.Load())
		c.where += int(t.where.Load())
		c.kind += int(t.kind.Load())
	}
}

// runsOf lists the blocks in which a key occurs, in order.
func (s *segment) runsOf(key string) []run {
	i, ok := s.dictionary[key]
	if !ok {
		return nil
	}
	t := &s.terms[i]
	// One run more than its own, for its start.
	return s.runs[t.first : t.end+1]
}

// forget takes a dead place out of the counts, so that they are those of an index built without it.
func (s *segment) forget(place uint32) {
	p := s.place(place)
	for key, in := range analyse(s.vocab, &p) {
		if i, ok := s.dictionary[key]; ok {
			s.terms[i].count(in, -1)
		}
	}
}

func (t *term) count(in field, by int32) {
	if in&whatFields != 0 {
		t.what.Add(by)
	}
	if in&inAddress != 0 {
		t.where.Add(by)
	}
	if in&kindFields != 0 {
		t.kind.Add(by)
	}
}

// bytes is about how much memory the segment holds.
func (s *segment) bytes() int {
	n := len(s.at)*(24+8+8) + len(s.boxes)*56 + len(s.records) + len(s.names)*16 +
		len(s.terms)*20 + len(s.runs)*12 + len(s.slots)*2
	for key := range s.dictionary {
		n += len(key) + 24
	}
	return n
}
