package maprank

import (
	"cmp"
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
	"github.com/trigpoint/trigpoint/internal/source"
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
	switch from, known := s.sources.Named(sl.from); {
	case j.Attempt-sl.attempt > maxAttempts:
		result.fault, result.hopeless = "The program failed repeatedly on these searches.", true
	case !known: // the settings have changed since the report began
		result.resting = true
	default:
		if result, err = s.askSlice(ctx, sl, from, j.Attempt); err != nil {
			return again(err)
		}
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

// pauseAfter is how long a slice waits for its next round: not at all when it only made room for others, or when another
// provider takes over.
func (s *Service) pauseAfter(sl *slice, r *round) time.Duration {
	if r.fault == "" {
		return r.later
	}
	return min(max(job.Backoff(sl.stalls, s.pace.Pause, longestPause), r.wait), longestPause)
}

func (s *Service) loadSlice(ctx context.Context, args sliceArgs) (*slice, error) {
	sl := &slice{sliceArgs: args}
	pointsID, err := db.One(ctx, s.db, func(row db.Scanner) (pointsID string, err error) {
		err = row.Scan(&sl.beyond, &sl.stalls, &sl.attempt, &sl.account, &sl.month, &sl.keyword, &sl.status, &pointsID, &sl.country, &sl.from, &sl.purpose.Subject)
		return pointsID, err
	}, `SELECT s.beyond, s.stalls, s.attempt, r.account_id, r.month, k.name, k.status, r.points_id, c.country, k.provider, c.id FROM report_slices s
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
	sl.points, sl.purpose.AccountID = set.Enabled(), sl.account
	if sl.from == "" { // the report began before it was kept who is asked
		sl.from = s.sources[0].Describe().Name
	}
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

// claimSlice locks the report of a slice and tells how it is, or errGone when it has ended or was removed, or errMoved when
// another provider has taken over.
func claimSlice(ctx context.Context, tx *db.Tx, sl *slice, ending bool) (report, error) {
	r, err := lockReport(ctx, tx, sl.ReportID, ending)
	switch {
	case db.IsNoRow(err), err == nil && r.status != Collecting && r.reason == campaignDeleted:
		return r, errDeleted
	case err == nil && r.status != Collecting:
		return r, errGone
	}
	if err != nil {
		return r, err
	}
	from, err := db.One(ctx, tx, db.Value[string], `SELECT k.provider FROM report_slices s JOIN report_keywords k ON k.report_id = s.report_id AND k.keyword_id = s.keyword_id
		WHERE s.report_id = $1 AND s.keyword_id = $2 AND s.first = $3`, sl.ReportID, sl.KeywordID, sl.First)
	switch {
	case db.IsNoRow(err):
		err = errGone
	case err == nil && from != "" && from != sl.from:
		err = errMoved
	}
	return r, err
}

// store keeps points as they arrive. The attempt has then brought results, however it ends.
func (s *Service) store(ctx context.Context, sl *slice, attempt int, points []result.Arrival, owed source.Charge) error {
	if len(points) == 0 && owed.Requests == 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), storeTimeout)
	defer cancel()
	err := s.db.Tx(ctx, func(tx *db.Tx) error {
		rep, err := claimSlice(ctx, tx, sl, false)
		if err != nil {
			return err
		}
		if err := s.ledger.Record(ctx, tx, owed); err != nil || len(points) == 0 {
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
	if err == nil && len(points) > 0 {
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
	switch {
	case r.progress || r.fault == "" && r.later == 0:
		stalls = 0
	case r.fault == "": // answers are promised
		stalls = sl.stalls
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
	next, another := s.sources.After(sl.from)
	another = another && (r.fatal || r.resting) && len(missing) > 0
	if r.resting && !another && r.fault == "" && len(missing) > 0 { // who was asked is not known here any more, and nobody else is
		next, another = s.sources.First(), true
	}
	err = s.db.Tx(ctx, func(tx *db.Tx) error {
		rep, err := claimSlice(ctx, tx, sl, r.fatal || len(missing) == 0)
		if err != nil {
			return err
		}
		if err := s.ledger.Record(ctx, tx, r.owed); err != nil {
			return err
		}
		if err := s.ledger.Release(ctx, tx, r.reserved); err != nil {
			return err
		}
		if from, known := s.sources.Named(sl.from); known && r.failing != "" {
			if err := s.ledger.TellFailing(ctx, tx, sl.account, from.Describe().Title, r.failing); err != nil {
				return err
			}
		}
		if another {
			return s.startAnew(ctx, tx, &rep, sl, next.Describe())
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
	switch {
	case errors.Is(err, errMoved):
		r.fault, r.later = "", 0
		return true, s.settleLate(ctx, sl, r, err)
	case errors.Is(err, errGone):
		return false, s.settleLate(ctx, sl, r, err)
	case another:
		if err == nil {
			s.log.Warn("another provider takes over a keyword", "report", sl.ReportID, "keyword", sl.KeywordID, "from", sl.from, "to", next.Describe().Name, "reason", cmp.Or(r.final, r.fault))
		}
		r.fault, r.later = "", 0
		return true, err
	}
	sl.stalls = stalls
	return len(missing) > 0 && !r.fatal, err
}

// settleLate records the cost of searches whose results are not wanted any more. It also takes back what a deletion gave back
// for them: the provider has been asked, and whoever collects and deletes in a loop would otherwise have them for nothing.
func (s *Service) settleLate(ctx context.Context, sl *slice, r *round, why error) error {
	return s.db.Tx(ctx, func(tx *db.Tx) error {
		if searches := answered(r.pending); searches > 0 && errors.Is(why, errDeleted) {
			if _, err := s.accounts.Give(ctx, tx, sl.account, account.Credits, sl.month, -int64(searches)); err != nil {
				return err
			}
		}
		if err := s.ledger.Record(ctx, tx, r.owed); err != nil {
			return err
		}
		return s.ledger.Release(ctx, tx, r.reserved)
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
