// Package brave searches the web through Brave's Search API. Its index and its ranking are Brave's own: a rank here is
// not one at Google. It owns the translation of Brave's requests, answers and refusals; pacing, retrying and scoring
// are others' work.
package brave

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/trigpoint/trigpoint/internal/clock"
	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/provider/wire"
)

// The free plan allows one request a second; paid ones allow 20 and more.
var smallestPlan = provider.Pace{Concurrent: 1, PerSecond: 1}

// Options are the settings, as provider.Vendor says.
type Options struct {
	APIKey          string                                                                                                                                                                                  `name:"brave-api-key" help:"Subscription token of the account at api-dashboard.search.brave.com." secret:"" needed:""`
	provider.Access `embed:"" prefix:"brave-" set:"vendor=Brave" set:"url=https://api.search.brave.com/res/v1" set:"pace=its free plan allows" set:"unit=request (up to twenty results)" set:"price=0.005"` //nolint:staticcheck // kong reads every set

	Timeout time.Duration `kong:"-"` // of one request; the client's own when 0
}

// Provider is Brave. It searches the web.
type Provider struct {
	opts    Options
	account string
	client  *provider.Client
}

var (
	_ provider.WebSearcher = (*Provider)(nil)
	_ provider.Checker     = (*Provider)(nil)
)

// New checks the options; it asks nothing yet. Close the provider when it is no longer used.
func New(opts Options, c clock.Clock) (*Provider, error) {
	p := &Provider{opts: opts, account: provider.Fingerprint("brave", opts.APIKey)}
	client, err := provider.NewClient(provider.ClientOptions{
		Descriptor:  p.Describe(),
		BaseURL:     opts.URL,
		Credentials: http.Header{"X-Subscription-Token": {opts.APIKey}},
		Timeout:     opts.Timeout,
		Clock:       c,
		Explain:     explain,
		RetryAfter:  secondsToReset,
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
		Name:    "brave",
		Title:   "Brave",
		Secret:  "api_key",
		Pace:    p.opts.Pace(smallestPlan),
		Account: p.account,
		Devices: []provider.Device{provider.Desktop}, // the API takes no device
		Prices:  provider.Prices{WebPage: provider.USD(p.opts.Price)},
		Budget:  provider.USD(p.opts.Budget),
	}
}

// CheckAccess makes the smallest search; Brave has nothing to ask for free.
func (p *Provider) CheckAccess(ctx context.Context) (string, error) {
	const question = "brave"
	answer := searchAnswer{asked: question}
	if err := p.get(ctx, url.Values{"q": {question}, "count": {"1"}}, nil, &answer); err != nil {
		return "", err
	}
	return "answered one search", nil
}

// get asks, and charges for the answer; Brave counts only what it answers.
func (p *Provider) get(ctx context.Context, query url.Values, header http.Header, out *searchAnswer) error {
	if err := p.Describe().NeedKey(p.opts.APIKey); err != nil {
		return err
	}
	if err := p.client.Do(ctx, provider.Request{Path: "/web/search", Query: query, Header: header}, out); err != nil {
		return err
	}
	provider.Charge(ctx, provider.USD(p.opts.Price))
	return nil
}

// secondsToReset is the first of "1, 1419704": the seconds until the limit by the second is lifted, then that by the
// month.
func secondsToReset(h http.Header) string {
	first, _, _ := strings.Cut(h.Get("X-RateLimit-Reset"), ",")
	return first
}

type errorAnswer struct {
	Error struct {
		Status int       `json:"status"`
		Code   wire.Text `json:"code"`
		Detail wire.Text `json:"detail"`
		Meta   struct {
			QuotaLimit   wire.Number `json:"quota_limit"` // of the month; 0 where the plan has none
			QuotaCurrent wire.Number `json:"quota_current"`
		} `json:"meta"`
	} `json:"error"`
}

// explain reads Brave's ErrorResponse. A wrong token is told from a bad query by its code alone, a month's quota from
// a second's limit by the figures.
func explain(status int, body []byte) provider.Refusal {
	var e errorAnswer
	_ = json.Unmarshal(body, &e) // what is not JSON has only its status
	r := provider.Refusal{Words: string(e.Error.Detail)}
	if status < 300 && e.Error.Status >= 400 {
		status, r.Status = e.Error.Status, e.Error.Status
	}
	month := e.Error.Meta
	switch {
	case e.Error.Code == "SUBSCRIPTION_TOKEN_INVALID":
		r.Kind = provider.Unauthorized
	case status == http.StatusTooManyRequests && month.QuotaLimit > 0 && month.QuotaCurrent >= month.QuotaLimit:
		r.Kind = provider.QuotaSpent
	case status == http.StatusNotFound:
		r.Kind = provider.BadQuery // an unknown path: the base URL is not Brave's
	}
	return r
}
