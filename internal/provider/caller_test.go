package provider_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/trigpoint/trigpoint/internal/provider"
)

// vendor answers after its latency, in the false time of synctest, and keeps count.
type vendor struct {
	latency time.Duration
	fail    func(n int) error // by the number of the request, from 1

	mu              sync.Mutex
	total, now, top int
	starts          []time.Time
}

func (v *vendor) ask(ctx context.Context) (int, error) {
	v.mu.Lock()
	v.total++
	n := v.total
	v.now++
	v.top = max(v.top, v.now)
	v.starts = append(v.starts, time.Now())
	v.mu.Unlock()
	defer func() { v.mu.Lock(); v.now--; v.mu.Unlock() }()
	select {
	case <-time.After(v.latency):
	case <-ctx.Done():
		return 0, ctx.Err()
	}
	if v.fail != nil {
		if err := v.fail(n); err != nil {
			return 0, err
		}
	}
	return n, nil
}

func (v *vendor) requests() int { v.mu.Lock(); defer v.mu.Unlock(); return v.total }

func failure(kind provider.Kind, after time.Duration) *provider.Error {
	e := provider.Errorf(kind, "Acme", "Acme failed.")
	e.RetryAfter = after
	return e
}

func paced(concurrent int, perSecond float64) provider.Descriptor {
	return provider.Descriptor{Name: "acme", Title: "Acme", Pace: provider.Pace{Concurrent: concurrent, PerSecond: perSecond}}
}

// all makes n calls at once and returns their errors.
func all(ctx context.Context, n int, c *provider.Caller, v *vendor) []error {
	errs := make([]error, n)
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { _, errs[i] = provider.Call(ctx, c, v.ask) })
	}
	wg.Wait()
	return errs
}

// 4,410 points with 200 ms each, 100 at a time, cannot take less than 9 s; nothing is added to that.
func TestAllSlotsAreKeptBusy(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		v := &vendor{latency: 200 * time.Millisecond}
		c := provider.NewCaller(paced(100, 0), provider.CallerOptions{})
		began := time.Now()
		for _, err := range all(t.Context(), 4_410, c, v) {
			if err != nil {
				t.Fatal(err)
			}
		}
		if took := time.Since(began); took != 45*200*time.Millisecond {
			t.Errorf("took %s, want 9s", took)
		}
		if v.top != 100 || v.total != 4_410 {
			t.Errorf("%d requests, %d at once", v.total, v.top)
		}
	})
}

func TestRateIsKept(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		v := &vendor{latency: 10 * time.Millisecond}
		c := provider.NewCaller(paced(100, 50), provider.CallerOptions{})
		all(t.Context(), 201, c, v)
		for i := 1; i < len(v.starts); i++ {
			if gap := v.starts[i].Sub(v.starts[i-1]); gap < 20*time.Millisecond-time.Microsecond {
				t.Fatalf("request %d came %s after the one before", i+1, gap)
			}
		}
		if took := v.starts[200].Sub(v.starts[0]); took > 4*time.Second+time.Millisecond {
			t.Errorf("201 requests at 50 a second took %s", took)
		}
	})
}

func TestWhatMayWorkLaterIsTriedAgain(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		kind     provider.Kind
		requests int
	}{
		{provider.Transient, 4},
		{provider.RateLimited, 4},
		{provider.Unauthorized, 1},
		{provider.QuotaSpent, 1},
		{provider.BadQuery, 1},
		{provider.NotFound, 1},
	} {
		t.Run(c.kind.String(), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				v := &vendor{fail: func(int) error { return failure(c.kind, 0) }}
				caller := provider.NewCaller(paced(1, 0), provider.CallerOptions{})
				_, err := provider.Call(t.Context(), caller, v.ask)
				if provider.KindOf(err) != c.kind || err.Error() != "Acme failed." || v.total != c.requests {
					t.Errorf("%d requests, then %v", v.total, err)
				}
			})
		})
	}
}

