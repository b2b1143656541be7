// Package serper asks Google's map search, web search and search box through Serper (google.serper.dev). It owns the
// translation of Serper's requests, answers and refusals; pacing, retrying and scoring are others' work.
package serper

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"time"

	"golang.org/x/text/language"
	"golang.org/x/text/message"

	"github.com/trigpoint/trigpoint/internal/clock"
	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/provider/wire"
)

// Serper's smallest paid plan allows 50 requests a second, and an answer takes about one.
var smallestPlan = provider.Pace{Concurrent: 50, PerSecond: 50}

// Options are the settings, as provider.Vendor says.
type Options struct {
	APIKey          string                                                                                                                                                                                                               `name:"serper-api-key" help:"API key of the account at serper.dev." secret:"" needed:""`
	provider.Access `embed:"" prefix:"serper-" set:"vendor=Serper" set:"url=https://google.serper.dev" set:"pace=its smallest paid plan allows" set:"unit=credit (a page of a web search takes 1, of a map search 3)" set:"price=0.001"` //nolint:staticcheck // kong reads every set

	Timeout time.Duration `kong:"-"` // of one request; the client's own when 0
}

// Provider is Serper. It finds places, searches the map and the web, and has keyword ideas.
type Provider struct {
	opts    Options
	account string
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
	p := &Provider{opts: opts, account: provider.Fingerprint("serper", opts.APIKey)}
	client, err := provider.NewClient(provider.ClientOptions{
		Descriptor:  p.Describe(),
		BaseURL:     opts.URL,
		Credentials: http.Header{"X-Api-Key": {opts.APIKey}},
		Timeout:     opts.Timeout,
		Clock:       c,
		Explain:     explain,
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
	return provider.Descriptor{
		Name:    "serper",
		Title:   "Serper",
		Secret:  "api_key",
		Pace:    p.opts.Pace(smallestPlan),
		Google:  true,
		Account: p.account,
		Devices: []provider.Device{provider.Desktop}, // no endpoint takes a device
		Prices: provider.Prices{
			Place: p.price(mapCredits), Map: p.price(mapCredits), WebPage: p.price(searchCredits),
			Keywords: p.price(searchCredits) * provider.MaxSeeds,
		},
		Budget: provider.USD(p.opts.Budget),
	}
}

// What a page takes of the account's credits, should an answer not say.
const (
	mapCredits    = 3
	searchCredits = 1
)

func (p *Provider) price(credits int) provider.Money {
	return provider.USD(float64(credits) * p.opts.Price)
}

// post asks, and charges what the answer says that it took; only answers are billed.
func (p *Provider) post(ctx context.Context, path string, in any, out billed) error {
	if err := p.Describe().NeedKey(p.opts.APIKey); err != nil {
		return err
	}
	if err := p.client.Post(ctx, path, in, out); err != nil {
		return err
	}
	provider.Charge(ctx, p.price(out.credits()))
	return nil
}

// CheckAccess asks for the account, which is free.
func (p *Provider) CheckAccess(ctx context.Context) (string, error) {
	if err := p.Describe().NeedKey(p.opts.APIKey); err != nil {
		return "", err
	}
	var a account
	if err := p.client.Get(ctx, "/account", nil, &a); err != nil {
		return "", err
	}
	return message.NewPrinter(language.English).Sprintf("%d credits left", a.Balance.Count()), nil
}

type account struct {
	Balance *wire.Number `json:"balance"`
}

func (a *account) Verify() error {
	if a.Balance == nil {
		return errors.New("balance is missing")
	}
	return nil
}

// explain reads {"message","statusCode"}. An account without credits is told from a bad query by the
// words alone.
func explain(status int, body []byte) provider.Refusal {
	var e envelope
	if json.Unmarshal(body, &e) != nil {
		return provider.Refusal{}
	}
	r := provider.Refusal{Words: string(cmp.Or(e.Message, e.Error))}
	if status < 300 && e.StatusCode >= 400 {
		status, r.Status = e.StatusCode, e.StatusCode
	}
	switch words := strings.ToLower(r.Words); {
	case status < 500 && strings.Contains(words, "not enough credits"):
		r.Kind = provider.QuotaSpent
	case status < 500 && strings.Contains(words, "free accounts"):
		r.Kind = provider.BadQuery
		r.Advice = "Take quotes and operators such as site: out of the keyword, or buy credits at serper.dev."
	case status == http.StatusNotFound:
		r.Kind = provider.BadQuery // an unknown path: the base URL is not Serper's
	}
	return r
}
