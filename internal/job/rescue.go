package job

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver"
	"github.com/riverqueue/river/rivertype"

	"github.com/trigpoint/trigpoint/internal/db"
)

// How far the clocks of two machines may be apart, and how long a job may be told to wait; the queue's
// own pause after many failures is below five days. What is dated beyond that was dated by a wrong clock.
const (
	skew    = time.Minute
	longest = 7 * 24 * time.Hour
)

// rescueLock is any fixed number; it is the key of PostgreSQL's advisory lock.
const rescueLock = 0x7472696771

// rescueBatch is how many jobs one look deals with.
const rescueBatch = 1000

// rescue gives the work of dead processes to living ones, and takes back the dates of a clock that was
// ahead: it would otherwise keep jobs, and the queue's leader, until that time comes. With all, whatever
// is running has lost its worker. One process at a time looks.
func (r *Runner) rescue(ctx context.Context, all bool) (more bool, err error) {
	err = r.db.Tx(ctx, func(tx *db.Tx) error {
		ctx := tx.Context(ctx)
		queue := r.driver.UnwrapExecutor(tx.SQL)
		if tx.Dialect == db.Postgres {
			if _, err := queue.PGAdvisoryXactLock(ctx, rescueLock); err != nil {
				return err
			}
		}
		now := r.now()
		lost, err := r.lostJobs(ctx, tx, now, all)
		if err != nil {
			return err
		}
		if len(lost) > 0 {
			if err := requeue(ctx, queue, lost, now); err != nil {
				return err
			}
		}
		postponed, err := r.postponedJobs(ctx, tx, now)
		if err != nil {
			return err
		}
		for _, j := range postponed {
			if _, err := r.insert.JobRetryTx(ctx, tx.SQL, j.ID); err != nil {
				return err
			}
		}
		more = len(lost) == rescueBatch || len(postponed) == rescueBatch
		return unseat(ctx, queue, now)
	})
	if err != nil {
		return false, fmt.Errorf("rescue jobs: %w", err)
	}
	return more, nil
}

// lostJobs are those that run longer than any may, or have begun in the future.
func (r *Runner) lostJobs(ctx context.Context, tx *db.Tx, now time.Time, all bool) ([]*rivertype.JobRow, error) {
	running, err := r.insert.JobListTx(ctx, tx.SQL, river.NewJobListParams().States(rivertype.JobStateRunning).
		OrderBy(river.JobListOrderByTime, river.SortOrderAsc).First(rescueBatch)) // the longest first
	if err != nil {
		return nil, err
	}
	var lost []*rivertype.JobRow
	for _, j := range running.Jobs {
		if all || j.AttemptedAt == nil || j.AttemptedAt.Before(now.Add(-r.lost)) || j.AttemptedAt.After(now.Add(skew)) {
			lost = append(lost, j)
		}
	}
	return lost, nil
}

func requeue(ctx context.Context, queue riverdriver.Executor, lost []*rivertype.JobRow, now time.Time) error {
	var p riverdriver.JobRescueManyParams
	for _, j := range lost {
		reason, err := json.Marshal(rivertype.AttemptError{At: now, Attempt: j.Attempt, Error: "its process ended before it did"})
		if err != nil {
			return err
		}
		p.ID = append(p.ID, j.ID)
		p.Error = append(p.Error, reason)
		p.FinalizedAt = append(p.FinalizedAt, nil)
		p.ScheduledAt = append(p.ScheduledAt, now)
		p.State = append(p.State, string(rivertype.JobStateAvailable))
	}
	_, err := queue.JobRescueMany(ctx, &p)
	return err
}

// postponedJobs wait for a time that only a wrong clock can have meant.
func (r *Runner) postponedJobs(ctx context.Context, tx *db.Tx, now time.Time) ([]*rivertype.JobRow, error) {
	waiting, err := r.insert.JobListTx(ctx, tx.SQL, river.NewJobListParams().
		States(rivertype.JobStateAvailable, rivertype.JobStateRetryable, rivertype.JobStateScheduled).
		OrderBy(river.JobListOrderByScheduledAt, river.SortOrderDesc).First(rescueBatch))
	if err != nil {
		return nil, err
	}
	var postponed []*rivertype.JobRow
	for _, j := range waiting.Jobs {
		if !j.ScheduledAt.After(now) {
			break
		}
		begun := j.AttemptedAt != nil && j.AttemptedAt.After(now.Add(skew))
		if begun || j.CreatedAt.After(now.Add(skew)) || j.ScheduledAt.After(now.Add(longest)) {
			postponed = append(postponed, j)
		}
	}
	return postponed, nil
}

// unseat ends the term of a leader that was elected in the future: if it has died, nobody would lead the
// queue until then. One that lives is elected again at once.
func unseat(ctx context.Context, queue riverdriver.Executor, now time.Time) error {
	leader, err := queue.LeaderGetElectedLeader(ctx, &riverdriver.LeaderGetElectedLeaderParams{})
	if errors.Is(err, rivertype.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	if !leader.ExpiresAt.After(now.Add(skew)) {
		return nil
	}
	after := leader.ExpiresAt.Add(time.Second)
	_, err = queue.LeaderDeleteExpired(ctx, &riverdriver.LeaderDeleteExpiredParams{Now: &after})
	return err
}
