package source

import (
	"context"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/provider"
)

// Cost is a line of the ledger, with the names of what still exists.
type Cost struct {
	Month int
	Charge
	Email    string // of the account; "" where it is deleted, or nobody's
	Name     string // of the subject: the campaign's name or the tracking's domain; "" where it is removed
	Tracking bool   // the subject is a tracking
}

// Filter chooses lines of the ledger; empty fields choose all.
type Filter struct {
	Month     int
	AccountID string
	Provider  string
}

func (f Filter) where(p *db.Params) string {
	where := "TRUE"
	if f.Month != 0 {
		where += " AND c.month = " + p.Add(f.Month)
	}
	if f.AccountID != "" {
		where += " AND c.account_id = " + p.Add(f.AccountID)
	}
	if f.Provider != "" {
		where += " AND c.provider = " + p.Add(f.Provider)
	}
	return where
}

// Costs lists lines of the ledger: the newest month first, of a month the dearest first.
func (l *Ledger) Costs(ctx context.Context, f Filter, limit, offset int) ([]Cost, error) {
	var p db.Params
	return db.All(ctx, l.db, func(row db.Scanner) (Cost, error) {
		var c Cost
		var cost int64
		err := row.Scan(&c.Month, &c.Provider, &c.AccountID, &c.Subject, &c.Requests, &cost, &c.Email, &c.Name, &c.Tracking)
		c.Cost = provider.Money(cost)
		return c, err
	}, `SELECT c.month, c.provider, c.account_id, c.subject, c.requests, c.cost, coalesce(a.email, ''), coalesce(m.name, t.domain, ''), t.id IS NOT NULL
		FROM costs c LEFT JOIN accounts a ON a.id = c.account_id
		LEFT JOIN campaigns m ON m.id = c.subject AND m.account_id = c.account_id
		LEFT JOIN trackings t ON t.id = c.subject AND t.account_id = c.account_id
		WHERE `+f.where(&p)+" ORDER BY c.month DESC, c.cost DESC, c.provider, c.account_id, c.subject LIMIT "+p.Add(limit)+" OFFSET "+p.Add(offset), p.Args...)
}

// Total is the sum of lines of the ledger.
type Total struct {
	Lines    int64
	Requests int64
	Cost     provider.Money
}

// Total adds up all lines that a filter chooses.
func (l *Ledger) Total(ctx context.Context, f Filter) (Total, error) {
	var p db.Params
	return db.One(ctx, l.db, func(row db.Scanner) (t Total, err error) {
		var cost int64
		err = row.Scan(&t.Lines, &t.Requests, &cost)
		t.Cost = provider.Money(cost)
		return t, err
	}, "SELECT count(*), CAST(coalesce(sum(c.requests), 0) AS BIGINT), CAST(coalesce(sum(c.cost), 0) AS BIGINT) FROM costs c WHERE "+f.where(&p), p.Args...)
}

// Spent is what each provider has cost in the month of now.
func (l *Ledger) Spent(ctx context.Context) (map[string]provider.Money, error) {
	spent := map[string]provider.Money{}
	err := db.Each(ctx, l.db, func(row db.Scanner) error {
		var name string
		var cost int64
		err := row.Scan(&name, &cost)
		spent[name] = provider.Money(cost)
		return err
	}, "SELECT provider, CAST(sum(cost) AS BIGINT) FROM costs WHERE month = $1 GROUP BY provider", Month(l.clock.Now()))
	return spent, err
}
