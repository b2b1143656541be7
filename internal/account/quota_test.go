package account_test

import (
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/trigpoint/trigpoint/internal/account"
	"github.com/trigpoint/trigpoint/internal/clock"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/db/dbtest"
	"github.com/trigpoint/trigpoint/internal/errs"
)

func newAccount(t *testing.T, d *db.DB, c clock.Clock, plan string) (*account.Accounts, string) {
	t.Helper()
	accounts := account.New(d, account.DefaultPlans(), c)
	acc, err := accounts.Create(t.Context(), "someone@example.com", plan)
	if err != nil {
		t.Fatal(err)
	}
	return accounts, acc.ID
}

func take(t *testing.T, d *db.DB, a *account.Accounts, accountID string, q account.Quota, n int64) error {
	t.Helper()
	return d.Tx(t.Context(), func(tx *db.Tx) error {
		_, err := a.Take(t.Context(), tx, accountID, q, n)
		return err
	})
}

func used(t *testing.T, d *db.DB, a *account.Accounts, accountID string, q account.Quota) account.Usage {
	t.Helper()
	u, err := a.Usage(t.Context(), d, accountID, q)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

func status(err error) errs.Status {
	var e *errs.Error
	if errors.As(err, &e) && e.Code == errs.Quota && len(e.Details) == 1 {
		return e.Details[0].Status
	}
	return ""
}

func TestQuotasEndAtThePlansLimit(t *testing.T) {
	t.Parallel()
	limits := map[account.Quota]struct {
		free   int64
		status errs.Status
	}{
		account.Credits:        {1_000, errs.NotEnoughCredits},
		account.Lookups:        {1_000, errs.LookupLimitReached},
		account.Locations:      {5, errs.LocationLimitReached},
		account.Campaigns:      {3, errs.CampaignLimitReached},
		account.Trackings:      {1, errs.TrackingLimitReached},
		account.Keywords:       {50, errs.KeywordLimitReached},
		account.ImageBytes:     {200_000_000, errs.ImageStorageFull},
		account.StoredKeywords: {10_000, errs.KeywordStorageFull},
	}
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		a, id := newAccount(t, d, clock.System{}, "free")
		toldLow := func() (n int) {
			if err := d.Writer().QueryRowContext(t.Context(), "SELECT count(*) FROM events WHERE kind LIKE '%.low'").Scan(&n); err != nil {
				t.Fatal(err)
			}
			return n
		}
		for q, want := range limits {
			told, tenth := toldLow(), want.free/10
			if err := take(t, d, a, id, q, want.free-tenth); err != nil || toldLow() != told {
				t.Errorf("%s: all but a tenth: %v, %d times told that less is left", q, err, toldLow()-told)
			}
			if err := take(t, d, a, id, q, tenth); err != nil {
				t.Errorf("%s: all that the plan allows: %v", q, err)
			}
			if err := take(t, d, a, id, q, 1); status(err) != want.status {
				t.Errorf("%s: one more: %v, want %s", q, err, want.status)
			}
			if u := used(t, d, a, id, q); u.Used != want.free || u.Limit != want.free || u.Left() != 0 {
				t.Errorf("%s: %+v, want all of %d used and no more", q, u, want.free)
			}
		}
		if n := toldLow(); n != 2 {
			t.Errorf("%d times told that little is left, want once of credits and once of look-ups", n)
		}
	})
}

func TestManyTakeWhatIsLeftAndNoMore(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		a, id := newAccount(t, d, clock.System{}, "free")
		for _, q := range []account.Quota{account.Keywords, account.Lookups} {
			room := used(t, d, a, id, q).Limit
			var wg sync.WaitGroup
			var mu sync.Mutex
			taken := int64(0)
			for range 20 {
				wg.Go(func() {
					for range 4 {
						if take(t, d, a, id, q, room/50) == nil {
							mu.Lock()
							taken += room / 50
							mu.Unlock()
						}
					}
				})
			}
			wg.Wait()
			if u := used(t, d, a, id, q); taken != room || u.Used != room {
				t.Errorf("%s: %d were granted and %d are counted of %d", q, taken, u.Used, room)
			}
		}
	})
}

// A plan that was lowered after the request was admitted holds for it all the same.
func TestTakeReadsThePlanInItsTransaction(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		a, id := newAccount(t, d, clock.System{}, "pro")
		if err := take(t, d, a, id, account.Campaigns, 3); err != nil {
			t.Fatal(err)
		}
		if err := a.SetPlan(t.Context(), id, "free"); err != nil {
			t.Fatal(err)
		}
		if err := take(t, d, a, id, account.Campaigns, 1); status(err) != errs.CampaignLimitReached {
			t.Errorf("a fourth campaign of the free plan: %v", err)
		}
	})
}

func TestUsageOfManyAccountsIsReadAtOnce(t *testing.T) {
	t.Parallel()
	dbtest.EachTraced(t, func(t *testing.T, d *db.DB, asked *dbtest.Statements) {
		a, id := newAccount(t, d, clock.System{}, "pro")
		other, err := a.Create(t.Context(), "other@trigpoint.example", "free")
		if err != nil {
			t.Fatal(err)
		}
		if err := take(t, d, a, other.ID, account.Keywords, 3); err != nil {
			t.Fatal(err)
		}
		asked.Taken()
		each, err := a.UsageOfEach(t.Context(), d, []string{id, other.ID, "nobody"}, account.Keywords)
		if n := len(asked.Taken()); err != nil || n != 1 || len(each) != 2 {
			t.Fatalf("%d accounts read with %d statements: %v", len(each), n, err)
		}
		for _, accountID := range []string{id, other.ID} {
			if want := used(t, d, a, accountID, account.Keywords); each[accountID] != want {
				t.Errorf("%+v, one by one %+v", each[accountID], want)
			}
		}
	})
}

func TestMonthlyQuotasStartAnewAndAreGivenBackToTheirMonth(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := clock.NewFake(time.Date(2026, 1, 31, 23, 59, 0, 0, time.UTC))
		a, id := newAccount(t, d, c, "free")
		if err := take(t, d, a, id, account.Credits, 1_000); err != nil {
			t.Fatal(err)
		}
		january := used(t, d, a, id, account.Credits).Month
		c.Advance(time.Minute)
		if u := used(t, d, a, id, account.Credits); u.Used != 0 || u.Month != 202602 {
			t.Errorf("on the first of February: %+v", u)
		}
		err := d.Tx(t.Context(), func(tx *db.Tx) error {
			_, err := a.Give(t.Context(), tx, id, account.Credits, january, 400)
			return err
		})
		if u := used(t, d, a, id, account.Credits); err != nil || u.Used != 0 {
			t.Errorf("January's credits came back to February: %+v, %v", u, err)
		}
	})
}
