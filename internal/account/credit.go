package account

import (
	"context"
	"time"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/errs"
)

// Credits is what an account has for the current UTC month.
type Credits struct {
	Available, SpentThisMonth, Total int64
}

// Month numbers a UTC calendar month as yyyymm.
func Month(t time.Time) int {
	t = t.UTC()
	return t.Year()*100 + int(t.Month())
}

// Credits tells what is left of the plan's credits this month.
func (a *Accounts) Credits(ctx context.Context, q db.Queryer, accountID string, total int64) (Credits, error) {
	spent, err := db.One(ctx, q, db.Value[int64], "SELECT spent FROM credit_months WHERE account_id = $1 AND month = $2", accountID, Month(a.clock.Now()))
	if err != nil && !db.IsNoRow(err) {
		return Credits{}, err
	}
	return Credits{Available: max(0, total-spent), SpentThisMonth: spent, Total: total}, nil
}

// Charge takes n credits of this month in the caller's transaction and returns the month they were
// taken from, or fails with NOT_ENOUGH_CREDITS and takes none.
func (a *Accounts) Charge(ctx context.Context, tx *db.Tx, accountID string, n, total int64) (month int, err error) {
	month = Month(a.clock.Now())
	if _, err := tx.Exec(ctx, "INSERT INTO credit_months (account_id, month, spent) VALUES ($1, $2, 0) ON CONFLICT (account_id, month) DO NOTHING", accountID, month); err != nil {
		return 0, err
	}
	touched, err := tx.Exec(ctx, "UPDATE credit_months SET spent = spent + $3 WHERE account_id = $1 AND month = $2 AND spent + $3 <= $4", accountID, month, n, total)
	if err != nil {
		return 0, err
	}
	if touched == 0 {
		left, err := a.Credits(ctx, tx, accountID, total)
		if err != nil {
			return 0, err
		}
		return 0, errs.With(errs.Quota, errs.NotEnoughCredits, "This needs %d credits and %d of %d are left this month.", n, left.Available, total)
	}
	return month, nil
}

// Refund gives back n credits to the month they were taken from.
func (a *Accounts) Refund(ctx context.Context, tx *db.Tx, accountID string, month int, n int64) error {
	_, err := tx.Exec(ctx, "UPDATE credit_months SET spent = spent - $3 WHERE account_id = $1 AND month = $2", accountID, month, n)
	return err
}
