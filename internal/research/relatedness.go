package research

import (
	"cmp"
	"slices"
	"strings"

	"github.com/trigpoint/trigpoint/internal/serp"
)

// Relatedness of a keyword to the seed, each part 0..1:
//
//	words     shared words / all words of both
//	results   shared hosts among the first ten results of both, in tenths; 0 below three
//	proposed  1 when the engine names it on the seed's result page
//	idea      1 for the first keyword that a data provider proposes, less for each that follows
//	score     = words + results + proposed/2 + idea/2
const (
	sharedResults    = 10
	minSharedResults = 3
	proposedWeight   = 0.5
	ideaWeight       = 0.5
)

// relatives collects keywords that have something in common with a seed.
type relatives struct {
	seed   string
	words  map[string]bool
	scores map[string]float64
}

func newRelatives(seed string) *relatives {
	r := &relatives{seed: seed, words: map[string]bool{}, scores: map[string]float64{}}
	for _, w := range tellingWords(seed) {
		r.words[w] = true
	}
	return r
}

// addByWords takes a keyword for the words that it shares.
func (r *relatives) addByWords(kw string) {
	own := tellingWords(kw)
	shared := 0
	for _, w := range own {
		if r.words[w] {
			shared++
		}
	}
	r.add(kw, float64(shared)/float64(len(own)+len(r.words)-shared))
}

// addByResults takes the keywords of searches whose results are those of the search for the seed.
func (r *relatives) addByResults(own serp.Search, others []serp.Search) {
	counted := map[string]int{} // hosts of the seed -> the last of the others that had it
	own.Hosts.Ranks(func(rank int, host string) bool {
		counted[host] = -1
		return rank < sharedResults
	})
	best := map[string]int{}
	for i := range others {
		shared := 0
		others[i].Hosts.Ranks(func(rank int, host string) bool {
			if last, ok := counted[host]; ok && last != i {
				counted[host] = i
				shared++
			}
			return rank < sharedResults
		})
		best[others[i].Keyword] = max(best[others[i].Keyword], shared)
	}
	for kw, shared := range best {
		if shared >= minSharedResults {
			r.add(kw, float64(shared)/sharedResults)
		}
	}
}

// addProposed takes what the engine proposes.
func (r *relatives) addProposed(kws []string) {
	for _, kw := range kws {
		r.add(kw, proposedWeight)
	}
}

// addIdeas takes what a data provider proposes, best first.
func (r *relatives) addIdeas(kws []string) {
	for i, kw := range kws {
		r.add(kw, ideaWeight*ideaScore(i, len(kws)))
	}
}

// ideaScore is 1 for the first of n ideas, and more than 0 for the last.
func ideaScore(i, n int) float64 { return float64(n-i) / float64(n) }

func (r *relatives) add(kw string, score float64) {
	if kw != r.seed && score > 0 {
		r.scores[kw] += score
	}
}

// ordered lists the keywords, most related first.
func (r *relatives) ordered() []string { return byScore(r.scores) }

func byScore(scores map[string]float64) []string {
	kws := make([]string, 0, len(scores))
	for kw := range scores {
		kws = append(kws, kw)
	}
	slices.SortFunc(kws, func(a, b string) int { return cmp.Or(cmp.Compare(scores[b], scores[a]), strings.Compare(a, b)) })
	return kws
}
