package account

import (
	"context"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/trigpoint/trigpoint/internal/db"
)

// mostStored is of how many accounts, those that store most, the storage is told one by one.
const mostStored = 50

// Metrics are the number of accounts and who stores most.
func (a *Accounts) Metrics() []prometheus.Collector {
	number := prometheus.NewDesc("trigpoint_accounts", "Accounts, by plan.", []string{"plan"}, nil)
	images := prometheus.NewDesc("trigpoint_account_image_bytes", "Bytes of pictures of the accounts that store most.", []string{"account"}, nil)
	return []prometheus.Collector{
		db.Figure(number, a.figures("SELECT count(*), plan FROM accounts GROUP BY plan")),
		db.Figure(images, a.figures("SELECT image_bytes, id FROM accounts WHERE image_bytes > 0 ORDER BY image_bytes DESC LIMIT $1", mostStored)),
	}
}

// figures reads rows of a value and its label.
func (a *Accounts) figures(text string, args ...any) func(context.Context, db.Tell) error {
	type row struct {
		value float64
		label string
	}
	return func(ctx context.Context, tell db.Tell) error {
		rows, err := db.All(ctx, a.db, func(s db.Scanner) (r row, err error) { return r, s.Scan(&r.value, &r.label) }, text, args...)
		for _, r := range rows {
			tell(r.value, r.label)
		}
		return err
	}
}
