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
		ids := slices.Sorted(maps.Keys(byID))
		first := func(id string) series.Day { return slices.MinFunc(byID[id], byDay).Day }
		for _, id := range ids {
			if err := siteTrackedSince(ctx, tx, accountID, id, first(id)); err != nil {
				return err
			}
		}
		numbers, err := ownKeywords(ctx, tx, accountID, ids)
		if err != nil {
			return err
		}
		sorted := slices.Sorted(maps.Values(numbers))
		states, err := lockStates(ctx, tx, sorted)
		if err != nil {
			return err
		}
		kept, err := allYears(ctx, tx, sorted)
		if err != nil {
			return err
		}
		changed := map[int64][]series.DatedYear{}
		for id, number := range numbers {
			if changed[number], err = states[number].importChecks(byID[id], kept[number]); err != nil {
				return fmt.Errorf("keyword %s: %w", id, err)
			}
			if err := trackedSince(ctx, tx, number, first(id)); err != nil {
				return err
			}
		}
		if err := saveYears(ctx, tx, changed); err != nil {
			return err
		}
		if err := saveStates(ctx, tx, slices.Collect(maps.Values(states))); err != nil {
			return err
		}
		return markKeywords(ctx, tx, s.clock.Now(), sorted)
	})
}

func byDay(a, b PastCheck) int { return cmp.Compare(a.Day, b.Day) }

// importChecks adds checks to the history and returns the years that change.
func (s *rankState) importChecks(checks []PastCheck, years []series.DatedYear) ([]series.DatedYear, error) {
	before := s.history(years)
	months, err := before.Months()
	if err != nil {
		return nil, err
	}
	for _, c := range slices.SortedStableFunc(slices.Values(checks), byDay) {
		month := c.Day.Month()
		if months[month].Has(c.Day.InMonth()) {
			continue
		}
		if c.Observation.URL = 0; c.Rank > 0 {
			c.Observation.URL, s.urls = urlNumber(s.urls, c.URL)
		}
		if months[month], err = months[month].Set(c.Day.InMonth(), c.Observation); err != nil {
			return nil, err
		}
	}
	after, err := series.NewHistory(months)
	if err != nil {
		return nil, err
	}
	return s.replace(&before, &after)
}
