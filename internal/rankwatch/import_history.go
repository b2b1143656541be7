package rankwatch

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/errs"
	"github.com/trigpoint/trigpoint/internal/rankwatch/series"
)

// PastCheck is a check that was made elsewhere, on a day before today.
type PastCheck struct {
	Day                series.Day
	series.Observation        // its URL is ignored in favour of the text
	URL                string // what ranked
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
	for _, past := range all {
		for _, c := range past.Checks {
			if c.Day >= today || c.Day.Month().Year() < firstYear {
				return errs.New(errs.Invalid, "A past check is of %s; it must be before %s.", c.Day, today)
			}
		}
	}
	return s.db.Tx(ctx, func(tx *db.Tx) error {
		_, err := s.importHistory(ctx, tx, accountID, all)
		return err
	})
}

// importHistory does so within a transaction, and tells how many checks were added.
func (s *Service) importHistory(ctx context.Context, tx *db.Tx, accountID string, all []PastChecks) (added int, err error) {
	byID := make(map[string][]PastCheck, len(all))
	for _, past := range all {
		if len(past.Checks) > 0 {
			byID[past.KeywordID] = append(byID[past.KeywordID], past.Checks...)
		}
	}
	ids := slices.Sorted(maps.Keys(byID))
	first := func(id string) series.Day { return slices.MinFunc(byID[id], byDay).Day }
	for _, id := range ids {
		if err := siteTrackedSince(ctx, tx, accountID, id, first(id)); err != nil {
			return 0, err
		}
	}
	numbers, err := ownKeywords(ctx, tx, accountID, ids)
	if err != nil {
		return 0, err
	}
	sorted := slices.Sorted(maps.Values(numbers))
	states, err := lockStates(ctx, tx, sorted)
	if err != nil {
		return 0, err
	}
	kept, err := allYears(ctx, tx, sorted)
	if err != nil {
		return 0, err
	}
	changed := map[int64][]series.DatedYear{}
	for id, number := range numbers {
		years, n, err := states[number].importChecks(byID[id], kept[number])
		if err != nil {
			return 0, fmt.Errorf("keyword %s: %w", id, err)
		}
		changed[number], added = years, added+n
		if err := trackedSince(ctx, tx, number, first(id)); err != nil {
			return 0, err
		}
	}
	if err := saveYears(ctx, tx, changed); err != nil {
		return 0, err
	}
	if err := saveStates(ctx, tx, slices.Collect(maps.Values(states))); err != nil {
		return 0, err
	}
	return added, markKeywords(ctx, tx, s.clock.Now(), sorted)
}

func byDay(a, b PastCheck) int { return cmp.Compare(a.Day, b.Day) }

// importChecks adds checks to the history and returns the years that change, and how many checks were added.
func (s *rankState) importChecks(checks []PastCheck, years []series.DatedYear) (changed []series.DatedYear, added int, err error) {
	before := s.history(years)
	months, err := before.Months()
	if err != nil {
		return nil, 0, err
	}
	for _, c := range slices.SortedStableFunc(slices.Values(checks), byDay) {
		month := c.Day.Month()
		if months[month].Has(c.Day.InMonth()) {
			continue
		}
		added++
		if c.Observation.URL = 0; c.Rank > 0 {
			c.Observation.URL, s.urls = urlNumber(s.urls, c.URL)
		}
		if months[month], err = months[month].Set(c.Day.InMonth(), c.Observation); err != nil {
			return nil, 0, err
		}
	}
	after, err := series.NewHistory(months)
	if err != nil {
		return nil, 0, err
	}
	changed, err = s.replace(&before, &after)
	return changed, added, err
}
