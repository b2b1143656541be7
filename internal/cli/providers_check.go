package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/trigpoint/trigpoint/internal/clock"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/source"
)

const (
	checkTime    = 20 * time.Second // for one provider, its turn included
	checksAtOnce = 4
)

// checkResult is what came of the cheapest real request.
type checkResult struct {
	OK   bool   `json:"ok"`
	Says string `json:"says"`
}

// String is one line of a table.
func (r *checkResult) String() string {
	switch {
	case r == nil:
		return "-"
	case r.OK:
		return "works: " + r.Says
	}
	return "FAILS: " + r.Says
}

// checkAccess asks every provider that is configured, and fails if one of them does. What that costs is recorded with no account;
// budgets do not hold it up, since a person asked for it.
func checkAccess(ctx context.Context, store *db.DB, all []*shownProvider) error {
	var asked []*shownProvider
	for _, p := range all {
		if p.Configured {
			asked = append(asked, p)
		}
	}
	charges := make([]source.Charge, len(asked))
	var group errgroup.Group
	group.SetLimit(checksAtOnce)
	for i, p := range asked {
		group.Go(func() error {
			charges[i] = p.check(ctx, store)
			return nil
		})
	}
	_ = group.Wait() // failures are results
	if store != nil {
		ledger := source.NewLedger(store, clock.System{})
		if err := store.Tx(context.WithoutCancel(ctx), func(tx *db.Tx) error { return ledger.Record(ctx, tx, charges...) }); err != nil {
			return err
		}
	}
	var failed []string
	for _, p := range asked {
		if !p.Check.OK {
			failed = append(failed, p.Name)
		}
	}
	if len(failed) > 0 {
		return fmt.Errorf("configured, but not working: %s", strings.Join(failed, ", "))
	}
	return nil
}

// check asks one provider, within its pace, and returns what that has cost.
func (p *shownProvider) check(ctx context.Context, store *db.DB) source.Charge {
	checker, ok := p.opened.(provider.Checker)
	if !ok {
		p.Check = &checkResult{true, "there is nothing to check"}
		return source.Charge{}
	}
	ctx, cancel := context.WithTimeout(ctx, checkTime)
	defer cancel()
	var bill provider.Bill
	caller := provider.NewCaller(p.opened.Describe(), provider.CallerOptions{Store: store})
	says, err := provider.CallOnce(provider.WithBill(ctx, &bill), caller, checker.CheckAccess)
	switch {
	case err == nil:
		p.Check = &checkResult{true, says}
	case errors.Is(err, context.DeadlineExceeded):
		p.Check = &checkResult{false, fmt.Sprintf("no answer within %s", checkTime)}
	default:
		p.Check = &checkResult{false, readable(err)}
	}
	return source.ChargeOf(p.Name, source.Purpose{}, &bill)
}
