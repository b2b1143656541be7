package maprank

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/id"
	"github.com/trigpoint/trigpoint/internal/job"
)

// sliceArgs is the durable order to collect a range of points of one keyword. What is left of it is in the
// slice's row: the job is only what makes a worker look.
type sliceArgs struct {
	ReportID  string `json:"report_id"`
	KeywordID string `json:"keyword_id"`
	First     int    `json:"first"`
}

// Kind implements job.Args.
func (sliceArgs) Kind() string { return "map_slice" }

const (
	maxAttempts  = 6 // crashes and faults of ours on one slice before its points are given up
	storeRetry   = 2 * time.Second
	storeTimeout = 10 * time.Second
	longestPause = time.Hour
)

// slice is a slice being worked.
type slice struct {
	sliceArgs
	beyond, stalls int
	keyword        string
	status         Status
	country        string
	points         []Point // all that the report asks
	arrived        [MaxPoints]bool
}

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
	if j.Attempt > maxAttempts {
		result.fault, result.hopeless = "The program failed repeatedly on these searches.", true
	} else if result, err = s.askSlice(ctx, sl); err != nil {
		return again(err)
	}
	if ctx.Err() != nil {
		result.fault = "" // we stopped, not the provider
	}
	// Even then, what has been paid for is kept.
	keep, cancel := context.WithTimeout(context.WithoutCancel(ctx), storeTimeout)
	defer cancel()
	left, err := s.settle(keep, sl, &result)
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
	pause := s.pace.Pause << min(max(sl.stalls-1, 0), 16)
	return min(max(pause, r.wait), longestPause)
}

func (s *Service) loadSlice(ctx context.Context, args sliceArgs) (*slice, error) {
	sl := &slice{sliceArgs: args}
	pointsID, err := db.One(ctx, s.db, func(row db.Scanner) (pointsID string, err error) {
		err = row.Scan(&sl.beyond, &sl.stalls, &sl.keyword, &sl.status, &pointsID, &sl.country)
		return pointsID, err
	}, `SELECT s.beyond, s.stalls, k.name, k.status, r.points_id, c.country FROM report_slices s
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
		for _, p := range b.points {
			if p.point < MaxPoints {
				sl.arrived[p.point] = true
			}
		}
	}
	return sl, err
}

// missing are the points still to be asked.
func (sl *slice) missing() []int {
	var missing []int
	for i := sl.First; i < min(sl.beyond, len(sl.points)); i++ {
		if !sl.arrived[i] {
			missing = append(missing, i)
		}
	}
	return missing
}

// errGone says that nobody waits for a slice any more.
var errGone = errors.New("the slice is no longer wanted")

// claimSlice locks the report of a slice and tells how it is, or errGone when it has ended or was removed.
func claimSlice(ctx context.Context, tx *db.Tx, a sliceArgs) (report, error) {
	r, err := lockReport(ctx, tx, a.ReportID)
	if db.IsNoRow(err) || err == nil && r.status != Collecting {
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

// store keeps points as they arrive.
func (s *Service) store(ctx context.Context, sl *slice, points []arrival) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), storeTimeout)
	defer cancel()
	err := s.db.Tx(ctx, func(tx *db.Tx) error {
		if _, err := claimSlice(ctx, tx, sl.sliceArgs); err != nil {
			return err
		}
		if err := sl.begin(ctx, tx); err != nil {
			return err
		}
		return insertBatch(ctx, tx, sl.sliceArgs, id.New(), points)
	})
	if err == nil {
		sl.status = Collecting
	}
	return err
}

// begin shows that the keyword is being collected.
func (sl *slice) begin(ctx context.Context, tx *db.Tx) error {
	if sl.status != Created {
		return nil
	}
	_, err := tx.Exec(ctx, "UPDATE report_keywords SET status = 'COLLECTING' WHERE report_id = $1 AND keyword_id = $2 AND status = 'CREATED'", sl.ReportID, sl.KeywordID)
	return err
}

// settle ends a round. It tells whether anything is left to ask; the last slice of a keyword packs the
// keyword, the last of all closes the report.
func (s *Service) settle(ctx context.Context, sl *slice, r *round) (left bool, err error) {
	stalls, missing := sl.stalls+1, sl.missing()
	if r.progress || r.fault == "" {
		stalls = 0
	}
	last := slices.Clone(r.pending)
	if r.fault != "" && (r.hopeless || stalls >= s.pace.Stalls) {
		for _, point := range missing {
			last = append(last, arrival{point: point, failed: true})
		}
		missing, r.final = nil, r.fault
	}
	err = s.db.Tx(ctx, func(tx *db.Tx) error {
		rep, err := claimSlice(ctx, tx, sl.sliceArgs)
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
		return sl.stall(ctx, tx, stalls)
	})
	if errors.Is(err, errGone) {
		return false, nil
	}
	sl.stalls = stalls
	return len(missing) > 0 && !r.fatal, err
}

func (sl *slice) stall(ctx context.Context, tx *db.Tx, stalls int) error {
	if err := sl.begin(ctx, tx); err != nil || stalls == sl.stalls {
		return err
	}
	_, err := tx.Exec(ctx, "UPDATE report_slices SET stalls = $4 WHERE report_id = $1 AND keyword_id = $2 AND first = $3", sl.ReportID, sl.KeywordID, sl.First, stalls)
	return err
}
