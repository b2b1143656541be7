package dataforseo

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// window keeps a limit that DataForSEO has for some requests beside that of the account: so many in any span of time. Waiting for
// it does not pause other questions, as a refusal would.
type window struct {
	most int
	per  time.Duration

	mu      sync.Mutex
	started []time.Time // the newest, oldest first, at most most
}

// reserve books the next start and tells how far off it is.
func (w *window) reserve(now time.Time) time.Duration {
	w.mu.Lock()
	defer w.mu.Unlock()
	start := now
	if len(w.started) == w.most {
		if free := w.started[0].Add(w.per); free.After(now) {
			start = free
		}
		w.started = w.started[1:]
	}
	w.started = append(w.started, start)
	return start.Sub(now)
}

// wait returns when a request may be sent.
func (w *window) wait(ctx context.Context, now time.Time) error {
	if err := ctx.Err(); err != nil {
		return err // without taking a place
	}
	timer := time.NewTimer(w.reserve(now))
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("wait for a turn at %s: %w", title, ctx.Err())
	}
}
