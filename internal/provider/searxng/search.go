package searxng

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/text/language"

	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/provider/wire"
)

// pageSize is what most engines serve.
const pageSize = 10

// inEnglish has the reasons why an engine failed in the language that unresponsive reads.
var inEnglish = http.Header{"Accept-Language": {"en"}}

// SearchWeb fetches pages until the depth is reached, Until says yes, or the engine has no more. It searches as the
// engine's users do whom SearXNG pretends to be: in a browser, somewhere in the country.
func (p *Provider) SearchWeb(ctx context.Context, q provider.WebQuery) (provider.WebPage, error) {
	if err := p.check(q); err != nil {
		return provider.WebPage{}, err
	}
	query := url.Values{"q": {q.Keyword}, "format": {"json"}, "engines": {p.opts.Engine}}
	if locale := localeOf(q); locale != "" {
		query.Set("language", locale)
	}
	found := provider.NewWebPages(q)
	for page := 1; found.Wants(pageSize); page++ {
		if page > 1 {
			if err := provider.Turn(ctx); err != nil {
				return provider.WebPage{}, err
			}
		}
		query.Set("pageno", strconv.Itoa(page))
		answer := searchAnswer{asked: wire.Text(q.Keyword)}
		if err := p.client.Do(ctx, provider.Request{Path: "/search", Query: query, Header: inEnglish}, &answer); err != nil {
			return provider.WebPage{}, err
		}
		provider.Charge(ctx, provider.USD(p.opts.Price))
		organic, err := p.organic(answer)
		if err != nil {
			return provider.WebPage{}, err
		}
		found.Add(provider.VendorPage{Organic: organic, Related: answer.related()})
	}
	return found.Page(), nil
}

// check refuses what SearXNG would answer with the ranks of another question.
func (p *Provider) check(q provider.WebQuery) error {
	if err := q.Check(); err != nil {
		return err
	}
	d := p.Describe()
	switch {
	case !d.SearchesAs(q.Device):
		return provider.Errorf(provider.BadQuery, d.Title, "SearXNG searches as a desktop browser only: it has no mobile ranks.")
	case !d.SearchesFrom(q.Location):
		return provider.Errorf(provider.BadQuery, d.Title, "SearXNG cannot search from a town or region: choose a whole country, or another provider.")
	}
	for word := range strings.FieldsSeq(q.Keyword) {
		if word[0] == '!' || word[0] == ':' {
			return provider.Errorf(provider.BadQuery, d.Title, "SearXNG reads %q as a command: take it out of the keyword.", word)
		}
	}
	return nil
}

// localeOf is the market as SearXNG writes it, as in "de-AT". A country alone is asked in the language that most of
// its people speak.
func localeOf(q provider.WebQuery) string {
	spoken, region, _ := strings.Cut(q.Language, "-")
	if len(region) != 2 { // a script, as in zh-Hant
		region = ""
	}
	region = strings.ToUpper(cmp.Or(q.Country, region))
	if spoken == "" && region != "" {
		base, _ := language.Make("und-" + region).Base()
		spoken = base.String()
	}
	if region == "" {
		return strings.ToLower(spoken)
	}
	return strings.ToLower(spoken) + "-" + region
}

type searchAnswer struct {
	Query        *wire.Text    `json:"query"`
	Results      *[]result     `json:"results"`
	Suggestions  []wire.Text   `json:"suggestions"`
	Unresponsive [][]wire.Text `json:"unresponsive_engines"`

	asked wire.Text
}

type result struct {
	URL       wire.Text     `json:"url"`
	Title     wire.Text     `json:"title"`
	Content   wire.Text     `json:"content"`
	Engines   []wire.Text   `json:"engines"`
	Positions []wire.Number `json:"positions"`
}

// Verify wants the question repeated, a list of results and the engines that failed: an engine that fails leaves an
// empty list.
func (a *searchAnswer) Verify() error {
	switch {
	case a.Query == nil || a.Results == nil || a.Unresponsive == nil:
		return errors.New("query, results or unresponsive_engines is missing")
	case !a.Query.Same(a.asked):
		return errors.New("query is another one")
	}
	return nil
}

func (a *searchAnswer) related() []string {
	var queries []string
	for _, s := range a.Suggestions {
		if s != "" {
			queries = append(queries, string(s))
		}
	}
	return queries
}

// organic are the results in the engine's own order; SearXNG sorts them by a score of its own. When the engine has
// failed, there are none to believe.
func (p *Provider) organic(a searchAnswer) ([]provider.WebItem, error) {
	for _, failed := range a.Unresponsive {
		if len(failed) > 1 && string(failed[0]) == p.opts.Engine {
			return nil, p.unresponsive(string(failed[1]))
		}
	}
	rows := slices.DeleteFunc(slices.Clone(*a.Results), func(r result) bool {
		return !slices.Contains(r.Engines, wire.Text(p.opts.Engine)) || len(r.Positions) == 0
	})
	if len(rows) == 0 && len(*a.Results) > 0 {
		return nil, p.otherEngine()
	}
	slices.SortStableFunc(rows, func(a, b result) int { return cmp.Compare(a.Positions[0], b.Positions[0]) })
	items := make([]provider.WebItem, len(rows))
	for i, r := range rows {
		items[i] = provider.WebItem{
			Type: provider.Organic, URL: string(r.URL), Title: string(r.Title), Description: string(r.Content), Domain: provider.DomainOf(string(r.URL)),
		}
	}
	return items, nil
}

// How long SearXNG itself leaves an engine alone: an hour or more after a CAPTCHA, of which we wait the most that a
// pause may be, and three minutes after other refusals.
const (
	afterCaptcha = 10 * time.Minute
	afterRefusal = 3 * time.Minute
)

// unresponsive is the error for an engine that has not answered the server.
func (p *Provider) unresponsive(reason string) error {
	lower := strings.ToLower(reason)
	has := func(words string) bool { return strings.Contains(lower, words) }
	refused := func(after time.Duration) error {
		return p.client.Refuse(provider.Refusal{
			Status: 200, Kind: provider.RateLimited, Words: p.opts.Engine + ": " + reason, RetryAfter: after,
			Advice: "The engine " + p.opts.Engine + " has locked the server out (" + reason + "): lower " + p.Describe().Env("rate") + ".",
		})
	}
	switch {
	case has("captcha"):
		return refused(afterCaptcha)
	case has("too many requests"), has("access denied"), has("suspended"):
		return refused(afterRefusal)
	}
	return p.client.Refuse(provider.Refusal{Status: 200, Kind: provider.Transient, Words: p.opts.Engine + ": " + reason})
}
