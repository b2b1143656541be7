package provider

import (
	"container/list"
	"context"
	"sync"
	"time"
)

// lateness is how much of a timer's delay is made up for, so that the rate is used in full. Longer
// stalls are lost: what they held up must not come all at once.
const lateness = 100 * time.Millisecond

// gate lets requests to one vendor through, so many under way at once and so many begun a second. Who
// waits holds nothing. Calls under way get their further turns before new ones begin: what was begun
// ends soon, however slow the pace.
type gate struct {
	pace  Pace
	lease func(context.Context, demand) (part, error) // of the pace that processes share; nil when it is all ours
	pause pause

	mu       sync.Mutex
	further  list.List // of chan struct{}: calls under way that want another turn
	fresh    list.List // calls that have not begun
	underWay int
	slots    int     // that may be under way
	turns    []turns // to come, in order
	awaited  bool    // somebody has waited for the next turn
	timer    *time.Timer
	leasing  bool
	wake     chan struct{} // tells the leasing loop of new demand
}

// turns are moments at which a request may begin, one interval apart.
type turns struct {
	next time.Time
	left int // -1 is without end
}

func newGate(pace Pace, lease func(context.Context, demand) (part, error)) *gate {
	pace.Concurrent = max(pace.Concurrent, 1)
	g := &gate{pace: pace, lease: lease, wake: make(chan struct{}, 1)}
	if lease == nil {
		g.slots, g.turns = pace.Concurrent, []turns{{left: -1}}
	}
	return g
}

// enter waits to begin a call; every success is followed by leave.
func (g *gate) enter(ctx context.Context) error { return g.wait(ctx, &g.fresh) }

// turn waits to make a further request of a call under way.
func (g *gate) turn(ctx context.Context) error { return g.wait(ctx, &g.further) }

func (g *gate) leave() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.underWay--
	g.serve()
}

func (g *gate) wait(ctx context.Context, queue *list.List) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	granted := make(chan struct{})
	g.mu.Lock()
	place := queue.PushBack(granted)
	g.serve()
	g.mu.Unlock()
	select {
	case <-granted:
		return nil
	case <-ctx.Done():
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	select {
	case <-granted: // in the same moment
		if queue == &g.fresh {
			g.underWay--
		}
	default:
		queue.Remove(place)
	}
	g.serve()
	return ctx.Err()
}

// serve lets in who may go now, and sees to it that it is called when the next may. g.mu is held.
func (g *gate) serve() {
	for {
		queue := g.first()
		if queue == nil {
			g.awaited = false
			break
		}
		if g.pace.PerSecond > 0 {
			now := time.Now()
			if g.forget(now); len(g.turns) == 0 {
				break // the next lease brings some
			}
			if wait := g.turns[0].next.Sub(now); wait > 0 {
				g.awaited = true
				g.callIn(wait)
				break
			}
			g.takeTurn(now)
		}
		if queue == &g.fresh {
			g.underWay++
		}
		close(queue.Remove(queue.Front()).(chan struct{}))
	}
	if g.lease != nil {
		g.wakeLeasing()
	}
}

// first is the queue whose turn it is, or nil when nobody may go.
func (g *gate) first() *list.List {
	switch {
	case g.further.Len() > 0:
		return &g.further
	case g.fresh.Len() > 0 && g.underWay < g.slots:
		return &g.fresh
	}
	return nil
}

// forget drops leased turns that were not used in time.
func (g *gate) forget(now time.Time) {
	for len(g.turns) > 0 && g.turns[0].left > 0 && g.turns[0].next.Before(now.Add(-lateness)) {
		g.pass()
	}
}

func (g *gate) takeTurn(now time.Time) {
	if t := &g.turns[0]; t.left < 0 {
		earliest := now
		if g.awaited {
			earliest = now.Add(-lateness)
		}
		if t.next.Before(earliest) {
			t.next = earliest
		}
	}
	g.pass()
}

// pass goes on to the next turn.
func (g *gate) pass() {
	t := &g.turns[0]
	t.next = t.next.Add(g.pace.interval())
	if t.left > 0 {
		if t.left--; t.left == 0 {
			g.turns = g.turns[1:]
		}
	}
}

func (g *gate) callIn(wait time.Duration) {
	if g.timer != nil {
		g.timer.Reset(wait)
		return
	}
	g.timer = time.AfterFunc(wait, func() {
		g.mu.Lock()
		defer g.mu.Unlock()
		g.serve()
	})
}
