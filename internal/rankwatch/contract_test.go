package rankwatch_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/trigpoint/trigpoint/internal/app/apptest"
	"github.com/trigpoint/trigpoint/internal/provider"
)

// The shapes that clients of this kind of service rely on, as they come over the wire.
func TestShapesOnTheWire(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		w.engine.do(func(e *engine) {
			e.more = []provider.WebItem{{Type: provider.LocalPack}, {Type: provider.FeaturedSnippet, URL: "https://other.example/"}, {Type: provider.AdTop}}
		})
		w.engine.set(map[string]int{"pizza": 5})
		path, _ := w.track(t, "pizza", "never ranks")
		w.checked(t, path)
		w.engine.set(map[string]int{"pizza": 2})
		w.tomorrow()
		w.checked(t, path)

		tracking := w.get(t, trackings).Want(t, 200)
		if tracking.Len("0.reports_active") != 0 || tracking.Text("0.location.code") != "gb" || tracking.At("0.location._id") != float64(london) {
			t.Errorf("list answered %s", tracking.Raw)
		}

		stats := w.post(t, path+"/stats?from=2026-03-09", nil).Want(t, 200)
		for at, want := range map[string]any{
			"history_dates.0": "2026-03-11", "history_dates.2": "2026-03-09",
			"keywords.0.rank_history.0": 2.0, "keywords.0.rank_history.1": 5.0, "keywords.0.rank_history.2": nil,
			"keywords.0.rank_change": 3.0, "keywords.1.rank_change": nil, "keywords.1.rank.last": nil,
			"keywords.0.last_crawled_at": "2026-03-11", "keywords.1.last_crawled_at": "2026-03-11",
		} {
			if got := stats.At(at); got != want {
				t.Errorf("%s is %v, want %v", at, got, want)
			}
		}
		if stats.Len("keywords.0.rank_history") != 3 || stats.Len("keywords.1.rank_history") != 3 {
			t.Errorf("histories do not go with the dates: %s", stats.Raw)
		}
		features := []any{"ADV_TOP", "MAP_PACK", "FEATURED_SNIPPET"}
		if got, _ := stats.At("keywords.0.serp_features").([]any); !slices.Equal(got, features) {
			t.Errorf("features %v, want %v", got, features)
		}
		if before := w.post(t, path+"/stats?from=2026-03-08&to=2026-03-09", nil).Want(t, 200); before.At("keywords.0.last_crawled_at") != nil {
			t.Errorf("a range without a check: %s", before.Raw)
		}
	})
}

func TestAnEmptyBodyIsAnInvalidOne(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		path, _ := w.track(t, "pizza")
		for _, call := range []apptest.Call{
			{Method: "POST", Path: trackings},
			{Method: "PATCH", Path: path},
			{Method: "POST", Path: path + "/tracked-keywords"},
			{Method: "DELETE", Path: path + "/tracked-keywords"},
			{Method: "POST", Path: path + "/tags"},
			{Method: "POST", Path: path + "/tags/assign"},
			{Method: "POST", Path: path + "/annotations"},
		} {
			if answer := w.Do(t, call); answer.Status != 422 || answer.Text("error.type") != "ValidationError" || answer.Len("error.errors") < 1 {
				t.Errorf("%s %s without a body answered %d %s", call.Method, call.Path, answer.Status, answer.Raw)
			}
		}
		w.post(t, path+"/stats", map[string]any{"from": ""}).Want(t, 422)
	})
}

// What a tracking was can be read after its deletion: its keywords, their history and its tags.
func TestADeletedTrackingCanBeRead(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		w.engine.set(map[string]int{"pizza": 3})
		path, ids := w.track(t, "pizza", "removed before")
		w.checked(t, path)
		w.removeKeywords(t, path, ids[1]).Want(t, 204)
		w.post(t, path+"/tags", map[string]any{"name": "Food", "color": "#000000"}).Want(t, 201)
		w.Do(t, apptest.Call{Method: "DELETE", Path: path}).Want(t, 204)

		if detail := w.get(t, path+"/detail").Want(t, 200); detail.Len("keywords") != 1 || detail.At("tracking.is_deleted") != true || detail.At("tracking.count") != 1.0 {
			t.Errorf("detail answered %s", detail.Raw)
		}
		if stats := w.post(t, path+"/stats", nil).Want(t, 200); stats.Len("keywords") != 1 || stats.At("keywords.0.rank.last") != 3.0 {
			t.Errorf("stats answered %s", stats.Raw)
		}
		if list := w.get(t, path+"/tracked-keywords").Want(t, 200); list.Text("0.kw") != "pizza" || list.At("1") != nil {
			t.Errorf("keywords answered %s", list.Raw)
		}
		w.get(t, path+"/tracked-keywords/"+ids[0]).Want(t, 200)
		if tags := w.get(t, path+"/tags").Want(t, 200); tags.Text("0.name") != "Food" {
			t.Errorf("tags answered %s", tags.Raw)
		}
		if list := w.get(t, trackings+"?is_with_deleted=true").Want(t, 200); list.At("0.count") != 1.0 || list.At("0.stats.timeframes.2026-03-10.rank_distribution.3") != 1.0 {
			t.Errorf("list answered %s", list.Raw)
		}
		for _, change := range []apptest.Call{
			{Method: "PATCH", Path: path, Body: map[string]any{"shared": false}},
			{Method: "DELETE", Path: path},
			{Method: "POST", Path: path + "/tracked-keywords", Body: map[string]any{"keywords": []string{"soup"}}},
			{Method: "POST", Path: path + "/annotations", Body: map[string]any{"date": "2026-03-10", "text": "late"}},
		} {
			w.Do(t, change).Want(t, 404)
		}
	})
}

// A reader with a share token sees the tracking, and nothing of whose it is or what was taken out of it.
func TestAShareReaderSeesNoAccountAndNothingRemoved(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		path, ids := w.track(t, "pizza", "secret plan")
		w.checked(t, path)
		tag := w.post(t, path+"/tags", map[string]any{"name": "Food", "color": "#000000"}).Want(t, 201).Text("_id")
		w.post(t, path+"/tags/assign", map[string]any{"keyword_ids": ids, "tag_ids": []string{tag}}).Want(t, 204)
		w.post(t, path+"/annotations", map[string]any{"date": "2026-03-10", "text": "for all"}).Want(t, 201)
		w.removeKeywords(t, path, ids[1]).Want(t, 204)
		token := w.get(t, path+"/detail").Text("tracking.share_token")
		for _, call := range []apptest.Call{
			{Method: "GET", Path: path + "/detail?is_with_deleted=true&share_token=" + token},
			{Method: "POST", Path: path + "/stats?share_token=" + token},
		} {
			call.Header = map[string][]string{"X-Access-Token": nil}
			answer := w.Do(t, call).Want(t, 200)
			for _, secret := range []string{w.Owner.ID, w.Owner.Email, "secret plan", ids[1], "user_id", "creator"} {
				if strings.Contains(string(answer.Raw), secret) {
					t.Errorf("%s tells %q: %s", call.Path, secret, answer.Raw)
				}
			}
			if answer.Len("keywords") != 1 {
				t.Errorf("%s: %s", call.Path, answer.Raw)
			}
		}
		for _, own := range []string{"keywords.0.tags.0.user_id", "keywords.0.tags.0.creator"} {
			if w.get(t, path+"/detail").Text(own) != w.Owner.ID {
				t.Errorf("the owner does not see %s", own)
			}
		}
	})
}
