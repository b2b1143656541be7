package rankwatch_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/trigpoint/trigpoint/internal/app/apptest"
	"github.com/trigpoint/trigpoint/internal/clock"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/db/dbtest"
	"github.com/trigpoint/trigpoint/internal/httpapi"
	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/provider/providertest"
	"github.com/trigpoint/trigpoint/internal/rankwatch"
)

func (w *world) keyword(t testing.TB, path, id string, holds func(rankwatch.TrackedKeyword) bool) rankwatch.TrackedKeyword {
	t.Helper()
	var k rankwatch.TrackedKeyword
	w.Eventually(t, apptest.Call{Method: "GET", Path: path + "/tracked-keywords/" + id}, func(a *apptest.Answer) bool {
		k = rankwatch.TrackedKeyword{}
		a.Want(t, 200).Into(t, &k)
		return holds(k)
	})
	return k
}

func TestAFailedCheckIsNoObservation(t *testing.T) {
	t.Parallel()
	kinds := map[string]provider.Kind{
		"no key": provider.Unauthorized, "no credits": provider.QuotaSpent, "never": provider.BadQuery, "gone": provider.NotFound,
	}
	each(t, func(t *testing.T, w *world) {
		down := atomic.Bool{}
		down.Store(true)
		w.engine.do(func(e *engine) {
			e.fault = func(q query, _ int) error {
				if kind, ok := kinds[q.Keyword]; ok && down.Load() {
					return provider.Errorf(kind, "Scripted", "Refused: %s.", q.Keyword)
				}
				if q.Keyword == "panics" && down.Load() {
					panic("a bug in a provider")
				}
				return nil
			}
		})
		order := []string{"no key", "no credits", "never", "gone", "panics", "fine"}
		path, ids := w.track(t, order...)
		for i, kw := range order {
			k := w.keyword(t, path, ids[i], func(k rankwatch.TrackedKeyword) bool { return k.CheckError != "" || k.LastCheckedAt != nil })
			if kw == "fine" {
				if k.CheckError != "" || k.Rank != nil || k.LastCheckedAt == nil {
					t.Errorf("fine: %+v", k)
				}
				continue
			}
			if k.LastCheckedAt != nil || strings.Contains(k.CheckError, "bug") || (kinds[kw] != provider.Unknown && !strings.Contains(k.CheckError, "Refused")) {
				t.Errorf("%s: %+v", kw, k)
			}
		}
		stats := w.stats(t, path, "?from=2026-03-10")
		if s := stats.Stats.Timeframes["2026-03-10"]; s.KeywordsWithHistory != 1 || s.KeywordsEligible != 6 || s.RankDistribution.Rest != 1 {
			t.Errorf("failed checks count as unranked: %+v", s)
		}
		for i, k := range stats.Keywords {
			if failed := order[i] != "fine"; (len(k.NotChecked) == 1) != failed || (k.LastCrawledAt == nil) != failed {
				t.Errorf("%s: not checked %v, crawled %v", order[i], k.NotChecked, k.LastCrawledAt)
			}
		}
		events := func(kind string) apptest.Call {
			return apptest.Call{Method: "GET", Path: httpapi.AccountPrefix + "/events?kind=" + kind}
		}
		if told := w.Do(t, events("provider.failing")).Want(t, 200); told.Len("data") != 1 || !strings.HasPrefix(told.Text("data.0.data.reason"), "Refused: no ") {
			t.Errorf("told of the provider: %s", told.Raw)
		}
		w.clock.Advance(time.Minute)
		told := w.Eventually(t, events("tracking.checked"), func(a *apptest.Answer) bool { return a.Len("data") == 1 })
		if told.Text("data.0.data.date") != "2026-03-10" || told.At("data.0.data.keywords") != float64(len(order)) {
			t.Errorf("told of the day: %s", told.Raw)
		}
		// Healed, they are checked again on the same day, but for those that no vendor answers.
		down.Store(false)
		w.clock.Advance(2 * time.Hour)
		for i, kw := range order {
			if kw == "never" || kw == "gone" {
				continue
			}
			w.keyword(t, path, ids[i], func(k rankwatch.TrackedKeyword) bool { return k.LastCheckedAt != nil && k.CheckError == "" })
		}
		if n := w.engine.searches("never") + w.engine.searches("gone") + w.engine.searches("fine"); n != 3 {
			t.Errorf("asked %d times for what was answered for the day", n)
		}
		w.tomorrow()
		w.checked(t, path)
	})
}

