package rankwatch

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/trigpoint/trigpoint/internal/rankwatch/series"
)

// rankState is the part of a tracked keyword that checks change.
type rankState struct {
	number      int64        // of the keyword
	nextCheckAt *time.Time   // nil: never, as it is removed
	failures    int          // in a row
	problem     string       // why the last check failed; "" when it did not
	checkedAt   *time.Time   // last check that did not fail
	firstRank   *int         // of the first check ever; 0: not ranked
	month       series.Month // of the last check
	chunk       series.Chunk // the checks of that month
	urls        string       // every URL that has ranked, one a line; observations name them by their place
	latest      string       // what the last check saw besides, as JSON
	provider    string       // who answered it; "" is unknown

	closed      series.Chunk // a month that is over since, to be put with its year
	closedMonth series.Month
}

func (s *rankState) history(years []series.DatedYear) series.History {
	return series.History{Month: s.month, Chunk: s.chunk, Years: years}
}

// last is the newest observation; ok is false before the first check.
func (s *rankState) last() (o series.Observation, ok bool, err error) {
	err = s.chunk.Each(func(_ int, each series.Observation) { o, ok = each, true })
	if err != nil {
		err = fmt.Errorf("keyword %d: %w", s.number, err)
	}
	return o, ok, err
}

// checkedOn tells whether the last check is of this day.
func (s *rankState) checkedOn(day series.Day) bool {
	return s.checkedAt != nil && series.DayOf(*s.checkedAt) == day
}

// failed notes that a check brought nothing and says when to make it again. One that was not made at
// all leaves no trace, and one that the provider still works on is no failure.
func (s *rankState) failed(o *outcome) {
	if o.released() {
		return
	}
	if at, promised := o.promised(); promised {
		s.schedule(at)
		return
	}
	s.failures++
	s.problem = reason(o.err)
	s.schedule(retryAt(o.at, s.failures, o.err))
}

// answered takes up what a check found and tells whether it counts. A day that has a check keeps it: after
// a crash the same day may be asked for twice, and the first answer stands.
func (s *rankState) answered(o *outcome) (counts bool, err error) {
	s.failures, s.problem = 0, ""
	day := series.DayOf(o.at)
	if s.checkedAt != nil && series.DayOf(*s.checkedAt) >= day {
		s.schedule((series.DayOf(*s.checkedAt) + 1).Start())
		return false, nil
	}
	s.schedule((day + 1).Start())
	return true, s.observe(o, day)
}

func (s *rankState) schedule(at time.Time) {
	if s.nextCheckAt != nil {
		s.nextCheckAt = &at
	}
}

func (s *rankState) observe(o *outcome, day series.Day) error {
	if s.month != day.Month() {
		s.closed, s.closedMonth = s.chunk, s.month
		s.chunk, s.month = nil, day.Month()
	}
	seen := o.found.Observation
	if seen.Rank > 0 {
		seen.URL, s.urls = urlNumber(s.urls, o.found.url)
	}
	var err error
	if s.chunk, err = s.chunk.Set(day.InMonth(), seen); err != nil {
		return fmt.Errorf("keyword %d on %s: %w", s.number, day, err)
	}
	if s.firstRank == nil {
		rank := int(seen.Rank)
		s.firstRank = &rank
	}
	s.checkedAt, s.latest, s.provider = &o.at, "", o.provider
	if o.found.latest != (latest{}) {
		text, err := json.Marshal(o.found.latest)
		if err != nil {
			return err
		}
		s.latest = string(text)
	}
	return nil
}

// copyOf is the state of another keyword that has been checked on one day only, with what s found then.
func (s *rankState) copyOf(day series.Day, number int64) (rankState, error) {
	o, checked, err := s.last()
	if err != nil || !checked {
		return rankState{}, fmt.Errorf("keyword %d has no check of %s: %w", s.number, day, err)
	}
	rank, next := int(o.Rank), (day + 1).Start()
	other := rankState{number: number, nextCheckAt: &next, checkedAt: s.checkedAt, firstRank: &rank, month: day.Month(), latest: s.latest, provider: s.provider}
	if url := s.url(o); url != nil {
		o.URL, other.urls = urlNumber("", *url)
	}
	other.chunk, err = other.chunk.Set(day.InMonth(), o)
	return other, err
}

// forgetAfter takes out of the history what lies after a day, and returns the years that change.
func (s *rankState) forgetAfter(day series.Day, years []series.DatedYear) ([]series.DatedYear, error) {
	before := s.history(years)
	after, err := before.Until(day)
	if err != nil {
		return nil, err
	}
	s.checkedAt, s.latest, s.provider = nil, "", ""
	return s.replace(&before, &after)
}

// replace puts another history in place of the one before and returns the years that change.
func (s *rankState) replace(before, after *series.History) ([]series.DatedYear, error) {
	first, lastDay, err := after.Ends()
	if err != nil {
		return nil, err
	}
	s.month, s.chunk, s.firstRank = after.Month, after.Chunk, nil
	if lastDay > 0 {
		rank := int(first.Rank)
		s.firstRank = &rank
		if at := lastDay.Start(); s.checkedAt == nil || series.DayOf(*s.checkedAt) < lastDay {
			s.checkedAt, s.latest, s.provider = &at, "", ""
		}
	}
	return after.YearsChangedFrom(before), nil
}
