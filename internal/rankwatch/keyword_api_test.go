package rankwatch_test

import (
	"encoding/json"
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/trigpoint/trigpoint/internal/app/apptest"
	"github.com/trigpoint/trigpoint/internal/rankwatch"
	"github.com/trigpoint/trigpoint/internal/rankwatch/series"
)

func (w *world) removeKeywords(t testing.TB, path string, ids ...string) *apptest.Answer {
	t.Helper()
	return w.Do(t, apptest.Call{Method: "DELETE", Path: path + "/tracked-keywords", Body: map[string]any{"tracked_keyword_ids": ids}})
}

func TestRemovedKeywordsReturnWithTheirHistory(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		w.engine.set(map[string]int{"pizza": 4, "pasta": 8})
		path, ids := w.track(t, "pizza", "pasta")
		w.checked(t, path)

		w.removeKeywords(t, path).Want(t, 422)
		w.removeKeywords(t, path, ids[0], "0123456789abcdef0123456789abcdef").Want(t, 404)
		if got := w.get(t, path+"/detail"); got.Len("keywords") != 2 {
			t.Fatalf("a refused removal removed: %s", got.Raw)
		}
		w.removeKeywords(t, path, ids[0], ids[0]).Want(t, 204)
		w.removeKeywords(t, path, ids[0]).Want(t, 404)
		if got := w.get(t, path+"/detail").Want(t, 200); got.Len("keywords") != 1 || got.At("tracking.count") != 1.0 {
			t.Errorf("detail after a removal: %s", got.Raw)
		}
		if got := w.get(t, path+"/detail?is_with_deleted=true").Want(t, 200); got.Len("keywords") != 2 || got.At("keywords.0.is_deleted") != true || got.Text("keywords.0.url") == "" {
			t.Errorf("detail with removed ones: %s", got.Raw)
		}
		if s := w.stats(t, path, ""); len(s.Keywords) != 1 {
			t.Errorf("a removed keyword counts: %+v", s.Keywords)
		}

		// Back on the same day it waits for tomorrow.
		back := w.post(t, path+"/tracked-keywords", map[string]any{"keywords": []any{"PIZZA", map[string]any{"keyword": "soup"}, "pasta"}}).Want(t, 201)
		if back.Len("keywords") != 3 || back.Text("keywords.0._id") != ids[0] || back.At("keywords.0.rank") != 4.0 || back.Text("keywords.2._id") != ids[1] ||
			back.At("postponed_processing") != true || back.At("postponed_keywords") != 1.0 || back.At("tracking.count") != 3.0 {
			t.Errorf("adding answered %s", back.Raw)
		}
		w.checked(t, path)
		if n := w.engine.searches("pizza"); n != 1 {
			t.Errorf("checked %d times in a day", n)
		}

		// Days later it is checked at once.
		w.removeKeywords(t, path, ids[0]).Want(t, 204)
		w.clock.Advance(3 * 24 * time.Hour)
		w.engine.set(map[string]int{"pizza": 2})
		w.checked(t, path)
		w.post(t, path+"/tracked-keywords", map[string]any{"keywords": []string{"pizza"}}).Want(t, 201)
		w.checked(t, path)
		pizza := w.get(t, path+"/tracked-keywords/"+ids[0]+"?from=2026-03-01").Want(t, 200)
		if pizza.Len("checks") != 2 || pizza.At("checks.0.rank") != 4.0 || pizza.At("checks.1.rank") != 2.0 || pizza.Text("checks.1.date") != "2026-03-13" {
			t.Errorf("history %s", pizza.Raw)
		}

		remarks := w.stats(t, path, "").Annotations
		var counts []int
		for _, a := range remarks {
			if a.Type != 1 || a.Content.Text == "" {
				t.Errorf("annotation %+v", a)
			}
			counts = append(counts, *a.Content.KeywordsCount)
		}
		// On the tenth one removed, two added, one removed again; on the thirteenth one added.
		if !slices.Equal(counts, []int{-2, 2, 1}) {
			t.Errorf("automatic annotations count %v", counts)
		}
	})
}

