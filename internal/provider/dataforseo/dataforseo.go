// Package dataforseo asks DataForSEO (dataforseo.com): Google's map and web search, at once or through its queue, places, and what
// it knows of keywords, domains and links. It owns the translation of DataForSEO's tasks, answers and refusals; pacing,
// retrying and scoring are others' work.
package dataforseo

import (
	"cmp"
	"context"
	"encoding/base64"
	"fmt"
	"net/http"
	"time"

	"github.com/trigpoint/trigpoint/internal/clock"
	"github.com/trigpoint/trigpoint/internal/provider"
)

const title = "DataForSEO"

// queue is the mode in which searches are answered later.
const queue = "queue"

// everyAccount may make 2,000 calls a minute, and 30 at once to some of its interfaces.
var everyAccount = provider.Pace{Concurrent: 30, PerSecond: 33}

// keywordRate is how often a minute an account may ask Google Ads.
const keywordRate = 12

const (
	// DataForSEO works on a live task for up to 120 s, and bills it also when nobody waits any longer.
	liveTimeout = 125 * time.Second

	maxAnswer = 24 << 20 // bytes; a thousand ranked keywords have about five million
)

// Options are the settings, as provider.Vendor says.
type Options struct {
	Login           string                                                                                                                                                                                                            `name:"dataforseo-login" help:"API login of the account at dataforseo.com." needed:""`
	Password        string                                                                                                                                                                                                            `name:"dataforseo-password" help:"API password of the account at dataforseo.com, which is not that of its website." secret:"" needed:""`
	Mode            string                                                                                                                                                                                                            `name:"dataforseo-mode" help:"How DataForSEO searches the map and the web: live (answers within seconds) or queue (within minutes or hours, for a third of the price)." default:"live" enum:"live,queue"`
	Priority        int                                                                                                                                                                                                               `name:"dataforseo-priority" help:"Place in DataForSEO's queue: 1 (within 45 minutes or so) or 2 (within minutes, for twice the price)." default:"1" enum:"1,2"`
	Difficulty      bool                                                                                                                                                                                                              `name:"dataforseo-difficulty" help:"Ask also how hard keywords are to rank for, which costs about as much again as their search volume." default:"true" negatable:""`
	KeywordRate     int                                                                                                                                                                                                               `name:"dataforseo-keyword-rate" help:"Most questions about search volume a minute, of each process; 0 is 12, which every account may." default:"0"`
	provider.Access `embed:"" prefix:"dataforseo-" set:"vendor=DataForSEO" set:"url=https://api.dataforseo.com" set:"pace=every account may" set:"unit=live search of the map, or for ten live results of the web" set:"price=0.002"` //nolint:staticcheck // kong reads every set

	Timeout time.Duration `kong:"-"` // of one request; liveTimeout when 0
}

// Provider is DataForSEO.
type Provider struct {
	opts    Options
	account string
	client  *provider.Client
	clock   clock.Clock
	volumes *window // questions about search volume
	maps    *taskQueue[provider.MapQuery, place, []provider.Business]
	web     *taskQueue[provider.WebQuery, element, provider.WebPage]
}

var (
	_ provider.PlaceFinder      = (*Provider)(nil)
	_ provider.MapSearcher      = (*Provider)(nil)
	_ provider.WebSearcher      = (*Provider)(nil)
	_ provider.Queues           = (*Provider)(nil)
	_ provider.KeywordSource    = (*Provider)(nil)
	_ provider.KeywordIdeas     = (*Provider)(nil)
	_ provider.DomainSource     = (*Provider)(nil)
	_ provider.CompetitorSource = (*Provider)(nil)
	_ provider.LinkSource       = (*Provider)(nil)
	_ provider.Checker          = (*Provider)(nil)
)

// New checks the options; it asks nothing yet. Close the provider when it is no longer used.
func New(opts Options, c clock.Clock) (*Provider, error) {
	if opts.KeywordRate < 0 {
		return nil, fmt.Errorf("dataforseo-keyword-rate must not be negative, as %d is", opts.KeywordRate)
	}
	if opts.Timeout <= 0 {
		opts.Timeout = liveTimeout
	}
	p := &Provider{
		opts: opts, account: provider.Fingerprint("dataforseo", opts.Login), clock: c,
		volumes: &window{most: cmp.Or(opts.KeywordRate, keywordRate), per: time.Minute},
	}
	credential := base64.StdEncoding.EncodeToString([]byte(opts.Login + ":" + opts.Password))
	client, err := provider.NewClient(provider.ClientOptions{
		Descriptor:  p.Describe(),
		BaseURL:     opts.URL,
		Credentials: http.Header{"Authorization": {"Basic " + credential}},
		Secrets:     []string{opts.Password},
		Timeout:     opts.Timeout,
		MaxBody:     maxAnswer,
		Clock:       c,
		Explain:     explain,
	})
	if err != nil {
		return nil, err
	}
	p.client = client
	p.maps = newTaskQueue(p, mapSearch)
	p.web = newTaskQueue(p, webSearch)
	return p, nil
}

// Close drops idle connections.
func (p *Provider) Close() { p.client.Close() }

// Describe names the provider, its pace and its prices.
func (p *Provider) Describe() provider.Descriptor {
	search := provider.USD(p.opts.Price * p.share())
	return provider.Descriptor{
		Name:    "dataforseo",
		Title:   title,
		Secret:  "password",
		Pace:    p.opts.Pace(everyAccount),
		Google:  true,
		Account: p.account,
		Devices: []provider.Device{provider.Desktop, provider.Mobile},
		Prices: provider.Prices{
			Place: provider.USD(placePrice), Map: search, WebPage: search,
			Keywords: provider.USD(max(volumePrice+labsPrice(maxRows), 2*labsPrice(maxRows))), Domain: provider.USD(labsPrice(maxRows)), Links: provider.USD(linksPrice),
		},
		Budget: provider.USD(p.opts.Budget),
	}
}

// share is the part of the live price that a search costs in the mode that is set.
func (p *Provider) share() float64 {
	switch {
	case p.opts.Mode != queue:
		return 1
	case p.opts.Priority == 2:
		return 0.6
	default:
		return 0.3
	}
}

// CheckAccess asks for the account's balance, which is free.
func (p *Provider) CheckAccess(ctx context.Context) (string, error) {
	type user struct {
		Money struct {
			Balance *float64 `json:"balance"`
		} `json:"money"`
	}
	rows, err := get[user](ctx, p, "/v3/appendix/user_data")
	if err != nil {
		return "", err
	}
	if rows[0].Money.Balance == nil {
		return "", p.fault("no balance in the account's data")
	}
	return fmt.Sprintf("$%.2f left", *rows[0].Money.Balance), nil
}
