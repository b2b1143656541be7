package webindex

import (
	"strings"
	"sync"

	"github.com/trigpoint/trigpoint/internal/words"
)

// Bounds of a search.
const (
	MaxResults    = 200
	maxQueryWords = 32
)

// Query is one search.
type Query struct {
	Words    string
	Country  string // two letters, any case; "" is anywhere
	Language string // "" is any
	Place    string // a name such as "Decatur,Georgia,United States"; only its first part counts
	Limit    int    // 1..MaxResults; 0 is 100
}

// Result is a page that was found.
type Result struct {
	URL, Title, Description string
	Domain                  string // host without www.
	Score                   float64
}

// Search ranks the pages that match, best first, after host crowding.
func (x *Index) Search(q Query) []Result {
	limit := min(q.Limit, MaxResults)
	if limit <= 0 {
		limit = 100
	}
	s := x.scratch.Get().(*scratch)
	defer x.scratch.Put(s)
	x.match(s, queryWords(q.Words))
	place, _, _ := strings.Cut(q.Place, ",")
	x.lean(s, queryWords(place))
	hits := x.rank(s, q)
	s.reset()
	best := x.spread(hits, limit)
	results := make([]Result, len(best))
	for i, h := range best {
		d := &x.docs[h.page]
		results[i] = Result{URL: d.url, Title: d.title, Description: d.description, Domain: d.host, Score: float64(h.score)}
	}
	return results
}

// queryWords are the words that say what is searched for.
func queryWords(query string) []string {
	list := words.Telling(words.Distinct(query), words.IsFiller)
	return list[:min(len(list), maxQueryWords)]
}

// scratch holds the sums of one search, by page; only touched entries are not zero.
type scratch struct {
	text, cover []float32
	touched     []uint32
	total       float32 // idf of all words that any page has
}

func newScratchPool(pages int) *sync.Pool {
	return &sync.Pool{New: func() any { return &scratch{text: make([]float32, pages), cover: make([]float32, pages)} }}
}

func (s *scratch) reset() {
	for _, page := range s.touched {
		s.text[page], s.cover[page] = 0, 0
	}
	s.touched, s.total = s.touched[:0], 0
}

// postings of a word, and its weight; a word that no page has is left out of the query.
func (x *Index) postings(word string) (pages []uint32, impacts []uint8, weight float32) {
	term, ok := x.terms[word]
	if !ok {
		return nil, nil, 0
	}
	from, to := x.starts[term], x.starts[term+1]
	return x.pages[from:to], x.impacts[from:to], idf(int(to-from), len(x.docs))
}

func (x *Index) match(s *scratch, query []string) {
	for _, word := range query {
		pages, impacts, weight := x.postings(word)
		if len(pages) == 0 {
			continue
		}
		s.total += weight
		for i, page := range pages {
			if s.cover[page] == 0 {
				s.touched = append(s.touched, page)
			}
			s.cover[page] += weight
			s.text[page] += weight * float32(impacts[i]) / 255
		}
	}
}

// lean adds the words of the searcher's place to the pages that match already.
func (x *Index) lean(s *scratch, place []string) {
	for _, word := range place {
		pages, impacts, weight := x.postings(word)
		for i, page := range pages {
			if s.cover[page] > 0 {
				s.text[page] += LocalWeight * weight * float32(impacts[i]) / 255
			}
		}
	}
}
