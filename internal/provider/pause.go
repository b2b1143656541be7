package provider

import (
	"sync"
	"time"
)

// pause is a time before which the vendor asked not to be asked. It holds for all calls, since
// vendors count requests by account.
type pause struct {
	mu      sync.Mutex
	until   time.Time
	agreed  time.Time // as far as all processes that share the account know of it
	unasked int       // pauses in a row of whose length the vendor said nothing
}

// grow pauses after a refusal that does not say for how long: longer each time, until there is an answer.
// What was under way when a pause began is refused together, and makes it no longer.
func (p *pause) grow(backoff func(n int) time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if now := time.Now(); !now.Before(p.until) {
		p.unasked++
		p.until = now.Add(backoff(p.unasked))
	}
}

func (p *pause) answered() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.unasked = 0
}

func (p *pause) extend(d time.Duration) {
	if d <= 0 {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if until := time.Now().Add(min(d, maxRetryAfter)); until.After(p.until) {
		p.until = until
	}
}

func (p *pause) left() time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	return max(time.Until(p.until), 0)
}

// untold is what is left of a pause that the other processes do not know of.
func (p *pause) untold() time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.until.After(p.agreed) {
		return max(time.Until(p.until), 0)
	}
	return 0
}

// agree keeps to a pause that all processes know of.
func (p *pause) agree(d time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.agreed = time.Now().Add(d)
	if d > 0 && p.agreed.After(p.until) {
		p.until = p.agreed
	}
}
