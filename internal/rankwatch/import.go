package rankwatch

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/errs"
)

// PastCheck is a check that was made elsewhere, on a day before today.
type PastCheck struct {
	Day         Day
	Observation        // its URL is ignored in favour of the text
	URL         string // what ranked
}

// PastChecks are those of one tracked keyword.
type PastChecks struct {
	KeywordID string
	Checks    []PastCheck
}

// ImportHistory adds checks of the past to an account's keywords. A day that has a check keeps it. Each
// call is one transaction; a few hundred keywords of a year are a good size.
func (s *Service) ImportHistory(ctx context.Context, accountID string, all []PastChecks) error {
	today := s.today()
	byID := make(map[string][]PastCheck, len(all))
	for _, past := range all {
		for _, c := range past.Checks {
			if c.Day >= today || c.Day.Month().Year() < firstYear {
				return errs.New(errs.Invalid, "A past check is of %s; it must be before %s.", c.Day, today)
			}
		}
		if len(past.Checks) > 0 {
			byID[past.KeywordID] = append(byID[past.KeywordID], past.Checks...)
		}
	}
	return s.db.Tx(ctx, func(tx *db.Tx) error {
		numbers, err := ownKeywords(ctx, tx, accountID, slices.Sorted(maps.Keys(byID)))
		if err != nil {
			return err
		}
		states, err := lockStates(ctx, tx, slices.Sorted(maps.Values(numbers)))
		if err != nil {
			return err
		}
		var years []yearRow
		for id, number := range numbers {
			kept, err := yearsOfKeyword(ctx, tx, number, Range{0, today})
			if err != nil {
				return err
			}
			first, changed, err := states[number].imported(byID[id], kept)
			if err != nil {
				return fmt.Errorf("keyword %s: %w", id, err)
			}
			years = append(years, changed...)
			if err := trackedSince(ctx, tx, number, first); err != nil {
				return err
			}
		}
		if err := saveYears(ctx, tx, years); err != nil {
			return err
		}
		return saveStates(ctx, tx, slices.Collect(maps.Values(states)))
	})
}

// imported puts checks into the state and returns the day of the first, and the years that go with it.
func (s *rankState) imported(checks []PastCheck, kept []yearOf) (first Day, years []yearRow, err error) {
	months, err := s.months(kept)
	if err != nil {
		return 0, nil, err
	}
	slices.SortStableFunc(checks, func(a, b PastCheck) int { return cmp.Compare(a.Day, b.Day) })
	for _, c := range checks {
		month := c.Day.Month()
		day := int(c.Day-month.First()) + 1
		if has(months[month], day) {
			continue
		}
		if c.Observation.URL = 0; c.Rank > 0 {
			c.Observation.URL, s.urls = urlNumber(s.urls, c.URL)
		}
		if months[month], err = months[month].Set(day, c.Observation); err != nil {
			return 0, nil, err
		}
		if at := db.Micros(c.Day.Start()); s.checkedAt == nil || *s.checkedAt < at {
			s.checkedAt, s.latest = &at, ""
		}
	}
	years, err = s.spread(months, kept)
	return checks[0].Day, years, err
}

// months takes the history apart.
func (s *rankState) months(kept []yearOf) (map[Month]Chunk, error) {
	months := map[Month]Chunk{}
	for _, y := range kept {
		if err := y.chunks.Each(func(month int, c Chunk) { months[Month(y.year*100+month)] = c }); err != nil {
			return nil, err
		}
	}
	if len(s.chunk) > 0 {
		months[s.month] = s.chunk
	}
	return months, nil
}

// spread puts the newest month into the state and the others into their years, of which it returns those
// that differ from the kept ones.
func (s *rankState) spread(months map[Month]Chunk, kept []yearOf) ([]yearRow, error) {
	order := slices.Sorted(maps.Keys(months))
	if len(order) == 0 {
		return nil, nil
	}
	first := -1
	if err := months[order[0]].Each(func(_ int, o Observation) {
		if first < 0 {
			first = int(o.Rank)
		}
	}); err != nil {
		return nil, err
	}
	s.firstRank = &first
	s.month = order[len(order)-1]
	s.chunk = months[s.month]
	years := map[int]Year{}
	for _, month := range order[:len(order)-1] {
		year, err := years[month.Year()].Set(month.InYear(), months[month])
		if err != nil {
			return nil, err
		}
		years[month.Year()] = year
	}
	var rows []yearRow
	for _, year := range slices.Sorted(maps.Keys(years)) {
		if slices.ContainsFunc(kept, func(y yearOf) bool { return y.year == year && bytes.Equal(y.chunks, years[year]) }) {
			continue
		}
		rows = append(rows, yearRow{s.keyword, yearOf{year, years[year]}})
	}
	return rows, nil
}

func has(c Chunk, day int) bool {
	found := false
	_ = c.Each(func(d int, _ Observation) { found = found || d == day }) // Set reports what is corrupt
	return found
}
