// Package googleautocomplete proposes keywords: what Google's search box suggests to those who begin to type. The
// service has no key, no price and no promise: Google documents none of it. It owns the translation of requests and
// answers; pacing and retrying are others' work.
package googleautocomplete

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/trigpoint/trigpoint/internal/clock"
	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/provider/wire"
)

// A person types no faster, and Google locks out who does.
var onePerson = provider.Pace{Concurrent: 1, PerSecond: 1}

// Options are the settings, as provider.Vendor says.
type Options struct {
	Client          string                                                                                                                                                                          `name:"googleautocomplete-client" help:"The browser whose search box is asked: firefox or chrome; their suggestions differ a little." default:"firefox" enum:"firefox,chrome"`
	provider.Access `embed:"" prefix:"googleautocomplete-" set:"vendor=Google autocomplete" set:"url=https://suggestqueries.google.com" set:"pace=a person types" set:"unit=request" set:"price=0"` //nolint:staticcheck // kong reads every set

	Timeout time.Duration `kong:"-"` // of one request; the client's own when 0
}

// Provider is Google's search box. It has ideas of keywords.
type Provider struct {
	opts   Options
	client *provider.Client
}

var (
	_ provider.KeywordIdeas = (*Provider)(nil)
	_ provider.Checker      = (*Provider)(nil)
)

// New checks the options; it asks nothing yet. Close the provider when it is no longer used.
func New(opts Options, c clock.Clock) (*Provider, error) {
	opts.Client = cmp.Or(opts.Client, "firefox")
	p := &Provider{opts: opts}
	if opts.Client != "firefox" && opts.Client != "chrome" {
		return nil, fmt.Errorf("%s must be firefox or chrome", p.Describe().Env("client"))
	}
	client, err := provider.NewClient(provider.ClientOptions{
		Descriptor: p.Describe(),
		BaseURL:    opts.URL,
		Timeout:    opts.Timeout,
		Clock:      c,
		Explain:    explain,
	})
	if err != nil {
		return nil, err
	}
	p.client = client
	return p, nil
}

// Close drops idle connections.
func (p *Provider) Close() { p.client.Close() }

// Describe names the provider and its pace. All who ask from one address are one person to Google.
func (p *Provider) Describe() provider.Descriptor {
	return provider.Descriptor{
		Name:    "googleautocomplete",
		Title:   "Google autocomplete",
		Pace:    p.opts.Pace(onePerson),
		Account: provider.Fingerprint("googleautocomplete", p.opts.URL),
		Prices:  provider.Prices{Keywords: provider.USD(p.opts.Price)},
		Budget:  provider.USD(p.opts.Budget),
	}
}

// IdeasFor asks what is suggested for each seed, in a whole country: the box takes no town.
func (p *Provider) IdeasFor(ctx context.Context, q provider.IdeaQuery) ([]provider.KeywordFigures, error) {
	return provider.Suggest(ctx, q, func(ctx context.Context, seed string) ([]string, error) {
		return p.suggestions(ctx, seed, q.Country, q.Language)
	})
}

// CheckAccess asks for a suggestion.
func (p *Provider) CheckAccess(ctx context.Context) (string, error) {
	found, err := p.suggestions(ctx, "weather", "", "en")
	return fmt.Sprintf("gave %d suggestions", len(found)), err
}

func (p *Provider) suggestions(ctx context.Context, seed, country, language string) ([]string, error) {
	query := url.Values{"client": {p.opts.Client}, "q": {seed}, "ie": {"utf-8"}, "oe": {"utf-8"}}
	if country != "" {
		query.Set("gl", strings.ToLower(country))
	}
	if language != "" {
		query.Set("hl", language)
	}
	answer := suggestAnswer{asked: wire.Text(seed)}
	if err := p.client.Get(ctx, "/complete/search", query, &answer); err != nil {
		return nil, err
	}
	provider.Charge(ctx, provider.USD(p.opts.Price))
	return answer.queries(), nil
}

// lockedOut is how long to leave Google alone that wants to see a person.
const lockedOut = 10 * time.Minute

// explain knows Google's way to lock out: it leads to a page with a riddle for people.
func explain(status int, _ []byte) provider.Refusal {
	switch status {
	case http.StatusFound, http.StatusSeeOther:
		return provider.Refusal{Kind: provider.RateLimited, RetryAfter: lockedOut}
	case http.StatusNotFound:
		return provider.Refusal{Kind: provider.BadQuery} // an unknown path: the base URL is not Google's
	}
	return provider.Refusal{}
}
