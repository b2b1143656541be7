package rankwatch_test

import (
	"testing"
	"time"

	"github.com/trigpoint/trigpoint/internal/app/apptest"
	"github.com/trigpoint/trigpoint/internal/rankwatch"
)

// The clock is years ahead for a moment, in which keywords are added, claimed and checked. Once it is
// right again the day is checked as if nothing had been, and the history of before is whole.
func TestAClockThatWasYearsAhead(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		w.engine.set(map[string]int{"pizza": 7})
		path, ids := w.track(t, "pizza")
		w.checked(t, path)
		w.engine.set(map[string]int{"pizza": 6})
		w.tomorrow()
		w.checked(t, path)

		right := w.clock.Now()
		w.engine.set(map[string]int{"pizza": 99})
		w.clock.Set(right.AddDate(4, 1, 3))
		w.checked(t, path)
		late := w.post(t, path+"/tracked-keywords", map[string]any{"keywords": []string{"late"}}).Want(t, 201).Text("keywords.0._id")
		w.checked(t, path)

		w.engine.set(map[string]int{"pizza": 5, "late": 2})
		w.clock.Set(right.Add(5 * time.Second))
		w.checked(t, path)
		w.engine.set(map[string]int{"pizza": 4})
		w.tomorrow()
		w.checked(t, path)

		pizza := w.get(t, path+"/tracked-keywords/"+ids[0]+"?from=2026-03-01").Want(t, 200)
		for i, want := range []struct {
			date string
			rank float64
		}{{"2026-03-10", 7}, {"2026-03-11", 6}, {"2026-03-12", 4}} {
			at := "checks." + string(rune('0'+i))
			if pizza.Text(at+".date") != want.date || pizza.At(at+".rank") != want.rank {
				t.Errorf("check %d is not %v: %s", i, want, pizza.Raw)
			}
		}
		if pizza.Len("checks") != 3 {
			t.Errorf("history %s", pizza.Raw)
		}
		if k := w.stats(t, path, "").Keywords[0]; *k.Rank.Best != 4 || *k.RankChange != 3 {
			t.Errorf("stats %+v, change %d", k.Rank, *k.RankChange)
		}
		if found := w.get(t, path+"/tracked-keywords/"+late).Want(t, 200); found.At("rank") != 2.0 || found.Len("checks") != 2 {
			t.Errorf("the keyword added meanwhile: %s", found.Raw)
		}
		if detail := w.get(t, path+"/detail").Want(t, 200); detail.Len("keywords") != 2 {
			t.Errorf("detail %s", detail.Raw)
		}
	})
}

// A claim that a wrong clock made for years, of a process that then died, is void.
func TestAClaimFromTheFutureIsVoid(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		path, ids := w.track(t, "pizza")
		w.checked(t, path)
		if _, err := w.DB.Writer().ExecContext(t.Context(), "UPDATE rank_states SET claimed_until = 4102444800000000"); err != nil { // 2100
			t.Fatal(err)
		}
		w.tomorrow()
		w.keyword(t, path, ids[0], func(k rankwatch.TrackedKeyword) bool { return *k.LastCheckedAt == w.clock.Now().Unix() })
		w.Do(t, apptest.Call{Method: "GET", Path: path + "/detail"}).Want(t, 200)
	})
}
