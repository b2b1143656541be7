package source

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/event"
	"github.com/trigpoint/trigpoint/internal/id"
	"github.com/trigpoint/trigpoint/internal/provider"
)

const (
	// reservedFor is when the reservation of a dead process ends.
	reservedFor = 10 * time.Minute

	// budgetsFor is how long the budgets of accounts are remembered.
	budgetsFor = 10 * time.Second

	// tryAgain is when others may have released what they hold.
	tryAgain = 5 * time.Second
)

// Reservation is leave to ask some questions. Release it when they have been asked and their cost is recorded.
type Reservation struct {
	Questions int
	id        string // "" where no budget is touched
}

// budget is a limit to what may be spent in a month.
type budget struct {
	lock    string // row of budget_locks
	column  string // of costs and reservations, by which it is counted
	value   string
	limit   provider.Money
	setting string // what a person would raise
}

// Reserve asks for leave to put up to n questions to a provider, each of which costs at most so much. It gives leave for as
// many as fit into the budgets of the provider and of the account, and fails with an error of kind OverBudget when
// none does.
func (l *Ledger) Reserve(ctx context.Context, d provider.Descriptor, accountID string, each provider.Money, n int) (Reservation, error) {
	if each <= 0 {
		return Reservation{Questions: n}, nil
	}
	budgets, err := l.limits(ctx, d, accountID)
	if err != nil || len(budgets) == 0 {
		return Reservation{Questions: n}, err
	}
	r := Reservation{Questions: n, id: id.New()}
	err = l.db.Tx(ctx, func(tx *db.Tx) error {
		now := l.clock.Now()
		for _, b := range budgets { // in one order, so that two who reserve cannot wait for each other
			if _, err := tx.Exec(ctx, "INSERT INTO budget_locks (name) VALUES ($1) ON CONFLICT (name) DO UPDATE SET name = excluded.name", b.lock); err != nil {
				return err
			}
		}
		for _, b := range budgets {
			left, err := b.left(ctx, tx, d, now, each)
			if err != nil {
				return err
			}
			r.Questions = min(r.Questions, int(left/each))
		}
		taken := provider.Money(r.Questions) * each
		_, err := tx.Exec(ctx, "INSERT INTO reservations (id, provider, account_id, amount, until) VALUES ($1, $2, $3, $4, $5)",
			r.id, d.Name, accountID, int64(taken), db.Micros(now.Add(reservedFor)))
		return err
	})
	return r, err
}

// tellLow writes the event that less than a tenth of an account's budget is left, when what was charged now makes it so.
func (l *Ledger) tellLow(ctx context.Context, tx *db.Tx, accountID string, charged provider.Money) error {
	now := l.clock.Now()
	limit, spent, err := allowance(ctx, tx, accountID, Month(now))
	if low := limit - limit/10; err != nil || limit == 0 || spent <= low || spent-charged > low {
		return err
	}
	month := MonthText(Month(now))
	return event.Emit(ctx, tx, now, event.Event{
		AccountID: accountID, Kind: event.BudgetLow, Subject: accountID, Once: month,
		Data: event.Budget{SpentUSD: spent.Dollars(), LimitUSD: limit.Dollars(), Month: month},
	})
}

// left is what a budget has left, which is at least the price of one question.
func (b budget) left(ctx context.Context, tx *db.Tx, d provider.Descriptor, now time.Time, each provider.Money) (provider.Money, error) {
	var spent, held int64
	_, err := db.One(ctx, tx, func(row db.Scanner) (struct{}, error) { return struct{}{}, row.Scan(&spent, &held) },
		"SELECT (SELECT CAST(coalesce(sum(cost), 0) AS BIGINT) FROM costs WHERE month = $1 AND "+b.column+" = $2), "+
			"(SELECT CAST(coalesce(sum(amount), 0) AS BIGINT) FROM reservations WHERE "+b.column+" = $2 AND until > $3)",
		Month(now), b.value, db.Micros(now))
	left := b.limit - provider.Money(spent) - provider.Money(held)
	switch {
	case err != nil || left >= each:
		return left, err
	case b.limit-provider.Money(spent) >= each:
		e := provider.Errorf(provider.RateLimited, d.Title, "What is left of the budget of %s a month is reserved for questions under way.", b.limit)
		e.RetryAfter = tryAgain
		return 0, e
	}
	return 0, provider.Errorf(provider.OverBudget, d.Title, "The budget of %s a month is used up: %s is spent, and another request to %s may cost %s. Raise %s, or wait for the next month.",
		b.limit, provider.Money(spent), d.Title, each, b.setting)
}

