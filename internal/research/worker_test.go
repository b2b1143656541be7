package research

import (
	"log/slog"
	"testing"
	"time"

	"github.com/trigpoint/trigpoint/internal/account"
	"github.com/trigpoint/trigpoint/internal/clock"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/db/dbtest"
	"github.com/trigpoint/trigpoint/internal/job"
	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/provider/providertest"
	"github.com/trigpoint/trigpoint/internal/serp"
)

var today = time.Date(2026, 3, 4, 9, 0, 0, 0, time.UTC)

// newService is the wing alone, with the id of an account.
func newService(t testing.TB, d *db.DB, retention time.Duration) (*Service, string) {
	t.Helper()
	now := clock.NewFake(today)
	jobs, err := job.New(d, job.Options{Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	web := &providertest.Scripted{}
	accounts := account.New(d, account.DefaultPlans(), now)
	s := New(Options{
		DB: d, Accounts: accounts, Clock: now, Log: slog.New(slog.DiscardHandler), Jobs: jobs, Serps: serp.New(Learn), Web: web, Caller: provider.NewCaller(web.Describe(), provider.CallerOptions{}),
		CTR: func(int) float64 { return 0 }, Retention: retention,
	})
	acc, err := accounts.Create(t.Context(), "owner@trigpoint.example", "pro")
	if err != nil {
		t.Fatal(err)
	}
	return s, acc.ID
}

func TestAllPagesAreKeptWithoutRetention(t *testing.T) {
	t.Parallel()
	s, owner := newService(t, dbtest.SQLite(t), 0)
	for day := range 2 {
		packed, err := s.serps.Pack(serp.Fetched{Key: serp.Key{AccountID: owner, Keyword: "pizza"}, At: today.AddDate(-3, 0, day)})
		if err != nil {
			t.Fatal(err)
		}
		if err := s.db.Tx(t.Context(), func(tx *db.Tx) error { return s.serps.Keep(t.Context(), tx, []serp.Packed{packed}) }); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := s.thin(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n, err := db.One(t.Context(), s.db, db.Value[int64], "SELECT count(*) FROM serps"); n != 2 || err != nil {
		t.Errorf("%d pages are left: %v", n, err)
	}
}
