// Package searxng searches the web through one's own SearXNG server, which passes the question on to one search
// engine. It owns the translation of SearXNG's requests, answers and refusals; pacing, retrying and scoring are
// others' work.
package searxng

import (
	"cmp"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/http"
	"time"

	"github.com/trigpoint/trigpoint/internal/clock"
	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/provider/wire"
)

// The engine behind the server takes all its requests for those of one person, and locks out who asks faster.
var onePerson = provider.Pace{Concurrent: 1, PerSecond: 1}

// Options are the settings, as provider.Vendor says.
type Options struct {
	Engine          string                                                                                                                                           `name:"searxng-engine" help:"The engine, by its name in the server's settings, whose ranks are wanted." default:"google"`
	Username        string                                                                                                                                           `name:"searxng-username" help:"User of the SearXNG server, where a proxy in front of it asks for one."`
	Password        string                                                                                                                                           `name:"searxng-password" help:"Password of that user." secret:""`
	provider.Access `embed:"" prefix:"searxng-" set:"vendor=SearXNG" set:"url=" set:"pace=an engine takes from one person" set:"unit=page of results" set:"price=0"` //nolint:staticcheck // kong reads every set

	Timeout time.Duration `kong:"-"` // of one request; the client's own when 0
}

// Provider is a SearXNG server. It searches the web.
type Provider struct {
	opts   Options
	client *provider.Client
}

var (
	_ provider.WebSearcher = (*Provider)(nil)
	_ provider.Checker     = (*Provider)(nil)
)

// New checks the options; it asks nothing yet. Close the provider when it is no longer used.
func New(opts Options, c clock.Clock) (*Provider, error) {
	opts.Engine = cmp.Or(opts.Engine, "google")
	p := &Provider{opts: opts}
	sent := http.Header{}
	if opts.Username != "" {
		sent.Set("Authorization", "Basic "+base64.StdEncoding.EncodeToString([]byte(opts.Username+":"+opts.Password)))
	}
	client, err := provider.NewClient(provider.ClientOptions{
		Descriptor:  p.Describe(),
		BaseURL:     opts.URL,
		Credentials: sent,
		Secrets:     []string{opts.Password},
		Timeout:     opts.Timeout,
		Clock:       c,
		Explain:     p.explain,
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
		Name:    "searxng",
		Title:   "SearXNG",
		Pace:    p.opts.Pace(onePerson),
		Account: provider.Fingerprint("searxng", p.opts.URL),
		Devices: []provider.Device{provider.Desktop},
		Whole:   true,
		Prices:  provider.Prices{WebPage: provider.USD(p.opts.Price)},
		Budget:  provider.USD(p.opts.Budget),
	}
}

// CheckAccess reads the server's settings, which asks no engine.
func (p *Provider) CheckAccess(ctx context.Context) (string, error) {
	var answer configAnswer
	if err := p.client.Get(ctx, "/config", nil, &answer); err != nil {
		return "", err
	}
	for _, e := range *answer.Engines {
		if string(e.Name) == p.opts.Engine {
			return "has the engine " + p.opts.Engine, nil
		}
	}
	return "", p.otherEngine()
}

// otherEngine is the error for a server that does not have the engine, and asks its usual ones instead.
func (p *Provider) otherEngine() error {
	d := p.Describe()
	return provider.Errorf(provider.BadQuery, d.Title,
		"The SearXNG server has no engine %q: check %s, or take inactive: true from the engine in its settings.yml.", p.opts.Engine, d.Env("engine"))
}

type configAnswer struct {
	Engines *[]struct {
		Name wire.Text `json:"name"`
	} `json:"engines"`
}

// Verify wants the list of engines.
func (a *configAnswer) Verify() error {
	if a.Engines == nil {
		return errors.New("engines are missing")
	}
	return nil
}

// explain reads {"error"} and tells what to change on a server of one's own.
func (p *Provider) explain(status int, body []byte) provider.Refusal {
	var r provider.Refusal
	var refused struct {
		Error wire.Text `json:"error"`
	}
	if json.Unmarshal(body, &refused) == nil {
		r.Words = string(refused.Error)
	}
	d := p.Describe()
	switch status {
	case http.StatusUnauthorized:
		r.Advice = "Check " + d.Env("username") + " and " + d.Env("password") + "."
	case http.StatusForbidden:
		r.Advice = "JSON is off unless its settings.yml has it: set search.formats to [html, json] and restart it."
	case http.StatusTooManyRequests:
		r.Advice = "Put our address into pass_ip of its limiter.toml, or set server.limiter to false in its settings.yml."
	case http.StatusNotFound:
		r.Kind = provider.BadQuery
		r.Advice = "Check " + d.Env("url") + "."
	}
	return r
}
