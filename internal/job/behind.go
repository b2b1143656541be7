package job

import (
	"context"
	"slices"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"

	"github.com/trigpoint/trigpoint/internal/db"
)

// Behind is work that is overdue.
type Behind struct {
	What string // a queue's jobs, or a sweep
	By   time.Duration
}

// Behind lists queues whose jobs wait for a worker, and sweeps that have something to do, with how long for.
func (r *Runner) Behind(ctx context.Context) (all []Behind, err error) {
	note := func(what string) db.Tell {
		return func(seconds float64, labels ...string) {
			all = append(all, Behind{what + labels[0], time.Duration(seconds * float64(time.Second))})
		}
	}
	if err := r.oldestJobs(ctx, note("jobs of the queue ")); err != nil {
		return nil, err
	}
	return all, r.sweepsBehind(ctx, note(""))
}

// GivenUp is jobs of a kind that failed to the end.
type GivenUp struct {
	Kind string
	Jobs int
	Why  string // of the last
}

// GivenUp lists the kinds of jobs that were given up and are still remembered, of the newest thousand.
func (r *Runner) GivenUp(ctx context.Context) (all []GivenUp, err error) {
	list, err := r.insert.JobList(ctx, river.NewJobListParams().States(rivertype.JobStateDiscarded).OrderBy(river.JobListOrderByID, river.SortOrderDesc).First(1000))
	if err != nil {
		return nil, err
	}
	for _, j := range list.Jobs {
		at := slices.IndexFunc(all, func(g GivenUp) bool { return g.Kind == j.Kind })
		if at < 0 {
			at = len(all)
			all = append(all, GivenUp{Kind: j.Kind})
			if n := len(j.Errors); n > 0 {
				all[at].Why = j.Errors[n-1].Error
			}
		}
		all[at].Jobs++
	}
	return all, nil
}
