package provider

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// agreed is the ledger of processes that share a store which answers in a few milliseconds.
type agreed struct {
	pace Pace
	mu   sync.Mutex
	ledger
}

func (a *agreed) lease(holder string) func(context.Context, demand) (part, error) {
	return func(_ context.Context, d demand) (part, error) {
		time.Sleep(3 * time.Millisecond)
		a.mu.Lock()
		defer a.mu.Unlock()
		return a.take(a.pace, time.Now(), holder, d), nil
	}
}

// crowd asks through gates with many workers each, for a while.
type crowd struct {
	mu          sync.Mutex
	starts      []time.Time
	under, most int
}

func (c *crowd) work(ctx context.Context, g *gate, workers int, latency time.Duration) *sync.WaitGroup {
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			for g.enter(ctx) == nil {
				c.mu.Lock()
				c.starts = append(c.starts, time.Now())
				c.under++
				c.most = max(c.most, c.under)
				c.mu.Unlock()
				time.Sleep(latency)
				c.mu.Lock()
				c.under--
				c.mu.Unlock()
				g.leave()
			}
		})
	}
	return &wg
}

func TestTheSharedRateIsKeptAndUsed(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name     string
		pace     Pace
		latency  time.Duration
		atMost   float64 // requests a second that slots and rate allow
		busy, at int     // workers of two processes
	}{
		{"by the rate", Pace{Concurrent: 50, PerSecond: 50}, 100 * time.Millisecond, 50, 100, 100},
		{"by the slots", Pace{Concurrent: 10, PerSecond: 300}, 200 * time.Millisecond, 50, 100, 100},
		{"by both", Pace{Concurrent: 50, PerSecond: 50}, time.Second, 50, 100, 100},
		{"slowly", Pace{Concurrent: 50, PerSecond: 1}, time.Second, 1, 50, 50},
		{"one idles", Pace{Concurrent: 50, PerSecond: 50}, 100 * time.Millisecond, 50, 100, 1},
		{"fewer slots than processes", Pace{Concurrent: 1, PerSecond: 50}, 50 * time.Millisecond, 20, 20, 20},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				const whole = 100 * time.Second
				together := &agreed{pace: c.pace}
				var asked crowd
				ctx, cancel := context.WithTimeout(t.Context(), whole)
				defer cancel()
				a := asked.work(ctx, newGate(c.pace, together.lease("a")), c.busy, c.latency)
				b := asked.work(ctx, newGate(c.pace, together.lease("b")), c.at, c.latency)
				a.Wait()
				b.Wait()
				time.Sleep(time.Second)
				synctest.Wait()
				slices.SortFunc(asked.starts, time.Time.Compare)
				if per := int(c.pace.PerSecond); len(asked.starts) > per {
					for i := range asked.starts[per:] {
						if span := asked.starts[i+per].Sub(asked.starts[i]); span < 950*time.Millisecond {
							t.Fatalf("%d requests within %s", per+1, span)
						}
					}
				}
				if n := float64(len(asked.starts)); n < 0.95*c.atMost*whole.Seconds() || asked.most > c.pace.Concurrent {
					t.Errorf("%v requests of %v, %d at once of %d", n, c.atMost*whole.Seconds(), asked.most, c.pace.Concurrent)
				}
				if len(together.Holders) != 0 {
					t.Errorf("left behind: %+v", together.Holders)
				}
			})
		})
	}
}

func TestSlotsOfADeadProcessReturn(t *testing.T) {
	t.Parallel()
	pace := Pace{Concurrent: 10}
	now := time.Date(2026, 3, 2, 10, 0, 0, 0, time.UTC)
	var l ledger
	if got := l.take(pace, now, "dies", demand{slots: 10}); got.slots != 10 {
		t.Fatalf("alone: %+v", got)
	}
	if got := l.take(pace, now.Add(staleAfter), "lives", demand{slots: 10}); got.slots != 0 {
		t.Errorf("while the other may live: %+v", got)
	}
	if got := l.take(pace, now.Add(staleAfter+time.Second), "lives", demand{slots: 10}); got.slots != 10 || len(l.Holders) != 1 {
		t.Errorf("after its death: %+v, %+v", got, l)
	}
}

