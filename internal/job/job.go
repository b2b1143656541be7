// Package job runs background work: durable jobs on the River queue, enqueued in the transaction that
// causes them, and sweeps, loops over rows whose own state says what is to be done. It knows no kind of
// work itself.
package job

import (
	"context"
	"database/sql"
	"fmt"
	"log/slog"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver"
	"github.com/riverqueue/river/rivertype"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/trace"
)

// Args is what a job is to do. Its Kind is stored and must stay stable.
type Args = river.JobArgs

// Job is a job being worked.
type Job[T Args] = river.Job[T]

// Insert says how a job is enqueued: queue, time, uniqueness, attempts.
type Insert = river.InsertOpts

// Order is one job of EnqueueMany.
type Order = river.InsertManyParams

// Single is for jobs of which no two with the same arguments wait or are under way: a second one is not added.
func Single(attempts int) *Insert {
	states := []rivertype.JobState{
		rivertype.JobStateAvailable, rivertype.JobStatePending, rivertype.JobStateRetryable, rivertype.JobStateRunning, rivertype.JobStateScheduled,
	}
	return &Insert{MaxAttempts: attempts, UniqueOpts: river.UniqueOpts{ByArgs: true, ByState: states}}
}

// Snooze works the job again after d, without counting an attempt.
func Snooze(d time.Duration) error { return river.JobSnooze(d) }

// Backoff is the pause after the n-th failure in a row: first, then doubling, at most longest.
func Backoff(n int, first, longest time.Duration) time.Duration {
	return min(first<<min(max(n-1, 0), 16), longest)
}

// defaultLost is how long after its start a job that has not ended is taken over. Jobs are short, so that
// this is soon; they are cancelled a while before.
const defaultLost = time.Minute

// Runner enqueues jobs and, once started, works them.
type Runner struct {
	db      *db.DB
	driver  riverdriver.Driver[*sql.Tx]
	log     *slog.Logger
	now     func() time.Time
	workers *river.Workers
	queues  map[string]river.QueueConfig
	insert  *river.Client[*sql.Tx]
	poll    time.Duration
	lost    time.Duration
	sweeps  []*Sweep
	rescuer *Sweep
	meter   meter
	tracer  *trace.Tracer

	stop   context.CancelFunc
	done   sync.WaitGroup
	mu     sync.Mutex // guards what follows: on SQLite the start may come late
	client *river.Client[*sql.Tx]
	unlock func()
}

// Options tune a runner.
type Options struct {
	Log  *slog.Logger
	Poll time.Duration // how often the queue is looked at; 200 ms when 0
	Lost time.Duration // how long a job may run before it counts as its dead worker's and is taken over; a minute when 0

	Tracer *trace.Tracer // of jobs and sweeps; nil is off
}

// New returns a runner on the store's queue. Handlers and sweeps are added before Start.
func New(d *db.DB, o Options) (*Runner, error) {
	if o.Poll == 0 {
		o.Poll = 200 * time.Millisecond
	}
	if o.Lost == 0 {
		o.Lost = defaultLost
	}
	insert, err := river.NewClient(driver(d), &river.Config{Logger: o.Log})
	if err != nil {
		return nil, err
	}
	r := &Runner{
		db: d, driver: driver(d), log: o.Log, now: time.Now, poll: o.Poll, lost: o.Lost, insert: insert, workers: river.NewWorkers(), meter: newMeter(), tracer: o.Tracer,
		queues: map[string]river.QueueConfig{river.QueueDefault: {MaxWorkers: 16}},
	}
	r.rescuer = r.Sweep(&Sweep{Name: "rescue jobs", Every: o.Lost / 4, Run: func(ctx context.Context) (bool, error) { return r.rescue(ctx, false) }})
	return r, nil
}

// Queue adds a queue of its own with a bound on how many of its jobs run at once in this process.
func (r *Runner) Queue(name string, workers int) {
	r.queues[name] = river.QueueConfig{MaxWorkers: workers}
}

// Only leaves out all queues and sweeps but these, in a process that has come for one thing. It is called before
// Start.
func (r *Runner) Only(queue string, sweeps ...*Sweep) {
	r.queues, r.sweeps = map[string]river.QueueConfig{queue: r.queues[queue]}, append(sweeps, r.rescuer)
}

