package placeindex

import (
	"math/bits"
	"slices"

	"github.com/trigpoint/trigpoint/internal/geo"
)

// maxHits bounds what one search may return.
const maxHits = 100

// Hit is a place that a search found, with the parts of its score.
type Hit struct {
	Place      Place
	Score      float64
	Text       float64 // 0..1
	Km         float64 // from the point of the search
	Prominence float64 // 1 and up
}

// searcher finds the best places of one segment after another. It is used again for other searches, so
// that a search allocates little.
type searcher struct {
	plan *plan
	from vector
	best best

	lists      [][]run // of each key, those not yet collected
	in, before []field // of each key
	queue      queue
	spans      []span
	fields     []field // of each key, for each place of the block at hand
}

// span is the postings of one key in a block.
type span struct{ from, to uint32 }

func (s *searcher) begin(p *plan, at geo.Point, limit int) {
	s.plan, s.from = p, vectorOf(at)
	s.best = best{limit: min(limit, maxHits), hits: s.best.hits[:0]}
	n := len(p.keys)
	s.lists = slices.Grow(s.lists[:0], n)[:n]
	s.in = slices.Grow(s.in[:0], n)[:n]
	s.before = slices.Grow(s.before[:0], n)[:n]
	s.fields = slices.Grow(s.fields[:0], n*blockSize)[:n*blockSize]
}

// search visits the blocks of a segment from the most promising one on, until no other can hold a
// better place than those found.
func (s *searcher) search(v *view) {
	s.collect(v.segment)
	s.queue.order()
	for len(s.queue) > 0 && s.queue[0].bound >= s.best.least() {
		s.visit(v, s.queue[0])
		s.queue.pop()
	}
}

// collect queues the blocks in which the query could be matched.
func (s *searcher) collect(g *segment) {
	s.queue, s.spans = s.queue[:0], s.spans[:0]
	for i, key := range s.plan.keys {
		s.lists[i] = g.runsOf(key)
	}
	clear(s.before)
	text := 0.0
	for {
		block, ok := nextBlock(s.lists)
		if !ok {
			return
		}
		at := len(s.spans)
		s.take(block)
		box := &g.boxes[block]
		chord2 := box.chord2(&s.from)
		if chord2 > maxChord2 {
			s.spans = s.spans[:at]
			continue
		}
		if !slices.Equal(s.before, s.in) { // most blocks look alike
			copy(s.before, s.in)
			text = s.plan.text(s.in)
		}
		bound := score(text, km(chord2), box.prominence) * (1 + rounding)
		if bound == 0 || bound < s.best.least() {
			s.spans = s.spans[:at]
			continue
		}
		s.queue = append(s.queue, candidate{bound, block, at})
	}
}

// take reads the block's run of each key: its fields, and its postings as a span.
func (s *searcher) take(block uint32) {
	for i, list := range s.lists {
		var here span
		s.in[i] = 0
		if len(list) > 1 && list[0].block == block {
			s.in[i], here = list[0].in, span{list[0].start, list[1].start}
			s.lists[i] = list[1:]
		}
		s.spans = append(s.spans, here)
	}
}

// nextBlock is the first block that any of the lists still has; the last run of each only closes it.
func nextBlock(lists [][]run) (block uint32, ok bool) {
	for _, list := range lists {
		if len(list) > 1 && (!ok || list[0].block < block) {
			block, ok = list[0].block, true
		}
	}
	return block, ok
}

// visit scores the places of a block.
func (s *searcher) visit(v *view, c candidate) {
	n := len(s.plan.keys)
	var matched uint64
	for i, span := range s.spans[c.spans : c.spans+n] {
		for p := span.from; p < span.to; p++ {
			slot := int(v.slots[p])
			if bit := uint64(1) << slot; matched&bit == 0 {
				matched |= bit
				clear(s.fields[slot*n : (slot+1)*n])
			}
			s.fields[slot*n+i] = v.in[p]
		}
	}
	if v.dead != nil {
		matched &^= v.dead[c.block]
	}
	for ; matched != 0; matched &= matched - 1 {
		slot := bits.TrailingZeros64(matched)
		place := c.block*blockSize + uint32(slot)
		chord2 := chord2(&s.from, &v.at[place])
		text := s.plan.text(s.fields[slot*n : (slot+1)*n])
		if text == 0 || chord2 > maxChord2 {
			continue
		}
		f := found{segment: v.segment, place: place, text: text, km: km(chord2), prominence: v.prominence[place]}
		f.score = score(f.text, f.km, f.prominence)
		s.best.offer(f)
	}
}