func TestABusyProcessMakesRoom(t *testing.T) {
	t.Parallel()
	pace := Pace{Concurrent: 10}
	now := time.Date(2026, 3, 2, 10, 0, 0, 0, time.UTC)
	var l ledger
	l.take(pace, now, "first", demand{slots: 10})
	l.take(pace, now, "second", demand{slots: 10})
	if got := l.take(pace, now, "first", demand{underWay: 8, slots: 10}); got.slots != 8 {
		t.Errorf("what is under way is not taken back: %+v", got)
	}
	if got := l.take(pace, now, "first", demand{underWay: 3, slots: 10}); got.slots != 5 {
		t.Errorf("half of it is the other's: %+v", got)
	}
	if got := l.take(pace, now, "second", demand{slots: 10}); got.slots != 5 {
		t.Errorf("its half: %+v", got)
	}
	l.take(pace, now, "first", demand{})
	if got := l.take(pace, now, "second", demand{slots: 10}); got.slots != 10 {
		t.Errorf("alone again: %+v", got)
	}
}

// What the vendor asks one process for, it asks of the account: another process does not run into the same refusal, and
// begins when the pause is over, though the one that was told is gone.
func TestAPauseHoldsForAllProcesses(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		together := &agreed{pace: Pace{Concurrent: 4, PerSecond: 10}}
		process := func(name string) *Caller {
			c := NewCaller(Descriptor{Title: "Acme"}, CallerOptions{MaxWait: 5 * time.Second})
			c.gate = newGate(together.pace, together.lease(name))
			return c
		}
		requests := 0
		refuse := func(context.Context) (int, error) {
			requests++
			e := Errorf(RateLimited, "Acme", "Too many.")
			e.RetryAfter = time.Minute
			return 0, e
		}
		told, other := process("told"), process("other")
		Call(t.Context(), told, refuse)
		time.Sleep(time.Second)
		_, err := Call(t.Context(), other, refuse)
		var e *Error
		if !errors.As(err, &e) || e.Kind != RateLimited || e.RetryAfter < 58*time.Second || e.RetryAfter > time.Minute || requests != 1 {
			t.Errorf("the other process: %d requests, then %v", requests, err)
		}
		time.Sleep(55 * time.Second)
		began := time.Now()
		if _, err := Call(t.Context(), other, func(context.Context) (int, error) { return 1, nil }); err != nil || time.Since(began) < 3*time.Second || time.Since(began) > 5*time.Second {
			t.Errorf("the end of the pause was waited for %s: %v", time.Since(began), err)
		}
		time.Sleep(time.Second)
		synctest.Wait()
		if len(together.Holders) != 0 {
			t.Errorf("left behind: %+v", together.Holders)
		}
	})
}

func TestTheLedgerSurvivesClockJumps(t *testing.T) {
	t.Parallel()
	pace := Pace{Concurrent: 10, PerSecond: 10}
	now := time.Date(2026, 3, 2, 10, 0, 0, 0, time.UTC)
	for name, jump := range map[string]time.Duration{"years ahead": 5 * 365 * 24 * time.Hour, "back": -5 * 365 * 24 * time.Hour} {
		var l ledger
		l.take(pace, now.Add(-jump), "other", demand{slots: 10, turns: 3, pause: time.Minute})
		if got := l.take(pace, now, "mine", demand{slots: 4, turns: 3}); got != (part{slots: 4, turns: 3}) {
			t.Errorf("%s: %+v", name, got)
		}
		if got := l.take(pace, now, "mine", demand{slots: 4, turns: 3}); got.wait != 300*time.Millisecond {
			t.Errorf("%s, then: %+v", name, got)
		}
	}
}
