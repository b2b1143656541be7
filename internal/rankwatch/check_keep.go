package rankwatch

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/rankwatch/series"
	"github.com/trigpoint/trigpoint/internal/serp"
	"github.com/trigpoint/trigpoint/internal/source"
)

// keepTime is how long a transaction that keeps outcomes may take, even while the process stops.
const keepTime = 30 * time.Second

// keep stores what came of checks, in one transaction.
func (s *Service) keep(ctx context.Context, batch []outcome) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), keepTime)
	defer cancel()
	var fault error
	faults := 0
	for _, o := range batch {
		if _, promised := o.promised(); o.err != nil && !promised && !o.released() && !errors.Is(o.err, errExpired) {
			fault = o.err
			faults++
		}
	}
	if fault != nil {
		s.log.Warn("rank checks failed and are tried again", "checks", faults, "last_error", fault)
	}
	err := s.db.Tx(ctx, func(tx *db.Tx) error { return s.keepIn(ctx, tx, batch) })
	if err != nil {
		return fmt.Errorf("keep %d rank checks: %w", len(batch), err)
	}
	for i := range batch {
		s.checked.WithLabelValues(batch[i].word()).Inc()
	}
	return nil
}

func (s *Service) keepIn(ctx context.Context, tx *db.Tx, batch []outcome) error {
	keywords := make([]int64, len(batch))
	for i, o := range batch {
		keywords[i] = o.number
	}
	slices.Sort(keywords)
	states, err := lockStates(ctx, tx, keywords)
	if err != nil {
		return err
	}
	changed := map[int64]*rankState{}
	var pages []serp.Packed
	var answered []string // trackings
	var moves []move
	for i := range batch {
		o := &batch[i]
		state := states[o.number]
		if state == nil || errors.Is(o.err, errExpired) {
			continue // deleted for good meanwhile, or another's by now
		}
		changed[o.number] = state
		if o.err != nil {
			state.failed(o)
			continue
		}
		if state.checkedAt != nil && ahead(*state.checkedAt, o.at) {
			if err := forgetAhead(ctx, tx, state, series.DayOf(o.at)); err != nil {
				return err
			}
		}
		before, checked, err := state.last()
		if err != nil {
			return err
		}
		looked := state.provider != ""
		counts, err := state.answered(o)
		if err != nil {
			return err
		}
		if counts && checked {
			moves = append(moves, move{o, before, looked})
		}
		if counts {
			answered = append(answered, o.tracking.id)
			pages = append(pages, o.page)
		}
	}
	list := slices.Collect(maps.Values(changed))
	if err := closeMonths(ctx, tx, list); err != nil {
		return err
	}
	if err := saveStates(ctx, tx, list); err != nil {
		return err
	}
	if err := markChanged(ctx, tx, s.clock.Now(), answered...); err != nil {
		return err
	}
	if err := s.tellRefused(ctx, tx, batch); err != nil {
		return err
	}
	if err := s.raise(ctx, tx, moves); err != nil {
		return err
	}
	if len(pages) > 0 {
		if err := s.serps.Keep(ctx, tx, pages); err != nil {
			return err
		}
	}
	// Last, since all who check for an account wait for each other here until they are on disk.
	receipts := make([]*source.Receipt, len(batch))
	for i, o := range batch {
		receipts[i] = o.receipt
	}
	return s.ledger.Settle(ctx, tx, receipts...)
}

// forgetAhead removes what a wrong clock has left for the days after one.
func forgetAhead(ctx context.Context, tx *db.Tx, state *rankState, day series.Day) error {
	kept, err := allYears(ctx, tx, []int64{state.number})
	if err != nil {
		return err
	}
	years, err := state.forgetAfter(day, kept[state.number])
	if err != nil {
		return err
	}
	return saveYears(ctx, tx, map[int64][]series.DatedYear{state.number: years})
}
