package job

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/riverqueue/river/riverdriver"
	"github.com/riverqueue/river/rivertype"

	"github.com/trigpoint/trigpoint/internal/db"
)

// Waiting is a job that is still to be done, apart from the queue and the engine that hold it.
type Waiting struct {
	Kind         string                   `json:"kind"`
	Args         json.RawMessage          `json:"args"`
	Queue        string                   `json:"queue"`
	State        rivertype.JobState       `json:"state"`
	Priority     int                      `json:"priority"`
	Attempt      int                      `json:"attempt"`
	MaxAttempts  int                      `json:"max_attempts"`
	CreatedAt    time.Time                `json:"created_at"`
	ScheduledAt  time.Time                `json:"scheduled_at"`
	Tags         []string                 `json:"tags,omitempty"`
	Metadata     json.RawMessage          `json:"metadata,omitempty"`
	Errors       []rivertype.AttemptError `json:"errors,omitempty"`
	UniqueKey    []byte                   `json:"unique_key,omitempty"`
	UniqueStates []rivertype.JobState     `json:"unique_states,omitempty"`
}

// IsTable tells whether a table is the queue's own.
func IsTable(name string) bool { return strings.HasPrefix(name, "river_") }

// EachWaiting calls fn with every job that has not ended. One under way is told as waiting: whoever takes the jobs over does
// it again.
func EachWaiting(ctx context.Context, d *db.DB, tx *db.Tx, fn func(Waiting) error) error {
	const batch = 1000
	queue := driver(d).UnwrapExecutor(tx.SQL)
	for last := int64(0); ; {
		rows, err := queue.JobList(tx.Context(ctx), &riverdriver.JobListParams{
			Max: batch, OrderByClause: "id", NamedArgs: map[string]any{"last": last},
			WhereClause: "id > @last AND state IN ('available', 'pending', 'retryable', 'running', 'scheduled')",
		})
		if err != nil {
			return fmt.Errorf("list jobs: %w", err)
		}
		for _, row := range rows {
			if err := fn(waiting(row)); err != nil {
				return err
			}
			last = row.ID
		}
		if len(rows) < batch {
			return nil
		}
	}
}

func waiting(row *rivertype.JobRow) Waiting {
	state := row.State
	if state == rivertype.JobStateRunning {
		state = rivertype.JobStateAvailable
	}
	return Waiting{
		Kind: row.Kind, Args: row.EncodedArgs, Queue: row.Queue, State: state, Priority: row.Priority, Attempt: row.Attempt, MaxAttempts: row.MaxAttempts,
		CreatedAt: row.CreatedAt.UTC(), ScheduledAt: row.ScheduledAt.UTC(), Tags: row.Tags, Metadata: row.Metadata, Errors: row.Errors,
		UniqueKey: row.UniqueKey, UniqueStates: row.UniqueStates,
	}
}

// Requeue puts jobs into the queue as EachWaiting told them, with the attempts that they have behind them.
func Requeue(ctx context.Context, d *db.DB, tx *db.Tx, all []Waiting) error {
	ctx = tx.Context(ctx)
	queue := driver(d).UnwrapExecutor(tx.SQL)
	for _, w := range all {
		added, err := queue.JobInsertFastMany(ctx, &riverdriver.JobInsertFastManyParams{Jobs: []*riverdriver.JobInsertFastParams{{
			Kind: w.Kind, EncodedArgs: w.Args, Queue: w.Queue, State: w.State, Priority: w.Priority, MaxAttempts: w.MaxAttempts,
			CreatedAt: &w.CreatedAt, ScheduledAt: &w.ScheduledAt, Tags: w.Tags, Metadata: w.Metadata,
			UniqueKey: w.UniqueKey, UniqueStates: stateBits(w.UniqueStates),
		}}})
		if err != nil {
			return fmt.Errorf("add a job %s: %w", w.Kind, err)
		}
		if w.Attempt == 0 {
			continue
		}
		faults := make([][]byte, len(w.Errors))
		for i, fault := range w.Errors {
			if faults[i], err = json.Marshal(fault); err != nil {
				return err
			}
		}
		if _, err := queue.JobUpdateFull(ctx, &riverdriver.JobUpdateFullParams{
			ID: added[0].Job.ID, AttemptDoUpdate: true, Attempt: w.Attempt, ErrorsDoUpdate: true, Errors: faults,
		}); err != nil {
			return fmt.Errorf("add a job %s: %w", w.Kind, err)
		}
	}
	return nil
}

// stateBits is how the queue keeps a set of states: a bit for each, in the order of their names.
func stateBits(states []rivertype.JobState) (bits byte) {
	for _, s := range states {
		if at := slices.Index(rivertype.JobStates(), s); at >= 0 {
			bits |= 1 << at
		}
	}
	return bits
}
