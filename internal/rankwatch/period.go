package rankwatch

import (
	"context"
	"slices"
	"sync/atomic"
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
	Trend
	Keywords []PeriodKeyword
}

// Trend is the figures of a period. What it begins with is what its end is compared with.
type Trend struct {
	Days     []PeriodDay // of which at least one rank is known, oldest first; before them the last such day before the period
	Compared bool        // some keyword is
}

// PeriodDay is the state of a tracking on a day.
type PeriodDay struct {
	Day time.Time
	formula.StatsItem
}

// PeriodKeyword is what the checks of the days say about a keyword. Ranks are nil where it was not found.
type PeriodKeyword struct {
	Text     string
	Checked  bool // on one of the days; else there is no rank
	Compared bool // Then is of an earlier check: the last before the days, or else the first of them
	Then     *int
	Now      *int
	Best     *int // of the days
	Change   int  // positive is better
	Volume   *int64
	URL      *string // what ranked last

	lastCheck int // which day of a periodRange
}

// lookBack is how many days before a period are searched for what stood before it.
const lookBack = 35

// periodRange is the days of a period and those before it that tell what it began with.
func periodRange(from, to time.Time) series.Range {
	return series.Range{From: series.DayOf(from) - lookBack, To: series.DayOf(to)}
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
	days := periodRange(from, to)
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
		k := &p.Keywords[i]
		*k = compareChecks(view.Ranks())
		k.Text, k.Volume = keywords[i].kw, volumes[i]
		if k.Checked {
			k.URL = keywords[i].url(view.Last)
		}
	})
	if err != nil {
		return nil, err
	}
	lastCheck := 0
	for _, k := range p.Keywords {
		lastCheck = max(lastCheck, k.lastCheck)
	}
	// What is known ends with the last check, though its ranks stand for days after it.
	p.Days = slices.DeleteFunc(periodDays(days, frames), func(d PeriodDay) bool { return d.Day.After((days.From + series.Day(lastCheck)).Start()) })
	p.Compared = slices.ContainsFunc(p.Keywords, func(k PeriodKeyword) bool { return k.Compared })
	return p, nil
}

// compareChecks tells what the ranks of a periodRange say of a keyword.
func compareChecks(ranks []int16) PeriodKeyword {
	before, within := formula.Summarise(ranks[:lookBack]), formula.Summarise(ranks[lookBack:])
	if within.Checks == 0 {
		return PeriodKeyword{}
	}
	last := len(ranks) - 1
	for ranks[last] == series.NotChecked {
		last--
	}
	then := within.First
	if before.Checks > 0 {
		then = before.Last
	}
	return PeriodKeyword{
		Checked: true, Compared: before.Checks+within.Checks > 1,
		Then: ranked(then), Now: ranked(within.Last), Best: ranked(within.Best), Change: formula.RankChange(then, within.Last), lastCheck: last,
	}
}

// periodDays are the days of a Trend; none when no rank is known within the period.
func periodDays(days series.Range, frames *formula.Timeframes) (all []PeriodDay) {
	var former []PeriodDay
	for i := range days.Days() {
		item := frames.Item(i)
		if item.KeywordsWithHistory == 0 {
			continue
		}
		day := PeriodDay{(days.From + series.Day(i)).Start(), item}
		if i < lookBack {
			former = []PeriodDay{day}
		} else {
			all = append(all, day)
		}
	}
	if len(all) == 0 {
		return nil
	}
	return append(former, all...)
}

// TrackingTrend is how a tracking fared within some days, in short.
type TrackingTrend struct {
	Tracking Tracking
	Trend
}

// Trends are those of an account's trackings, newest first.
func (s *Service) Trends(ctx context.Context, accountID string, from, to time.Time) ([]TrackingTrend, error) {
	var all []TrackingTrend
	var compared atomic.Bool // of the tracking whose keywords are read
	days := periodRange(from, to)
	look := func(_ int, view *series.Reader) {
		if compareChecks(view.Ranks()).Compared {
			compared.Store(true)
		}
	}
	err := s.eachTracking(ctx, accountID, false, days, look, func(shown Tracking, frames *formula.Timeframes) {
		all = append(all, TrackingTrend{shown, Trend{periodDays(days, frames), compared.Swap(false)}})
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