func TestKeywordListCarriesAYearOfHistory(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		w.engine.set(map[string]int{"pizza": 4})
		path, ids := w.track(t, "pizza", "soup")
		w.checked(t, path)
		today := series.DayOf(w.clock.Now())
		var past []rankwatch.PastCheck
		for i := 1; i <= 400; i++ {
			if i%50 == 0 {
				continue // a check that failed
			}
			past = append(past, rankwatch.PastCheck{Day: today - series.Day(i), Observation: series.Observation{Rank: uint16(i % 7)}, URL: "https://site.com/old"})
		}
		if err := w.RankWatch.ImportHistory(t.Context(), w.Owner.ID, []rankwatch.PastChecks{{KeywordID: ids[0], Checks: past}}); err != nil {
			t.Fatal(err)
		}
		if err := w.RankWatch.ImportHistory(t.Context(), "0123456789abcdef0123456789abcdef", []rankwatch.PastChecks{{KeywordID: ids[0], Checks: past}}); err == nil {
			t.Error("history of another account's keyword was imported")
		}
		if since := w.get(t, path+"/detail").Want(t, 200).At("tracking.created_at"); since != float64((today - 399).Start().Unix()) {
			t.Errorf("tracked since %v, before which its history begins", since)
		}
		plain := w.get(t, path+"/tracked-keywords?fields=kw,rank").Want(t, 200)
		if plain.At("0.history") != nil || plain.Text("0.kw") != "pizza" {
			t.Errorf("without history: %s", plain.Raw)
		}
		w.get(t, path+"/tracked-keywords?fields=history,mood").Want(t, 422)
		var list []struct {
			History struct {
				From, To   string
				Ranks      []*int
				NotChecked []rankwatch.DaySpan `json:"not_checked"`
			}
		}
		w.get(t, path+"/tracked-keywords?fields=history").Want(t, 200).Into(t, &list)
		h := list[0].History
		if len(h.Ranks) != 365 || h.To != "2026-03-10" || h.From != "2025-03-11" || len(h.NotChecked) != 7 || h.NotChecked[6].From != (today-50).String() {
			t.Fatalf("history %s to %s, %d ranks, not checked %v", h.From, h.To, len(h.Ranks), h.NotChecked)
		}
		for i := range 365 {
			want := i % 7
			if i == 0 {
				want = 4
			}
			got := h.Ranks[364-i]
			if unknown := want == 0 || (i > 0 && i%50 == 0); (got == nil) != unknown || (got != nil && *got != want) {
				t.Fatalf("%d days ago: %v, want %d", i, got, want)
			}
		}
		if soup := list[1].History; soup.NotChecked[0].To != "2026-03-09" || soup.Ranks[364] != nil || len(soup.NotChecked) != 1 {
			t.Errorf("soup: %v", soup.NotChecked)
		}
		// As of a day in the past the old URL ranked.
		if detail := w.get(t, path+"/detail?to=2026-03-06").Want(t, 200); detail.Text("keywords.0.url") != "https://site.com/old" || detail.Len("keywords") != 1 {
			t.Errorf("detail of the past: %s", detail.Raw)
		}
	})
}

func TestAddingWithTags(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		path, ids := w.track(t, "pizza")
		tag := w.post(t, path+"/tags", map[string]any{"name": "Food", "color": "#ABCDEF"}).Want(t, 201).Text("_id")
		w.post(t, path+"/tracked-keywords", map[string]any{"keywords": []string{"soup"}, "tag_ids": []string{"nope"}}).Want(t, 404)
		if n := w.get(t, path+"/tracked-keywords"); n.Len("1.tags") >= 0 {
			t.Errorf("a refused addition added: %s", n.Raw)
		}
		w.post(t, path+"/tracked-keywords", map[string]any{"keywords": []string{"soup", "pizza"}, "tag_ids": []string{tag, tag}}).Want(t, 201)
		list := w.get(t, path+"/tracked-keywords").Want(t, 200)
		if list.Text("0._id") != ids[0] || list.Text("0.tags.0._id") != tag || list.Text("1.tags.0.color") != "#abcdef" {
			t.Errorf("tags were not extended: %s", list.Raw)
		}
	})
}

func TestIdempotentCreation(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		call := apptest.Call{
			Method: "POST", Path: trackings, Header: http.Header{"Idempotency-Key": {"one"}},
			Body: map[string]any{"domain": "site.com", "location_id": 0, "platform_id": 1, "keywords": []string{"pizza"}},
		}
		first, second := w.Do(t, call).Want(t, 201), w.Do(t, call).Want(t, 201)
		var a, b any
		first.Into(t, &a)
		second.Into(t, &b)
		one, _ := json.Marshal(a)
		two, _ := json.Marshal(b)
		if string(one) != string(two) {
			t.Errorf("first %s, then %s", one, two)
		}
		if list := w.get(t, trackings); list.Text("1._id") != "" {
			t.Errorf("made twice: %s", list.Raw)
		}
		call.Body = map[string]any{"domain": "other.com", "location_id": 0, "platform_id": 1, "keywords": []string{"pizza"}}
		w.Do(t, call).Want(t, 409)
	})
}
