package research

import (
	"fmt"
	"log/slog"
	"strings"
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
	"github.com/trigpoint/trigpoint/internal/source"
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
		DB: d, Accounts: accounts, Clock: now, Log: slog.New(slog.DiscardHandler), Jobs: jobs, Serps: serp.New(Learn), Web: source.Chain[source.Web]{{Provider: web, Caller: provider.NewCaller(web.Describe(), provider.CallerOptions{})}}, Ledger: source.NewLedger(d, now),
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

// The words below are those that the version before the shared cutting of text stored.
func TestKeywordsOfEarlierVersionsAreFoundAfterAnUpgrade(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s, owner := newService(t, d, 0)
		ctx := t.Context()
		old := [][]any{
			{"tenni", operator, "tennis court"},
			{"court", operator, "tennis court"},
			{"bakerie", owner, "nearest bakeries"},
			{"nearest", owner, "nearest bakeries"},
			{"寿司屋", owner, "寿司屋"},
			{"pizza", owner, "pizza"},
		}
		for i := range 600 { // more than one batch
			old = append(old, []any{"campu", owner, fmt.Sprintf("campus %03d", i)}, []any{fmt.Sprintf("%03d", i), owner, fmt.Sprintf("campus %03d", i)})
		}
		err := d.Tx(ctx, func(tx *db.Tx) error {
			if err := db.Insert(ctx, tx, "keyword_words", "word, account_id, kw", old, ""); err != nil {
				return err
			}
			return Learn(ctx, tx, map[string][]string{owner: {"tennis club", "pizza"}}) // since the upgrade
		})
		if err != nil {
			t.Fatal(err)
		}
		find := func(kw string) string {
			found, err := keywordsByWords(ctx, d, owner, tellingWords(kw), 1000)
			if err != nil {
				t.Fatal(err)
			}
			return strings.Join(found, ", ")
		}
		if got := find("court pizza"); got != "pizza, tennis court" {
			t.Errorf("before they are renewed, words that are the same find %q", got)
		}
		runs := 0
		for more := true; more; runs++ {
			if more, err = s.renew(ctx); err != nil {
				t.Fatal(err)
			}
		}
		if runs < 3 {
			t.Errorf("all were renewed in %d transactions", runs)
		}
		for kw, want := range map[string]string{
			"tennis": "tennis club, tennis court", "court": "tennis court", "bakery": "nearest bakeries", "寿司": "寿司屋", "pizza": "pizza",
			"tenni": "", "bakerie": "", "campu": "", "nearest": "",
		} {
			if got := find(kw); got != want {
				t.Errorf("%q finds %q, want %q", kw, got, want)
			}
		}
		if n := strings.Count(find("campus"), "campus"); n != 600 {
			t.Errorf("campus finds %d keywords, want 600", n)
		}
		if n, err := db.One(ctx, d, db.Value[int64], "SELECT count(*) FROM keyword_words WHERE outdated"); n != 0 || err != nil {
			t.Errorf("%d rows are still outdated: %v", n, err)
		}
	})
}

func TestOldAnswersAreDropped(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s, owner := newService(t, d, 0)
		err := d.Tx(t.Context(), func(tx *db.Tx) error {
			for subject, age := range map[string]time.Duration{"old": answersFor + time.Hour, "stale": answersFor - time.Hour} {
				if err := keepAnswer(t.Context(), tx, owner, question{kind: askIdeas, subject: subject}, told[[]string]{[]string{"pizza"}, "scripted", today.Add(-age)}); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if more, err := s.dropOldAnswers(t.Context()); more || err != nil {
			t.Errorf("more %v, %v", more, err)
		}
		left, err := db.All(t.Context(), d, db.Value[string], "SELECT subject FROM provider_answers")
		if err != nil || strings.Join(left, ", ") != "stale" {
			t.Errorf("left are %v, %v", left, err)
		}
	})
}
