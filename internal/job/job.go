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
	"sync"
	"time"

	"github.com/riverqueue/river"

	"github.com/trigpoint/trigpoint/internal/db"
)

// Args is what a job is to do. Its Kind is stored and must stay stable.
type Args = river.JobArgs

// Job is a job being worked.
type Job[T Args] = river.Job[T]

// Insert says how a job is enqueued: queue, time, uniqueness, attempts.
type Insert = river.InsertOpts

// Order is one job of EnqueueMany.
type Order = river.InsertManyParams

// Snooze works the job again after d, without counting an attempt.
func Snooze(d time.Duration) error { return river.JobSnooze(d) }

// Jobs are short, so that a dead worker's job is taken over soon: after lost, at the latest, plus the
// half minute between two looks.
const (
	timeout = 45 * time.Second
	lost    = 60 * time.Second
)

// Runner enqueues jobs and, once started, works them.
type Runner struct {
	db      *db.DB
	log     *slog.Logger
	workers *river.Workers
	queues  map[string]river.QueueConfig
	insert  *river.Client[*sql.Tx]
	poll    time.Duration
	sweeps  []*Sweep

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
}

// New returns a runner on the store's queue. Handlers and sweeps are added before Start.
func New(d *db.DB, o Options) (*Runner, error) {
	if o.Poll == 0 {
		o.Poll = 200 * time.Millisecond
	}
	insert, err := river.NewClient(d.RiverDriver(), &river.Config{Logger: o.Log})
	if err != nil {
		return nil, err
	}
	return &Runner{
		db: d, log: o.Log, poll: o.Poll, insert: insert, workers: river.NewWorkers(),
		queues: map[string]river.QueueConfig{river.QueueDefault: {MaxWorkers: 16}},
	}, nil
}

// Queue adds a queue of its own with a bound on how many of its jobs run at once in this process.
func (r *Runner) Queue(name string, workers int) {
	r.queues[name] = river.QueueConfig{MaxWorkers: workers}
}

// Handle registers the worker of a kind of job. Working a job twice must do no harm: a job is worked
// again when its worker died.
func Handle[T Args](r *Runner, work func(ctx context.Context, j *Job[T]) error) {
	river.AddWorker(r.workers, river.WorkFunc(work))
}

// Enqueue adds a job in the caller's transaction.
func (r *Runner) Enqueue(ctx context.Context, tx *db.Tx, args Args, opts *Insert) error {
	_, err := r.insert.InsertTx(tx.Context(ctx), tx.SQL, args, opts)
	return err
}

// EnqueueMany adds jobs of one kind in the caller's transaction.
func (r *Runner) EnqueueMany(ctx context.Context, tx *db.Tx, all []Order) error {
	if len(all) == 0 {
		return nil
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
	lock := filepath.Join(r.db.Dir(), "worker.lock")
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
	err := r.db.Tx(ctx, func(tx *db.Tx) error {
		if _, err := tx.Exec(ctx, "UPDATE river_job SET state = 'available', max_attempts = max(max_attempts, attempt + 1) WHERE state = 'running'"); err != nil {
			return err
		}
		for _, s := range r.sweeps {
			if s.Reclaim != nil {
				if err := s.Reclaim(ctx, tx); err != nil {
					return err
				}
			}
		}
		return nil
	})
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

func (r *Runner) begin(ctx context.Context) error {
	client, err := river.NewClient(r.db.RiverDriver(), &river.Config{
		Logger:                      r.log,
		Workers:                     r.workers,
		Queues:                      r.queues,
		JobTimeout:                  timeout,
		RescueStuckJobsAfter:        lost,
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
		r.done.Go(func() { s.loop(ctx, r.log) })
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
