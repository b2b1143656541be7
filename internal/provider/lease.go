package provider

import (
	"context"
	"encoding/json"
	"time"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/id"
)

const (
	ahead     = 300 * time.Millisecond // of the rate that a process takes in advance
	heartbeat = staleAfter / 3
	lookAgain = 200 * time.Millisecond // for slots that others hold
	leaseTime = 5 * time.Second        // for the store to answer
)

// sharedPace keeps the pace of an account together with all processes that work the store.
func sharedPace(d *db.DB, account string, pace Pace) func(context.Context, demand) (part, error) {
	holder := id.New()
	pace.Concurrent = max(pace.Concurrent, 1)
	return func(ctx context.Context, want demand) (got part, err error) {
		ctx, cancel := context.WithTimeout(ctx, leaseTime)
		defer cancel()
		return got, d.Tx(ctx, func(tx *db.Tx) error {
			var l ledger
			// The store's clock is the one that all processes share. It is read after the row is locked.
			now, err := db.One(ctx, tx, func(row db.Scanner) (time.Time, error) {
				var state string
				var now int64
				if err := row.Scan(&state, &now); err != nil {
					return time.Time{}, err
				}
				return db.Time(now), json.Unmarshal([]byte(state), &l)
			}, `INSERT INTO provider_paces (account, state) VALUES ($1, '{}') ON CONFLICT (account) DO UPDATE SET state = provider_paces.state
				RETURNING state, CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS BIGINT)`, account)
			if err != nil {
				return err
			}
			got = l.take(pace, now, holder, want)
			state, err := json.Marshal(l)
			if err != nil {
				return err
			}
			_, err = tx.Exec(ctx, "UPDATE provider_paces SET state = $2 WHERE account = $1", account, string(state))
			return err
		})
	}
}

// wakeLeasing starts the loop that leases, or tells it of new demand. g.mu is held.
func (g *gate) wakeLeasing() {
	if g.leasing {
		select {
		case g.wake <- struct{}{}:
		default:
		}
		return
	}
	if g.demand().slots > 0 {
		g.leasing = true
		go g.keepLeasing()
	}
}

// keepLeasing leases what is needed and says that the process lives, until nothing is under way or waiting.
func (g *gate) keepLeasing() {
	again := time.NewTimer(heartbeat) // when to ask though nothing presses
	defer again.Stop()
	refused := false // the last lease brought fewer slots than were wanted
	for {
		d, pressing := g.needs(refused)
		if !pressing {
			if d.slots == 0 {
				again.Reset(lookAgain) // the next call may be about to come
			}
			select {
			case <-g.wake:
				continue
			case <-again.C:
				d, _ = g.needs(refused)
			}
		}
		got, err := g.lease(context.Background(), d)
		if g.settle(d, got, err) {
			return
		}
		if err != nil {
			time.Sleep(time.Second) // the calls wait for the store, as long as those who made them allow
		}
		if refused = err != nil || got.slots < d.slots; refused {
			again.Reset(lookAgain)
		} else {
			again.Reset(heartbeat)
		}
	}
}

func (g *gate) needs(refused bool) (d demand, pressing bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	d = g.demand()
	return d, d.turns > 0 || d.pause > 0 || (d.slots > g.slots && !refused)
}

// settle hands out what a lease has brought; done says that the loop may end.
func (g *gate) settle(d demand, got part, err error) (done bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if err == nil {
		g.slots = got.slots
		g.pause.agree(got.pause)
		if got.turns > 0 {
			g.turns = append(g.turns, turns{next: time.Now().Add(got.wait), left: got.turns})
		}
		g.serve()
	}
	if d.slots == 0 && g.demand().slots == 0 {
		g.leasing, g.slots, g.turns = false, 0, nil
		return true
	}
	return false
}

// demand is what the gate could use now. g.mu is held.
func (g *gate) demand() demand {
	d := demand{underWay: g.underWay, slots: min(g.underWay+g.fresh.Len(), g.pace.Concurrent), pause: g.pause.untold()}
	if g.pace.PerSecond <= 0 {
		return d
	}
	leased := 0
	for _, t := range g.turns {
		leased += t.left
	}
	// Turns that nobody uses are lost for all: of the calls that wait, those count for which there is a slot,
	// or soon will be.
	batch := max(1, int(g.pace.PerSecond*ahead.Seconds()))
	useful := g.further.Len() + min(g.fresh.Len(), max(g.slots-g.underWay, 0)+(batch+1)/2)
	if want := min(useful, batch); leased <= want/2 {
		d.turns = want - leased
	}
	return d
}
