// Package serpapi asks Google's map search, web search and search box through SerpApi (serpapi.com). It owns the translation of
// SerpApi's requests, answers and refusals; pacing, retrying and scoring are others' work.
package serpapi

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"time"

	"golang.org/x/text/language"
	"golang.org/x/text/message"

	"github.com/trigpoint/trigpoint/internal/clock"
	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/provider/wire"
)

// SerpApi limits searches by the hour: a plan of 5,000 a month allows 1,000. A search takes two to five seconds.
var smallPlan = provider.Pace{Concurrent: 5, PerSecond: 1}

// Options are the settings, as provider.Vendor says.
type Options struct {
	APIKey          string                                                                                                                                                                                    `name:"serpapi-api-key" help:"API key of the account at serpapi.com." secret:"" needed:""`
	provider.Access `embed:"" prefix:"serpapi-" set:"vendor=SerpApi" set:"url=https://serpapi.com" set:"pace=suits a plan of 5,000 searches a month" set:"unit=search (a page of results)" set:"price=0.015"` //nolint:staticcheck // kong reads every set

	Timeout time.Duration `kong:"-"` // of one request; a minute when 0
}

// Provider is SerpApi. It finds places, searches the map and the web, and has keyword ideas.
type Provider struct {
	opts    Options
	account string
	clock   clock.Clock
	client  *provider.Client
}

var (
	_ provider.PlaceFinder  = (*Provider)(nil)
	_ provider.MapSearcher  = (*Provider)(nil)
	_ provider.WebSearcher  = (*Provider)(nil)
	_ provider.KeywordIdeas = (*Provider)(nil)
	_ provider.Checker      = (*Provider)(nil)
)

// New checks the options; it asks nothing yet. Close the provider when it is no longer used.
func New(opts Options, c clock.Clock) (*Provider, error) {
	p := &Provider{opts: opts, account: provider.Fingerprint("serpapi", opts.APIKey), clock: c}
	client, err := provider.NewClient(provider.ClientOptions{
		Descriptor: p.Describe(),
		BaseURL:    opts.URL,
		QueryKey:   url.Values{"api_key": {opts.APIKey}},
		Timeout:    cmp.Or(opts.Timeout, time.Minute), // a search given up on is billed all the same
		Clock:      c,
		Explain:    p.explain,
	})
	if err != nil {
		return nil, err
	}
	p.client = client
	return p, nil
}

// Close drops idle connections.
func (p *Provider) Close() { p.client.Close() }

// Describe names the provider and its pace.
func (p *Provider) Describe() provider.Descriptor {
	price := provider.USD(p.opts.Price)
	return provider.Descriptor{
		Name:    "serpapi",
		Title:   "SerpApi",
		Secret:  "api_key",
		Pace:    p.opts.Pace(smallPlan),
		Google:  true,
		Account: p.account,
		Devices: []provider.Device{provider.Desktop, provider.Mobile},
		Prices:  provider.Prices{Place: price, Map: price, WebPage: price, Keywords: price * provider.MaxSeeds},
		Budget:  provider.USD(p.opts.Budget),
	}
}

// search asks and charges. Only searches that succeed are billed, those that found nothing too. What SerpApi has
// in its cache is free, which it tells by the status alone.
func (p *Provider) search(ctx context.Context, s search, out searchAnswer) error {
	if err := p.Describe().NeedKey(p.opts.APIKey); err != nil {
		return err
	}
	if err := p.client.Get(ctx, "/search.json", s.values(), out); err != nil {
		return err
	}
	if !out.cached() {
		provider.Charge(ctx, provider.USD(p.opts.Price))
	}
	return nil
}

// CheckAccess asks for the account, which is free. The answer repeats the key: only the figure wanted is read.
func (p *Provider) CheckAccess(ctx context.Context) (string, error) {
	if err := p.Describe().NeedKey(p.opts.APIKey); err != nil {
		return "", err
	}
	var a account
	if err := p.client.Get(ctx, "/account.json", nil, &a); err != nil {
		return "", err
	}
	return message.NewPrinter(language.English).Sprintf("%d searches left", a.Left.Count()), nil
}

type account struct {
	Left *wire.Number `json:"total_searches_left"`
}

func (a *account) Verify() error {
	if a.Left == nil {
		return errors.New("total_searches_left is missing")
	}
	return nil
}

// explain reads {"error":"text"}. Status 429 has two meanings that only the words tell apart: no searches are left in
// this month, or in this hour, of which SerpApi does not say when it ends.
func (p *Provider) explain(status int, body []byte) provider.Refusal {
	var e envelope
	if json.Unmarshal(body, &e) != nil {
		return provider.Refusal{}
	}
	r := provider.Refusal{Words: string(e.Error)}
	words := strings.ToLower(r.Words)
	switch {
	case status == http.StatusTooManyRequests && strings.Contains(words, "run out of searches"):
		r.Kind = provider.QuotaSpent
	case status == http.StatusTooManyRequests && (strings.Contains(words, "hour") || strings.Contains(words, "throughput")):
		now := p.clock.Now()
		r.RetryAfter = now.Truncate(time.Hour).Add(time.Hour).Sub(now)
	case status == http.StatusNotFound:
		r.Kind = provider.BadQuery // an unknown path: the base URL is not SerpApi's
	}
	return r
}
