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
	result             result.Stored
}

// collectedIn reads the results of a keyword in a report, or fails with db.ErrNoRow when it was not
// collected there.
func collectedIn(ctx context.Context, q db.Queryer, r report, keywordID string) (collectedKeyword, error) {
	k := collectedKeyword{reportID: r.id, pointsID: r.pointsID}
	blob, err := db.One(ctx, q, func(row db.Scanner) (blob []byte, err error) {
		err = row.Scan(&k.name, &blob)
		return blob, err
	}, "SELECT name, result FROM report_keywords WHERE report_id = $1 AND keyword_id = $2 AND status = 'COLLECTED'", r.id, keywordID)
	if err == nil {
		k.result, err = result.Open(blob)
	}
	return k, err
}

// collectedAt is collectedIn for the report of an instant.
func collectedAt(ctx context.Context, q db.Queryer, campaignID string, at time.Time, keywordID string) (collectedKeyword, error) {
	r, err := reportAt(ctx, q, campaignID, at)
	if err != nil {
		return collectedKeyword{}, err
	}
	return collectedIn(ctx, q, r, keywordID)
}

// collectedBefore is the last time before an instant that the keyword was collected: as a rule in the report
// just before, else wherever its history says.
func collectedBefore(ctx context.Context, q db.Queryer, campaignID string, at time.Time, keywordID string) (collectedKeyword, error) {
	const before = " FROM reports r WHERE r.campaign_id = $1 AND r.at < $2 AND r.status = 'COLLECTED'"
	r, err := db.One(ctx, q, scanReport, "SELECT "+reportColumns+before+" ORDER BY at DESC LIMIT 1", campaignID, db.Micros(at))
	if err != nil {
		return collectedKeyword{}, err
	}
	k, err := collectedIn(ctx, q, r, keywordID)
	if !db.IsNoRow(err) {
		return k, err
	}
	r, err = db.One(ctx, q, scanReport, "SELECT "+reportColumns+before+` AND EXISTS (SELECT 1 FROM report_keywords k
		WHERE k.report_id = r.id AND k.keyword_id = $3 AND k.status = 'COLLECTED') ORDER BY at DESC LIMIT 1`, campaignID, db.Micros(at), keywordID)
	if err != nil {
		return collectedKeyword{}, err
	}
	return collectedIn(ctx, q, r, keywordID)
}

// heatmap answers B4.
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
	hasBefore := err == nil
	if err != nil && !db.IsNoRow(err) {
		return Heatmap{}, err
	}
	positions, err := s.positions(ctx, c, now, who)
	if err != nil {
		return Heatmap{}, err
	}
	points, err := s.searched(ctx, now.pointsID, len(positions))
	if err != nil {
		return Heatmap{}, err
	}
	previous := make([]uint8, len(positions))
	if hasBefore {
		if err := s.previous(ctx, c, previous, points, now, before, who); err != nil {
			return Heatmap{}, err
		}
	}
	h := Heatmap{Keyword: Keyword{keywordID, now.name}.shown(), Date: Instant{at}, Positions: []HeatmapPosition{}}
	for i, position := range positions {
		if position == 0 {
			continue // not observed
		}
		h.Positions = append(h.Positions, HeatmapPosition{
			Point: HeatmapPoint{points[i].ID, points[i].Coordinates}, Position: int(position), Diff: result.PositionDiff(previous[i], position),
		})
	}
	return h, nil
}

// positions are the ranks of a business at the points of a report.
func (s *Service) positions(ctx context.Context, c *campaign, k collectedKeyword, who result.Identity) ([]uint8, error) {
	ordinals, err := ordinalsOf(ctx, s.db, c, k.reportID, who)
	return k.result.Positions(nil, ordinals...), err
}

// searched are the points of a set that results speak of.
func (s *Service) searched(ctx context.Context, pointsID string, results int) ([]grid.Point, error) {
	set, err := getPointSet(ctx, s.db, pointsID)
	if err != nil {
		return nil, err
	}
	points := set.Enabled()
	if len(points) != results {
		return nil, fmt.Errorf("%w %s: %d points, %d results", grid.ErrCorrupt, pointsID, len(points), results)
	}
	return points, nil
}

// previous finds where the business was at each point in a former report: by place in the same set of
// points, else by coordinates.
func (s *Service) previous(ctx context.Context, c *campaign, into []uint8, points []grid.Point, now, before collectedKeyword, who result.Identity) error {
	old, err := s.positions(ctx, c, before, who)
	if err != nil {
		return err
	}
	if now.pointsID == before.pointsID {
		copy(into, old)
		return nil
	}
	oldPoints, err := s.searched(ctx, before.pointsID, len(old))
	if err != nil {
		return err
	}
	known := make(map[grid.Coordinates]uint8, len(oldPoints))
	for i, p := range oldPoints {
		known[p.Coordinates] = old[i]
	}
	for i, p := range points {
		into[i] = known[p.Coordinates]
	}
	return nil
}

// ordinalsOf finds a business in a report's dictionary.
func ordinalsOf(ctx context.Context, q db.Queryer, c *campaign, reportID string, who result.Identity) ([]uint16, error) {
	if who.Is(c.business) {
		return []uint16{result.OwnOrdinal}, nil
	}
	parts, err := dictionaryKeys(ctx, q, reportID)
	var found []uint16
	for _, p := range parts {
		found = p.Find(found, who.Keys())
	}
	return found, err
}