// An account without credits at the vendor is not asked for every keyword; when it has been filled, all
// are checked.
func TestAnEmptyAccountIsNotAskedForEveryKeyword(t *testing.T) {
	t.Parallel()
	const keywords = 200
	each(t, func(t *testing.T, w *world) {
		var empty atomic.Bool
		empty.Store(true)
		w.engine.do(func(e *engine) {
			e.fault = func(query, int) error {
				if empty.Load() {
					return provider.Errorf(provider.QuotaSpent, "Scripted", "No credits left.")
				}
				return nil
			}
		})
		list := make([]string, keywords)
		for i := range list {
			list[i] = fmt.Sprintf("keyword %d", i)
		}
		path, _ := w.track(t, list...)
		var found []rankwatch.TrackedKeyword
		refused := func() (n int) {
			for _, k := range found {
				if k.CheckError == "No credits left." {
					n++
				}
			}
			return n
		}
		w.Eventually(t, apptest.Call{Method: "GET", Path: path + "/tracked-keywords"}, func(a *apptest.Answer) bool {
			found = nil
			a.Want(t, 200).Into(t, &found)
			return refused() >= 20
		})
		empty.Store(false)
		w.clock.Advance(2 * time.Hour)
		w.checked(t, path)
		if n := refused(); n > 120 {
			t.Errorf("%d of %d keywords were asked for in vain", n, keywords)
		}
	})
}

// An account whose budget is used up does not keep others from being checked.
func TestABudgetStopsItsAccountOnly(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		w.engine.do(func(e *engine) {
			e.fault = func(q query, _ int) error {
				if strings.HasPrefix(q.Keyword, "keyword") {
					return provider.Errorf(provider.OverBudget, "Scripted", "The budget is used up.")
				}
				return nil
			}
		})
		list := make([]string, 100)
		for i := range list {
			list[i] = fmt.Sprintf("keyword %d", i)
		}
		w.track(t, list...)
		other := w.post(t, trackings, map[string]any{"domain": "other.com", "location_id": london, "platform_id": 1, "keywords": []string{"pizza"}}).Want(t, 201)
		w.checked(t, trackings+"/"+other.Text("tracking._id"))
	})
}

// A vendor's hiccups within the caller's patience are not even seen.
func TestATransientFaultIsRetriedAtOnce(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		w.engine.set(map[string]int{"pizza": 5})
		w.engine.do(func(e *engine) {
			e.fault = func(_ query, asked int) error {
				if asked == 1 {
					return provider.Errorf(provider.Transient, "Scripted", "Try again.")
				}
				return nil
			}
		})
		path, _ := w.track(t, "pizza")
		if k := w.checked(t, path)[0]; *k.Rank != 5 || k.CheckError != "" {
			t.Errorf("%+v", k)
		}
	})
}

// Checks of every day from the end of one year into the next, with a leap year's February in between,
// at times close to midnight.
func TestMidnightsMonthEndsAndNewYear(t *testing.T) {
	t.Parallel()
	moments := []string{
		"2027-12-30T23:59:59Z", "2027-12-31T00:00:00Z", "2027-12-31T23:59:59Z", "2028-01-01T00:00:01Z",
		"2028-01-31T23:59:59Z", "2028-02-01T00:00:00Z", "2028-02-28T23:59:59Z", "2028-02-29T12:00:00Z", "2028-03-01T00:00:00Z",
	}
	each(t, func(t *testing.T, w *world) {
		at := func(s string) time.Time {
			moment, err := time.Parse(time.RFC3339, s)
			if err != nil {
				t.Fatal(err)
			}
			return moment
		}
		w.clock.Set(at(moments[0]))
		path, ids := "", []string(nil)
		var want []string
		for i, moment := range moments {
			w.engine.set(map[string]int{"pizza": i + 1})
			w.clock.Set(at(moment))
			if i == 0 {
				path, ids = w.track(t, "pizza")
			}
			w.checked(t, path)
			if day := moment[:10]; !slices.Contains(want, day) {
				want = append(want, day)
			}
		}
		if n := w.engine.searches("pizza"); n != len(want) {
			t.Errorf("%d searches on %d days", n, len(want))
		}
		var detail rankwatch.KeywordDetail
		w.get(t, path+"/tracked-keywords/"+ids[0]+"?from=2027-12-01&to=2028-03-01").Want(t, 200).Into(t, &detail)
		for i, c := range detail.Checks {
			if c.Date != want[i] {
				t.Errorf("check %d on %s, want %s", i, c.Date, want[i])
			}
		}
		if len(detail.Checks) != len(want) {
			t.Errorf("%d checks, want %d", len(detail.Checks), len(want))
		}
		if ranks := []int{*detail.Checks[0].Rank, *detail.Checks[1].Rank, *detail.Checks[2].Rank}; !slices.Equal(ranks, []int{1, 2, 4}) {
			t.Errorf("ranks %v: a day keeps its first answer", ranks)
		}
		total := w.stats(t, path, "?from=2027-12-30&to=2028-03-01").Keywords[0]
		if *total.Rank.Best != 1 || *total.Rank.Last != 9 || *total.RankChange != -8 || len(total.RankHistory) != 63 {
			t.Errorf("over the months: %+v, %d days", total.Rank, len(total.RankHistory))
		}
	})
}

