package job

import (
	"context"
	"errors"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/riverqueue/river/rivertype"

	"github.com/trigpoint/trigpoint/internal/db"
)

// meter measures the background work of this process.
type meter struct{ jobs, sweeps *prometheus.HistogramVec }

func newMeter() meter {
	buckets := []float64{.005, .025, .1, .5, 1, 2.5, 5, 10, 20, 45}
	return meter{
		jobs: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "trigpoint_job_seconds", Help: "Time that jobs took, by kind and outcome: done, later (there is more to do) or failed.", Buckets: buckets,
		}, []string{"kind", "outcome"}),
		sweeps: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "trigpoint_sweep_seconds", Help: "Time that rounds of sweeps took, by sweep and outcome: done or failed.", Buckets: buckets,
		}, []string{"sweep", "outcome"}),
	}
}

// What comes of a job or of a round of a sweep.
const (
	done   = "done"
	later  = "later" // there is more to do
	failed = "failed"
)

func outcomeOf(err error) string {
	var snooze *rivertype.JobSnoozeError
	switch {
	case errors.As(err, &snooze):
		return later
	case err != nil:
		return failed
	}
	return done
}

// job notes that a job of a kind has ended.
func (m meter) job(kind, outcome string, began time.Time) {
	m.jobs.WithLabelValues(kind, outcome).Observe(time.Since(began).Seconds())
}

// sweep notes that a round of a sweep has ended.
func (m meter) sweep(name, outcome string, began time.Time) {
	m.sweeps.WithLabelValues(name, outcome).Observe(time.Since(began).Seconds())
}

// Metrics are the work of this process, and how much waits in the store for any.
func (r *Runner) Metrics() []prometheus.Collector {
	waiting := prometheus.NewDesc("trigpoint_jobs", "Jobs in the queue, by queue and state.", []string{"queue", "state"}, nil)
	oldest := prometheus.NewDesc("trigpoint_job_oldest_seconds", "How long the oldest job that could run has waited for a worker, by queue.", []string{"queue"}, nil)
	behind := prometheus.NewDesc("trigpoint_sweep_behind_seconds", "How long the oldest work that a sweep has to do is overdue, by sweep; 0 when nothing is.", []string{"sweep"}, nil)
	return []prometheus.Collector{
		r.meter.jobs, r.meter.sweeps,
		db.Figure(waiting, r.countJobs), db.Figure(oldest, r.oldestJobs), db.Figure(behind, r.sweepsBehind),
	}
}

func (r *Runner) countJobs(ctx context.Context, tell db.Tell) error {
	type row struct {
		queue, state string
		jobs         float64
	}
	rows, err := db.All(ctx, r.db, func(s db.Scanner) (c row, err error) { return c, s.Scan(&c.queue, &c.state, &c.jobs) },
		"SELECT queue, state, count(*) FROM river_job WHERE finalized_at IS NULL GROUP BY queue, state")
	for _, c := range rows {
		tell(c.jobs, c.queue, c.state)
	}
	return err
}

func (r *Runner) oldestJobs(ctx context.Context, tell db.Tell) error {
	since := "unixepoch('subsec') - unixepoch(min(scheduled_at), 'subsec')"
	if r.db.Dialect == db.Postgres {
		since = "extract(epoch FROM now() - min(scheduled_at))"
	}
	type row struct {
		queue   string
		seconds float64
	}
	rows, err := db.All(ctx, r.db, func(s db.Scanner) (c row, err error) { return c, s.Scan(&c.queue, &c.seconds) },
		"SELECT queue, "+since+" FROM river_job WHERE state = 'available' GROUP BY queue")
	for _, c := range rows {
		tell(max(c.seconds, 0), c.queue)
	}
	return err
}

func (r *Runner) sweepsBehind(ctx context.Context, tell db.Tell) error {
	for _, s := range r.sweeps {
		if s.Due == "" {
			continue
		}
		earliest, err := db.One(ctx, r.db, db.Value[*int64], s.Due)
		if err != nil {
			return err
		}
		late := 0.0
		if earliest != nil {
			late = max(r.now().Sub(db.Time(*earliest)).Seconds(), 0)
		}
		tell(late, s.Name)
	}
	return nil
}
