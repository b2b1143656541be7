package account

import (
	"context"
	"time"

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
		a.stored,
	}
}

// MeasureEvery is how often is measured what accounts store: whole tables are read for that.
const MeasureEvery = 6 * time.Hour

func newStored() *prometheus.GaugeVec {
	return prometheus.NewGaugeVec(prometheus.GaugeOpts{
		Name: "trigpoint_account_stored_bytes", Help: "Bytes of what the accounts that store most keep of a kind, without indexes, as they were at most six hours ago; told by processes that have done background work for so long.",
	}, []string{"account", "kind"})
}

// Stores says what accounts store of a kind, before anything is measured. The text selects an account_id and bytes for each row; sizes
// stand beside what is large, which is not read for them.
func (a *Accounts) Stores(kind, text string) { a.kinds[kind] = text }

// Measure takes stock of what accounts store.
func (a *Accounts) Measure(ctx context.Context) error {
	for kind, text := range a.kinds {
		found := map[string]float64{}
		most := a.figures("SELECT sum(held.bytes), held.account_id FROM ("+text+") AS held GROUP BY held.account_id ORDER BY 1 DESC, 2 LIMIT $1", mostStored)
		if err := most(ctx, func(bytes float64, account ...string) { found[account[0]] = bytes }); err != nil {
			return err
		}
		a.stored.DeletePartialMatch(prometheus.Labels{"kind": kind})
		for account, bytes := range found {
			a.stored.WithLabelValues(account, kind).Set(bytes)
		}
	}
	return nil
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
