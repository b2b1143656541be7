package provider

import (
	"context"
	"fmt"
	"time"
)

// breakerProbes is how many calls are let through to see whether a failing vendor is back; all must succeed.
const breakerProbes = 3

// visit is one call's way through a Caller, over all its attempts.
type visit struct {
	caller   *Caller
	patience time.Duration // what is left of MaxWait
}

// enter returns once the call may ask the vendor: no pause is on, a slot and a turn are had, and
// the breaker agrees. Every success is followed by leave.
func (v *visit) enter(ctx context.Context) error {
	c := v.caller
	for {
		hold := c.blocked()
		if hold == nil {
			if err := c.gate.enter(ctx); err != nil {
				return fmt.Errorf("wait for %s: %w", c.title, err)
			}
			if hold = c.admit(); hold == nil {
				return nil
			}
			c.gate.leave()
		}
		if err := v.sitOut(ctx, hold); err != nil {
			return err
		}
	}
}

// sitOut waits while the vendor is left alone, as long as patience and deadline allow.
func (v *visit) sitOut(ctx context.Context, hold *Error) error {
	if hold.RetryAfter > v.patience || tooLate(ctx, hold.RetryAfter) || (hold.resting && impatient(ctx)) {
		return hold
	}
	v.patience -= hold.RetryAfter
	timer := time.NewTimer(hold.RetryAfter)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("wait for %s: %w", v.caller.title, ctx.Err())
	}
}

type impatientKey struct{}

// Impatient makes calls under the context not wait for a vendor that is left alone for failing: there is another one to ask.
func Impatient(ctx context.Context) context.Context {
	return context.WithValue(ctx, impatientKey{}, true)
}

func impatient(ctx context.Context) bool { return ctx.Value(impatientKey{}) != nil }

// worthAnother tells whether an attempt that ended in err is followed by another. What sitOut handed
// over is not: it asks for more than there is left.
func (v *visit) worthAnother(ctx context.Context, err error) bool {
	if err == nil || !KindOf(err).Retryable() || (Resting(err) && impatient(ctx)) {
		return false
	}
	wait := retryAfter(err)
	return wait <= v.patience && !tooLate(ctx, wait)
}

func tooLate(ctx context.Context, wait time.Duration) bool {
	deadline, ok := ctx.Deadline()
	return ok && time.Until(deadline) <= wait
}

// blocked is nil, or the reason why nobody may ask the vendor for as long as its RetryAfter.
func (c *Caller) blocked() *Error {
	if wait := c.gate.pause.left(); wait > 0 {
		e := Errorf(RateLimited, c.title, "%s asked for a pause.", c.title)
		e.RetryAfter = wait
		return e
	}
	if wait := c.breaker.RemainingDelay(); wait > 0 {
		return c.resting(wait)
	}
	return nil
}

// admit asks again, since a pause may have begun while the call stood in the queue, and takes the
// breaker's permit.
func (c *Caller) admit() *Error {
	if hold := c.blocked(); hold != nil {
		return hold
	}
	if !c.breaker.TryAcquirePermit() {
		// The probes are under way; they take about as long as a request.
		return c.resting(max(c.breaker.RemainingDelay(), c.opts.BreakerRest/20))
	}
	return nil
}

// refusedRest is how long a vendor whose account is empty, or refused, is asked only by those who have no other.
const refusedRest = 5 * time.Minute

// Able tells whether the vendor is likely to answer: it is not left alone for failing, and has not lately said that the account
// is empty or refused. It forbids nothing.
func (c *Caller) Able() bool {
	return c.breaker.RemainingDelay() <= 0 && time.Now().UnixNano() >= c.refused.Load()
}

func (c *Caller) resting(wait time.Duration) *Error {
	e := Errorf(Transient, c.title, "%s keeps failing and is left alone for a while.", c.title)
	e.RetryAfter, e.resting = wait, true
	return e
}

// leave tells pause and breaker what happened, and only then lets the next call in. A call that did
// not return panicked.
func (c *Caller) leave(returned bool, err error) {
	defer c.gate.leave()
	kind := KindOf(err)
	if kind != Pending { // that is about one question, not about the vendor
		c.gate.pause.extend(retryAfter(err))
	}
	switch {
	case kind == QuotaSpent || kind == Unauthorized:
		c.refused.Store(time.Now().Add(refusedRest).UnixNano())
		c.breaker.RecordSuccess() // it works; it does not want us
	case kind == RateLimited && retryAfter(err) == 0:
		c.gate.pause.grow(c.backoff)
		c.breaker.RecordFailure()
	case !returned || kind == Transient:
		c.breaker.RecordFailure()
	case err == nil || kind != Unknown:
		c.refused.Store(0)
		c.gate.pause.answered()
		c.breaker.RecordSuccess()
	case c.breaker.IsHalfOpen():
		// Cancelled: it says nothing of the vendor, but a probe's permit returns only with a result.
		c.breaker.RecordFailure()
	}
}
