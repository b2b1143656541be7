// Package photon asks one's own Photon server (komoot/photon), a search engine over OpenStreetMap. It owns the
// translation of questions into Photon's and of its answers; pacing, retrying and scoring are others' work. Its ranking
// is by words and distance alone: OpenStreetMap has no ratings.
package photon

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/trigpoint/trigpoint/internal/clock"
	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/provider/wire"
)

// A server of one's own takes what its processors do; one on a small machine answers eight at once well.
var smallServer = provider.Pace{Concurrent: 8, PerSecond: 20}

// Options are the settings, as provider.Vendor says.
type Options struct {
	provider.Access `embed:"" prefix:"photon-" set:"vendor=Photon" set:"url=" set:"pace=a small server answers well" set:"unit=search" set:"price=0"` //nolint:staticcheck // kong reads every set

	Timeout time.Duration `kong:"-"` // of one request; the client's own when 0
}

// Provider is a Photon server. It finds places and searches the map.
type Provider struct {
	opts   Options
	client *provider.Client
}

var (
	_ provider.PlaceFinder = (*Provider)(nil)
	_ provider.MapSearcher = (*Provider)(nil)
	_ provider.Checker     = (*Provider)(nil)
)

// New checks the options; it asks nothing yet. Close the provider when it is no longer used.
func New(opts Options, c clock.Clock) (*Provider, error) {
	p := &Provider{opts: opts}
	client, err := provider.NewClient(provider.ClientOptions{
		Descriptor: p.Describe(),
		BaseURL:    opts.URL,
		Timeout:    opts.Timeout,
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
		Name:    "photon",
		Title:   "Photon",
		Pace:    p.opts.Pace(smallServer),
		Account: provider.Fingerprint("photon", p.opts.URL),
		Prices:  provider.Prices{Place: price, Map: price},
		Budget:  provider.USD(p.opts.Budget),
	}
}

// CheckAccess asks how the server is, and how old its data is.
func (p *Provider) CheckAccess(ctx context.Context) (string, error) {
	var answer statusAnswer
	if err := p.client.Get(ctx, "/status", nil, &answer); err != nil {
		return "", err
	}
	day, _, _ := strings.Cut(string(answer.ImportDate), "T")
	return "has the map of " + day, nil
}

type statusAnswer struct {
	Status     wire.Text `json:"status"`
	ImportDate wire.Text `json:"import_date"`
}

// Verify wants a server that is well, with data.
func (a *statusAnswer) Verify() error {
	if a.Status != "Ok" || a.ImportDate == "" {
		return errors.New("status is not Ok, or import_date is missing")
	}
	return nil
}

// explain reads {"message"}.
func (p *Provider) explain(status int, body []byte) provider.Refusal {
	var r provider.Refusal
	var refused struct {
		Message wire.Text `json:"message"`
	}
	if json.Unmarshal(body, &refused) == nil {
		r.Words = string(refused.Message)
	}
	if status == http.StatusNotFound {
		r.Kind = provider.BadQuery // an unknown path
		r.Advice = "Check " + p.Describe().Env("url") + "."
	}
	return r
}
