package source

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/trigpoint/trigpoint/internal/clock"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/provider"
)

// Purpose is what a question is asked for.
type Purpose struct {
	AccountID string
	Subject   string // id of the campaign or tracking; "" is neither
}

type purposeKey struct{}

// WithPurpose says what is asked under the context.
func WithPurpose(ctx context.Context, p Purpose) context.Context {
	return context.WithValue(ctx, purposeKey{}, p)
}

func purposeOf(ctx context.Context) Purpose {
	p, _ := ctx.Value(purposeKey{}).(Purpose)
	return p
}

// Charge is what asking a provider has cost.
type Charge struct {
	Provider string
	Purpose
	Requests int
	Cost     provider.Money
}

// ChargeOf takes the total of a bill.
func ChargeOf(name string, p Purpose, b *provider.Bill) Charge {
	requests, cost := b.Total()
	return Charge{Provider: name, Purpose: p, Requests: requests, Cost: cost}
}

// Ledger keeps what asking costs, and keeps it within budgets.
type Ledger struct {
	db    *db.DB
	clock clock.Clock
	meter meter

	mu      sync.Mutex
	budgets map[string]provider.Money // of accounts
	readAt  time.Time                 // when they were read
}

// NewLedger returns the ledger of a store.
func NewLedger(d *db.DB, c clock.Clock) *Ledger { return &Ledger{db: d, clock: c, meter: newMeter()} }

// Month is the UTC calendar month of a time, as yyyymm.
func Month(t time.Time) int {
	t = t.UTC()
	return t.Year()*100 + int(t.Month())
}

// MonthText writes a month as people do, such as 2026-11.
func MonthText(month int) string { return fmt.Sprintf("%04d-%02d", month/100, month%100) }

// ParseMonth reads a month as people write it.
func ParseMonth(text string) (int, error) {
	t, err := time.Parse("2006-01", text)
	if err != nil {
		return 0, fmt.Errorf("%.32q is not a month, such as 2026-11", text)
	}
	return Month(t), nil
}

// Record keeps charges in the transaction that keeps what they were paid for.
func (l *Ledger) Record(ctx context.Context, tx *db.Tx, charges ...Charge) error {
	sums := map[Charge]Charge{}
	for _, c := range charges {
		if c.Requests == 0 && c.Cost == 0 {
			continue
		}
		key := Charge{Provider: c.Provider, Purpose: c.Purpose}
		sum := sums[key]
		sums[key] = Charge{Requests: sum.Requests + c.Requests, Cost: sum.Cost + c.Cost}
	}
	if len(sums) == 0 {
		return nil
	}
	month := Month(l.clock.Now())
	var rows [][]any
	for key, sum := range sums {
		tx.AfterCommit(func() { l.meter.count(key.Provider, sum.Requests, sum.Cost) })
		rows = append(rows, []any{month, key.Provider, key.AccountID, key.Subject, sum.Requests, int64(sum.Cost)})
	}
	// In one order, so that two writers cannot wait for each other.
	slices.SortFunc(rows, func(a, b []any) int {
		return cmp.Or(strings.Compare(a[1].(string), b[1].(string)), strings.Compare(a[2].(string), b[2].(string)), strings.Compare(a[3].(string), b[3].(string)))
	})
	err := db.Insert(ctx, tx, "costs", "month, provider, account_id, subject, requests, cost", rows,
		"ON CONFLICT (month, provider, account_id, subject) DO UPDATE SET requests = costs.requests + excluded.requests, cost = costs.cost + excluded.cost")
	for accountID, charged := range l.limited(charges) {
		if err == nil {
			err = l.tellLow(ctx, tx, accountID, charged)
		}
	}
	return err
}

// limited is what is charged to each account with a budget. Those are remembered from when leave to ask was given.
func (l *Ledger) limited(charges []Charge) map[string]provider.Money {
	l.mu.Lock()
	defer l.mu.Unlock()
	sums := map[string]provider.Money{}
	for _, c := range charges {
		if c.Cost > 0 && l.budgets[c.AccountID] > 0 {
			sums[c.AccountID] += c.Cost
		}
	}
	return sums
}
