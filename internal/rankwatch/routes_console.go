package rankwatch

import (
	"context"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/errs"
	"github.com/trigpoint/trigpoint/internal/httpapi"
	"github.com/trigpoint/trigpoint/internal/rankwatch/performance"
	"github.com/trigpoint/trigpoint/internal/rankwatch/series"
)

func (s *Service) listProperties(ctx context.Context, in *TrackingPath) ([]ConsoleProperty, error) {
	t, err := ownTracking(ctx, s.db, httpapi.Who(ctx).AccountID, in.ID)
	if err != nil {
		return nil, err
	}
	sites, err := s.properties(ctx, t.accountID)
	return showProperties(sites, t.target), err
}

func (s *Service) getLink(ctx context.Context, in *TrackingPath) (ConsoleLink, error) {
	t, err := ownTracking(ctx, s.db, httpapi.Who(ctx).AccountID, in.ID)
	if err != nil {
		return ConsoleLink{}, err
	}
	p, err := s.linkOf(ctx, s.db, t.id)
	if errs.CodeOf(err) == errs.NotFound {
		return ConsoleLink{}, nil
	}
	return p.show(), err
}

type linkPropertyInput struct {
	TrackingPath
	Body struct {
		SiteURL httpapi.Field[string] `json:"site_url" required:"false" doc:"Name of the property, exactly as listed. Required." example:"sc-domain:example.com"`
		Since   httpapi.Field[string] `json:"since" required:"false" doc:"First day to fetch, YYYY-MM-DD; as far back as Google keeps, 16 months, when missing." example:"2026-08-01"`
	}
}

func (in *linkPropertyInput) check(today series.Day) (siteURL string, since series.Day, err error) {
	var problems errs.Problems
	if required(&problems, "site_url", &in.Body.SiteURL) {
		if siteURL = in.Body.SiteURL.Value; siteURL == "" || len(siteURL) > maxPageURL {
			problems.Add("site_url", errs.InvalidValue, "site_url must be the name of a property, such as sc-domain:example.com.")
		}
	}
	since = today - consoleHistory
	if in.Body.Since.Given(&problems, "since") {
		since = max(since, readDay(&problems, "since", in.Body.Since.Value))
		if since > today {
			problems.Add("since", errs.InvalidValue, "since must not be after today, %s.", today)
		}
	}
	return siteURL, since, problems.Err()
}

func (s *Service) linkProperty(ctx context.Context, in *linkPropertyInput) (httpapi.Apply[ConsoleLink], error) {
	siteURL, since, err := in.check(s.today())
	if err != nil {
		return nil, err
	}
	who := httpapi.Who(ctx)
	t, err := ownTracking(ctx, s.db, who.AccountID, in.ID)
	if err != nil {
		return nil, err
	}
	sites, err := s.properties(ctx, who.AccountID)
	if err == nil {
		err = chooseProperty(siteURL, sites, t.target)
	}
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, tx *db.Tx) (ConsoleLink, error) {
		p, err := s.link(ctx, tx, who.AccountID, t.id, siteURL, since)
		return p.show(), err
	}, nil
}

func (s *Service) unlinkProperty(ctx context.Context, in *TrackingPath) (httpapi.Apply[httpapi.Empty], error) {
	who := httpapi.Who(ctx)
	return func(ctx context.Context, tx *db.Tx) (httpapi.Empty, error) {
		if _, err := lockTracking(ctx, tx, who.AccountID, in.ID); err != nil {
			return httpapi.Empty{}, err
		}
		return httpapi.Empty{}, deleteLink(ctx, tx, in.ID)
	}, nil
}

// maxPageURL and maxQuery bound the texts of a filter, in bytes.
const (
	maxPageURL = 2_000
	maxQuery   = 2_000
)

// ConsoleFilter is the query of what reads search performance.
type ConsoleFilter struct {
	From    string `query:"from" doc:"YYYY-MM-DD; 30 days before to when missing."`
	To      string `query:"to" doc:"YYYY-MM-DD; today when missing."`
	Device  string `query:"device" doc:"DESKTOP, MOBILE or TABLET; all when missing." example:"MOBILE"`
	Country string `query:"country" doc:"ISO 3166-1 alpha-3; all when missing." example:"usa"`
	PageURL string `query:"page_url" doc:"Address of a page of the site; all when missing. Told apart by page, Google counts an impression for every page shown." example:"https://example.com/menu"`

	days   series.Range
	filter performance.Filter
}

