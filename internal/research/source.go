package research

import (
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/serp"
	"github.com/trigpoint/trigpoint/internal/webtarget"
)

// What follows asks the provider for more than result pages, where it has more.

// freshFigures is how long a provider's figures are good; they are monthly means.
const freshFigures = 30 * 24 * time.Hour

// maxLookUp bounds the keywords of one question to a provider.
const maxLookUp = 1000

// lookUpAll looks up keywords in each of their markets.
func (s *Service) lookUpAll(ctx context.Context, accountID string, list []asked, known map[string][]figures) error {
	source, ok := s.web.(provider.KeywordSource)
	if !ok {
		return nil
	}
	byMarket := map[*market][]string{}
	for _, one := range list {
		byMarket[one.in] = append(byMarket[one.in], one.kw)
	}
	for m, kws := range byMarket {
		if err := s.lookUp(ctx, source, accountID, *m, kws, known); err != nil {
			return err
		}
	}
	return nil
}

// lookUp asks the provider for figures that are missing or old, where it has such, keeps them and adds
// them to known.
func (s *Service) lookUp(ctx context.Context, source provider.KeywordSource, accountID string, m market, kws []string, known map[string][]figures) error {
	now := s.clock.Now()
	var asked []string
	for _, kw := range kws {
		if best := m.best(known[kw]); len(asked) < maxLookUp && (best == nil || best.locationID != m.location.ID || now.Sub(best.toldAt) > freshFigures) {
			asked = append(asked, kw)
		}
	}
	if len(asked) == 0 {
		return nil
	}
	q := provider.KeywordQuery{Keywords: asked, Country: m.location.CountryCode, Location: m.locality(), Language: m.language()}
	answer, err := provider.Call(ctx, s.caller, func(ctx context.Context) ([]provider.KeywordFigures, error) { return source.LookUpKeywords(ctx, q) })
	if err != nil {
		return dependency(err)
	}
	told := fromProvider(answer, asked, m, s.web.Describe().Name, now)
	for _, f := range told {
		known[f.kw] = append(known[f.kw], f)
	}
	return s.db.Tx(ctx, func(tx *db.Tx) error { return saveFigures(ctx, tx, accountID, told) })
}

// fromProvider turns a provider's answer into rows, a row for each keyword that was asked for: that a
// provider knows nothing is known for a while, too.
func fromProvider(answer []provider.KeywordFigures, asked []string, m market, source string, now time.Time) []figures {
	rows := make(map[string]figures, len(asked))
	for _, kw := range asked {
		rows[kw] = figures{kw: kw, own: true, locationID: m.location.ID, languageID: m.languageID, source: source, toldAt: now}
	}
	for _, a := range answer {
		if row, ok := rows[serp.NormalKeyword(a.Keyword)]; ok {
			row.take(a)
			rows[row.kw] = row
		}
	}
	return slices.SortedFunc(maps.Values(rows), func(a, b figures) int { return strings.Compare(a.kw, b.kw) })
}

func (f *figures) take(a provider.KeywordFigures) {
	if a.Volume != nil {
		volume := int64(*a.Volume)
		f.volume = &volume
	}
	f.cpc, f.ppc = a.CPC, a.Competition
	for _, month := range a.Monthly {
		f.months = append(f.months, Month{int64(month.Year), int64(month.Month), int64(month.Volume)})
	}
}

// ranksFor finds what a target ranks for: on the account's result pages, and as the provider knows it.
func (s *Service) ranksFor(ctx context.Context, accountID string, m market, searches []serp.Search, t webtarget.Target) ([]standing, error) {
	list, err := s.standings(ctx, searches, t)
	if err != nil {
		return nil, err
	}
	told, err := s.lookUpDomain(ctx, accountID, m, t)
	if err != nil || len(told) == 0 {
		return list, err
	}
	for _, one := range list {
		delete(told, one.kw) // what was seen is newer
	}
	for kw, position := range told {
		list = append(list, standing{kw: kw, position: position})
	}
	slices.SortFunc(list, func(a, b standing) int { return cmp.Or(a.position-b.position, strings.Compare(a.kw, b.kw)) })
	return list, nil
}

// lookUpDomain asks the provider what a target ranks for, once a day.
func (s *Service) lookUpDomain(ctx context.Context, accountID string, m market, t webtarget.Target) (map[string]int, error) {
	source, ok := s.web.(provider.DomainSource)
	if !ok {
		return nil, nil
	}
	now := s.clock.Now()
	ranks := map[string]int{}
	kept, err := db.One(ctx, s.db, db.Value[string], "SELECT ranks FROM domain_lookups WHERE account_id = $1 AND target = $2 AND location_id = $3 AND fetched_at > $4",
		accountID, t.String(), m.location.ID, db.Micros(now.Add(-serp.CacheLife)))
	if err == nil {
		return ranks, json.Unmarshal([]byte(kept), &ranks)
	}
	if !db.IsNoRow(err) {
		return nil, err
	}
	q := provider.DomainQuery{Target: t.String(), Country: m.location.CountryCode, Location: m.locality(), Limit: maxLookUp}
	answer, err := provider.Call(ctx, s.caller, func(ctx context.Context) (provider.DomainKeywords, error) { return source.DomainKeywords(ctx, q) })
	if err != nil {
		return nil, dependency(err)
	}
	var told []figures
	for _, item := range answer.Items[:min(len(answer.Items), maxLookUp)] {
		row := figures{kw: serp.NormalKeyword(item.Keyword), locationID: m.location.ID, source: s.web.Describe().Name, toldAt: now}
		if keywordFault(row.kw) != "" || item.Rank < 1 {
			continue
		}
		row.take(item.KeywordFigures)
		if known, ok := ranks[row.kw]; !ok || item.Rank < known {
			ranks[row.kw] = item.Rank
		}
		told = append(told, row)
	}
	text, err := json.Marshal(ranks)
	if err != nil {
		return nil, err
	}
	return ranks, s.db.Tx(ctx, func(tx *db.Tx) error {
		if _, err := tx.Exec(ctx, `INSERT INTO domain_lookups (account_id, target, location_id, fetched_at, ranks) VALUES ($1, $2, $3, $4, $5)
			ON CONFLICT (account_id, target, location_id) DO UPDATE SET fetched_at = excluded.fetched_at, ranks = excluded.ranks`,
			accountID, t.String(), m.location.ID, db.Micros(now), string(text)); err != nil {
			return err
		}
		return learn(ctx, tx, accountID, told)
	})
}
