// Package serper asks Google's map and web search through Serper (google.serper.dev). It owns the
// translation of Serper's requests, answers and refusals; pacing, retrying and scoring are others' work.
package serper

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"time"

	"github.com/trigpoint/trigpoint/internal/clock"
	"github.com/trigpoint/trigpoint/internal/provider"
)

// DefaultURL is Serper's own address.
const DefaultURL = "https://google.serper.dev"

// Serper's smallest paid plan allows 50 requests a second, and an answer takes about one.
var defaultPace = provider.Pace{Concurrent: 50, PerSecond: 50}

// Options configure the provider; only APIKey is required.
type Options struct {
	APIKey   string
	BaseURL  string
	Country  string        // two letters, for queries that name none
	Language string        // for queries that name none
	Pace     provider.Pace // zero fields take the smallest paid plan's
	Timeout  time.Duration // of one request
	Clock    clock.Clock
}

// Provider is Serper. It finds places and searches the map and the web.
type Provider struct {
	opts   Options
	client *provider.Client
}

var (
	_ provider.PlaceFinder = (*Provider)(nil)
	_ provider.MapSearcher = (*Provider)(nil)
	_ provider.WebSearcher = (*Provider)(nil)
)

// New checks the options; it asks nothing yet. Close the provider when it is no longer used.
func New(opts Options) (*Provider, error) {
	p := &Provider{opts: opts}
	if opts.Pace.Concurrent <= 0 {
		p.opts.Pace.Concurrent = defaultPace.Concurrent
	}
	if opts.Pace.PerSecond <= 0 {
		p.opts.Pace.PerSecond = defaultPace.PerSecond
	}
	if opts.BaseURL == "" {
		p.opts.BaseURL = DefaultURL
	}
	client, err := provider.NewClient(provider.ClientOptions{
		Descriptor:  p.Describe(),
		BaseURL:     p.opts.BaseURL,
		Credentials: http.Header{"X-Api-Key": {opts.APIKey}},
		Timeout:     opts.Timeout,
		Clock:       opts.Clock,
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

// Describe names the provider and its options.
func (p *Provider) Describe() provider.Descriptor {
	return provider.Descriptor{
		Name:  "serper",
		Title: "Serper",
		Help:  "Google map and web results through serper.dev, as a desktop browser sees them. Needs an account there.",
		Options: []provider.Option{
			{Name: "api_key", Help: "API key of the account at serper.dev.", Secret: true},
			{Name: "url", Help: "Base URL of the API.", Default: DefaultURL},
			{Name: "country", Help: "Two-letter country of searches that name none."},
			{Name: "language", Help: "Language of searches that name none."},
		},
		Pace:    p.opts.Pace,
		Devices: []provider.Device{provider.Desktop}, // no endpoint takes a device
	}
}

// post asks one question. An answer that carries a refusal inside a success is a refusal.
func (p *Provider) post(ctx context.Context, path string, in any, out interface{ refusal() (int, string) }) error {
	if p.opts.APIKey == "" {
		d := p.Describe()
		return provider.Errorf(provider.Unauthorized, d.Title, "Serper needs an API key: set %s.", d.Env("api_key"))
	}
	if err := p.client.Post(ctx, path, in, out); err != nil {
		return err
	}
	if status, message := out.refusal(); status >= 400 {
		body, err := json.Marshal(envelope{StatusCode: status, Message: text(message)})
		if err != nil {
			return err
		}
		return p.client.Refusal(status, body)
	}
	return nil
}

// explain reads {"message","statusCode"}. Serper uses several statuses for an empty account, among
// them the one for too many requests, so only the words tell.
func explain(status int, body []byte) (provider.Kind, string) {
	var e envelope
	if json.Unmarshal(body, &e) != nil {
		return provider.Unknown, ""
	}
	words := string(e.Message)
	if status < 500 && strings.Contains(strings.ToLower(words), "credits") {
		return provider.QuotaSpent, words
	}
	if status == http.StatusNotFound {
		return provider.BadQuery, words // an unknown path: the base URL is not Serper's
	}
	return provider.Unknown, words
}

// market is where a search is made from.
func (p *Provider) market(country, language string) (gl, hl string) {
	if country == "" {
		country = p.opts.Country
	}
	if language == "" {
		language = p.opts.Language
	}
	return strings.ToLower(country), language
}
