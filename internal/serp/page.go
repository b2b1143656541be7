package serp

import (
	"strings"
	"unicode/utf8"

	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/webtarget"
)

// Platforms of a search.
const (
	Desktop = 1
	Mobile  = 2
)

// Depth is how many organic results a whole page has, unless the engine has fewer.
const Depth = 20

// Bounds of a page that is kept; what is beyond them is cut.
const (
	maxItems     = 400
	maxSubItems  = 50
	maxItemURL   = 2_000 // bytes
	maxItemTitle = 500
	maxItemText  = 2_000
)

// Item is a part of a page. The names are those of the stored form.
type Item struct {
	Type   provider.ItemType `json:"t"`
	Rank   int               `json:"r,omitempty"`
	URL    string            `json:"u,omitempty"`
	Title  string            `json:"h,omitempty"`
	Text   string            `json:"d,omitempty"`
	Domain string            `json:"n,omitempty"`
	Items  []Item            `json:"i,omitempty"`
}

// Page is what is kept of a result page, from its top.
type Page struct {
	Items   []Item   `json:"items"`
	Related []string `json:"related,omitempty"` // other searches that the engine proposes
	Total   *int64   `json:"total,omitempty"`   // results that the engine says it has
}

// NewPage takes from a provider's page what is kept.
func NewPage(p provider.WebPage) Page {
	return Page{Items: keptItems(p.Items, maxItems, true), Related: p.Related[:min(len(p.Related), maxSubItems)], Total: p.Total}
}

func keptItems(items []provider.WebItem, limit int, nested bool) []Item {
	var kept []Item
	for _, item := range items[:min(len(items), limit)] {
		k := Item{
			Type: item.Type, Rank: item.Rank, URL: item.URL, Title: bounded(item.Title, maxItemTitle),
			Text: bounded(item.Description, maxItemText), Domain: bounded(item.Domain, 253),
		}
		if len(k.URL) > maxItemURL || !utf8.ValidString(k.URL) {
			k.URL = "" // half an address would be another one
		}
		if nested {
			k.Items = keptItems(item.Items, maxSubItems, false)
		}
		kept = append(kept, k)
	}
	return kept
}

func bounded(s string, limit int) string {
	s = strings.ToValidUTF8(s, "")
	if len(s) > limit {
		s = strings.ToValidUTF8(s[:limit], "") // without half a character at its end
	}
	return s
}

// Results counts the organic items.
func (p Page) Results() int {
	n := 0
	for _, item := range p.Items {
		if item.Type == provider.Organic {
			n++
		}
	}
	return n
}

// Hosts lists the hosts of the organic results.
func (p Page) Hosts() Hosts {
	var b strings.Builder
	b.WriteByte('\n')
	for _, item := range p.Items {
		if item.Type == provider.Organic {
			b.WriteString(webtarget.Host(item.URL))
			b.WriteByte('\n')
		}
	}
	return Hosts(b.String())
}

// Position is the best organic rank of a target, or 0.
func (p Page) Position(t webtarget.Target) int {
	for _, item := range p.Items {
		if item.Type == provider.Organic && t.Match(item.URL) {
			return item.Rank
		}
	}
	return 0
}

// Proposals are the searches that the engine names on the page, as it spells them.
func (p Page) Proposals() []string {
	all := p.Related[:len(p.Related):len(p.Related)]
	for _, item := range p.Items {
		if item.Type == provider.SimilarQueries {
			for _, part := range item.Items {
				all = append(all, part.Title)
			}
		}
	}
	return all
}
