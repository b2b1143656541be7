package rankwatch

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/trigpoint/trigpoint/internal/errs"
	"github.com/trigpoint/trigpoint/internal/httpapi"
	"github.com/trigpoint/trigpoint/internal/rankwatch/performance"
	"github.com/trigpoint/trigpoint/internal/rankwatch/series"
)

const (
	maxQueries = 500_000 // distinct ones that a request adds up
	queryBytes = 200     // that one takes, with its name
	dayBytes   = 8 << 20 // that an unpacked day takes
)

// queryFigures is a query with its figures over some days.
type queryFigures struct {
	query string
	performance.Figures
}

// addUp sums the figures of every query over a range, and tells whether some days had more rows than are kept.
func (s *Service) addUp(ctx context.Context, propertyID string, r series.Range, filter performance.Filter) (all []queryFigures, cut bool, err error) {
	if err := httpapi.Hold(ctx, dayBytes); err != nil {
		return nil, false, err
	}
	place := map[string]int{}
	err = eachDay(ctx, s.db, propertyID, r, filter, func(d packedDay) error {
		cut = cut || d.cut
		before := len(all)
		err := s.performance.Each(d.rows, filter, func(row *performance.Row) {
			i, known := place[row.Query]
			if !known {
				i = len(all)
				place[row.Query] = i
				all = append(all, queryFigures{query: row.Query})
			}
			all[i].Add(row.Figures)
		})
		if err == nil && len(all) > maxQueries {
			err = errs.New(errs.Invalid, "These days have more than %d queries: ask for fewer days, or filter by device, country or page.", maxQueries)
		}
		if err == nil {
			err = httpapi.Hold(ctx, int64(len(all)-before)*queryBytes)
		}
		return err
	})
	return all, cut, err
}

// byFigure orders queries; what is equal goes by clicks, impressions and name.
func byFigure(sort string, ascending bool) func(a, b queryFigures) int {
	figure := func(q queryFigures) float64 {
		switch sort {
		case "impressions":
			return float64(q.Impressions)
		case "ctr":
			return q.CTR()
		case "position":
			return q.Position()
		}
		return float64(q.Clicks)
	}
	return func(a, b queryFigures) int {
		first := cmp.Compare(figure(a), figure(b))
		if sort == "query" {
			first = strings.Compare(a.query, b.query)
		}
		if !ascending {
			first = -first
		}
		return cmp.Or(first, cmp.Compare(b.Clicks, a.Clicks), cmp.Compare(b.Impressions, a.Impressions), strings.Compare(a.query, b.query))
	}
}

// proposals are queries that could be tracked and are not, best first.
func proposals(all []queryFigures, tracked map[string]string) []queryFigures {
	var found []queryFigures
	for _, q := range all {
		var problems errs.Problems
		want := readKeywords(&problems, []KeywordText{KeywordText(q.query)})
		if len(want) == 1 && q.Impressions > 0 && tracked[want[0].key] == "" {
			found = append(found, q)
		}
	}
	slices.SortFunc(found, byFigure("clicks", false))
	return found
}

// queryByDay is the figures of a query on each day that has some.
func (s *Service) queryByDay(ctx context.Context, propertyID string, r series.Range, filter performance.Filter) (map[series.Day]performance.Figures, error) {
	days := map[series.Day]performance.Figures{}
	err := eachDay(ctx, s.db, propertyID, r, filter, func(d packedDay) error {
		var sum performance.Figures
		err := s.performance.Each(d.rows, filter, func(row *performance.Row) { sum.Add(row.Figures) })
		days[d.day] = sum
		return err
	})
	return days, err
}

// checkedRanks are the ranks that checks of a keyword found, by day; nil where it is not tracked.
func (s *Service) checkedRanks(ctx context.Context, t *tracking, query string, r series.Range) (keyword *trackedKeyword, ranks map[string]DayCheck, err error) {
	keyword, err = keywordByKey(ctx, s.db, t.id, keywordKey(strings.Join(strings.Fields(query), " ")))
	if err != nil || keyword == nil {
		return nil, nil, err
	}
	years, err := yearsOfKeyword(ctx, s.db, keyword.number, r)
	if err != nil {
		return nil, nil, err
	}
	checks, err := keyword.checks(r, years, nil)
	ranks = make(map[string]DayCheck, len(checks))
	for _, c := range checks {
		ranks[c.Date] = c
	}
	return keyword, ranks, err
}