func (in *ConsoleFilter) read(problems *errs.Problems, today series.Day) {
	in.days = readRange(problems, in.From, in.To, today)
	in.filter = performance.Filter{Page: in.PageURL, Country: strings.ToLower(in.Country), Device: strings.ToUpper(in.Device)}
	if !slices.Contains([]string{"", "DESKTOP", "MOBILE", "TABLET"}, in.filter.Device) {
		problems.Add("device", errs.InvalidValue, "device must be DESKTOP, MOBILE or TABLET, not %.32q.", in.Device)
	}
	if len(in.Country) != 0 && len(in.Country) != 3 {
		problems.Add("country", errs.InvalidValue, "country must be a code of three letters such as usa, not %.32q.", in.Country)
	}
	if len(in.PageURL) > maxPageURL {
		problems.Add("page_url", errs.TooLong, "page_url has %d bytes; at most %d are allowed.", len(in.PageURL), maxPageURL)
	}
}

// SearchFigures are what is counted of searches.
type SearchFigures struct {
	Clicks      int64    `json:"clicks" doc:"Clicks on the site." example:"12"`
	Impressions int64    `json:"impressions" doc:"How often the site was shown." example:"340"`
	CTR         float64  `json:"ctr" doc:"Clicks by impressions, 0 to 1." example:"0.0353"`
	Position    *float64 `json:"position" doc:"Mean of the topmost positions, each impression weighing the same; null without an impression." example:"8.27"`
}

func showFigures(f performance.Figures) SearchFigures {
	shown := SearchFigures{Clicks: f.Clicks, Impressions: f.Impressions, CTR: f.CTR()}
	if f.Impressions > 0 {
		position := f.Position()
		shown.Position = &position
	}
	return shown
}

// ConsoleQuery is what people searched for when they saw the site.
type ConsoleQuery struct {
	Query string `json:"query" doc:"What was searched for." example:"pizza decatur"`
	SearchFigures
	KeywordID *string `json:"tracked_keyword_id" doc:"The tracked keyword of the same text; null when it is not tracked."`
}

// ConsoleQueries is a page of queries.
type ConsoleQueries struct {
	From       string         `json:"from" format:"date"`
	To         string         `json:"to" format:"date"`
	Queries    []ConsoleQuery `json:"queries" nullable:"false" doc:"The queries."`
	TotalCount int            `json:"totalCount" doc:"Queries on all pages." example:"1"`
	Page       int            `json:"page" doc:"The page, from 0." example:"0"`
	Cut        bool           `json:"is_cut" doc:"Whether a day had more rows than are kept, 50,000." example:"false"`
}

// ConsolePage is the part of a list that is asked for.
type ConsolePage struct {
	Page int `query:"page" minimum:"0" maximum:"1000000" default:"0" doc:"From 0."`
	Size int `query:"size" minimum:"1" maximum:"1000" default:"100" doc:"Queries on a page."`
}

// showQueries shows one page of them.
func showQueries(all []queryFigures, tracked map[string]string, days series.Range, page ConsolePage, cut bool) ConsoleQueries {
	shown := ConsoleQueries{From: days.From.String(), To: days.To.String(), Queries: []ConsoleQuery{}, TotalCount: len(all), Page: page.Page, Cut: cut}
	first := min(page.Page*page.Size, len(all))
	for _, q := range all[first:min(first+page.Size, len(all))] {
		one := ConsoleQuery{Query: q.query, SearchFigures: showFigures(q.Figures)}
		if id := tracked[keywordKey(q.query)]; id != "" {
			one.KeywordID = &id
		}
		shown.Queries = append(shown.Queries, one)
	}
	return shown
}

type listQueriesInput struct {
	TrackingPath
	ConsoleFilter
	ConsolePage
	Sort  string `query:"sort" enum:"clicks,impressions,ctr,position,query" default:"clicks" doc:"What they are ordered by."`
	Order string `query:"order" enum:"asc,desc" doc:"Best first when missing: positions and names ascending, the rest descending."`
}

// Resolve implements huma.Resolver.
func (in *listQueriesInput) Resolve(ctx huma.Context) []error {
	var problems errs.Problems
	in.read(&problems, today(ctx))
	return problems.Resolved()
}

func (s *Service) listQueries(ctx context.Context, in *listQueriesInput) (ConsoleQueries, error) {
	all, tracked, cut, err := s.queries(ctx, in.ID, &in.ConsoleFilter)
	if err != nil {
		return ConsoleQueries{}, err
	}
	ascending := in.Order == "asc" || in.Order == "" && (in.Sort == "position" || in.Sort == "query")
	slices.SortFunc(all, byFigure(in.Sort, ascending))
	return showQueries(all, tracked, in.days, in.ConsolePage, cut), nil
}