// Handle registers the worker of a kind of job. Working a job twice must do no harm: a job is worked
// again when its worker died.
func Handle[T Args](r *Runner, work func(ctx context.Context, j *Job[T]) error) {
	var args T
	river.AddWorker(r.workers, river.WorkFunc(func(ctx context.Context, j *Job[T]) error {
		began := time.Now()
		ctx, span := r.beginJob(ctx, j.JobRow)
		defer span.End()
		err := work(ctx, j)
		outcome := outcomeOf(err)
		endWork(span, outcome)
		r.meter.job(args.Kind(), outcome, began)
		return err
	}))
}

// Enqueue adds a job in the caller's transaction.
func (r *Runner) Enqueue(ctx context.Context, tx *db.Tx, args Args, opts *Insert) error {
	_, err := r.insert.InsertTx(tx.Context(ctx), tx.SQL, args, withCause(ctx, opts))
	return err
}

// EnqueueMany adds jobs of one kind in the caller's transaction.
func (r *Runner) EnqueueMany(ctx context.Context, tx *db.Tx, all []Order) error {
	if len(all) == 0 {
		return nil
	}
	if trace.On(ctx) {
		all = slices.Clone(all)
		for i := range all {
			all[i].InsertOpts = withCause(ctx, all[i].InsertOpts)
		}
	}
	_, err := r.insert.InsertManyTx(tx.Context(ctx), tx.SQL, all)
	return err
}

// Start works jobs and sweeps until Stop. A SQLite store is worked by one process at a time; a second
// one waits for the first to end.
func (r *Runner) Start(ctx context.Context) error {
	ctx, r.stop = context.WithCancel(context.WithoutCancel(ctx))
	if r.db.Dialect == db.Postgres {
		return r.begin(ctx)
	}
	lock := filepath.Join(r.db.Dir(), db.WorkerLock)
	if unlock, err := db.LockFile(lock, false); err == nil {
		return r.takeOver(ctx, unlock)
	}
	r.log.Info("another process works this store; waiting for it to end")
	r.done.Go(func() { r.awaitLock(ctx, lock) })
	return nil
}

func (r *Runner) awaitLock(ctx context.Context, lock string) {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		unlock, err := db.LockFile(lock, false)
		if err != nil {
			continue
		}
		if err := r.takeOver(ctx, unlock); err != nil {
			r.log.Error("start working; it is tried again", "error", err)
			continue
		}
		return
	}
}

// takeOver starts on SQLite, where no one else can be working: what a dead process left half done is
// free at once.
func (r *Runner) takeOver(ctx context.Context, unlock func()) error {
	r.mu.Lock()
	r.unlock = unlock
	r.mu.Unlock()
	err := r.reclaim(ctx)
	if err == nil {
		err = r.begin(ctx)
	}
	if err != nil {
		r.mu.Lock()
		r.unlock = nil
		r.mu.Unlock()
		unlock()
		return fmt.Errorf("take over unfinished work: %w", err)
	}
	return nil
}

func (r *Runner) reclaim(ctx context.Context) error {
	for more := true; more; {
		var err error
		if more, err = r.rescue(ctx, true); err != nil {
			return err
		}
	}
	return r.db.Tx(ctx, func(tx *db.Tx) error {
		for _, s := range r.sweeps {
			if s.Reclaim != nil {
				if err := s.Reclaim(ctx, tx); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

func (r *Runner) begin(ctx context.Context) error {
	client, err := river.NewClient(r.driver, &river.Config{
		Logger:                      r.log,
		Workers:                     r.workers,
		Queues:                      r.queues,
		JobTimeout:                  r.lost * 3 / 4,
		RescueStuckJobsAfter:        r.lost + 24*time.Hour, // ours comes first
		FetchPollInterval:           r.poll,
		FetchCooldown:               min(r.poll, river.FetchCooldownDefault),
		CompletedJobRetentionPeriod: time.Hour,
		SkipUnknownJobCheck:         true,
		PollOnly:                    true,
	})
	if err != nil {
		return err
	}
	if err := client.Start(ctx); err != nil {
		return err
	}
	r.mu.Lock()
	r.client = client
	r.mu.Unlock()
	r.done.Go(func() { <-client.Stopped() })
	for _, s := range r.sweeps {
		r.done.Go(func() { s.loop(ctx, r) })
	}
	return nil
}

// Stop lets the jobs under way finish until ctx ends, then cancels them; nothing is lost either way.
func (r *Runner) Stop(ctx context.Context) {
	if r.stop == nil {
		return
	}
	r.mu.Lock()
	client := r.client
	r.mu.Unlock()
	if client != nil {
		_ = client.Stop(ctx) // past ctx the cancellation below ends it
	}
	r.stop()
	r.done.Wait()
	if r.unlock != nil {
		r.unlock()
	}
}
