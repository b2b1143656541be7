// Package googleads asks the keyword planner of Google Ads for searches, competition and prices of keywords, and for
// ideas. It owns the translation of requests, answers and refusals, and the access token; pacing and retrying are
// others' work.
package googleads

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"net/http"
	"strings"
	"time"

	"github.com/trigpoint/trigpoint/internal/clock"
	"github.com/trigpoint/trigpoint/internal/provider"
)

// Google allows a customer about one request to the planner a second.
var oneCustomer = provider.Pace{Concurrent: 1, PerSecond: 1}

// Options are the settings, as provider.Vendor says.
type Options struct {
	DeveloperToken  string                                                                                                                                                                 `name:"googleads-developer-token" help:"Developer token of a manager account at Google Ads, with basic access." secret:"" needed:""`
	CustomerID      string                                                                                                                                                                 `name:"googleads-customer-id" help:"Customer id of the account that asks, such as 123-456-7890." needed:""`
	LoginCustomerID string                                                                                                                                                                 `name:"googleads-login-customer-id" help:"Customer id of the manager account, where that account is reached through one."`
	ClientID        string                                                                                                                                                                 `name:"googleads-client-id" help:"Id of the OAuth client that was allowed to use the account." needed:""`
	ClientSecret    string                                                                                                                                                                 `name:"googleads-client-secret" help:"Secret of that client." secret:"" needed:""`
	RefreshToken    string                                                                                                                                                                 `name:"googleads-refresh-token" help:"Refresh token that the client was given, for the scope https://www.googleapis.com/auth/adwords." secret:"" needed:""`
	TokenURL        string                                                                                                                                                                 `name:"googleads-token-url" help:"Where access tokens are asked for." default:"https://oauth2.googleapis.com/token"`
	Dollars         float64                                                                                                                                                                `name:"googleads-dollars" help:"US dollars for one unit of the account's currency, in which Google tells prices." default:"1"`
	provider.Access `embed:"" prefix:"googleads-" set:"vendor=Google Ads" set:"url=https://googleads.googleapis.com/v25" set:"pace=it allows a customer" set:"unit=request" set:"price=0"` //nolint:staticcheck // kong reads every set

	Timeout time.Duration `kong:"-"` // of one request; the client's own when 0
}

// Provider is the keyword planner. It knows keywords and has ideas of others.
type Provider struct {
	opts   Options
	client *provider.Client
	tokens *tokens

	targets geoTargets
}

var (
	_ provider.KeywordSource = (*Provider)(nil)
	_ provider.KeywordIdeas  = (*Provider)(nil)
	_ provider.Checker       = (*Provider)(nil)
)

// New checks the options; it asks nothing yet. Close the provider when it is no longer used.
func New(opts Options, c clock.Clock) (*Provider, error) {
	opts.Dollars = cmp.Or(opts.Dollars, 1)
	p := &Provider{opts: opts, tokens: newTokens(opts)}
	if !(opts.Dollars > 0) || math.IsInf(opts.Dollars, 0) {
		return nil, fmt.Errorf("%s must be more than 0", p.Describe().Env("dollars"))
	}
	header := http.Header{"developer-token": {opts.DeveloperToken}}
	for setting, id := range map[string]*string{"customer_id": &p.opts.CustomerID, "login_customer_id": &p.opts.LoginCustomerID} {
		*id = strings.ReplaceAll(*id, "-", "")
		if strings.Trim(*id, "0123456789") != "" {
			return nil, fmt.Errorf("%s has other characters than digits and dashes", p.Describe().Env(setting))
		}
	}
	if p.opts.LoginCustomerID != "" {
		header.Set("login-customer-id", p.opts.LoginCustomerID)
	}
	client, err := provider.NewClient(provider.ClientOptions{
		Descriptor:  p.Describe(),
		BaseURL:     opts.URL,
		Credentials: header,
		Secrets:     []string{opts.ClientSecret, opts.RefreshToken},
		Timeout:     opts.Timeout,
		Clock:       c,
		Authorize:   p.authorize,
		Explain:     p.explain,
	})
	if err != nil {
		return nil, err
	}
	p.client = client
	return p, nil
}

// Close drops idle connections.
func (p *Provider) Close() {
	p.client.Close()
	p.tokens.close()
}

// Describe names the provider and its pace. Requests count against the customer that asks.
func (p *Provider) Describe() provider.Descriptor {
	return provider.Descriptor{
		Name:    "googleads",
		Title:   "Google Ads",
		Secret:  "developer_token",
		Pace:    p.opts.Pace(oneCustomer),
		Account: provider.Fingerprint("googleads", strings.ReplaceAll(p.opts.CustomerID, "-", "")),
		Prices:  provider.Prices{Keywords: provider.USD(p.opts.Price)},
		Budget:  provider.USD(p.opts.Budget),
	}
}

// CheckAccess asks for one keyword: whoever may do that may use the planner.
func (p *Provider) CheckAccess(ctx context.Context) (string, error) {
	var answer metricsAnswer
	if err := p.post(ctx, "generateKeywordHistoricalMetrics", metricsRequest{Keywords: []string{"weather"}, market: market{Network: searchOnly}}, &answer); err != nil {
		return "", err
	}
	return "answered for one keyword", nil
}

// post asks a method of the customer.
func (p *Provider) post(ctx context.Context, method string, in any, out provider.Answer) error {
	return p.ask(ctx, "/customers/"+p.opts.CustomerID+":"+method, in, out)
}

func (p *Provider) ask(ctx context.Context, path string, in any, out provider.Answer) error {
	d := p.Describe()
	for setting, value := range map[string]string{
		"developer_token": p.opts.DeveloperToken, "customer_id": p.opts.CustomerID, "client_id": p.opts.ClientID,
		"client_secret": p.opts.ClientSecret, "refresh_token": p.opts.RefreshToken,
	} {
		if value == "" {
			return provider.Errorf(provider.Unauthorized, d.Title, "Google Ads needs %s.", d.Env(setting))
		}
	}
	if err := p.client.Post(ctx, path, in, out); err != nil {
		return err
	}
	provider.Charge(ctx, provider.USD(p.opts.Price))
	return nil
}
