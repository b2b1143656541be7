package maprank

import (
	"context"
	"math"
	"slices"
	"time"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/errs"
	"github.com/trigpoint/trigpoint/internal/geo"
	"github.com/trigpoint/trigpoint/internal/id"
	"github.com/trigpoint/trigpoint/internal/maprank/grid"
	"github.com/trigpoint/trigpoint/internal/maprank/result"
)

// PointResults are the businesses that a report found at a point.
type PointResults struct {
	Point   ViewPoint     `json:"point"`
	Results []PointResult `json:"results" nullable:"false" doc:"By rank; none when the search failed."`
}

// PointResult is one of them.
type PointResult struct {
	Position int             `json:"position" doc:"1 to 20."`
	Business result.Business `json:"business"`
	Distance *int            `json:"distance,omitempty" doc:"Metres from the point; absent when it is not known where the business is."`
	Own      bool            `json:"own" doc:"Whether it is the campaign's own."`
}

// pointResults lists the businesses at a point in the report of an instant.
func (s *Service) pointResults(ctx context.Context, c *campaign, givenKeyword string, at time.Time, givenPoint string) (PointResults, error) {
	keywordID, _ := id.Parse(givenKeyword)
	k, err := collectedAt(ctx, s.db, c.id, at, keywordID)
	if db.IsNoRow(err) {
		return PointResults{}, errs.With(errs.Invalid, errs.ReportUnknown, "The campaign has no report of %s in which this keyword was collected.", Instant{at})
	}
	if err != nil {
		return PointResults{}, err
	}
	set, err := grid.DecodePointSet(k.pointsID, k.points)
	if err != nil {
		return PointResults{}, err
	}
	points := viewPoints(set)
	pointID, _ := id.Parse(givenPoint)
	number := slices.IndexFunc(points, func(p ViewPoint) bool { return p.ID == id.Dashed(pointID) })
	if number < 0 {
		return PointResults{}, errs.New(errs.NotFound, "The report was not made at a point %.64q. The view's pointSets list the points of each report.", givenPoint)
	}
	ordinals := k.result.Ranking(number)
	businesses, _, err := dictionaries(ctx, s.db, map[string][]uint16{k.reportID: slices.Clone(ordinals)}, "")
	if err != nil {
		return PointResults{}, err
	}
	found := PointResults{Point: points[number], Results: []PointResult{}}
	for i, ordinal := range ordinals {
		b, known := businesses[k.reportID][ordinal]
		if !known {
			continue // an empty rank
		}
		found.Results = append(found.Results, PointResult{i + 1, b, metresTo(points[number], b), ordinal == result.OwnOrdinal})
	}
	return found, nil
}

// metresTo is how far a business is from a point; nil when nobody knows where it is.
func metresTo(p ViewPoint, b result.Business) *int {
	if b.Coordinates == (grid.Coordinates{}) {
		return nil
	}
	metres := int(math.Round(1000 * geo.Distance(geo.Point(p.Coordinates), geo.Point(b.Coordinates))))
	return &metres
}
