package account_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/trigpoint/trigpoint/internal/clock"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/db/dbtest"
)

// What accounts store is told of those that store most, as it was when it was last measured.
func TestStorageOfAccounts(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		accounts, owner := newAccount(t, d, clock.NewFake(time.Now()), "free")
		registry := prometheus.NewRegistry()
		registry.MustRegister(accounts.Metrics()...)
		told := func() map[string]float64 {
			t.Helper()
			all, err := registry.Gather()
			if err != nil {
				t.Fatal(err)
			}
			bytes := map[string]float64{}
			for _, family := range all {
				for _, m := range family.GetMetric() {
					if family.GetName() == "trigpoint_account_stored_bytes" && m.GetLabel()[1].GetValue() == "events" {
						bytes[m.GetLabel()[0].GetValue()] = m.GetGauge().GetValue()
					}
				}
			}
			return bytes
		}
		accounts.Stores("events", "SELECT account_id, octet_length(data) AS bytes FROM events")
		write := func(account, data string, n int) {
			t.Helper()
			err := d.Tx(t.Context(), func(tx *db.Tx) error {
				var rows [][]any
				for i := range n {
					rows = append(rows, []any{fmt.Sprint(account, data, i), account, "kind", "", data, 0})
				}
				return db.Insert(t.Context(), tx, "events", "id, account_id, kind, subject, data, at", rows, "")
			})
			if err != nil {
				t.Fatal(err)
			}
			if err := accounts.Measure(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		write(owner, "é", 3)
		if got := told(); len(got) != 1 || got[owner] != 6 {
			t.Errorf("told is %v", got)
		}
		for i := range 50 { // all of which store more
			write(fmt.Sprint("other ", i), "0123456789", 1)
		}
		if got := told(); len(got) != 50 || got[owner] != 0 {
			t.Errorf("told is %v", got)
		}
	})
}
