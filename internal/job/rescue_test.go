package job_test

import (
	"context"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/db/dbtest"
	"github.com/trigpoint/trigpoint/internal/job"
)

// disturb changes the queue's rows as a dying process or a wrong clock leaves them. {2 minutes} is that
// long ago, {10 years} that far ahead.
func disturb(t *testing.T, d *db.DB, text string) {
	t.Helper()
	ago, ahead := "now() - interval '2 minutes'", "now() + interval '10 years'"
	if d.Dialect == db.SQLite {
		ago, ahead = "datetime('now', '-2 minutes', 'subsec')", "datetime('now', '+10 years', 'subsec')"
	}
	err := d.Tx(t.Context(), func(tx *db.Tx) error {
		_, err := tx.Exec(t.Context(), strings.NewReplacer("{2 minutes}", ago, "{10 years}", ahead).Replace(text))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// soon is a runner that takes over within a second.
func soon(t *testing.T, d *db.DB, worked chan<- string) *job.Runner {
	t.Helper()
	r, err := job.New(d, job.Options{Log: slog.New(slog.DiscardHandler), Poll: 5 * time.Millisecond, Lost: 2 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	job.Handle(r, func(_ context.Context, j *job.Job[note]) error { worked <- j.Args.Text; return nil })
	return r
}

// A job whose process died while another one works the queue is taken over by that one.
func TestJobOfADeadWorkerIsTakenOver(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		worked := make(chan string, 1)
		r := soon(t, d, worked)
		start(t, r)
		err := d.Tx(t.Context(), func(tx *db.Tx) error {
			// the runner must not see it before it is somebody else's
			return r.Enqueue(t.Context(), tx, note{"orphan"}, &job.Insert{ScheduledAt: time.Now().Add(time.Hour)})
		})
		if err != nil {
			t.Fatal(err)
		}
		disturb(t, d, "UPDATE river_job SET state = 'running', attempt = 1, attempted_at = {2 minutes}, scheduled_at = {2 minutes}")
		receive(t, worked)
	})
}

// A clock that was years ahead for a moment has dated jobs and the queue's leader; none of them waits until then.
func TestClockThatWasAheadDoesNotStopJobs(t *testing.T) {
	t.Parallel()
	for name, left := range map[string]string{
		"enqueued": "UPDATE river_job SET state = 'available', created_at = {10 years}, scheduled_at = {10 years}",
		"begun":    "UPDATE river_job SET state = 'running', attempt = 1, created_at = {10 years}, scheduled_at = {10 years}, attempted_at = {10 years}",
		"failed":   "UPDATE river_job SET state = 'retryable', attempt = 1, scheduled_at = {10 years}",
		"leader":   "INSERT INTO river_leader (leader_id, elected_at, expires_at) VALUES ('dead', {10 years}, {10 years})",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dbtest.Each(t, func(t *testing.T, d *db.DB) {
				worked := make(chan string, 1)
				r := soon(t, d, worked)
				err := d.Tx(t.Context(), func(tx *db.Tx) error {
					// a scheduled job needs the queue's leader to come up
					return r.Enqueue(t.Context(), tx, note{"x"}, &job.Insert{ScheduledAt: time.Now().Add(time.Second)})
				})
				if err != nil {
					t.Fatal(err)
				}
				disturb(t, d, left)
				start(t, r)
				receive(t, worked)
			})
		})
	}
}