// queries adds up all queries of a tracking's property, and tells which of them are tracked.
func (s *Service) queries(ctx context.Context, trackingID string, in *ConsoleFilter) (all []queryFigures, tracked map[string]string, cut bool, err error) {
	t, err := ownTracking(ctx, s.db, httpapi.Who(ctx).AccountID, trackingID)
	if err != nil {
		return nil, nil, false, err
	}
	p, err := findLink(ctx, s.db, t.id)
	if err != nil {
		return nil, nil, false, err
	}
	if tracked, err = idsByKey(ctx, s.db, t.id); err != nil {
		return nil, nil, false, err
	}
	all, cut, err = s.addUp(ctx, p.id, in.days, in.filter)
	return all, tracked, cut, err
}

type listProposalsInput struct {
	TrackingPath
	ConsoleFilter
	ConsolePage
}

// Resolve implements huma.Resolver.
func (in *listProposalsInput) Resolve(ctx huma.Context) []error {
	var problems errs.Problems
	in.read(&problems, today(ctx))
	return problems.Resolved()
}

func (s *Service) listProposals(ctx context.Context, in *listProposalsInput) (ConsoleQueries, error) {
	all, tracked, cut, err := s.queries(ctx, in.ID, &in.ConsoleFilter)
	return showQueries(proposals(all, tracked), tracked, in.days, in.ConsolePage, cut), err
}

// QueryDay is a query on a day, beside what the check of the day found.
type QueryDay struct {
	Date string `json:"date" format:"date"`
	SearchFigures
	Fetched bool `json:"is_fetched" doc:"Whether the figures of the day are known; they come two to three days late." example:"true"`
	Rank    *int `json:"rank" doc:"Rank that the check of the day found; null when it found none, or there was no check." example:"8"`
	Checked bool `json:"is_checked" doc:"Whether there was a check." example:"true"`
}

// QueryHistory is a query by day.
type QueryHistory struct {
	Query     string     `json:"query" doc:"What was searched for." example:"pizza decatur"`
	KeywordID *string    `json:"tracked_keyword_id" doc:"The tracked keyword of the same text; null when it is not tracked."`
	Days      []QueryDay `json:"days" nullable:"false" doc:"Every day of the range, oldest first."`
}

type queryHistoryInput struct {
	TrackingPath
	ConsoleFilter
	Query string `query:"query" required:"true" doc:"The query, in any letter case." example:"pizza decatur"`
}

// Resolve implements huma.Resolver.
func (in *queryHistoryInput) Resolve(ctx huma.Context) []error {
	var problems errs.Problems
	in.read(&problems, today(ctx))
	in.filter.Query = strings.ToLower(strings.TrimSpace(in.Query))
	switch {
	case len(in.Query) > maxQuery:
		problems.Add("query", errs.TooLong, "query has %d bytes; at most %d are allowed.", len(in.Query), maxQuery)
	case in.filter.Query == "":
		problems.Add("query", errs.InvalidValue, "query must be what people searched for, such as pizza decatur.")
	}
	return problems.Resolved()
}

func (s *Service) getQueryHistory(ctx context.Context, in *queryHistoryInput) (QueryHistory, error) {
	t, err := ownTracking(ctx, s.db, httpapi.Who(ctx).AccountID, in.ID)
	if err != nil {
		return QueryHistory{}, err
	}
	p, err := findLink(ctx, s.db, t.id)
	if err != nil {
		return QueryHistory{}, err
	}
	days, err := s.queryByDay(ctx, p.id, in.days, in.filter)
	if err != nil {
		return QueryHistory{}, err
	}
	keyword, ranks, err := s.checkedRanks(ctx, &t, in.Query, in.days)
	if err != nil {
		return QueryHistory{}, err
	}
	history := QueryHistory{Query: in.filter.Query, Days: make([]QueryDay, 0, in.days.Days())}
	if keyword != nil {
		history.KeywordID = &keyword.id
	}
	for day := in.days.From; day <= in.days.To; day++ {
		figures, fetched := days[day]
		check, checked := ranks[day.String()]
		history.Days = append(history.Days, QueryDay{Date: day.String(), SearchFigures: showFigures(figures), Fetched: fetched, Rank: check.Rank, Checked: checked})
	}
	return history, nil
}
