package placeindex

import (
	"math/bits"
	"slices"

	"github.com/trigpoint/trigpoint/internal/words"
)

const (
	maxQueryWords = 16
	maxPhrase     = 4 // words of the longest category term that is recognised
	maxPairs      = 8 // that many where words are read as pairs of characters

	rounding = 1e-9 // far above what sums of a few shares lose
)

// plan is a query made ready against the places of one snapshot. For each key a posting list is read;
// text scores a place by the fields in which it has each key.
type plan struct {
	keys    []string
	parts   []part
	where   []int // positions in keys of words that say where
	weights *weightTable
	hasKind bool
}

// part is a run of the query's words that is scored as one.
type part struct {
	share  float64 // of all parts, which sum to 1
	whole  []int   // positions in keys of the phrase, or of the word when there is just one, and of what it stands for
	words  []int   // positions of the words of a phrase
	shares []float64
	kind   bool // names a kind of place
}

// counts tells in how many live places a key is found, and how.
type counts struct{ what, where, kind int }

// lexicon is what a plan asks of the places, and of the languages that people search in.
type lexicon interface {
	// count tells in how many places a word or phrase is.
	count(key string) counts
	// translated lists the English names that a phrase of another language stands for.
	translated(phrase string) []string
}

// newPlan asks for the counts of each word and phrase. A nil plan matches nothing.
func newPlan(query string, places int, known lexicon) *plan {
	list := meaningful(words.Distinct(query))
	list = list[:min(len(list), maxQueryWords)]
	runs := cutIntoRuns(list, known)
	if mended, ok := mend(list, runs, known); ok {
		runs = cutIntoRuns(mended, known)
	}
	p := &plan{weights: weights}
	var where []wordRun
	for _, r := range runs {
		switch c := r.counts; {
		case r.unknown():
		case len(r.words) == 1 && c.where > c.what && c.kind == 0:
			where = append(where, r)
		default:
			p.addPart(r, places, known)
		}
	}
	if len(p.parts) == 0 {
		p.weights = addressWeights
		for _, r := range where {
			p.addPart(r, places, known)
		}
	} else {
		for _, r := range where {
			p.where = append(p.where, p.key(r.words[0]))
		}
	}
	if len(p.parts) == 0 {
		return nil
	}
	p.share()
	return p
}

// wordRun is words of a query that belong together.
type wordRun struct {
	words    []string
	standFor []string // English names of what they are in another language
	counts   counts
}

// unknown tells words that no place knows.
func (r *wordRun) unknown() bool { return len(r.words) == 1 && r.counts.what+r.counts.where == 0 }

func cutIntoRuns(list []string, known lexicon) []wordRun {
	var runs []wordRun
	for len(list) > 0 {
		r := longestTerm(list, known)
		runs = append(runs, r)
		list = list[len(r.words):]
	}
	return runs
}

// longestTerm finds the longest category term that a list of words begins with, in English or else in another language; a
// single word is always taken.
func longestTerm(list []string, known lexicon) wordRun {
	longest := maxPhrase
	if words.IsPair(list[0]) {
		longest = maxPairs
	}
	for n := min(longest, len(list)); n > 0; n-- {
		r := wordRun{words: list[:n]}
		key := phrase(r.words)
		if r.counts = known.count(key); r.counts.kind > 0 {
			return r
		}
		for _, name := range known.translated(key) {
			if c := known.count(name); c.kind > 0 {
				r.standFor = append(r.standFor, name)
				r.counts.what += c.what
				r.counts.kind += c.kind
			}
		}
		if len(r.standFor) > 0 || n == 1 {
			return r
		}
	}
	return wordRun{}
}

func (p *plan) addPart(r wordRun, places int, known lexicon) {
	c := r.counts
	a := part{kind: c.kind > 0, share: rarity(places, max(c.what, c.kind, c.where))}
	for _, key := range append([]string{phrase(r.words)}, r.standFor...) {
		a.whole = append(a.whole, p.key(key))
	}
	if len(r.words) > 1 {
		for _, w := range r.words {
			a.words = append(a.words, p.key(w))
			a.shares = append(a.shares, rarity(places, known.count(w).what))
		}
		normalise(a.shares, 1)
	}
	p.hasKind = p.hasKind || a.kind
	p.parts = append(p.parts, a)
}

func (p *plan) key(k string) int {
	if i := slices.Index(p.keys, k); i >= 0 {
		return i
	}
	p.keys = append(p.keys, k)
	return len(p.keys) - 1
}

// rarity weighs a word by how few places have it, in whole steps of a factor of two: a place more or less
// must not move every score.
func rarity(places, having int) float64 {
	return float64(bits.Len(uint(max(1, places/max(1, having)))))
}

// share makes the parts sum to 1, the kinds among them to at least KindShare.
func (p *plan) share() {
	var kinds, others []float64
	for _, a := range p.parts {
		if a.kind {
			kinds = append(kinds, a.share)
		} else {
			others = append(others, a.share)
		}
	}
	kindShare := sum(kinds) / (sum(kinds) + sum(others))
	if len(kinds) > 0 {
		kindShare = max(kindShare, KindShare)
	}
	normalise(kinds, kindShare)
	normalise(others, 1-kindShare)
	for i := range p.parts {
		from := &others
		if p.parts[i].kind {
			from = &kinds
		}
		p.parts[i].share = (*from)[0]
		*from = (*from)[1:]
	}
}

// text is how well a place matches, 0 when it does not; in tells the fields of each key. It never falls
// when a field is added, so the union of many places' fields bounds all of them.
func (p *plan) text(in []field) float64 {
	var text, covered float64
	matched, isKind := 0, false
	for i := range p.parts {
		a := &p.parts[i]
		m := a.match(in, p.weights)
		if m == 0 {
			continue
		}
		text += a.share * m
		covered += a.share
		matched++
		isKind = isKind || a.kind && m >= WeightName
	}
	if !isKind && (covered < MinCoverage-rounding || p.hasKind && matched < 2) {
		return 0
	}
	if len(p.where) == 0 {
		return text
	}
	here := 0
	for _, k := range p.where {
		if in[k] != 0 {
			here++
		}
	}
	return text * (OtherTown + (1-OtherTown)*float64(here)/float64(len(p.where)))
}

func (a *part) match(in []field, w *weightTable) float64 {
	var whole field
	for _, k := range a.whole {
		whole |= in[k]
	}
	m := w[whole]
	if len(a.words) == 0 {
		return m
	}
	byWords := 0.0
	for i, k := range a.words {
		byWords += a.shares[i] * w[in[k]]
	}
	return max(m, byWords)
}

func sum(xs []float64) float64 {
	total := 0.0
	for _, x := range xs {
		total += x
	}
	return total
}

func normalise(xs []float64, to float64) {
	total := sum(xs)
	for i := range xs {
		xs[i] *= to / total
	}
}
