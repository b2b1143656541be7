package provider

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync/atomic"
	"time"

	"github.com/failsafe-go/failsafe-go"
	"github.com/failsafe-go/failsafe-go/circuitbreaker"
	"github.com/failsafe-go/failsafe-go/retrypolicy"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/trace"
)

// CallerOptions say how patient a Caller is. Zero values take the defaults named here.
type CallerOptions struct {
	Attempts   int           // requests spent on one question; 4
	Backoff    time.Duration // before the second attempt, doubling from there; 500 ms
	MaxBackoff time.Duration // 10 s

	// MaxWait is how long one call waits, in all, for a vendor that asked for a pause or that keeps
	// failing. What would take longer is answered with the error, whose RetryAfter says when to come back. 30 s
	MaxWait time.Duration

	// The breaker opens when, within BreakerWindow (30 s), at least BreakerCalls (20) calls were made
	// and half of them failed; after BreakerRest (10 s) it lets a few through to see.
	BreakerCalls  int
	BreakerWindow time.Duration
	BreakerRest   time.Duration

	// Store lets all processes that work it keep the pace of the provider's account together. On SQLite
	// there is but one such process; nil is the same.
	Store *db.DB
}

// Caller is how workers ask one provider: within its pace, trying again what may work later, and
// leaving a failing vendor alone for a while. One Caller serves all of a process that asks with one
// account. While nothing is asked it keeps no goroutine.
type Caller struct {
	name    string
	asks    string // of the spans of its calls, which begin with the wait for a turn
	title   string
	opts    CallerOptions
	gate    *gate
	breaker circuitbreaker.CircuitBreaker[any]
	refused atomic.Int64 // until when the account counts as empty or refused, in Unix nanoseconds
}

// NewCaller takes the pace from the descriptor.
func NewCaller(d Descriptor, opts CallerOptions) *Caller {
	opts = opts.withDefaults()
	var lease func(context.Context, demand) (part, error)
	if d.Account != "" && opts.Store != nil && opts.Store.Dialect == db.Postgres {
		lease = sharedPace(opts.Store, d.Account, d.Pace)
	}
	return &Caller{
		name:  d.Name,
		asks:  "ask " + d.Name,
		title: d.Title,
		opts:  opts,
		gate:  newGate(d.Pace, lease),
		breaker: circuitbreaker.NewBuilder[any]().
			WithFailureRateThreshold(0.5, uint(opts.BreakerCalls), opts.BreakerWindow).
			WithDelay(opts.BreakerRest).
			WithSuccessThreshold(breakerProbes).
			Build(),
	}
}

func (o CallerOptions) withDefaults() CallerOptions {
	o.Attempts = positive(o.Attempts, 4)
	o.Backoff = positive(o.Backoff, 500*time.Millisecond)
	o.MaxBackoff = positive(o.MaxBackoff, 10*time.Second)
	o.MaxWait = positive(o.MaxWait, 30*time.Second)
	o.BreakerCalls = positive(o.BreakerCalls, 20)
	o.BreakerWindow = positive(o.BreakerWindow, 30*time.Second)
	o.BreakerRest = positive(o.BreakerRest, 10*time.Second)
	return o
}

func positive[T int | time.Duration](v, otherwise T) T {
	if v > 0 {
		return v
	}
	return otherwise
}

// Call asks through the caller. Errors of kind RateLimited and Transient are tried again; the last
// one is returned as it came. When ctx ends first the error is the context's. A call may wait long for its
// turn at a slow pace: a limit to how long the vendor may take belongs into ask, which begins after that.
func Call[T any](ctx context.Context, c *Caller, ask func(context.Context) (T, error)) (T, error) {
	v := &visit{caller: c, patience: c.opts.MaxWait}
	policy := retrypolicy.NewBuilder[T]().
		WithMaxAttempts(c.opts.Attempts).
		HandleIf(func(_ T, err error) bool { return v.worthAnother(ctx, err) }).
		WithDelayFunc(func(e failsafe.ExecutionAttempt[T]) time.Duration { return c.backoff(e.Attempts()) }).
		ReturnLastFailure().
		Build()
	return failsafe.With[T](policy).WithContext(ctx).Get(func() (T, error) { return attempt(ctx, v, ask) })
}

// CallOnce asks as Call does, but never a second time: for what must not be done twice.
func CallOnce[T any](ctx context.Context, c *Caller, ask func(context.Context) (T, error)) (T, error) {
	return attempt(ctx, &visit{caller: c, patience: c.opts.MaxWait}, ask)
}

// attempt is one request. It holds a slot only while it is allowed to ask, so that calls which wait
// for anything else never keep the provider idle.
func attempt[T any](ctx context.Context, v *visit, ask func(context.Context) (T, error)) (answer T, err error) {
	c := v.caller
	returned := false
	ctx, span := trace.Begin(ctx, c.asks)
	defer func() { endSpan(span, returned, err) }()
	if err := v.enter(ctx); err != nil {
		return answer, err
	}
	began := time.Now()
	defer func() {
		c.leave(returned, err)
		observe(c.name, outcomeOf(returned, err), began)
	}()
	answer, err = ask(context.WithValue(ctx, turnKey{}, c))
	returned = true
	return answer, err
}

// backoff is the wait after the n-th attempt: doubling, and spread from half to one and a half of
// that so that calls which failed together do not return together.
func (c *Caller) backoff(n int) time.Duration {
	d := min(c.opts.Backoff<<min(n-1, 16), c.opts.MaxBackoff)
	return d/2 + rand.N(d)
}

type turnKey struct{}

// Turn waits until the provider may be sent a further request. A Caller counts a call as one request:
// a provider that needs several to answer asks for a turn before each further one. Outside of a
// Caller there is nothing to wait for.
func Turn(ctx context.Context) error {
	c, ok := ctx.Value(turnKey{}).(*Caller)
	if !ok {
		return ctx.Err()
	}
	return c.turn(ctx)
}

func (c *Caller) turn(ctx context.Context) error {
	if err := c.gate.turn(ctx); err != nil {
		return fmt.Errorf("wait for a turn at %s: %w", c.title, err)
	}
	return nil
}
