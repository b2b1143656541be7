package maprank

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/trigpoint/trigpoint/internal/account"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/id"
	"github.com/trigpoint/trigpoint/internal/job"
	"github.com/trigpoint/trigpoint/internal/maprank/grid"
	"github.com/trigpoint/trigpoint/internal/maprank/result"
)

// workSlice runs one round of a slice: it asks the points that have not arrived yet, stores what comes, and
// comes back for the rest.
func (s *Service) workSlice(ctx context.Context, j *job.Job[sliceArgs]) error {
	sl, err := s.loadSlice(ctx, j.Args)
	if db.IsNoRow(err) {
		return nil // done, given up, or its campaign is gone
	}
	if err != nil {
		return again(err)
	}
	var result round
	if j.Attempt-sl.attempt > maxAttempts {
		result.fault, result.hopeless = "The program failed repeatedly on these searches.", true
	} else if result, err = s.askSlice(ctx, sl, j.Attempt); err != nil {
		return again(err)
	}
	if ctx.Err() != nil {
		result.fault = "" // we stopped, not the provider
	}
	// Even then, what has been paid for is kept.
	keep, cancel := context.WithTimeout(context.WithoutCancel(ctx), storeTimeout)
	defer cancel()
	left, err := s.settle(keep, sl, &result, j.Attempt)
	switch {
	case err != nil:
		return again(err)
	case !left:
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	}
	return job.Snooze(s.pauseAfter(sl, &result))
}

// again makes a fault of the store a short pause; others count as failed attempts.
func again(err error) error {
	if db.IsUnavailable(err) {
		return job.Snooze(storeRetry)
	}
	return err
}

// pauseAfter is how long a slice waits for its next round: not at all when it only made room for others.
func (s *Service) pauseAfter(sl *slice, r *round) time.Duration {
	if r.fault == "" {
		return 0
	}
	return min(max(job.Backoff(sl.stalls, s.pace.Pause, longestPause), r.wait), longestPause)
}

func (s *Service) loadSlice(ctx context.Context, args sliceArgs) (*slice, error) {
	sl := &slice{sliceArgs: args}
	pointsID, err := db.One(ctx, s.db, func(row db.Scanner) (pointsID string, err error) {
		err = row.Scan(&sl.beyond, &sl.stalls, &sl.attempt, &sl.account, &sl.month, &sl.keyword, &sl.status, &pointsID, &sl.country)
		return pointsID, err
	}, `SELECT s.beyond, s.stalls, s.attempt, r.account_id, r.month, k.name, k.status, r.points_id, c.country FROM report_slices s
		JOIN reports r ON r.id = s.report_id AND r.status = 'COLLECTING'
		JOIN campaigns c ON c.id = r.campaign_id
		JOIN report_keywords k ON k.report_id = s.report_id AND k.keyword_id = s.keyword_id
		WHERE s.report_id = $1 AND s.keyword_id = $2 AND s.first = $3`, args.ReportID, args.KeywordID, args.First)
	if err != nil {
		return nil, err
	}
	set, err := getPointSet(ctx, s.db, pointsID)
	if err != nil {
		return nil, err
	}
	sl.points = set.Enabled()
	batches, err := batchesOf(ctx, s.db, args.ReportID, args.KeywordID)
	for _, b := range batches {
		for _, p := range b.Points {
			if p.Point < grid.MaxPoints {
				sl.arrived[p.Point] = true
			}
		}
	}
	return sl, err
}

// claimSlice locks the report of a slice and tells how it is, or errGone when it has ended or was removed.
func claimSlice(ctx context.Context, tx *db.Tx, a sliceArgs, ending bool) (report, error) {
	r, err := lockReport(ctx, tx, a.ReportID, ending)
	switch {
	case db.IsNoRow(err), err == nil && r.status != Collecting && r.reason == campaignDeleted:
		return r, errDeleted
	case err == nil && r.status != Collecting:
		return r, errGone
	}
	if err != nil {
		return r, err
	}
	_, err = db.One(ctx, tx, db.Value[int], "SELECT stalls FROM report_slices WHERE report_id = $1 AND keyword_id = $2 AND first = $3", a.ReportID, a.KeywordID, a.First)
	if db.IsNoRow(err) {
		err = errGone
	}
	return r, err
}

