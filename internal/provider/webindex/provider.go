package webindex

import (
	"context"
	"fmt"
	"runtime"
	"sync/atomic"

	"github.com/trigpoint/trigpoint/internal/provider"
)

// perPage is how many organic results make a page.
const perPage = 10

// Provider answers web searches from an index, which may be replaced while it is in use. Desktop and
// mobile searches have the same answer.
type Provider struct{ index atomic.Pointer[Index] }

// New serves an index.
func New(x *Index) *Provider {
	p := &Provider{}
	p.Replace(x)
	return p
}

// Replace serves another index; searches under way finish on the former one.
func (p *Provider) Replace(x *Index) { p.index.Store(x) }

// Describe says what the provider is. It has nothing to configure.
func (p *Provider) Describe() provider.Descriptor {
	return provider.Descriptor{
		Name: "webindex", Title: "Built-in web index",
		Pace:    provider.Pace{Concurrent: runtime.GOMAXPROCS(0)},
		Devices: []provider.Device{provider.Desktop, provider.Mobile},
	}
}

// SearchWeb ranks the indexed pages.
func (p *Provider) SearchWeb(ctx context.Context, q provider.WebQuery) (provider.WebPage, error) {
	if err := q.Check(); err != nil {
		return provider.WebPage{}, err
	}
	if err := ctx.Err(); err != nil {
		return provider.WebPage{}, fmt.Errorf("search the web index: %w", err)
	}
	results := p.index.Load().Search(Query{
		Words: q.Keyword, Country: q.Country, Language: q.Language, Place: q.Location, Limit: q.Limit(),
	})
	page := provider.WebPage{Pages: 1}
	found := false
	for i, r := range results {
		if i > 0 && i%perPage == 0 {
			if found {
				break
			}
			page.Pages++
		}
		item := provider.WebItem{
			Type: provider.Organic, Rank: i + 1, URL: r.URL, Title: r.Title, Description: r.Description, Domain: r.Domain,
		}
		page.Items = append(page.Items, item)
		found = found || q.Until != nil && q.Until(item)
	}
	return page, nil
}
