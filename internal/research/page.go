package research

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/errs"
	"github.com/trigpoint/trigpoint/internal/httpapi"
	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/research/location"
	"github.com/trigpoint/trigpoint/internal/webtarget"
)

// cacheLife is how long a result page answers the same question again.
const cacheLife = 24 * time.Hour

// serpDepth is how many organic results a page that is asked for here has.
const serpDepth = 20

// fetchTime bounds the fetching of a page, with all attempts and waits.
const fetchTime = time.Minute

// serp answers with a page that is at most a day old, fetching one when there is none. Equal questions
// at the same time are asked once; a page that is being fetched is kept even if its client has gone.
func (s *Service) serp(ctx context.Context, accountID, kw string, m market, platformID int) (storedSerp, serpPage, error) {
	type found struct {
		record storedSerp
		page   serpPage
	}
	key := searchKey{accountID, NormalKeyword(kw), m.location.ID, platformID}
	if record, page, err := s.cached(ctx, key); err == nil && record.accountID == accountID || err != nil && !db.IsNoRow(err) {
		return record, page, err
	}
	answer, err, _ := s.flights.Do(fmt.Sprint(key), func() (any, error) {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), fetchTime)
		defer cancel()
		record, page, err := s.obtain(ctx, key, m)
		return found{record, page}, err
	})
	result, _ := answer.(found)
	return result.record, result.page, err
}

// cached finds a page that is fresh enough, be it another account's.
func (s *Service) cached(ctx context.Context, key searchKey) (storedSerp, serpPage, error) {
	record, err := cachedSerp(ctx, s.db, key, s.clock.Now().Add(-cacheLife))
	if err != nil {
		return record, serpPage{}, err
	}
	page, err := s.packer.unpack(record.packed)
	return record, page, err
}

// obtain gives an account a page of its own: a copy of what another account has had fetched, or a new one.
func (s *Service) obtain(ctx context.Context, key searchKey, m market) (storedSerp, serpPage, error) {
	record, page, err := s.cached(ctx, key)
	switch {
	case err == nil && record.accountID == key.accountID:
		return record, page, nil
	case db.IsNoRow(err):
		if page, err = s.fetch(ctx, key.kw, m, key.platformID); err != nil {
			return record, page, err
		}
		record = storedSerp{kw: key.kw, locationID: key.locationID, platformID: key.platformID, fetchedAt: s.clock.Now()}
	case err != nil:
		return record, page, err
	}
	record.accountID = key.accountID
	if err := s.prepare(&record, page); err != nil {
		return record, page, err
	}
	return record, page, s.db.Tx(ctx, func(tx *db.Tx) error { return keepSerps(ctx, tx, []storedSerp{record}) })
}

func (s *Service) fetch(ctx context.Context, kw string, m market, platformID int) (serpPage, error) {
	searcher, ok := s.web.(provider.WebSearcher)
	if !ok {
		return serpPage{}, errs.New(errs.Dependency, "The configured provider does not search the web.")
	}
	q := provider.WebQuery{
		Keyword: kw, Country: m.location.CountryCode, Location: m.locality(), GoogleDomain: m.location.GoogleDomain, Device: provider.Desktop, Depth: serpDepth,
	}
	if platformID == Mobile {
		q.Device = provider.Mobile
	}
	page, err := provider.Call(ctx, s.caller, func(ctx context.Context) (provider.WebPage, error) { return searcher.SearchWeb(ctx, q) })
	if err != nil {
		return serpPage{}, dependency(err)
	}
	return newSerpPage(page), nil
}

// dependency tells the user of a provider's failure in the provider's words.
func dependency(err error) error {
	var failure *provider.Error
	if !errors.As(err, &failure) {
		return err
	}
	e := errs.New(errs.Dependency, "%s", failure.Message).Because(err)
	e.RetryAfter = failure.RetryAfter
	return e
}

// ctrPositions is how many positions a page's ctr lists.
const ctrPositions = 20

