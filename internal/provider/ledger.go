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
	Next    int64            `json:"next"` // when the next turn is, in microseconds
	Holders map[string]stake `json:"holders"`
}

// stake is what a process holds and would like to hold.
type stake struct {
	Slots int   `json:"slots"`
	Wants int   `json:"wants"`
	Seen  int64 `json:"seen"` // microseconds
}

// demand is what a process asks of the ledger.
type demand struct {
	underWay int // requests that it cannot take back
	slots    int // that it could use, those under way among them; 0 gives up all
	turns    int // that it wants to take now
}

// part is what a process gets.
type part struct {
	slots int
	turns int
	wait  time.Duration // until the first of the turns
}

// take settles a process's demand at this moment.
func (l *ledger) take(pace Pace, now time.Time, holder string, d demand) part {
	at := now.UnixMicro()
	got := part{turns: d.turns}
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
