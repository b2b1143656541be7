package provider_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/db/dbtest"
	"github.com/trigpoint/trigpoint/internal/provider"
)

// At one request a second, fifty calls of ten pages each take eight minutes. None of them takes that long:
// what is begun is ended first, and who has not begun is not failing.
func TestCallsUnderWayComeBeforeNewOnes(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const calls, pages = 50, 10
		v := &vendor{latency: time.Second}
		caller := provider.NewCaller(paced(50, 1), provider.CallerOptions{})
		began := time.Now()
		var wg sync.WaitGroup
		for range calls {
			wg.Go(func() {
				_, err := provider.Call(t.Context(), caller, func(ctx context.Context) (int, error) {
					ctx, cancel := context.WithTimeout(ctx, time.Minute)
					defer cancel()
					for page := range pages {
						if page > 0 {
							if err := provider.Turn(ctx); err != nil {
								return 0, err
							}
						}
						if _, err := v.ask(ctx); err != nil {
							return 0, err
						}
					}
					return pages, nil
				})
				if err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		if took := time.Since(began); v.total != calls*pages || took > (calls*pages+1)*time.Second {
			t.Errorf("%d requests in %s", v.total, took)
		}
	})
}

// A vendor that says "too many" without saying until when is treated as one that fails.
func TestRefusalsWithoutAWordOnWhenPauseLongerAndLonger(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		v := &vendor{latency: 100 * time.Millisecond, fail: func(int) error { return failure(provider.RateLimited, 0) }}
		caller := provider.NewCaller(paced(10, 0), provider.CallerOptions{})
		for _, err := range all(t.Context(), 1_000, caller, v) {
			var e *provider.Error
			if !errors.As(err, &e) || !e.Kind.Retryable() {
				t.Fatalf("got %v", err)
			}
		}
		if v.total > 100 {
			t.Errorf("%d requests", v.total)
		}
		v.fail = nil
		time.Sleep(time.Minute)
		for _, err := range all(t.Context(), 100, caller, v) {
			if err != nil {
				t.Fatalf("after it answered again: %v", err)
			}
		}
	})
}

// Two processes on one store are two callers of one account: together they keep its pace, and when they are
// done they leave nothing behind.
func TestProcessesKeepAnAccountsPaceTogether(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		const calls, concurrent, perSecond = 60, 6, 200
		desc := paced(concurrent, perSecond)
		desc.Account = "acme-1"
		opts := provider.CallerOptions{Store: d}
		v := &vendor{latency: 5 * time.Millisecond}
		callers := []*provider.Caller{provider.NewCaller(desc, opts)}
		if d.Dialect == db.Postgres { // SQLite has one process
			callers = append(callers, provider.NewCaller(desc, opts))
		}
		began := time.Now()
		var wg sync.WaitGroup
		for _, c := range callers {
			wg.Go(func() {
				for _, err := range all(t.Context(), calls, c, v) {
					if err != nil {
						t.Error(err)
					}
				}
			})
		}
		wg.Wait()
		requests := calls * len(callers)
		if took, least := time.Since(began), time.Duration(requests-1)*time.Second/perSecond-200*time.Millisecond; v.total != requests || v.top > concurrent || took < least {
			t.Errorf("%d requests, %d at once, in %s; want %d, at most %d, in no less than %s", v.total, v.top, took, requests, concurrent, least)
		}
	})
}

// Sharing a pace through a real store costs little of it, and what two processes make is never more than is allowed. How much that is
// to the second, TestTheSharedRateIsKeptAndUsed tells: here the machine may be busy, and its timers late.
func TestProcessesUseASharedPace(t *testing.T) {
	t.Parallel()
	const whole, concurrent, perSecond = 3 * time.Second, 20, 50
	store := dbtest.Postgres(t)
	process := func(account string) *provider.Caller {
		d, err := db.Open(t.Context(), store)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = d.Close() })
		desc := paced(concurrent, perSecond)
		desc.Account = account
		return provider.NewCaller(desc, provider.CallerOptions{Store: d})
	}
	alone, together := &vendor{latency: 100 * time.Millisecond}, &vendor{latency: 100 * time.Millisecond}
	const unshared = "" // needs no agreement
	began := time.Now()
	ctx, cancel := context.WithTimeout(t.Context(), whole)
	defer cancel()
	var wg sync.WaitGroup
	work := func(c *provider.Caller, v *vendor) {
		for range 2 * concurrent {
			wg.Go(func() {
				for ctx.Err() == nil {
					_, _ = provider.Call(ctx, c, v.ask)
				}
			})
		}
	}
	work(process(unshared), alone)
	work(process("acme-2"), together)
	work(process("acme-2"), together)
	wg.Wait()
	t.Logf("%d requests together, %d alone", together.total, alone.total)
	if together.total < alone.total/3 {
		t.Errorf("two processes made %d requests, one alone %d", together.total, alone.total)
	}
	if most := int(time.Since(began).Seconds()*perSecond) + perSecond; together.total > most {
		t.Errorf("two processes made %d requests, and %d a second are allowed: %d at most", together.total, perSecond, most)
	}
	if together.top > concurrent {
		t.Errorf("%d requests at once, want at most %d", together.top, concurrent)
	}
}