// store keeps points as they arrive. The attempt has then brought results, however it ends.
func (s *Service) store(ctx context.Context, sl *slice, attempt int, points []result.Arrival) error {
	if len(points) == 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), storeTimeout)
	defer cancel()
	err := s.db.Tx(ctx, func(tx *db.Tx) error {
		rep, err := claimSlice(ctx, tx, sl.sliceArgs, false)
		if err != nil {
			return err
		}
		if err := rep.noteAnswer(ctx, tx); err != nil {
			return err
		}
		if err := sl.mark(ctx, tx, 0, attempt); err != nil {
			return err
		}
		return insertBatch(ctx, tx, sl.sliceArgs, id.New(), points)
	})
	if err == nil {
		sl.status, sl.stalls, sl.attempt = Collecting, 0, attempt
	}
	return err
}

// mark shows that the keyword is being collected, and notes how long the slice has been tried in vain.
func (sl *slice) mark(ctx context.Context, tx *db.Tx, stalls, attempt int) error {
	if sl.status == Created {
		if _, err := tx.Exec(ctx, "UPDATE report_keywords SET status = 'COLLECTING' WHERE report_id = $1 AND keyword_id = $2 AND status = 'CREATED'", sl.ReportID, sl.KeywordID); err != nil {
			return err
		}
	}
	if stalls == sl.stalls && attempt == sl.attempt {
		return nil
	}
	_, err := tx.Exec(ctx, "UPDATE report_slices SET stalls = $4, attempt = $5 WHERE report_id = $1 AND keyword_id = $2 AND first = $3",
		sl.ReportID, sl.KeywordID, sl.First, stalls, attempt)
	return err
}

// settle ends a round. It tells whether anything is left to ask; the last slice of a keyword packs the
// keyword, the last of all closes the report.
func (s *Service) settle(ctx context.Context, sl *slice, r *round, attempt int) (left bool, err error) {
	stalls, missing := sl.stalls+1, sl.missing()
	if r.progress || r.fault == "" {
		stalls = 0
	}
	if !r.progress {
		attempt = sl.attempt
	}
	last := slices.Clone(r.pending)
	if r.fault != "" && (r.hopeless || stalls >= s.pace.Stalls) {
		for _, point := range missing {
			last = append(last, result.Arrival{Point: point, Failed: true})
		}
		missing, r.final = nil, r.fault
	}
	err = s.db.Tx(ctx, func(tx *db.Tx) error {
		rep, err := claimSlice(ctx, tx, sl.sliceArgs, r.fatal || len(missing) == 0)
		if err != nil {
			return err
		}
		if r.final != "" && rep.reason == "" {
			rep.reason = r.final
			if _, err := tx.Exec(ctx, "UPDATE reports SET reason = $2 WHERE id = $1", rep.id, rep.reason); err != nil {
				return err
			}
		}
		if !r.fatal && len(missing) == 0 {
			return s.finishSlice(ctx, tx, &rep, sl, last)
		}
		if err := insertBatch(ctx, tx, sl.sliceArgs, id.New(), last); err != nil {
			return err
		}
		if r.fatal {
			return s.abandon(ctx, tx, &rep)
		}
		if err := rep.noteRound(ctx, tx, r, s.clock.Now()); err != nil {
			return err
		}
		return sl.mark(ctx, tx, stalls, attempt)
	})
	if errors.Is(err, errGone) {
		return false, s.chargeLate(ctx, sl, err, answered(r.pending))
	}
	sl.stalls = stalls
	return len(missing) > 0 && !r.fatal, err
}

// chargeLate takes back what a deletion gave back for searches that were under way then: the provider has
// been asked, and whoever collects and deletes in a loop would otherwise have them for nothing.
func (s *Service) chargeLate(ctx context.Context, sl *slice, gone error, searches int) error {
	if !errors.Is(gone, errDeleted) || searches == 0 {
		return nil
	}
	return s.db.Tx(ctx, func(tx *db.Tx) error {
		_, err := s.accounts.Give(ctx, tx, sl.account, account.Credits, sl.month, -int64(searches))
		return err
	})
}

// answered counts the points that a search was answered for.
func answered(points []result.Arrival) int {
	n := 0
	for _, p := range points {
		if !p.Failed {
			n++
		}
	}
	return n
}
