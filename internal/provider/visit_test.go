package provider_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/trigpoint/trigpoint/internal/provider"
)

// The vendor counts by account: when it asks one call to wait, all wait, and nobody's attempts are spent on it.
func TestAPauseHoldsForAllCalls(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		v := &vendor{latency: time.Millisecond, fail: func(n int) error {
			if n == 1 {
				return failure(provider.RateLimited, 20*time.Second)
			}
			return nil
		}}
		caller := provider.NewCaller(paced(2, 0), provider.CallerOptions{})
		for _, err := range all(t.Context(), 50, caller, v) {
			if err != nil {
				t.Error(err)
			}
		}
		early := 0
		for _, at := range v.starts {
			// The vendor spoke after a millisecond; who started before or in that instant could not know.
			if since := at.Sub(v.starts[0]); since > time.Millisecond && since < 20*time.Second {
				early++
			}
		}
		if early != 0 || v.total != 51 {
			t.Errorf("%d of %d requests came during the pause", early, v.total)
		}
	})
}

func TestALongPauseIsHandedOver(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		v := &vendor{fail: func(int) error { return failure(provider.RateLimited, 10*time.Minute) }}
		caller := provider.NewCaller(paced(2, 0), provider.CallerOptions{MaxWait: time.Minute})
		began := time.Now()
		for i := range 3 {
			_, err := provider.Call(t.Context(), caller, v.ask)
			var e *provider.Error
			if !errors.As(err, &e) || e.Kind != provider.RateLimited || e.RetryAfter != 10*time.Minute {
				t.Errorf("call %d: %+v", i+1, err)
			}
		}
		if v.total != 1 || time.Since(began) != 0 {
			t.Errorf("%d requests, returned after %s", v.total, time.Since(began))
		}
		time.Sleep(10 * time.Minute)
		v.fail = nil
		if _, err := provider.Call(t.Context(), caller, v.ask); err != nil {
			t.Errorf("after the pause: %v", err)
		}
	})
}

func TestAPauseBeyondTheDeadlineIsNotWaitedFor(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		v := &vendor{fail: func(int) error { return failure(provider.Transient, 20*time.Second) }}
		caller := provider.NewCaller(paced(2, 0), provider.CallerOptions{})
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		defer cancel()
		began := time.Now()
		_, err := provider.Call(ctx, caller, v.ask)
		if provider.KindOf(err) != provider.Transient || time.Since(began) != 0 || v.total != 1 {
			t.Errorf("after %s and %d requests: %v", time.Since(began), v.total, err)
		}
	})
}

func TestAFailingVendorIsLeftAloneAndFoundAgain(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		down := true
		v := &vendor{latency: 100 * time.Millisecond, fail: func(int) error {
			if down {
				return failure(provider.Transient, 0)
			}
			return nil
		}}
		caller := provider.NewCaller(paced(10, 0), provider.CallerOptions{MaxWait: 15 * time.Second})
		began := time.Now()
		for _, err := range all(t.Context(), 1_000, caller, v) {
			var e *provider.Error
			if !errors.As(err, &e) || e.Kind != provider.Transient {
				t.Fatalf("while down: %v", err)
			}
		}
		// 1,000 calls of 4 attempts each would be 4,000 requests; the breaker lets few of them through.
		if v.total > 60 || time.Since(began) > time.Minute {
			t.Errorf("%d requests in %s to a vendor that is down", v.total, time.Since(began))
		}
		spent := v.total
		_, err := provider.Call(t.Context(), provider.NewCaller(paced(1, 0), provider.CallerOptions{}), v.ask)
		if provider.KindOf(err) != provider.Transient || v.total != spent+4 {
			t.Errorf("another caller has a breaker of its own: %v", err)
		}

		down = false
		time.Sleep(10 * time.Second)
		before := v.requests()
		for _, err := range all(t.Context(), 500, caller, v) {
			if err != nil {
				t.Fatalf("after it came back: %v", err)
			}
		}
		if n := v.requests() - before; n != 500 {
			t.Errorf("%d requests for 500 calls", n)
		}
	})
}

func TestWhoCannotWaitForAFailingVendorIsToldAtOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		v := &vendor{fail: func(int) error { return failure(provider.Transient, 0) }}
		caller := provider.NewCaller(paced(10, 0), provider.CallerOptions{Attempts: 1, MaxWait: time.Second})
		all(t.Context(), 20, caller, v)
		before, began := v.requests(), time.Now()
		_, err := provider.Call(t.Context(), caller, v.ask)
		var e *provider.Error
		if !errors.As(err, &e) || e.Kind != provider.Transient || e.RetryAfter != 10*time.Second || e.Message != "Acme keeps failing and is left alone for a while." {
			t.Errorf("got %+v", err)
		}
		if v.requests() != before || time.Since(began) != 0 {
			t.Errorf("asked all the same, after %s", time.Since(began))
		}
	})
}

// Refusals are answers: a wrong key must not look like a vendor that is down.
func TestRefusalsDoNotOpenTheBreaker(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		v := &vendor{fail: func(int) error { return failure(provider.Unauthorized, 0) }}
		caller := provider.NewCaller(paced(10, 0), provider.CallerOptions{})
		for _, err := range all(t.Context(), 200, caller, v) {
			if provider.KindOf(err) != provider.Unauthorized {
				t.Fatal(err)
			}
		}
		if v.total != 200 {
			t.Errorf("%d requests", v.total)
		}
	})
}

// A probe that is cancelled gives its permit back: else the breaker would stay half open for ever.
func TestCancelledProbesDoNotBlockTheCaller(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		v := &vendor{fail: func(int) error { return failure(provider.Transient, 0) }}
		caller := provider.NewCaller(paced(10, 0), provider.CallerOptions{Attempts: 1, MaxWait: time.Second})
		all(t.Context(), 20, caller, v)
		time.Sleep(10 * time.Second)

		v.latency, v.fail = time.Hour, nil
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan []error)
		go func() { done <- all(ctx, 3, caller, v) }()
		synctest.Wait()
		cancel()
		<-done

		v.latency = time.Millisecond
		time.Sleep(10 * time.Second)
		for _, err := range all(t.Context(), 3, caller, v) {
			if err != nil {
				t.Errorf("after cancelled probes: %v", err)
			}
		}
	})
}
