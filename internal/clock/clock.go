// Package clock lets a test decide what time it is.
package clock

import (
	"sync"
	"time"
)

// Clock tells the time.
type Clock interface{ Now() time.Time }

// System is the machine's clock, in UTC and in whole microseconds, as the store keeps time.
type System struct{}

// Now returns the current time.
func (System) Now() time.Time { return time.Now().UTC().Truncate(time.Microsecond) }

// Fake stands still until it is moved.
type Fake struct {
	mu  sync.Mutex
	now time.Time
}

// NewFake returns a clock that shows t.
func NewFake(t time.Time) *Fake { return &Fake{now: t.UTC()} }

// Now returns the time it was set to.
func (f *Fake) Now() time.Time {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.now
}

// Set moves the clock to t.
func (f *Fake) Set(t time.Time) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.now = t.UTC()
}

// Advance moves the clock forward by d.
func (f *Fake) Advance(d time.Duration) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.now = f.now.Add(d)
}
