package job

import (
	"context"
	"sync"
	"time"
)

// Crew asks the world about many small things at once and keeps what comes of them together: the points of a
// map search, the rank checks that are due. Its user has claimed them, by a job or by a lease in their rows.
type Crew[Item, Outcome any] struct {
	Workers int                                       // items under way at once
	Work    func(ctx context.Context, i Item) Outcome // one of them; it may be called concurrently

	// Keep stores outcomes, one batch at a time. After an error nothing more is begun.
	Keep  func(batch []Outcome) error
	Batch int           // as many at most
	Every time.Duration // what has come meanwhile; with 0, as soon as the batch before is kept
}

// Run works all that feed gives; give says no when nothing more is begun. It returns once all that was under way
// has ended, with the outcomes that are not kept: those since the last batch, and all after an error of Keep.
func (c *Crew[Item, Outcome]) Run(ctx context.Context, feed func(give func(Item) bool) error) (left []Outcome, err error) {
	items, outcomes, failed := make(chan Item), make(chan Outcome, c.Batch), make(chan struct{})
	var feedErr error
	var crew sync.WaitGroup
	crew.Go(func() {
		defer close(items)
		feedErr = feed(func(i Item) bool {
			select {
			case items <- i:
				return true
			case <-ctx.Done():
			case <-failed:
			}
			return false
		})
	})
	for range c.Workers {
		crew.Go(func() {
			for i := range items {
				outcomes <- c.Work(ctx, i)
			}
		})
	}
	go func() {
		crew.Wait()
		close(outcomes)
	}()
	left, err = c.collect(outcomes, failed)
	if err == nil {
		err = feedErr
	}
	return left, err
}

// collect keeps outcomes as they come, and closes failed when that cannot be done.
func (c *Crew[Item, Outcome]) collect(outcomes <-chan Outcome, failed chan<- struct{}) (batch []Outcome, err error) {
	var due <-chan time.Time
	if c.Every > 0 {
		tick := time.NewTicker(c.Every)
		defer tick.Stop()
		due = tick.C
	}
	for {
		var full bool
		select {
		case o, open := <-outcomes:
			if !open {
				return batch, err
			}
			batch = append(batch, o)
			full = len(batch) >= c.Batch || c.Every == 0 && len(outcomes) == 0
		case <-due:
			full = len(batch) > 0
		}
		if !full || err != nil {
			continue
		}
		if err = c.Keep(batch); err != nil {
			close(failed)
			continue
		}
		batch = nil
	}
}