// A check that begins before midnight and ends after it counts for the day on which it began, and the
// new day is checked as well.
func TestACheckAcrossMidnight(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		w.clock.Set(time.Date(2026, 3, 31, 23, 59, 58, 0, time.UTC))
		w.engine.do(func(e *engine) {
			e.hook = func(query) { w.clock.Set(time.Date(2026, 4, 1, 0, 0, 3, 0, time.UTC)) }
		})
		path, ids := w.track(t, "pizza")
		detail := w.Eventually(t, apptest.Call{Method: "GET", Path: path + "/tracked-keywords/" + ids[0]}, func(a *apptest.Answer) bool { return a.Len("checks") == 2 })
		if detail.Text("checks.0.date") != "2026-03-31" || detail.Text("checks.1.date") != "2026-04-01" || w.engine.searches("pizza") != 2 {
			t.Errorf("%s after %d searches", detail.Raw, w.engine.searches("pizza"))
		}
	})
}

// Two processes on one store share the work and no keyword is asked for twice. On SQLite the second
// waits; on PostgreSQL both work.
func TestTwoWorkersShareTheChecks(t *testing.T) {
	t.Parallel()
	const keywords = 80
	dbtest.EachOptions(t, func(t *testing.T, o db.Options) {
		now := clock.NewFake(time.Date(2026, 3, 10, 9, 30, 0, 0, time.UTC))
		var mu sync.Mutex
		asked := map[string]int{}
		by := [2]int{}
		joined := make(chan struct{}) // the second process is at work
		join := sync.OnceFunc(func() { close(joined) })
		if o.URL == "" {
			join()
		}
		var programs []*apptest.Program
		for n := range 2 {
			d, err := db.Open(t.Context(), o)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = d.Close() })
			web := &providertest.Scripted{Pace: provider.Pace{Concurrent: 8}, Web: func(_ context.Context, q query) (provider.WebPage, error) {
				if n == 1 {
					join()
				}
				select {
				case <-joined:
				case <-time.After(apptest.Patience):
					t.Error("the second process does not work")
				}
				mu.Lock()
				asked[q.Keyword]++
				by[n]++
				mu.Unlock()
				return resultPage(q, 1, nil), nil
			}}
			programs = append(programs, apptest.Start(t, d, func(s *apptest.Setup) {
				s.Options.Clock, s.Options.Web, s.Email = now, web, fmt.Sprintf("owner-%d@trigpoint.example", n)
			}))
		}
		w := &world{Program: programs[0], clock: now}
		list := make([]string, keywords)
		for i := range list {
			list[i] = fmt.Sprintf("keyword %d", i)
		}
		path, _ := w.track(t, list...)
		w.checked(t, path)
		w.tomorrow()
		w.checked(t, path)
		mu.Lock()
		defer mu.Unlock()
		for kw, n := range asked {
			if n != 2 {
				t.Errorf("%s was asked for %d times in two days", kw, n)
			}
		}
		if len(asked) != keywords {
			t.Errorf("%d of %d keywords were asked for", len(asked), keywords)
		}
		t.Logf("the processes made %v checks", by)
	})
}
