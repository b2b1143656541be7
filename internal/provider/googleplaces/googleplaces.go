// Package googleplaces asks Google's Places API (New). Its text search is not the search that people see on Google Maps:
// the same business may stand at another rank. In exchange ranks cost nothing, since a search for ids alone is free, and
// only the details of a place are billed. The package owns the translation of the API's requests, answers and refusals, and
// remembers details for a day; pacing, retrying and scoring are others' work.
package googleplaces

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"time"

	"github.com/trigpoint/trigpoint/internal/clock"
	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/provider/wire"
)

// Google allows 600 requests of a sort a minute to a project that has not asked for more.
var defaultQuota = provider.Pace{Concurrent: 10, PerSecond: 10}

// Options are the settings, as provider.Vendor says.
type Options struct {
	APIKey  string `name:"googleplaces-api-key" help:"API key of a Google Cloud project with the Places API (New). Its ranks are those of that API, not of what people see on Google Maps." secret:"" needed:""`
	Details string `name:"googleplaces-details" help:"What is asked about each new place of a map search, and billed: none (ranks by place id alone, for nothing), pro (name, address, categories) or enterprise (also rating, phone and website)." enum:"none,pro,enterprise" default:"pro"`

	ProPrice        float64                                                                                                                                                                                                                                  `name:"googleplaces-pro-price" help:"What Google Places charges for the details of a place without its rating, in US dollars." default:"0.017"`
	provider.Access `embed:"" prefix:"googleplaces-" set:"vendor=Google Places" set:"url=https://places.googleapis.com" set:"pace=a new project may ask" set:"unit=place's details with its rating, phone and hours (as in every look-up)" set:"price=0.02"` //nolint:staticcheck // kong reads every set

	Timeout time.Duration `kong:"-"` // of one request; the client's own when 0
}

// Provider is the Places API. It finds places and searches the map.
type Provider struct {
	opts    Options
	tier    tier
	account string
	client  *provider.Client
	known   *memory
}

var (
	_ provider.PlaceFinder = (*Provider)(nil)
	_ provider.MapSearcher = (*Provider)(nil)
	_ provider.Checker     = (*Provider)(nil)
)

// New checks the options; it asks nothing yet. Close the provider when it is no longer used.
func New(opts Options, c clock.Clock) (*Provider, error) {
	p := &Provider{opts: opts, account: provider.Fingerprint("googleplaces", opts.APIKey), known: newMemory(c)}
	switch opts.Details {
	case "none":
	case "", "pro":
		p.tier = tier{fields: proFields, price: provider.USD(opts.ProPrice)}
	default:
		p.tier = p.enterprise()
	}
	client, err := provider.NewClient(provider.ClientOptions{
		Descriptor:  p.Describe(),
		BaseURL:     opts.URL,
		Credentials: http.Header{"X-Goog-Api-Key": {opts.APIKey}},
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
		Name:    "googleplaces",
		Title:   "Google Places",
		Secret:  "api_key",
		Pace:    p.opts.Pace(defaultQuota),
		Google:  true,
		Account: p.account,
		Prices:  provider.Prices{Place: p.enterprise().price, Map: p.tier.price * provider.MaxMapResults},
		Budget:  provider.USD(p.opts.Budget),
	}
}

// CheckAccess searches for ids alone, which costs nothing.
func (p *Provider) CheckAccess(ctx context.Context) (string, error) {
	if _, err := p.searchIDs(ctx, provider.MapQuery{Keyword: "coffee", At: provider.Point{Lat: 40.7128, Lng: -74.006}}); err != nil {
		return "", err
	}
	return "the key is accepted", nil
}

func (p *Provider) do(ctx context.Context, r provider.Request, mask string, out provider.Answer) error {
	if err := p.Describe().NeedKey(p.opts.APIKey); err != nil {
		return err
	}
	r.Header = http.Header{"X-Goog-Fieldmask": {mask}}
	return p.client.Do(ctx, r, out)
}

// refusal is how all APIs of Google Cloud say no.
type refusal struct {
	Error struct {
		Status  wire.Text `json:"status"`
		Message wire.Text `json:"message"`
		Details []struct {
			Reason wire.Text `json:"reason"`
		} `json:"details"`
	} `json:"error"`
}

// explain reads {"error":{"message","details":[{"reason"}]}}. A bad key is a bad request to Google, so is an id that
// cannot be one.
func explain(status int, body []byte) provider.Refusal {
	var e refusal
	_ = json.Unmarshal(body, &e) // what is not of Google's has none of its words
	r := provider.Refusal{Words: string(e.Error.Message)}
	var reasons []string
	for _, detail := range e.Error.Details {
		reasons = append(reasons, string(detail.Reason))
	}
	reason, words := strings.Join(reasons, " "), strings.ToLower(r.Words)
	switch {
	case status == http.StatusBadRequest && (strings.Contains(reason, "API_KEY_INVALID") || strings.Contains(words, "api key not valid")):
		r.Kind = provider.Unauthorized
	case status == http.StatusBadRequest && strings.Contains(words, "not a valid place id"):
		r.Kind = provider.NotFound
	case status == http.StatusNotFound && e.Error.Status != "NOT_FOUND":
		r.Kind = provider.BadQuery // an unknown path: the base URL is not Google's
	case status == http.StatusForbidden && strings.Contains(reason, "SERVICE_DISABLED"):
		r.Advice = "Enable the Places API (New) in its Google Cloud project."
	case status == http.StatusForbidden && strings.Contains(reason, "BILLING_DISABLED"):
		r.Advice = "Enable billing in its Google Cloud project; what is free needs it too."
	case status == http.StatusForbidden && strings.Contains(reason, "API_KEY_"):
		r.Advice = "It is restricted: allow it the Places API (New) and the address of this server."
	case status == http.StatusTooManyRequests && strings.Contains(words, "per day"):
		r.Kind = provider.QuotaSpent
	}
	return r
}
