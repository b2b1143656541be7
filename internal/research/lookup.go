package research

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/errs"
	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/research/planner"
	"github.com/trigpoint/trigpoint/internal/serp"
	"github.com/trigpoint/trigpoint/internal/webtarget"
)

// Some data providers know more than result pages: the figures of keywords, and what a domain ranks for. They are
// asked where they do, and what they answer is kept, because each answer is billed.

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
		if err := s.askFigures(ctx, source, accountID, *m, kws, known); err != nil {
			return err
		}
	}
	return nil
}

// askFigures asks the provider for figures that are missing or old, where it has such, keeps them and adds
// them to known.
func (s *Service) askFigures(ctx context.Context, source provider.KeywordSource, accountID string, m market, kws []string, known map[string][]figures) error {
	now := s.clock.Now()
	var asked []string
	for _, kw := range kws {
		if best := m.best(known[kw]); len(asked) < maxLookUp && (best == nil || best.locationID != m.location.ID || now.Sub(best.toldAt).Abs() > freshFigures) {
			asked = append(asked, kw)
		}
	}
	if len(asked) == 0 {
		return nil
	}
	q := provider.KeywordQuery{Keywords: asked, Country: m.location.CountryCode, Location: m.location.Locality(), Language: m.language()}
	told, err := once(ctx, s, fmt.Sprint("figures", accountID, m.location.ID, m.languageID, asked), func(ctx context.Context) ([]figures, error) {
		answer, err := lookUp(ctx, s, accountID, func(ctx context.Context) ([]provider.KeywordFigures, error) { return source.LookUpKeywords(ctx, q) })
		if err != nil {
			return nil, err
		}
		told := fromProvider(answer, asked, m, sourceProvider+s.web.Describe().Name, now)
		return told, unlessFull(s.store(ctx, accountID, told))
	})
	for _, f := range told {
		known[f.kw] = append(known[f.kw], f)
	}
	return err
}

// fromProvider turns a provider's answer into rows, a row for each keyword that was asked for: also
// for one that the provider does not know, so that it is not asked again for a while.
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
		f.months = append(f.months, serp.MonthDemand{int64(month.Year), int64(month.Month), int64(month.Volume)})
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
		delete(told, one.kw) // the result page is newer
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
	kept, err := keptLookUp(ctx, s.db, accountID, t, m, s.clock.Now())
	if db.IsNoRow(err) {
		kept, err = once(ctx, s, fmt.Sprint("domain", accountID, m.location.ID, t), func(ctx context.Context) (string, error) { return s.askDomain(ctx, source, accountID, m, t) })
	}
	if err != nil {
		return nil, err
	}
	ranks := map[string]int{}
	return ranks, json.Unmarshal([]byte(kept), &ranks)
}

// askDomain keeps what the provider says that a target ranks for, as it is stored: keyword -> position.
func (s *Service) askDomain(ctx context.Context, source provider.DomainSource, accountID string, m market, t webtarget.Target) (string, error) {
	q := provider.DomainQuery{Target: t.String(), Country: m.location.CountryCode, Location: m.location.Locality(), Limit: maxLookUp}
	answer, err := lookUp(ctx, s, accountID, func(ctx context.Context) (provider.DomainKeywords, error) { return source.DomainKeywords(ctx, q) })
	if err != nil {
		return "", err
	}
	now := s.clock.Now()
	ranks := map[string]int{}
	var told []figures
	for _, item := range answer.Items[:min(len(answer.Items), maxLookUp)] {
		row := figures{kw: serp.NormalKeyword(item.Keyword), locationID: m.location.ID, source: sourceProvider + s.web.Describe().Name, toldAt: now}
		if planner.KeywordFault(row.kw) != "" || item.Rank < 1 {
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
		return "", err
	}
	err = s.db.Tx(ctx, func(tx *db.Tx) error { return keepLookUp(ctx, tx, accountID, t, m, now, string(text)) })
	return string(text), errors.Join(err, unlessFull(s.store(ctx, accountID, told)))
}

// lookUpTime bounds a question to the provider, with all attempts and waits.
const lookUpTime = time.Minute

// once answers equal questions at the same time once. What is being asked is kept even if its client
// has gone.
func once[T any](ctx context.Context, s *Service, key string, ask func(context.Context) (T, error)) (T, error) {
	answer, err, _ := s.flights.Do(key, func() (any, error) {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), lookUpTime)
		defer cancel()
		return ask(ctx)
	})
	result, _ := answer.(T)
	return result, err
}

// lookUp asks the provider, which takes one of the account's live look-ups; a question that is not
// answered takes none.
func lookUp[T any](ctx context.Context, s *Service, accountID string, ask func(context.Context) (T, error)) (answer T, err error) {
	refused := s.accounts.LookUp(ctx, accountID, func() bool {
		answer, err = provider.Call(ctx, s.caller, ask)
		return err == nil
	})
	if err != nil {
		err = dependency(err)
	}
	return answer, errors.Join(err, refused)
}

// dependency tells the user of a provider's failure in the provider's words.
func dependency(err error) error {
	var failure *provider.Error
	switch {
	case errors.As(err, &failure):
		e := errs.New(errs.Dependency, "%s", failure.Message).Because(err)
		e.RetryAfter = failure.RetryAfter
		return e
	case errors.Is(err, context.DeadlineExceeded):
		return errs.New(errs.Dependency, "The data provider did not answer in time.").Because(err)
	}
	return err
}
