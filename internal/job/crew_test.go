package job_test

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/trigpoint/trigpoint/internal/job"
)

func upTo(n int) func(give func(int) bool) error {
	return func(give func(int) bool) error {
		for i := range n {
			if !give(i) {
				break
			}
		}
		return nil
	}
}

func TestCrewKeepsEveryOutcomeOnce(t *testing.T) {
	t.Parallel()
	var kept []int
	var now, most atomic.Int64
	crew := job.Crew[int, int]{
		Workers: 4, Batch: 10,
		Work: func(_ context.Context, i int) int {
			most.Store(max(most.Load(), now.Add(1)))
			defer now.Add(-1)
			return i
		},
		Keep: func(batch []int) error {
			if len(batch) > 10 {
				t.Errorf("a batch of %d", len(batch))
			}
			kept = append(kept, batch...)
			return nil
		},
	}
	left, err := crew.Run(t.Context(), upTo(1000))
	if err != nil {
		t.Fatal(err)
	}
	kept = append(kept, left...)
	slices.Sort(kept)
	if len(kept) != 1000 || len(slices.Compact(kept)) != 1000 {
		t.Errorf("%d outcomes of 1000", len(kept))
	}
	if most.Load() > 4 {
		t.Errorf("%d at once", most.Load())
	}
}

// What is under way when outcomes cannot be kept still ends, and is handed back.
func TestCrewBeginsNothingAfterAFailure(t *testing.T) {
	t.Parallel()
	full := errors.New("the disk is full")
	var worked atomic.Int64
	crew := job.Crew[int, int]{
		Workers: 2, Batch: 1,
		Work: func(_ context.Context, i int) int { worked.Add(1); return i },
		Keep: func([]int) error { return full },
	}
	left, err := crew.Run(t.Context(), upTo(1_000_000))
	if !errors.Is(err, full) {
		t.Fatalf("error %v", err)
	}
	if len(left) != int(worked.Load()) {
		t.Errorf("%d of %d outcomes handed back", len(left), worked.Load())
	}
	if worked.Load() > 100 {
		t.Errorf("%d were worked after the failure", worked.Load())
	}
}

func TestCrewHandsBackWhatIsNotDueYet(t *testing.T) {
	t.Parallel()
	crew := job.Crew[int, int]{
		Workers: 3, Batch: 100, Every: time.Hour,
		Work: func(_ context.Context, i int) int { return i },
		Keep: func(batch []int) error { t.Errorf("%d were kept before their time", len(batch)); return nil },
	}
	left, err := crew.Run(t.Context(), upTo(50))
	if err != nil || len(left) != 50 {
		t.Errorf("%d handed back, %v", len(left), err)
	}
}

func TestCrewEndsWithItsContextAndItsFeed(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	crew := job.Crew[int, error]{
		Workers: 2, Batch: 10, Every: time.Hour,
		Work: func(ctx context.Context, _ int) error { cancel(); <-ctx.Done(); return ctx.Err() },
	}
	empty := errors.New("the store does not answer")
	_, err := crew.Run(ctx, func(give func(int) bool) error {
		for give(0) {
		}
		return empty
	})
	if !errors.Is(err, empty) {
		t.Errorf("error %v", err)
	}
}
