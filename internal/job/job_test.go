package job_test

import (
	"context"
	"errors"
	"log/slog"
	"sync/atomic"
	"testing"
	"time"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/db/dbtest"
	"github.com/trigpoint/trigpoint/internal/job"
)

type note struct {
	Text string `json:"text"`
}

func (note) Kind() string { return "test_note" }

func newRunner(t *testing.T, d *db.DB, work func(context.Context, *job.Job[note]) error) *job.Runner {
	t.Helper()
	r, err := job.New(d, job.Options{Log: slog.New(slog.DiscardHandler), Poll: 5 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	job.Handle(r, work)
	return r
}

func start(t *testing.T, r *job.Runner) {
	t.Helper()
	if err := r.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		r.Stop(ctx)
	})
}

func enqueue(t *testing.T, d *db.DB, r *job.Runner, text string, fault error) error {
	t.Helper()
	return d.Tx(t.Context(), func(tx *db.Tx) error {
		if err := r.Enqueue(t.Context(), tx, note{text}, nil); err != nil {
			return err
		}
		return fault
	})
}

func receive(t *testing.T, from <-chan string) string {
	t.Helper()
	select {
	case text := <-from:
		return text
	case <-time.After(5 * time.Minute): // a busy machine may need a while
		t.Fatal("no job was worked")
		return ""
	}
}

func TestJobIsWorkedWhenItsTransactionCommits(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		worked := make(chan string, 10)
		r := newRunner(t, d, func(_ context.Context, j *job.Job[note]) error { worked <- j.Args.Text; return nil })
		start(t, r)
		refuse := errors.New("refused")
		if err := enqueue(t, d, r, "rolled back", refuse); !errors.Is(err, refuse) {
			t.Fatal(err)
		}
		if err := enqueue(t, d, r, "committed", nil); err != nil {
			t.Fatal(err)
		}
		if got := receive(t, worked); got != "committed" {
			t.Errorf("worked %q", got)
		}
	})
}

func TestFailedJobIsWorkedAgain(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		worked := make(chan string, 10)
		var tries atomic.Int32
		r := newRunner(t, d, func(_ context.Context, j *job.Job[note]) error {
			if tries.Add(1) == 1 {
				return errors.New("not yet")
			}
			worked <- j.Args.Text
			return nil
		})
		start(t, r)
		if err := enqueue(t, d, r, "x", nil); err != nil {
			t.Fatal(err)
		}
		receive(t, worked)
	})
}

// A dead process leaves its job running; on SQLite the next one to start takes it at once.
func TestSQLiteTakesOverWhatADeadProcessLeft(t *testing.T) {
	t.Parallel()
	d := dbtest.SQLite(t)
	worked := make(chan string, 1)
	r := newRunner(t, d, func(_ context.Context, j *job.Job[note]) error { worked <- j.Args.Text; return nil })
	if err := enqueue(t, d, r, "left behind", nil); err != nil {
		t.Fatal(err)
	}
	err := d.Tx(t.Context(), func(tx *db.Tx) error {
		_, err := tx.Exec(t.Context(), "UPDATE river_job SET state = 'running', attempt = max_attempts")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	start(t, r)
	receive(t, worked)
}

// Only one process works a SQLite store; a second one waits and goes on when the first ends.
func TestSecondWorkerOfASQLiteStoreWaits(t *testing.T) {
	t.Parallel()
	d := dbtest.SQLite(t)
	by := make(chan string, 10)
	first := newRunner(t, d, func(context.Context, *job.Job[note]) error { by <- "first"; return nil })
	second := newRunner(t, d, func(context.Context, *job.Job[note]) error { by <- "second"; return nil })
	start(t, first)
	start(t, second)
	if err := enqueue(t, d, first, "1", nil); err != nil {
		t.Fatal(err)
	}
	if got := receive(t, by); got != "first" {
		t.Errorf("worked by the %s", got)
	}
	first.Stop(t.Context())
	if err := enqueue(t, d, first, "2", nil); err != nil {
		t.Fatal(err)
	}
	if got := receive(t, by); got != "second" {
		t.Errorf("worked by the %s", got)
	}
}

func TestSweepRunsAtStartAtAWakeAndWhileThereIsMore(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		r := newRunner(t, d, func(context.Context, *job.Job[note]) error { return nil })
		ran := make(chan string, 10)
		left := 3
		s := r.Sweep(&job.Sweep{Name: "test", Every: time.Hour, Run: func(context.Context) (bool, error) {
			ran <- "ran"
			left--
			return left > 0, nil
		}})
		start(t, r)
		for range 3 { // at start, and twice more because there was more
			receive(t, ran)
		}
		s.Wake()
		receive(t, ran)
	})
}
