package webindex

import (
	"fmt"
	"strings"
	"sync"

	"github.com/trigpoint/trigpoint/internal/webtarget"
	"github.com/trigpoint/trigpoint/internal/words"
)

// MaxPages bounds an index; a page takes about 3 KB of memory.
const MaxPages = 2_000_000

// Builder collects pages. It is not safe for concurrent use.
type Builder struct {
	terms    map[string]uint32
	postings [][]rawPosting // by term
	docs     []doc
	lengths  [][fieldCount]uint32
	byKey    map[string]uint32
}

type rawPosting struct {
	doc    uint32
	counts counts
}

// doc is what a result shows of a page.
type doc struct {
	url, title, description string
	domain                  string // registrable: what crowding and priors go by
	host                    string
	country, language       string // lower case
	dead                    bool   // replaced by a later version
}

// NewBuilder starts an empty web.
func NewBuilder() *Builder {
	return &Builder{terms: map[string]uint32{}, byKey: map[string]uint32{}}
}

// Add takes a page into the web; a page with the same address is replaced.
func (b *Builder) Add(p Page) error {
	if reason := p.check(); reason != "" {
		return fmt.Errorf("page %.100q: %s", p.URL, reason)
	}
	if len(b.docs) == MaxPages {
		return fmt.Errorf("page %.100q: the index holds at most %d pages", p.URL, MaxPages)
	}
	id := uint32(len(b.docs))
	if old, ok := b.byKey[key(p.URL)]; ok {
		b.docs[old].dead = true
	}
	b.byKey[key(p.URL)] = id
	host := webtarget.Host(p.URL)
	d := doc{
		url: strings.ToValidUTF8(p.URL, ""), title: tidy(p.Title, maxTitle), description: tidy(p.Description, shownText),
		host: host, domain: webtarget.Domain(p.URL), country: strings.ToLower(p.Country), language: primary(p.Language),
	}
	if d.description == "" {
		d.description = tidy(cut(p.Body, 2*shownText), shownText)
	}
	if d.title == "" {
		d.title = host
	}
	b.docs = append(b.docs, d)
	b.index(id, p)
	return nil
}

func (b *Builder) index(id uint32, p Page) {
	var length [fieldCount]uint32
	for f, text := range [fieldCount]string{
		titleField: cut(p.Title, maxTitle), descriptionField: cut(p.Description, maxDescription), urlField: p.URL, bodyField: cut(p.Body, maxBody),
	} {
		for word := range words.Of(text) {
			term, ok := b.terms[word]
			if !ok {
				term = uint32(len(b.postings))
				b.terms[strings.Clone(word)] = term
				b.postings = append(b.postings, nil)
			}
			list := b.postings[term]
			if len(list) == 0 || list[len(list)-1].doc != id {
				list = append(list, rawPosting{doc: id})
				b.postings[term] = list
			}
			if c := &list[len(list)-1].counts; c[f] < 255 {
				c[f]++
			}
			length[f]++
		}
	}
	b.lengths = append(b.lengths, length)
}

// Index is a web that can be searched. It never changes and is safe for concurrent use.
type Index struct {
	terms   map[string]uint32
	starts  []uint32 // of each term's postings, and the end of the last
	pages   []uint32 // postings: the page
	impacts []uint8  // postings: what the word is worth there
	docs    []doc
	prior   []float32 // by page
	scratch *sync.Pool
}

// Build makes the index. prior is the standing of a registrable domain, 0..1; nil gives none to all.
// The builder must not be used afterwards.
func (b *Builder) Build(prior func(domain string) float64) *Index {
	x := &Index{terms: b.terms, starts: make([]uint32, 0, len(b.postings)+1)}
	numbers := make([]int, len(b.docs)) // of the pages that were not replaced
	var mean [fieldCount]float64
	for i, d := range b.docs {
		if d.dead {
			numbers[i] = -1
			continue
		}
		numbers[i] = len(x.docs)
		x.docs = append(x.docs, d)
		for f := range fieldCount {
			mean[f] += float64(b.lengths[i][f])
		}
	}
	for f := range fieldCount {
		mean[f] /= max(1, float64(len(x.docs)))
	}
	for _, list := range b.postings {
		x.starts = append(x.starts, uint32(len(x.pages)))
		for _, p := range list {
			if n := numbers[p.doc]; n >= 0 {
				x.pages = append(x.pages, uint32(n))
				x.impacts = append(x.impacts, impact(p.counts, &b.lengths[p.doc], &mean))
			}
		}
	}
	x.starts = append(x.starts, uint32(len(x.pages)))
	*b = Builder{}
	x.scratch = newScratchPool(len(x.docs))
	return x.WithPrior(prior)
}

// WithPrior is the same web with other standings of its domains.
func (x *Index) WithPrior(prior func(domain string) float64) *Index {
	y := *x
	y.prior = make([]float32, len(x.docs))
	if prior == nil {
		return &y
	}
	for i, d := range x.docs {
		y.prior[i] = float32(min(max(prior(d.domain), 0), 1))
	}
	return &y
}

// Len is the number of pages.
func (x *Index) Len() int { return len(x.docs) }

// primary is the language without its region.
func primary(language string) string {
	language, _, _ = strings.Cut(strings.ToLower(language), "-")
	return language
}