func TestSecondAttemptMaySucceed(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		v := &vendor{fail: func(n int) error {
			if n < 3 {
				return failure(provider.Transient, 0)
			}
			return nil
		}}
		caller := provider.NewCaller(paced(1, 0), provider.CallerOptions{Backoff: time.Second, MaxBackoff: time.Minute})
		n, err := provider.Call(t.Context(), caller, v.ask)
		if n != 3 || err != nil {
			t.Fatalf("answer %d, %v", n, err)
		}
		for i, want := range []time.Duration{time.Second, 2 * time.Second} {
			if gap := v.starts[i+1].Sub(v.starts[i]); gap < want/2 || gap > want*3/2 {
				t.Errorf("waited %s before attempt %d, want about %s", gap, i+2, want)
			}
		}
	})
}

func TestErrorsOfOursAreNotTriedAgain(t *testing.T) {
	t.Parallel()
	calls := 0
	_, err := provider.Call(t.Context(), provider.NewCaller(paced(1, 0), provider.CallerOptions{}), func(context.Context) (int, error) {
		calls++
		return 0, errors.New("a bug")
	})
	if calls != 1 || err == nil || err.Error() != "a bug" {
		t.Errorf("%d calls, %v", calls, err)
	}
}

// A call that waits to try again must not keep the provider idle.
func TestWaitingCallsHoldNoSlot(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		v := &vendor{latency: time.Second, fail: func(n int) error {
			if n == 1 {
				return failure(provider.Transient, 0)
			}
			return nil
		}}
		caller := provider.NewCaller(paced(1, 0), provider.CallerOptions{Backoff: time.Hour, MaxBackoff: time.Hour})
		began := time.Now()
		first := make(chan error)
		go func() { _, err := provider.Call(t.Context(), caller, v.ask); first <- err }()
		synctest.Wait()
		for range 3 {
			if _, err := provider.Call(t.Context(), caller, v.ask); err != nil {
				t.Fatal(err)
			}
		}
		if took := time.Since(began); took != 4*time.Second {
			t.Errorf("three calls behind a failed one took %s", took)
		}
		if err := <-first; err != nil {
			t.Error(err)
		}
	})
}

func TestPanicGivesTheSlotBack(t *testing.T) {
	t.Parallel()
	caller := provider.NewCaller(paced(1, 0), provider.CallerOptions{})
	func() {
		defer func() {
			if recover() == nil {
				t.Error("the panic was swallowed")
			}
		}()
		provider.Call(t.Context(), caller, func(context.Context) (int, error) { panic("a bug") })
	}()
	if n, err := provider.Call(t.Context(), caller, func(context.Context) (int, error) { return 7, nil }); n != 7 || err != nil {
		t.Errorf("after a panic: %d, %v", n, err)
	}
}

func TestCancelledWhileWaiting(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		v := &vendor{latency: time.Hour}
		caller := provider.NewCaller(paced(1, 0.001), provider.CallerOptions{})
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan []error)
		go func() { done <- all(ctx, 3, caller, v) }() // one asks, one waits for the slot it holds, and so does the third
		synctest.Wait()
		began := time.Now()
		cancel()
		for _, err := range <-done {
			if !errors.Is(err, context.Canceled) {
				t.Errorf("got %v", err)
			}
		}
		if v.total != 1 || time.Since(began) != 0 {
			t.Errorf("%d requests, returned after %s", v.total, time.Since(began))
		}
		// A turn that comes after the deadline is not waited for.
		ctx, cancel = context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := provider.Call(ctx, caller, v.ask); !errors.Is(err, context.DeadlineExceeded) || time.Since(began) > time.Second {
			t.Errorf("after %s: %v", time.Since(began), err)
		}
	})
}

func TestTurnOutsideOfACaller(t *testing.T) {
	t.Parallel()
	if err := provider.Turn(t.Context()); err != nil {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := provider.Turn(ctx); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
