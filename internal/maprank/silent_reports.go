package maprank

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/trigpoint/trigpoint/internal/db"
)

const (
	// patience is how long a report waits for a provider that brings nothing.
	patience = time.Hour
	// clockSlack is how far the clocks of two processes may differ. What bears a later time was written by a
	// clock that was wrong.
	clockSlack = time.Minute
)

// noteAnswer notes that the provider answers. The report is locked.
func (r *report) noteAnswer(ctx context.Context, tx *db.Tx) error { return r.setQuiet(ctx, tx, nil) }

// noteRound notes whether the provider has answered in a round. The report is locked.
func (r *report) noteRound(ctx context.Context, tx *db.Tx, what *round, now time.Time) error {
	switch {
	case what.fault == "" && !what.progress: // nothing was asked
		return nil
	case what.fault == "":
		return r.noteAnswer(ctx, tx)
	case what.progress || r.quietSince == nil || r.quietSince.After(now):
		return r.setQuiet(ctx, tx, &now)
	}
	return nil
}

func (r *report) setQuiet(ctx context.Context, tx *db.Tx, since *time.Time) error {
	if r.quietSince == nil && since == nil {
		return nil
	}
	_, err := tx.Exec(ctx, "UPDATE reports SET quiet_since = $2 WHERE id = $1", r.id, db.MicrosOrNil(since))
	return err
}

// endSilent ends reports whose provider has brought nothing for as long as they wait: what has arrived is kept,
// the rest has failed and is given back. Then it mends what a wrong clock has left.
func (s *Service) endSilent(ctx context.Context) (more bool, err error) {
	now := s.clock.Now()
	silent, err := db.All(ctx, s.db, db.Value[string], `SELECT id FROM reports
		WHERE status = 'COLLECTING' AND (quiet_since <= $1 OR quiet_since > $2)`, db.Micros(now.Add(-patience)), db.Micros(now.Add(clockSlack)))
	if err != nil {
		return false, err
	}
	var faults []error
	for _, reportID := range silent {
		if err := s.db.Tx(ctx, func(tx *db.Tx) error { return s.giveUp(ctx, tx, reportID) }); err != nil {
			faults = append(faults, fmt.Errorf("report %s: %w", reportID, err))
		}
	}
	more, err = s.mendSchedules(ctx)
	return more, errors.Join(append(faults, err)...)
}

func (s *Service) giveUp(ctx context.Context, tx *db.Tx, reportID string) error {
	r, err := lockReport(ctx, tx, reportID, true)
	if db.IsNoRow(err) || err == nil && (r.status != Collecting || r.quietSince == nil) {
		return nil // ended or answered meanwhile
	}
	if err != nil {
		return err
	}
	now := s.clock.Now()
	if now.Sub(*r.quietSince) < patience {
		return r.setQuiet(ctx, tx, &now) // a wrong clock had set it
	}
	if r.reason == "" {
		r.reason = s.sources.Titles() + " brought nothing for an hour."
	}
	return s.abandon(ctx, tx, &r)
}