// Release gives back what reservations hold, in the transaction that records what was spent of them.
func (l *Ledger) Release(ctx context.Context, tx *db.Tx, reservations ...Reservation) error {
	var ids []string
	for _, r := range reservations {
		if r.id != "" {
			ids = append(ids, r.id)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	slices.Sort(ids)
	var p db.Params
	_, err := tx.Exec(ctx, "DELETE FROM reservations WHERE id IN "+db.AddAll(&p, ids), p.Args...)
	return err
}

// limits are the budgets that a question touches.
func (l *Ledger) limits(ctx context.Context, d provider.Descriptor, accountID string) ([]budget, error) {
	var all []budget
	of, err := l.Budgets(ctx)
	if limit := of[accountID]; limit > 0 {
		all = append(all, budget{"account " + accountID, "account_id", accountID, limit, "it with trigpoint account budget"})
	}
	if d.Budget > 0 {
		all = append(all, budget{"provider " + d.Name, "provider", d.Name, d.Budget, d.Env("budget")})
	}
	return all, err
}

// Budgets are what may be spent in a month for each account that has such a limit. The map is for reading only.
func (l *Ledger) Budgets(ctx context.Context) (map[string]provider.Money, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.clock.Now()
	if l.budgets != nil && now.Sub(l.readAt).Abs() < budgetsFor {
		return l.budgets, nil
	}
	budgets := map[string]provider.Money{}
	err := db.Each(ctx, l.db, func(row db.Scanner) error {
		var accountID string
		var limit int64
		err := row.Scan(&accountID, &limit)
		budgets[accountID] = provider.Money(limit)
		return err
	}, "SELECT id, budget FROM accounts WHERE budget > 0")
	if err != nil {
		return nil, fmt.Errorf("read the budgets of accounts: %w", err)
	}
	l.budgets, l.readAt = budgets, now
	return budgets, nil
}

// SetBudget limits what may be spent for an account in a month; 0 is no limit.
func (l *Ledger) SetBudget(ctx context.Context, accountID string, limit provider.Money) error {
	return l.db.Tx(ctx, func(tx *db.Tx) error {
		n, err := tx.Exec(ctx, "UPDATE accounts SET budget = $2 WHERE id = $1 AND budget <> $2", accountID, int64(limit))
		if err != nil || n == 0 {
			return err
		}
		tx.AfterCommit(func() {
			l.mu.Lock()
			defer l.mu.Unlock()
			l.budgets = nil
		})
		dollars := limit.Dollars()
		return event.Emit(ctx, tx, l.clock.Now(), event.Event{
			AccountID: accountID, Kind: event.AccountChanged, Subject: accountID, Data: event.Account{Changed: []string{"budget"}, BudgetUSD: &dollars},
		})
	})
}

// Allowance is what may be spent for an account in a month (0 is no limit), and what is spent of it in this one.
func (l *Ledger) Allowance(ctx context.Context, accountID string, month int) (limit, spent provider.Money, err error) {
	return allowance(ctx, l.db, accountID, month)
}

func allowance(ctx context.Context, q db.Queryer, accountID string, month int) (limit, spent provider.Money, err error) {
	_, err = db.One(ctx, q, func(row db.Scanner) (struct{}, error) { return struct{}{}, row.Scan(&limit, &spent) },
		"SELECT budget, (SELECT CAST(coalesce(sum(cost), 0) AS BIGINT) FROM costs WHERE account_id = $1 AND month = $2) FROM accounts WHERE id = $1", accountID, month)
	return limit, spent, err
}

// Sweep forgets reservations of dead processes.
func (l *Ledger) Sweep(ctx context.Context) error {
	return l.db.Tx(ctx, func(tx *db.Tx) error {
		_, err := tx.Exec(ctx, "DELETE FROM reservations WHERE until < $1", db.Micros(l.clock.Now()))
		return err
	})
}
