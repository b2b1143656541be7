package provider

import (
	"maps"
	"slices"
	"time"
)

const (
	// staleAfter is when a process that has not been heard of counts as dead, and its slots as free.
	staleAfter = 9 * time.Second

	// rotation is how long the odd slots stay with the same processes.
	rotation = 2 * time.Second
)

// ledger is what all processes have agreed on about one account at a vendor. It does no I/O; all its times
// are of one clock, the store's.
type ledger struct {
	Next       int64            `json:"next"`                  // when the next turn is, in microseconds
	PauseUntil int64            `json:"pause_until,omitempty"` // as the vendor asked one of the processes, in microseconds
	Holders    map[string]stake `json:"holders"`
}

// stake is what a process holds and would like to hold.
type stake struct {
	Slots int   `json:"slots"`
	Wants int   `json:"wants"`
	Seen  int64 `json:"seen"` // microseconds
}

// demand is what a process asks of the ledger.
type demand struct {
	underWay int           // requests that it cannot take back
	slots    int           // that it could use, those under way among them; 0 gives up all
	turns    int           // that it wants to take now
	pause    time.Duration // that the vendor has asked it for, and the others do not know of
}

// part is what a process gets.
type part struct {
	slots int
	turns int
	wait  time.Duration // until the first of the turns
	pause time.Duration // that is left of what the vendor asked any of them for
}

// take settles a process's demand at this moment.
func (l *ledger) take(pace Pace, now time.Time, holder string, d demand) part {
	at := now.UnixMicro()
	got := part{turns: d.turns, pause: l.pause(at, d.pause)}
	if interval := pace.interval(); d.turns > 0 && interval > 0 {
		// No process takes more than a fraction of a second in advance: what lies further ahead than many
		// could have taken was written before the clock was put back.
		farthest := at + (10*time.Second + 64*interval).Microseconds()
		if l.Next < at || l.Next > farthest {
			l.Next = at
		}
		got.wait = time.Duration(l.Next-at) * time.Microsecond
		l.Next += (time.Duration(d.turns) * interval).Microseconds()
	}
	maps.DeleteFunc(l.Holders, func(_ string, s stake) bool {
		age := time.Duration(at-s.Seen) * time.Microsecond
		return age > staleAfter || age < -staleAfter
	})
	if d.slots == 0 {
		delete(l.Holders, holder)
		return got
	}
	if l.Holders == nil {
		l.Holders = map[string]stake{}
	}
	l.Holders[holder] = stake{Slots: l.Holders[holder].Slots, Wants: d.slots, Seen: at}
	got.slots = max(d.underWay, min(d.slots, l.left(pace.Concurrent, holder, at)))
	l.Holders[holder] = stake{Slots: got.slots, Wants: d.slots, Seen: at}
	return got
}

// pause joins what the vendor asked one process for with what it asked the others for.
func (l *ledger) pause(at int64, asked time.Duration) time.Duration {
	if l.PauseUntil <= at || l.PauseUntil > at+maxRetryAfter.Microseconds() { // over, or written before the clock was put back
		l.PauseUntil = 0
	}
	if asked > 0 {
		l.PauseUntil = max(l.PauseUntil, at+asked.Microseconds())
	}
	return time.Duration(max(l.PauseUntil-at, 0)) * time.Microsecond
}

// left is what the others leave of all slots: they keep what they hold, and may have their fair part if they want it.
func (l *ledger) left(concurrent int, holder string, at int64) int {
	names := slices.Sorted(maps.Keys(l.Holders))
	round := int(at / rotation.Microseconds() % int64(len(names)))
	left := concurrent
	for i, name := range names {
		if name == holder {
			continue
		}
		fair := concurrent / len(names)
		if (i+round)%len(names) < concurrent%len(names) {
			fair++
		}
		other := l.Holders[name]
		left -= max(other.Slots, min(other.Wants, fair))
	}
	return max(left, 0)
}
