package rankwatch

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/serp"
)

// A run takes what is due, asks the provider with as many checks at once as it allows, and records
// outcomes in batches. The rows say what is due, so nothing is lost with the process: a claim that was
// not recorded ends by itself. A day is recorded once, whoever checked it.
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
	claims, outcomes := make(chan claim), make(chan outcome, maxKept)
	var feedErr error
	var refusals atomic.Int64 // in a row
	var refusing atomic.Bool
	var work sync.WaitGroup
	pace := paceFor(s.web.Describe().Pace)
	work.Go(func() {
		defer close(claims)
		feedErr = s.feed(ctx, pace, claims, outcomes)
	})
	for range pace.workers {
		work.Go(func() {
			for c := range claims {
				o := s.check(ctx, c, pace.limit)
				switch {
				case o.refused():
					if refusals.Add(1) >= maxRefusals { // at once: recording may take longer than asking
						refusing.Store(true)
						cancel()
					}
				case !o.released():
					refusals.Store(0)
				}
				outcomes <- o
			}
		})
	}
	go func() {
		work.Wait()
		close(outcomes)
	}()
	err = errors.Join(s.keepAll(ctx, outcomes, cancel), feedErr)
	if refusing.Load() {
		s.restUntil = s.clock.Now().Add(refusedRest)
		if errors.Is(err, context.Canceled) { // we stopped ourselves
			err = nil
		}
	}
	return false, err
}

// feed claims in batches until nothing is due.
func (s *Service) feed(ctx context.Context, p pace, claims chan<- claim, outcomes chan<- outcome) error {
	for ctx.Err() == nil {
		batch, more, err := s.claim(ctx, p)
		if err != nil || !more {
			return err
		}
		for _, c := range batch {
			select {
			case claims <- c:
			case <-ctx.Done():
				outcomes <- outcome{claim: c, err: errReleased}
			}
		}
	}
	return nil
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
	defer func() {
		if p := recover(); p != nil {
			o.err = fmt.Errorf("panic while checking: %v", p)
			s.log.Error("a check panicked", "keyword", c.number, "panic", p)
		}
	}()
	query := c.query(s.depth)
	page, err := provider.Call(ctx, s.caller, func(ctx context.Context) (provider.WebPage, error) {
		ctx, cancel := context.WithTimeout(ctx, limit) // from here on, not while it waits to be asked
		defer cancel()
		return s.web.SearchWeb(ctx, query)
	})
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
		o.page, o.err = s.serps.Pack(serp.Fetched{
			Key: serp.Key{AccountID: t.accountID, Keyword: c.kw, LocationID: t.locationID, PlatformID: t.platformID}, At: o.at, Page: page,
			Whole: page.Depth() >= serp.Depth || o.found.Rank == 0 && query.Depth >= serp.Depth,
		})
	}
	return o
}

// keepAll stores outcomes as they come, as many in one transaction as have come meanwhile. After a
// failure nothing more is begun; the claims that are lost with it end by themselves.
func (s *Service) keepAll(ctx context.Context, outcomes <-chan outcome, stop func()) error {
	var failed error
	for first := range outcomes {
		batch := []outcome{first}
	collect:
		for len(batch) < maxKept {
			select {
			case o, ok := <-outcomes:
				if !ok {
					break collect
				}
				batch = append(batch, o)
			default:
				break collect
			}
		}
		if failed != nil {
			continue
		}
		if failed = s.keep(ctx, batch); failed != nil {
			stop()
		}
	}
	return failed
}
