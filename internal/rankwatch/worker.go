package rankwatch

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/job"
	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/serp"
	"github.com/trigpoint/trigpoint/internal/source"
	"github.com/trigpoint/trigpoint/internal/trace"
)

// A run takes what is due, asks the provider with as many checks at once as it allows, and keeps outcomes
// in batches. The rows say what is due, so nothing is lost with the process: a claim that was not kept
// ends by itself. Of two checks of a day the first one kept counts.
const (
	maxKept = 256 // outcomes of one transaction

	// A provider that refuses the credential, or whose account is empty, is not asked ten thousand times:
	// after so many refusals in a row everything waits.
	maxRefusals = 20
	refusedRest = 10 * time.Minute
)

// checkDue makes all checks that are due.
func (s *Service) checkDue(ctx context.Context) (more bool, err error) {
	now := s.clock.Now()
	if rest := s.restUntil.Sub(now); rest > 0 && rest <= refusedRest {
		return false, nil
	}
	due, putOff, err := anyDue(ctx, s.db, now)
	if err == nil && putOff {
		due, err = true, s.db.Tx(ctx, func(tx *db.Tx) error { return pullBack(ctx, tx, now) })
	}
	if err != nil || !due {
		return false, err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	pace := paceFor(s.sources.First().Describe().Pace)
	var refusals atomic.Int64 // in a row
	var refusing atomic.Bool
	crew := job.Crew[claim, outcome]{
		Workers: pace.workers, Batch: maxKept,
		Work: func(ctx context.Context, c claim) outcome {
			o := s.check(ctx, c, pace.limit)
			switch {
			case o.refused():
				if refusals.Add(1) >= maxRefusals { // at once: keeping may take longer than asking
					refusing.Store(true)
					cancel()
				}
			case !o.released() && provider.KindOf(o.err) != provider.OverBudget:
				refusals.Store(0)
			}
			return o
		},
		Keep: func(batch []outcome) error {
			err := s.keep(ctx, batch)
			if err != nil {
				cancel() // what is under way is not kept either; its claims end by themselves
			}
			return err
		},
	}
	var released []outcome // of claims that were not begun
	_, err = crew.Run(ctx, func(give func(claim) bool) error {
		for ctx.Err() == nil {
			claims, more, err := s.claim(ctx, pace)
			if err != nil || !more {
				return err
			}
			for _, c := range claims {
				if !give(c) {
					released = append(released, outcome{claim: c, err: errReleased})
				}
			}
		}
		return nil
	})
	if len(released) > 0 {
		err = errors.Join(err, s.keep(ctx, released))
	}
	if refusing.Load() {
		s.restUntil = s.clock.Now().Add(refusedRest)
		if errors.Is(err, context.Canceled) { // we stopped ourselves
			err = nil
		}
	}
	return false, err
}

// check asks the provider about one keyword. It counts for the day on which it began.
func (s *Service) check(ctx context.Context, c claim, limit time.Duration) (o outcome) {
	o = outcome{claim: c, at: s.clock.Now()}
	switch {
	case ctx.Err() != nil:
		o.err = errReleased
	case o.at.After(c.until):
		o.err = errExpired
	}
	if o.err != nil {
		return o
	}
	ctx, span := trace.BeginApart(ctx, "check")
	defer func() {
		if p := recover(); p != nil {
			o.err = fmt.Errorf("panic while checking: %v", p)
			s.log.Error("a check panicked", "keyword", c.number, "panic", p)
		}
		if o.err != nil && !o.released() {
			span.Fail("failed")
		}
		span.End()
	}()
	query := c.query(s.depth)
	pages := provider.Money(query.Pages())
	ctx = source.WithPurpose(ctx, source.Purpose{AccountID: c.tracking.accountID, Subject: c.tracking.id})
	page, by, receipt, err := source.Ask(ctx, s.ledger, s.sources.As(query.Device, query.Location), func(p provider.Prices) provider.Money { return pages * p.WebPage },
		func(ctx context.Context, web WebProvider) (provider.WebPage, error) {
			ctx, cancel := context.WithTimeout(ctx, limit) // from here on, not while it waits to be asked
			defer cancel()
			return web.SearchWeb(ctx, query)
		})
	o.receipt, o.asked = receipt, by.Title
	switch {
	case err != nil && ctx.Err() != nil:
		o.err = errReleased
	case err != nil:
		o.err = err
	default:
		if now := s.clock.Now(); o.at.After(now) { // the clock was ahead when it began
			o.at = now
		}
		t := c.tracking
		business := ""
		if t.config.Name != nil {
			business = *t.config.Name
		}
		o.found = find(page, t.target, business)
		o.provider = by.Name
		o.page, o.err = s.serps.Pack(serp.Fetched{
			Key: serp.Key{AccountID: t.accountID, Keyword: c.kw, LocationID: t.locationID, PlatformID: t.platformID}, At: o.at, Page: page, Provider: by.Name,
			Whole: page.Depth() >= serp.Depth || o.found.Rank == 0 && query.Depth >= serp.Depth,
		})
	}
	return o
}
