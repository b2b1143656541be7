package maprank

import (
	"context"
	"fmt"
	"time"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/errs"
	"github.com/trigpoint/trigpoint/internal/id"
	"github.com/trigpoint/trigpoint/internal/maprank/grid"
	"github.com/trigpoint/trigpoint/internal/maprank/result"
)

// Heatmap is where a business ranks at each point of a report.
type Heatmap struct {
	Keyword   Keyword           `json:"keyword"`
	Date      Instant           `json:"date"`
	Positions []HeatmapPosition `json:"positions" nullable:"false"`
}

// HeatmapPosition is its rank at one point.
type HeatmapPosition struct {
	Point    HeatmapPoint `json:"point"`
	Position int          `json:"position" doc:"1 to 20; 21 where it is not among the first 20."`
	Diff     int          `json:"diff" doc:"Places won since the previous report; negative when lost."`
}

// HeatmapPoint is a point of the report.
type HeatmapPoint struct {
	ID          string           `json:"id"`
	Coordinates grid.Coordinates `json:"coordinates"`
}

// collectedKeyword is a keyword's results in a report.
type collectedKeyword struct {
	reportID, pointsID string
	name               string
	points             []byte // packed, as the store has them
	result             result.Stored
}

const (
	collectedColumns = "SELECT r.id, r.points_id, k.name, p.points, k.result FROM "
	withResults      = ` r JOIN report_keywords k ON k.report_id = r.id AND k.keyword_id = $3 AND k.status = 'COLLECTED'
		JOIN campaign_points p ON p.id = r.points_id `
	reportsBefore = "SELECT id, points_id, at FROM reports WHERE campaign_id = $1 AND at < $2 AND status = 'COLLECTED'"
)

func scanCollected(row db.Scanner) (collectedKeyword, error) {
	var k collectedKeyword
	var blob []byte
	err := row.Scan(&k.reportID, &k.pointsID, &k.name, &k.points, &blob)
	if err == nil {
		k.result, err = result.Open(blob)
	}
	return k, err
}

// collectedAt reads the results of a keyword in the report of an instant, or fails with db.ErrNoRow when it was
// not collected there.
func collectedAt(ctx context.Context, q db.Queryer, campaignID string, at time.Time, keywordID string) (collectedKeyword, error) {
	return db.One(ctx, q, scanCollected, collectedColumns+"reports"+withResults+"WHERE r.campaign_id = $1 AND r.at = $2", campaignID, db.Micros(at), keywordID)
}

// collectedBefore is the last time before an instant that the keyword was collected: as a rule in the report
// just before, else wherever its history says.
func collectedBefore(ctx context.Context, q db.Queryer, campaignID string, at time.Time, keywordID string) (collectedKeyword, error) {
	args := []any{campaignID, db.Micros(at), keywordID}
	k, err := db.One(ctx, q, scanCollected, collectedColumns+"("+reportsBefore+" ORDER BY at DESC LIMIT 1)"+withResults, args...)
	if db.IsNoRow(err) {
		k, err = db.One(ctx, q, scanCollected, collectedColumns+"("+reportsBefore+")"+withResults+"ORDER BY r.at DESC LIMIT 1", args...)
	}
	return k, err
}

// ranks lists the points that were searched, and the rank of a business at each of them.
func (k *collectedKeyword) ranks(ordinals []uint16) ([]grid.Point, []uint8, error) {
	set, err := grid.DecodePointSet(k.pointsID, k.points)
	if err != nil {
		return nil, nil, err
	}
	points, ranks := set.Enabled(), k.result.Positions(nil, ordinals...)
	if len(points) != len(ranks) {
		err = fmt.Errorf("%w %s: %d points, %d results", grid.ErrCorrupt, k.pointsID, len(points), len(ranks))
	}
	return points, ranks, err
}

// heatmap shows where a business ranks in the report of an instant, beside the report before it.
func (s *Service) heatmap(ctx context.Context, c *campaign, given string, at time.Time, who result.Identity) (Heatmap, error) {
	keywordID, _ := id.Parse(given)
	now, err := collectedAt(ctx, s.db, c.id, at, keywordID)
	if db.IsNoRow(err) {
		return Heatmap{}, errs.With(errs.Invalid, errs.ReportUnknown, "The campaign has no report of %s in which this keyword was collected.", Instant{at})
	}
	if err != nil {
		return Heatmap{}, err
	}
	before, err := collectedBefore(ctx, s.db, c.id, at, keywordID)
	first := db.IsNoRow(err)
	if err != nil && !first {
		return Heatmap{}, err
	}
	ordinals, err := s.ordinalsOf(ctx, c, who, now.reportID, before.reportID)
	if err != nil {
		return Heatmap{}, err
	}
	points, ranks, err := now.ranks(ordinals[now.reportID])
	if err != nil {
		return Heatmap{}, err
	}
	previous := make([]uint8, len(ranks))
	if !first {
		if previous, err = before.ranksAt(now.pointsID, points, ordinals[before.reportID]); err != nil {
			return Heatmap{}, err
		}
	}
	h := Heatmap{Keyword: Keyword{keywordID, now.name}.shown(), Date: Instant{at}, Positions: []HeatmapPosition{}}
	for i, rank := range ranks {
		if rank == 0 {
			continue // not observed
		}
		h.Positions = append(h.Positions, HeatmapPosition{
			Point: HeatmapPoint{points[i].ID, points[i].Coordinates}, Position: int(rank), Diff: result.PositionDiff(previous[i], rank),
		})
	}
	return h, nil
}

// ranksAt are the ranks of a business at the points of another report: by place in the same set of points, else
// by coordinates.
func (k *collectedKeyword) ranksAt(pointsID string, points []grid.Point, ordinals []uint16) ([]uint8, error) {
	own, ranks, err := k.ranks(ordinals)
	if err != nil || pointsID == k.pointsID {
		return ranks, err
	}
	known := make(map[grid.Coordinates]uint8, len(own))
	for i, p := range own {
		known[p.Coordinates] = ranks[i]
	}
	there := make([]uint8, len(points))
	for i, p := range points {
		there[i] = known[p.Coordinates]
	}
	return there, nil
}

// ordinalsOf finds a business in the dictionaries of reports.
func (s *Service) ordinalsOf(ctx context.Context, c *campaign, who result.Identity, reportIDs ...string) (map[string][]uint16, error) {
	if !who.Is(c.business) {
		return ordinalsIn(ctx, s.db, reportIDs, who.Keys())
	}
	ordinals := map[string][]uint16{}
	for _, reportID := range reportIDs {
		ordinals[reportID] = []uint16{result.OwnOrdinal}
	}
	return ordinals, nil
}
