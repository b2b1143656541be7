package desk

import (
	"context"
	"time"

	"github.com/trigpoint/trigpoint/internal/account"
)

// Usage is what an account uses of its plan.
type Usage struct {
	Plan    string          `json:"plan"`
	Limits  account.Amounts `json:"limits"`
	Used    account.Amounts `json:"used"`
	Credits MonthlyUse      `json:"credits"`
	Lookups MonthlyUse      `json:"lookups"`
}

// MonthlyUse is what is used of a quota that starts anew with each UTC calendar month.
type MonthlyUse struct {
	Used      int64      `json:"used"`
	Limit     int64      `json:"limit"`
	ResetsAt  time.Time  `json:"resets_at"`
	RunsOutAt *time.Time `json:"runs_out_at"`
}

// usage reads what an account uses, in one statement.
func (d *Desk) usage(ctx context.Context, accountID string) (Usage, error) {
	u, err := d.Accounts.Usages(ctx, d.DB, accountID)
	now := d.Clock.Now()
	return Usage{
		Plan: u.Plan, Limits: u.Limits, Used: u.Used,
		Credits: newMonthlyUse(u.Used.Credits, u.Limits.Credits, now), Lookups: newMonthlyUse(u.Used.Lookups, u.Limits.Lookups, now),
	}, err
}

func newMonthlyUse(used, limit int64, now time.Time) MonthlyUse {
	now = now.UTC()
	resets := time.Date(now.Year(), now.Month()+1, 1, 0, 0, 0, 0, time.UTC)
	return MonthlyUse{Used: used, Limit: limit, ResetsAt: resets, RunsOutAt: runsOutAt(used, limit, now, resets)}
}

// runsOutAt is when a month's quota is used up at the pace of the month so far, today counting as a whole day; nil when it
// lasts until it starts anew. What is used up has run out now.
func runsOutAt(used, limit int64, now, resets time.Time) *time.Time {
	switch {
	case used <= 0:
		return nil
	case used >= limit:
		return &now
	}
	days := float64(limit-used) * float64(now.Day()) / float64(used)
	if days >= resets.Sub(now).Hours()/24 {
		return nil
	}
	at := now.Add(time.Duration(days * 24 * float64(time.Hour))).Truncate(time.Second)
	return &at
}
