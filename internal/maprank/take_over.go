package maprank

import (
	"context"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/provider"
)

// startAnew lets another provider take a keyword over. Ranks of two providers do not compare, so that all of its points are asked
// again: what the first has answered is dropped. The report is locked.
func (s *Service) startAnew(ctx context.Context, tx *db.Tx, r *report, sl *slice, to provider.Descriptor) error {
	if _, err := tx.Exec(ctx, "DELETE FROM report_batches WHERE report_id = $1 AND keyword_id = $2", r.id, sl.KeywordID); err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, "UPDATE report_keywords SET provider = $3 WHERE report_id = $1 AND keyword_id = $2", r.id, sl.KeywordID, to.Name); err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, "UPDATE report_slices SET stalls = 0 WHERE report_id = $1 AND keyword_id = $2", r.id, sl.KeywordID); err != nil {
		return err
	}
	// Slices that are left have their jobs; those that were done are made again.
	done, err := doneRanges(ctx, tx, r, sl.KeywordID)
	if err != nil {
		return err
	}
	var again []sliceOrder
	for _, d := range done {
		again = append(again, cutPoints(r.id, sl.KeywordID, d.first, d.beyond, sliceSize(to.Pace, r.points, r.keywords))...)
	}
	return s.enqueueSlices(ctx, tx, r, again)
}

// pointRange is some points of a report, by their numbers.
type pointRange struct{ first, beyond int }

// doneRanges are the points of a keyword that no slice is left for.
func doneRanges(ctx context.Context, tx *db.Tx, r *report, keywordID string) ([]pointRange, error) {
	left, err := db.All(ctx, tx, func(row db.Scanner) (pointRange, error) {
		var p pointRange
		err := row.Scan(&p.first, &p.beyond)
		return p, err
	},
		"SELECT first, beyond FROM report_slices WHERE report_id = $1 AND keyword_id = $2 ORDER BY first", r.id, keywordID)
	if err != nil {
		return nil, err
	}
	var done []pointRange
	next := 0
	for _, l := range append(left, pointRange{r.points, r.points}) {
		if l.first > next {
			done = append(done, pointRange{next, l.first})
		}
		next = l.beyond
	}
	return done, nil
}
