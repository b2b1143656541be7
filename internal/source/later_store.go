package source

import (
	"context"
	"slices"

	"github.com/trigpoint/trigpoint/internal/clock"
	"github.com/trigpoint/trigpoint/internal/db"
)

const orderColumns = "provider, key, tag, ticket, account_id, subject, posted_at"

// load reads what is known of questions, by their keys.
func (l *later[Question, Answer]) load(ctx context.Context, batch []*waiter[Question]) (map[string]order, error) {
	keys := make([]string, len(batch))
	for i, w := range batch {
		keys[i] = w.key
	}
	p := db.Params{Args: []any{l.vendor.Name}}
	known := map[string]order{}
	err := db.Each(ctx, l.DB, func(row db.Scanner) error {
		var o order
		var posted int64
		err := row.Scan(&o.key, &o.tag, &o.ticket, &o.AccountID, &o.Subject, &posted)
		o.postedAt = db.Time(posted)
		known[o.key] = o
		return err
	}, "SELECT key, tag, ticket, account_id, subject, posted_at FROM provider_orders WHERE provider = $1 AND key IN "+db.AddAll(&p, keys), p.Args...)
	return known, err
}

// store writes down what is about to be posted and returns the questions that nobody else is posting; the others are told to come back.
func (l *later[Question, Answer]) store(ctx context.Context, fresh []*waiter[Question]) ([]*waiter[Question], error) {
	if len(fresh) == 0 {
		return nil, nil
	}
	fresh = slices.Clone(fresh)
	slices.SortFunc(fresh, func(a, b *waiter[Question]) int { return compareKeys(a.key, b.key) })
	var ours []*waiter[Question]
	err := l.DB.Tx(ctx, func(tx *db.Tx) error {
		ours = nil
		var p db.Params
		values := ""
		for i, w := range fresh {
			if i > 0 {
				values += ", "
			}
			values += p.List(l.vendor.Name, w.key, w.tag, "", w.AccountID, w.Subject, db.Micros(w.postedAt))
		}
		// An order that counts as lost is posted again under its tag; one that another process has just written is left to it.
		mine, err := db.All(ctx, tx, db.Value[string], "INSERT INTO provider_orders ("+orderColumns+") VALUES "+values+
			" ON CONFLICT (provider, key) DO UPDATE SET posted_at = excluded.posted_at WHERE provider_orders.ticket = '' AND provider_orders.tag = excluded.tag RETURNING key", p.Args...)
		for _, w := range fresh {
			if slices.Contains(mine, w.key) {
				ours = append(ours, w)
			} else {
				w.err = l.pending()
			}
		}
		return err
	})
	return ours, err
}

func compareKeys(a, b string) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// keep writes tickets down, with what they cost and what was reserved for them.
func (l *later[Question, Answer]) keep(ctx context.Context, taken []order, charges []Charge, reserved []Reservation) error {
	if len(taken) == 0 && len(charges) == 0 && len(reserved) == 0 {
		return nil
	}
	return l.DB.Tx(ctx, func(tx *db.Tx) error {
		rows := make([][]any, len(taken))
		for i, o := range taken {
			rows[i] = []any{l.vendor.Name, o.key, o.tag, o.ticket, o.AccountID, o.Subject, db.Micros(o.postedAt)}
		}
		if len(rows) > 0 {
			if err := db.Insert(ctx, tx, "provider_orders", orderColumns, rows, "ON CONFLICT (provider, key) DO UPDATE SET ticket = excluded.ticket"); err != nil {
				return err
			}
		}
		if err := l.Ledger.Record(ctx, tx, charges...); err != nil {
			return err
		}
		return l.Ledger.Release(ctx, tx, reserved...)
	})
}

// forget removes orders, so that their questions are posted anew.
func (l *later[Question, Answer]) forget(ctx context.Context, keys []string) error {
	if len(keys) == 0 {
		return nil
	}
	return l.DB.Tx(ctx, func(tx *db.Tx) error {
		p := db.Params{Args: []any{l.vendor.Name}}
		_, err := tx.Exec(ctx, "DELETE FROM provider_orders WHERE provider = $1 AND key IN "+db.AddAll(&p, keys), p.Args...)
		return err
	})
}

// ForgetOldOrders removes tickets that nobody will ask for any more, some at a time, and tells whether there may be more.
func ForgetOldOrders(ctx context.Context, d *db.DB, c clock.Clock) (more bool, err error) {
	const batch = 5_000
	err = d.Tx(ctx, func(tx *db.Tx) error {
		n, err := tx.Exec(ctx, "DELETE FROM provider_orders WHERE (provider, key) IN (SELECT provider, key FROM provider_orders WHERE posted_at < $1 LIMIT $2)",
			db.Micros(c.Now().Add(-ordersKept)), batch)
		more = n == batch
		return err
	})
	return more, err
}
