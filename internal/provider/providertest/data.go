package providertest

import (
	"context"
	"sync"

	"github.com/trigpoint/trigpoint/internal/provider"
)

// Data is a provider in process that is asked about keywords and domains. Its answers are functions; where there is none it
// knows nothing. The functions may be called concurrently; set them before the first call.
type Data struct {
	Name   string         // "scripted" when empty; the title is the same
	Price  provider.Money // of any question; charged for each, also for one that fails
	Budget provider.Money // of a month

	Figures     func(q provider.KeywordQuery) ([]provider.KeywordFigures, error)
	Ideas       func(q provider.IdeaQuery) ([]provider.KeywordFigures, error)
	Ranks       func(q provider.DomainQuery) (provider.DomainKeywords, error)
	Rivals      func(q provider.DomainQuery) ([]provider.Competitor, error)
	LinksOf     func(target string) (provider.Links, error)
	mu          sync.Mutex
	calls       map[string]int // by capability
	lastFigures provider.KeywordQuery
}

var (
	_ provider.KeywordSource    = (*Data)(nil)
	_ provider.KeywordIdeas     = (*Data)(nil)
	_ provider.DomainSource     = (*Data)(nil)
	_ provider.CompetitorSource = (*Data)(nil)
	_ provider.LinkSource       = (*Data)(nil)
)

// Describe names the provider.
func (d *Data) Describe() provider.Descriptor {
	name := d.Name
	if name == "" {
		name = "scripted"
	}
	prices := provider.Prices{Keywords: d.Price, Domain: d.Price, Links: d.Price}
	return provider.Descriptor{Name: name, Title: name, Pace: provider.Pace{Concurrent: 16}, Prices: prices, Budget: d.Budget}
}

// LookUpKeywords asks the Figures function.
func (d *Data) LookUpKeywords(ctx context.Context, q provider.KeywordQuery) ([]provider.KeywordFigures, error) {
	d.mu.Lock()
	d.lastFigures = q
	d.mu.Unlock()
	return tell(ctx, d, "figures", d.Figures, q)
}

// IdeasFor asks the Ideas function.
func (d *Data) IdeasFor(ctx context.Context, q provider.IdeaQuery) ([]provider.KeywordFigures, error) {
	return tell(ctx, d, "ideas", d.Ideas, q)
}

// DomainKeywords asks the Ranks function.
func (d *Data) DomainKeywords(ctx context.Context, q provider.DomainQuery) (provider.DomainKeywords, error) {
	return tell(ctx, d, "ranks", d.Ranks, q)
}

// Competitors asks the Rivals function.
func (d *Data) Competitors(ctx context.Context, q provider.DomainQuery) ([]provider.Competitor, error) {
	return tell(ctx, d, "competitors", d.Rivals, q)
}

// LinksTo asks the LinksOf function.
func (d *Data) LinksTo(ctx context.Context, target string) (provider.Links, error) {
	return tell(ctx, d, "links", d.LinksOf, target)
}

// Calls is how often it was asked for figures, ideas, ranks, competitors or links.
func (d *Data) Calls(capability string) int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.calls[capability]
}

// LastFigures is the last question for figures.
func (d *Data) LastFigures() provider.KeywordQuery {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.lastFigures
}

func tell[Q, A any](ctx context.Context, d *Data, capability string, script func(Q) (A, error), q Q) (A, error) {
	d.mu.Lock()
	if d.calls == nil {
		d.calls = map[string]int{}
	}
	d.calls[capability]++
	d.mu.Unlock()
	provider.Charge(ctx, d.Price)
	if script == nil {
		var none A
		return none, provider.Errorf(provider.NotFound, d.Describe().Title, "%s knows nothing.", d.Describe().Title)
	}
	return script(q)
}
