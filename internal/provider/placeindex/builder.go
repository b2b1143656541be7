package placeindex

import (
	"maps"
	"strings"
)

// builder makes a segment of places given one by one.
type builder struct {
	vocab *vocabulary

	numbers map[string]uint32 // place id -> its newest place
	dropped int               // places replaced by a newer one of the same id

	at         []vector
	prominence []float64
	records    []byte
	start      []int

	dictionary map[string]uint32
	// postings by place; ends tells where those of a place end.
	postings []posting
	ends     []int
	// last is, by term, one more than the position of its newest posting.
	last       []int
	categories map[string][]posting
	words      []string
}

type posting struct {
	term uint32
	in   field
}

func newBuilder(v *vocabulary) *builder {
	return &builder{
		vocab: v, numbers: map[string]uint32{}, start: []int{0},
		dictionary: map[string]uint32{}, categories: map[string][]posting{},
	}
}

// add takes a place; of two with the same id the later one counts.
func (b *builder) add(p *Place) {
	if _, again := b.numbers[p.ID]; again {
		b.dropped++
	}
	b.numbers[strings.Clone(p.ID)] = uint32(len(b.at))
	b.at = append(b.at, vectorOf(p.At()))
	b.prominence = append(b.prominence, prominence(p.Rating, p.Reviews))
	b.records = appendRecord(b.records, p)
	b.start = append(b.start, len(b.records))

	first := len(b.postings)
	b.words = appendTokens(b.words[:0], p.Name)
	for _, w := range b.words {
		b.post(posting{b.term(w), inName}, first)
	}
	for _, c := range p.Categories {
		for _, q := range b.category(c) {
			b.post(q, first)
		}
	}
	b.words = appendTokens(b.words[:0], p.Address)
	for _, w := range b.words {
		if !isHouseNumber(w) {
			b.post(posting{b.term(w), inAddress}, first)
		}
	}
	b.ends = append(b.ends, len(b.postings))
}

// post adds a posting to the place whose postings begin at first, once a term.
func (b *builder) post(q posting, first int) {
	if at := b.last[q.term] - 1; at >= first {
		b.postings[at].in |= q.in
		return
	}
	b.postings = append(b.postings, q)
	b.last[q.term] = len(b.postings)
}

func (b *builder) term(key string) uint32 {
	t, ok := b.dictionary[key]
	if !ok {
		t = uint32(len(b.last))
		b.dictionary[strings.Clone(key)] = t
		b.last = append(b.last, 0)
	}
	return t
}

func (b *builder) category(c string) []posting {
	list, ok := b.categories[c]
	if !ok {
		for _, k := range b.vocab.of(c) {
			list = append(list, posting{b.term(k.key), k.in})
		}
		b.categories[strings.Clone(c)] = list
	}
	return list
}

// isHouseNumber tells numbers that are worth no entry from postal codes.
func isHouseNumber(w string) bool {
	return len(w) < 5 && strings.Trim(w, "0123456789") == ""
}

// analyse lists the keys under which a builder posts a place.
func analyse(v *vocabulary, p *Place) map[string]field {
	b := newBuilder(v)
	b.add(p)
	found := make(map[string]field, len(b.postings))
	for key, t := range b.dictionary {
		if at := b.last[t] - 1; at >= 0 {
			found[key] = b.postings[at].in
		}
	}
	return found
}

// finish makes the segment; the builder is spent.
func (b *builder) finish() *segment {
	order := make([]uint32, 0, len(b.at)-b.dropped)
	for i := range uint32(len(b.at)) {
		if b.dropped == 0 || b.numbers[string(recordID(b.records[b.start[i]:]))] == i {
			order = append(order, i)
		}
	}
	b.numbers, b.categories = nil, nil
	cluster(order, b.at)
	s := &segment{
		vocab:      b.vocab,
		at:         make([]vector, len(order)),
		prominence: make([]float64, len(order)),
		boxes:      make([]box, (len(order)+blockSize-1)/blockSize),
		records:    make([]byte, 0, len(b.records)),
		start:      make([]int, 1, len(order)+1),
		dictionary: maps.Clone(b.dictionary), // sized to what it holds
	}
	for i, old := range order {
		s.at[i], s.prominence[i] = b.at[old], b.prominence[old]
		s.boxes[i/blockSize].add(s.at[i], s.prominence[i])
		s.records = append(s.records, b.records[b.start[old]:b.start[old+1]]...)
		s.start = append(s.start, len(s.records))
	}
	s.indexNames()
	b.invert(s, order)
	return s
}

// invert turns postings by place into runs by term: it counts, lays out, and fills.
func (b *builder) invert(s *segment, order []uint32) {
	s.terms = make([]term, len(b.last))
	postings := make([]uint32, len(b.last)+1) // of each term, then where the next of them goes
	runs := make([]uint32, len(b.last)+1)
	block := make([]uint32, len(b.last)) // one more than the last block of each term
	b.each(order, func(i int, q posting) {
		postings[q.term+1]++
		if now := uint32(i/blockSize) + 1; block[q.term] != now {
			block[q.term] = now
			runs[q.term+1]++
		}
		s.terms[q.term].count(q.in, 1)
	})
	for t := range s.terms {
		postings[t+1] += postings[t]
		runs[t+1] += runs[t]
		s.terms[t].first, s.terms[t].end = runs[t], runs[t+1]
	}
	total := postings[len(b.last)]
	s.runs = make([]run, runs[len(b.last)]+1)
	s.runs[len(s.runs)-1].start = total
	s.slots, s.in = make([]uint8, total), make([]field, total)
	clear(block)
	b.each(order, func(i int, q posting) {
		at := postings[q.term]
		postings[q.term]++
		if now := uint32(i/blockSize) + 1; block[q.term] != now {
			block[q.term] = now
			s.runs[runs[q.term]] = run{block: now - 1, start: at}
			runs[q.term]++
		}
		s.runs[runs[q.term]-1].in |= q.in
		s.slots[at], s.in[at] = uint8(i%blockSize), q.in
	})
}

// each visits the postings of the ordered places.
func (b *builder) each(order []uint32, visit func(i int, q posting)) {
	for i, old := range order {
		first := 0
		if old > 0 {
			first = b.ends[old-1]
		}
		for _, q := range b.postings[first:b.ends[old]] {
			visit(i, q)
		}
	}
}