// show makes the public form of a stored page, with what is known of its domains now.
func (s *Service) show(ctx context.Context, record storedSerp, page serpPage, m market) (Serp, error) {
	names := domainNames{}
	var domains []string
	for _, item := range page.Items {
		domains = append(domains, names.of(webtarget.Host(item.URL)))
	}
	ranks, err := ranksOf(ctx, s.db, domains)
	if err != nil {
		return Serp{}, err
	}
	fetched := record.fetchedAt.Unix()
	shown := Serp{
		ID: record.id, Keyword: record.kw, Page: 1, LocationID: record.locationID, Location: placeOf(m.location), PlatformID: record.platformID,
		CreatedAt: fetched, CTR: make([]float64, ctrPositions), Results: page.results(), SnapshotID: record.id,
		FeaturesImpact: page.featuresImpact(), Items: []SerpItem{},
	}
	if shown.Difficulty = difficultyOf(page.hosts(), ranks); shown.Difficulty != nil {
		shown.DifficultyAt = &fetched
	}
	for i := range shown.CTR {
		shown.CTR[i] = s.ctr(i + 1)
	}
	for _, item := range page.Items {
		shown.Items = append(shown.Items, s.showItem(item, func(url string) map[string]Metric { return metricsOf(ranks[names.of(webtarget.Host(url))]) }))
	}
	return shown, nil
}

func (s *Service) showItem(item serpItem, metrics func(url string) map[string]Metric) SerpItem {
	shown := SerpItem{
		Type: string(item.Type), URL: item.URL, Title: item.Title, Description: item.Text, Domain: item.Domain, Metrics: metrics(item.URL),
	}
	if item.Type == provider.Organic {
		share := s.ctr(item.Rank)
		shown.Rank, shown.CTR = &item.Rank, &share
	}
	for _, part := range item.Items {
		shown.Items = append(shown.Items, s.showItem(part, metrics))
	}
	return shown
}

// snapshot finds a page to be drawn, and what to mark on it.
func (s *Service) snapshot(ctx context.Context, accountID string, in *snapshotInput) (SnapshotPage, func(url string) bool, error) {
	record, err := getSerp(ctx, s.db, accountID, in.ID)
	if err != nil {
		return SnapshotPage{}, nil, err
	}
	page, err := s.packer.unpack(record.packed)
	if err != nil {
		return SnapshotPage{}, nil, err
	}
	var targets []webtarget.Target
	if s.marks != nil {
		if targets, err = s.marks(ctx, accountID); err != nil {
			return SnapshotPage{}, nil, err
		}
	}
	if in.Domain != "" {
		var ps problems
		targets = append(targets, ps.target("domain", httpapi.Of(in.Domain), ""))
		if err := errs.Problems(ps); err != nil {
			return SnapshotPage{}, nil, err
		}
	}
	l, _ := location.Get(record.locationID)
	return page.snapshot(record.kw, l.Label, record.platformID, record.fetchedAt), func(url string) bool {
		for _, t := range targets {
			if t.Match(url) {
				return true
			}
		}
		return false
	}, nil
}

// metrics gathers what is known of a page and its domain.
func (s *Service) metrics(ctx context.Context, accountID, url string, t webtarget.Target) (URLMetrics, error) {
	domain := webtarget.Domain(t.Host())
	ranks, err := ranksOf(ctx, s.db, []string{domain})
	if err != nil {
		return URLMetrics{}, err
	}
	m := URLMetrics{ID: urlID(t), URL: strings.TrimSpace(url), Domain: domain, Metrics: metricsOf(ranks[domain])}
	if rank, ok := bestRank(ranks[domain]); ok {
		m.TopRank = &rank
	}
	searches, err := searchesWith(ctx, s.db, accountID, anywhere(), t.Host())
	if err != nil {
		return m, err
	}
	list, err := s.standings(ctx, searches, t)
	if found, ok := seen(list); ok {
		m.Metrics[sourceSeen] = found
	}
	return m, err
}
