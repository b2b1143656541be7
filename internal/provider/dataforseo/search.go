package dataforseo

import (
	"context"
	"strings"

	"golang.org/x/text/language"

	"github.com/trigpoint/trigpoint/internal/provider"
)

// engine is one of Google's searches: how a question to it is written as a task, and how its results are read. It is the
// same whether the answer comes at once or through the queue.
type engine[Question, Item, Answer any] struct {
	name  string // in paths and results
	write func(Question) (searchTask, error)
	read  func(Question, listing[Item]) Answer
}

func (e engine[Question, Item, Answer]) path(rest string) string {
	return "/v3/serp/google/" + e.name + "/" + rest
}

// searchTask is a question as DataForSEO wants it. What a rank check depends on is always set: the defaults are a closer
// viewport, another area where Google prefers one, and five times the results.
type searchTask struct {
	Keyword            string   `json:"keyword"`
	LocationName       string   `json:"location_name,omitempty"`
	LocationCode       int      `json:"location_code,omitempty"`
	LocationCoordinate string   `json:"location_coordinate,omitempty"`
	LanguageCode       string   `json:"language_code"`
	SEDomain           string   `json:"se_domain,omitempty"`
	Device             string   `json:"device"`
	OS                 string   `json:"os"`
	Depth              int      `json:"depth"`
	SearchThisArea     *bool    `json:"search_this_area,omitempty"`
	SearchPlaces       *bool    `json:"search_places,omitempty"`
	StopAt             []match  `json:"stop_crawl_on_match,omitempty"`
	StopIn             []string `json:"find_targets_in,omitempty"`
	Tag                string   `json:"tag,omitempty"`
	Priority           int      `json:"priority,omitempty"`
}

// match is a domain at which a web search may end.
type match struct {
	Value string `json:"match_value"`
	Type  string `json:"match_type"`
}

// search asks and waits for the answer.
func search[Question, Item, Answer any](ctx context.Context, p *Provider, e engine[Question, Item, Answer], q Question) (answer Answer, err error) {
	task, err := e.write(q)
	if err != nil {
		return answer, err
	}
	rows, err := post[listing[Item]](ctx, p, e.path("live/advanced"), task, p.opts.Price*float64(task.pages()))
	if err != nil {
		return answer, err
	}
	return readSearch(p, e, q, rows)
}

// readSearch wants the results to be those of the engine that was asked.
func readSearch[Question, Item, Answer any](p *Provider, e engine[Question, Item, Answer], q Question, rows []listing[Item]) (answer Answer, err error) {
	list, err := listed(p, rows)
	if err != nil {
		return answer, err
	}
	if len(rows) > 0 && list.Type != e.name {
		return answer, p.fault("results of another search")
	}
	return e.read(q, list), nil
}

// pages is how many pages of ten a web search is billed for at most; a map search is billed as one.
func (t searchTask) pages() int {
	if t.LocationCoordinate != "" {
		return 1
	}
	return t.Depth / pageSize
}

// escaped writes a keyword so that DataForSEO, which decodes it as a part of a URL, reads it as it is.
func escaped(keyword string) string {
	return strings.NewReplacer("%", "%25", "+", "%2B").Replace(keyword)
}

const (
	defaultCountry  = 2840 // the United States, where Google is google.com
	defaultLanguage = "en"
)

// countryCode is DataForSEO's code of a country, 2000 + ISO 3166-1 numeric; 0 of none.
func countryCode(country string) (int, error) {
	if country == "" {
		return 0, nil
	}
	region, err := language.ParseRegion(country)
	if err != nil || !region.IsCountry() {
		return 0, provider.Errorf(provider.BadQuery, title, "There is no country with the code %q.", country)
	}
	return 2000 + region.M49(), nil
}
