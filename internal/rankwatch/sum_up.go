package rankwatch

import (
	"context"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/rankwatch/series"
)

// sumUpDue sums up the tracking that has waited longest for it.
func (s *Service) sumUpDue(ctx context.Context) (more bool, err error) {
	now := s.clock.Now()
	// The earliest stands at the end of an index; for EXISTS PostgreSQL would rather scan.
	waiting, err := db.One(ctx, s.db, db.Value[bool], "SELECT min(due_at) IS NOT NULL FROM tracking_summaries WHERE due_at <= $1", db.Micros(now))
	if err != nil || !waiting {
		return false, err
	}
	until := now.Add(sumLease)
	var trackingID string
	err = s.db.Tx(ctx, func(tx *db.Tx) (err error) {
		trackingID, err = claimSummary(ctx, tx, now, until)
		return err
	})
	if db.IsNoRow(err) { // another process has it
		return false, nil
	}
	if err != nil {
		return false, err
	}
	today := s.today()
	keywords, err := packedKeywords(ctx, s.db, trackingID)
	if err != nil {
		return false, err
	}
	years, err := yearsOf(ctx, s.db, trackingID, series.Range{From: today - trendDays + 1, To: today})
	if err != nil {
		return false, err
	}
	summed, err := sumUp(trackingID, today, keywords, years)
	if err != nil {
		return false, err
	}
	return true, s.db.Tx(ctx, func(tx *db.Tx) error {
		if kept, err := saveSummary(ctx, tx, summed, until, nextSum(today)); err != nil || !kept {
			return err
		}
		return s.tellChecked(ctx, tx, summed, today)
	})
}
