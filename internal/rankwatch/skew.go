package rankwatch

import (
	"context"
	"time"

	"github.com/trigpoint/trigpoint/internal/db"
)

// A clock that is ahead for a while leaves times behind that lie in the future once it is right again.
// None of them is waited for: what is due later than it can be is due now, a claim that holds for longer
// than a claim can is void, the checks of days to come are forgotten, and a keyword counts from now on.
const (
	skew     = time.Hour           // by which the clocks of two processes may differ
	maxAhead = 24*time.Hour + skew // a check is due at most a day from now
	maxClaim = maxLease + skew     // a claim holds at most so long from now
)

// ahead tells whether a stored time is one that a wrong clock has left.
func ahead(micros *int64, now time.Time) bool {
	return micros != nil && *micros > db.Micros(now.Add(skew))
}

// pullBack makes due at once what a wrong clock has put off.
func pullBack(ctx context.Context, tx *db.Tx, now time.Time) error {
	_, err := tx.Exec(ctx, "UPDATE rank_states SET next_check_at = $1 WHERE next_check_at > $2", db.Micros(now), db.Micros(now.Add(maxAhead)))
	return err
}

// forgetAhead removes checks of days after the ones on which these outcomes were found.
func forgetAhead(ctx context.Context, tx *db.Tx, batch []outcome, states map[int64]*rankState) error {
	for i := range batch {
		o := &batch[i]
		s := states[o.number]
		if s == nil || o.err != nil || !ahead(s.checkedAt, o.at) {
			continue
		}
		kept, err := scanYears(ctx, tx, "SELECT keyword, year, chunks FROM rank_years WHERE keyword = $1 ORDER BY year", s.keyword)
		if err != nil {
			return err
		}
		rows, err := s.until(DayOf(o.at), kept[s.keyword])
		if err != nil {
			return err
		}
		if err := saveYears(ctx, tx, rows); err != nil {
			return err
		}
	}
	return nil
}

// until takes out of a keyword's history what lies after a day, and returns the years that change.
func (s *rankState) until(day Day, kept []yearOf) ([]yearRow, error) {
	months, err := s.months(kept)
	if err != nil {
		return nil, err
	}
	var last Day
	for month, chunk := range months {
		if month >= day.Month() {
			chunk, err = chunk.Until(int(day - month.First() + 1))
			if err != nil {
				return nil, err
			}
			months[month] = chunk
		}
		if len(chunk) == 0 {
			delete(months, month)
			continue
		}
		err := chunk.Each(func(d int, _ Observation) { last = max(last, month.First()+Day(d-1)) })
		if err != nil {
			return nil, err
		}
	}
	s.checkedAt, s.firstRank, s.month, s.chunk, s.latest = nil, nil, 0, nil, ""
	if last > 0 {
		at := db.Micros(last.Start())
		s.checkedAt = &at
	}
	rows, err := s.spread(months, kept)
	if err != nil {
		return nil, err
	}
	left := map[int]bool{}
	for month := range months {
		left[month.Year()] = left[month.Year()] || month != s.month
	}
	for _, y := range kept {
		if !left[y.year] {
			rows = append(rows, yearRow{s.keyword, yearOf{y.year, Year{}}})
		}
	}
	return rows, nil
}
