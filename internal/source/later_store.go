package source

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/trigpoint/trigpoint/internal/clock"
	"github.com/trigpoint/trigpoint/internal/db"
)

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
	orders := make([]order, len(fresh))
	for i, w := range fresh {
		orders[i] = w.order
	}
	var ours []*waiter[Question]
	err := l.DB.Tx(ctx, func(tx *db.Tx) error {
		// An order that counts as lost is posted again under its tag, by one; one that another process has just written is left to it.
		written, err := l.write(ctx, tx, orders, fmt.Sprintf("posted_at = excluded.posted_at WHERE provider_orders.ticket = '' AND provider_orders.tag = excluded.tag AND provider_orders.posted_at < excluded.posted_at - %d", lost.Microseconds()))
		ours = nil
		for _, w := range fresh {
			if slices.Contains(written, w.key) {
				ours = append(ours, w)
			} else {
				w.err = l.pending()
			}
		}
		return err
	})
	return ours, err
}

// write inserts orders, or changes those that are known as set says, and returns the keys of those that it has written.
func (l *later[Question, Answer]) write(ctx context.Context, tx *db.Tx, orders []order, set string) ([]string, error) {
	if len(orders) == 0 {
		return nil, nil
	}
	orders = slices.Clone(orders) // in one order, so that two writers cannot wait for each other
	slices.SortFunc(orders, func(a, b order) int { return strings.Compare(a.key, b.key) })
	var p db.Params
	rows := make([]string, len(orders))
	for i, o := range orders {
		rows[i] = p.List(l.vendor.Name, o.key, o.tag, o.ticket, o.AccountID, o.Subject, db.Micros(o.postedAt))
	}
	return db.All(ctx, tx, db.Value[string], "INSERT INTO provider_orders (provider, key, tag, ticket, account_id, subject, posted_at) VALUES "+strings.Join(rows, ", ")+
		" ON CONFLICT (provider, key) DO UPDATE SET "+set+" RETURNING key", p.Args...)
}

// keep writes tickets down, with what they cost and what was reserved for them. A ticket that another process has found
// meanwhile is recorded with its cost already.
func (l *later[Question, Answer]) keep(ctx context.Context, taken []order, charges []Charge, reserved []Reservation) error {
	if len(taken) == 0 && len(charges) == 0 && len(reserved) == 0 {
		return nil
	}
	return l.DB.Tx(ctx, func(tx *db.Tx) error {
		written, err := l.write(ctx, tx, taken, "ticket = excluded.ticket WHERE provider_orders.ticket = ''")
		if err != nil {
			return err
		}
		all := slices.Clone(charges)
		for _, o := range taken {
			if slices.Contains(written, o.key) {
				all = append(all, o.charge(l.vendor.Name))
			}
		}
		if err := l.Ledger.Record(ctx, tx, all...); err != nil {
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
