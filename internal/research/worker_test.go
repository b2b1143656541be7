package research

import (
	"fmt"
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
	s := New(Options{
		DB: d, Clock: now, Log: slog.New(slog.DiscardHandler), Jobs: jobs, Web: web, Caller: provider.NewCaller(web.Describe(), provider.CallerOptions{}),
		CTR: func(int) float64 { return 0 }, Retention: retention,
	})
	acc, err := account.New(d, account.DefaultPlans(), now).Create(t.Context(), "owner@trigpoint.example", "pro")
	if err != nil {
		t.Fatal(err)
	}
	return s, acc.ID
}

func keepPage(t testing.TB, s *Service, accountID, kw string, at time.Time, urls ...string) {
	t.Helper()
	page := provider.WebPage{}
	for i, u := range urls {
		page.Items = append(page.Items, provider.WebItem{Type: provider.Organic, Rank: i + 1, URL: u})
	}
	packed, err := s.PackSerp(FetchedSerp{AccountID: accountID, Keyword: kw, LocationID: 4191124, PlatformID: Desktop, FetchedAt: at, Page: page})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.db.Tx(t.Context(), func(tx *db.Tx) error { return s.KeepSerps(t.Context(), tx, []PackedSerp{packed}) }); err != nil {
		t.Fatal(err)
	}
}

// Of pages older than the retention the last of each month stays, and so the newest of a search always does.
func TestThin(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s, owner := newService(t, d, 10*24*time.Hour)
		for day := range 60 { // 4 January to 4 March
			for _, kw := range []string{"pizza", "pasta"} {
				keepPage(t, s, owner, kw, today.AddDate(0, 0, -day))
			}
		}
		keepPage(t, s, owner, "seldom", today.AddDate(0, 0, -50))
		for range 3 {
			if more, err := s.thin(t.Context()); more || err != nil {
				t.Fatal(more, err)
			}
		}
		left, err := db.All(t.Context(), d, func(row db.Scanner) (string, error) {
			var kw string
			var at int64
			err := row.Scan(&kw, &at)
			return fmt.Sprint(kw, " ", db.Time(at).Format(time.DateOnly)), err
		}, "SELECT kw, fetched_at FROM serps ORDER BY kw, fetched_at")
		if err != nil {
			t.Fatal(err)
		}
		var want []string
		for _, kw := range []string{"pasta", "pizza"} {
			want = append(want, kw+" 2026-01-31")
			for day := 10; day >= 0; day-- { // 22 February to 4 March
				want = append(want, kw+" "+today.AddDate(0, 0, -day).Format(time.DateOnly))
			}
		}
		want = append(want, "seldom 2026-01-13")
		if fmt.Sprint(left) != fmt.Sprint(want) {
			t.Errorf("left:\n%v, want\n%v", left, want)
		}
		if n, err := db.One(t.Context(), d, db.Value[int64], "SELECT count(*) FROM searches s WHERE NOT EXISTS (SELECT 1 FROM serps p WHERE p.id = s.serp_id)"); n != 0 || err != nil {
			t.Errorf("%d searches have lost their page: %v", n, err)
		}
	})
}

func TestAllPagesAreKeptWithoutRetention(t *testing.T) {
	t.Parallel()
	s, owner := newService(t, dbtest.SQLite(t), 0)
	keepPage(t, s, owner, "pizza", today.AddDate(-3, 0, 0))
	keepPage(t, s, owner, "pizza", today.AddDate(-3, 0, 1))
	if _, err := s.thin(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n, err := db.One(t.Context(), s.db, db.Value[int64], "SELECT count(*) FROM serps"); n != 2 || err != nil {
		t.Errorf("%d pages are left: %v", n, err)
	}
}

// A page that arrives late does not put an older state in place of a newer one.
func TestNewestPageWins(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s, owner := newService(t, d, 0)
		keepPage(t, s, owner, "pizza", today, "https://new.example/")
		keepPage(t, s, owner, "pizza", today.Add(-time.Hour), "https://old.example/")
		found, err := searchFor(t.Context(), d, owner, 4191124, "pizza")
		if err != nil || found.hosts != "\nnew.example\n" {
			t.Errorf("%+v %v", found, err)
		}
	})
}
