package rankwatch

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/serp"
)

func (s *Service) record(ctx context.Context, batch []outcome) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), flushTime)
	defer cancel()
	var fault error
	faults := 0
	for _, o := range batch {
		if o.err != nil && !o.released() && !errors.Is(o.err, errExpired) {
			fault = o.err
			faults++
		}
	}
	if fault != nil {
		s.log.Warn("rank checks failed and are tried again", "checks", faults, "last_error", fault)
	}
	err := s.db.Tx(ctx, func(tx *db.Tx) error { return s.recordIn(ctx, tx, batch) })
	if err != nil {
		return fmt.Errorf("record %d rank checks: %w", len(batch), err)
	}
	return nil
}

// recordIn is record in a transaction.
func (s *Service) recordIn(ctx context.Context, tx *db.Tx, batch []outcome) error {
	keywords := make([]int64, len(batch))
	for i, o := range batch {
		keywords[i] = o.number
	}
	slices.Sort(keywords)
	states, err := lockStates(ctx, tx, keywords)
	if err != nil {
		return err
	}
	if err := forgetAhead(ctx, tx, batch, states); err != nil {
		return err
	}
	var changed []*rankState
	var pages []serp.Packed
	for i := range batch {
		state := states[batch[i].number]
		if state == nil || errors.Is(batch[i].err, errExpired) {
			continue // deleted for good meanwhile, or another's by now
		}
		if o := &batch[i]; o.err != nil {
			state.failed(o)
		} else if counts, err := state.answered(o); err != nil {
			return err
		} else if counts {
			pages = append(pages, o.page)
		}
		if !state.taken {
			state.taken = true
			changed = append(changed, state)
		}
	}
	if err := closeMonths(ctx, tx, changed); err != nil {
		return err
	}
	if err := saveStates(ctx, tx, changed); err != nil {
		return err
	}
	if len(pages) == 0 {
		return nil
	}
	return s.serps.Keep(ctx, tx, pages)
}
