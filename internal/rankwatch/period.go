package rankwatch

import (
	"context"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/rankwatch/formula"
	"github.com/trigpoint/trigpoint/internal/rankwatch/series"
)

// Period is how a tracking fared within some days.
type Period struct {
	AccountID string // that owns it
	Tracking  Tracking
	Days      []PeriodDay // of which at least one rank is known, oldest first
	Keywords  []PeriodKeyword
}

// PeriodDay is the state of a tracking on a day.
type PeriodDay struct {
	Day time.Time
	formula.StatsItem
}

// PeriodKeyword is what the checks of the days say about a keyword. Ranks are nil where it was not found.
type PeriodKeyword struct {
	Text              string
	Checks            int // on so many days; First is Last when it is 1
	First, Last, Best *int
	Change            int // positive is better
	Volume            *int64
	URL               *string // what ranked last
}

// Period reads how a tracking fared, for the account that owns it or whoever has its share token.
func (s *Service) Period(ctx context.Context, accountID, trackingID, token string, from, to time.Time) (*Period, error) {
	t, err := findTracking(ctx, s.db, trackingID)
	switch {
	case err != nil:
		return nil, err
	case t.accountID != accountID && !t.sharedBy(token):
		return nil, noTracking(trackingID)
	}
	keywords, err := keywordsOf(ctx, s.db, t.id, false)
	if err != nil {
		return nil, err
	}
	days := series.Range{From: series.DayOf(from), To: series.DayOf(to)}
	var volumes []*int64
	var years map[int64][]series.DatedYear
	read, reading := errgroup.WithContext(ctx)
	read.Go(func() (err error) {
		volumes, err = s.volumes(reading, t.accountID, t.at(keywordTexts(keywords)))
		return err
	})
	read.Go(func() (err error) { years, err = yearsOf(reading, s.db, t.id, days); return err })
	if err := read.Wait(); err != nil {
		return nil, err
	}
	p := &Period{AccountID: t.accountID, Tracking: t.show(idsOf(keywords)), Keywords: make([]PeriodKeyword, len(keywords))}
	frames, err := inParts(days, keywords, volumes, years, func(i int, view *series.Reader) {
		sum := formula.Summarise(view.Ranks())
		k := PeriodKeyword{Text: keywords[i].kw, Checks: sum.Checks, Volume: volumes[i]}
		if k.Checks > 0 {
			k.First, k.Last, k.Best, k.Change = ranked(sum.First), ranked(sum.Last), ranked(sum.Best), sum.Change
			k.URL = keywords[i].url(view.Last)
		}
		p.Keywords[i] = k
	})
	if err != nil {
		return nil, err
	}
	p.Days = periodDays(days, frames)
	return p, nil
}

func periodDays(days series.Range, frames *formula.Timeframes) (all []PeriodDay) {
	for i := range days.Days() {
		if item := frames.Item(i); item.KeywordsWithHistory > 0 {
			all = append(all, PeriodDay{(days.From + series.Day(i)).Start(), item})
		}
	}
	return all
}

// TrackingTrend is how a tracking fared within some days, in short.
type TrackingTrend struct {
	Tracking Tracking
	Days     []PeriodDay
}

// Trends are those of an account's trackings, newest first.
func (s *Service) Trends(ctx context.Context, accountID string, from, to time.Time) ([]TrackingTrend, error) {
	var all []TrackingTrend
	days := series.Range{From: series.DayOf(from), To: series.DayOf(to)}
	err := s.eachTracking(ctx, accountID, false, days, func(shown Tracking, frames *formula.Timeframes) {
		all = append(all, TrackingTrend{shown, periodDays(days, frames)})
	})
	return all, err
}

// NewestCheck is when one of an account's trackings was last checked, or all of them where trackingID is empty; zero before the first.
func (s *Service) NewestCheck(ctx context.Context, accountID, trackingID string) (time.Time, error) {
	p := db.Params{Args: []any{accountID}}
	where := "t.account_id = $1 AND t.deleted_at IS NULL"
	if trackingID != "" {
		where += " AND t.id = " + p.Add(trackingID)
	}
	at, err := db.One(ctx, s.db, db.Value[int64], `SELECT coalesce(max(s.checked_at), 0) FROM trackings t
		JOIN tracked_keywords k ON k.tracking_id = t.id JOIN rank_states s ON s.keyword = k.number WHERE `+where, p.Args...)
	return db.Time(at), err
}
