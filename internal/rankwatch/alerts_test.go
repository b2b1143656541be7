package rankwatch_test

import (
	"slices"
	"testing"

	"github.com/trigpoint/trigpoint/internal/app/apptest"
	"github.com/trigpoint/trigpoint/internal/httpapi"
	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/rankwatch"
	"github.com/trigpoint/trigpoint/internal/rankwatch/series"
)

// Every check is compared with the one before, for the rules of the account, and a tracking tells which of them watch it.
func TestChecksRaiseAlerts(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		const alerts = httpapi.AccountPrefix + "/alerts"
		rule := func(body map[string]any) string { return w.post(t, alerts+"/rules", body).Want(t, 200).Text("data.id") }
		w.engine.do(func(e *engine) {
			e.ranks = map[string]int{"falls": 3, "climbs": 9, "stays": 5, "gone": 40, "passed": 1}
		})
		all := rule(map[string]any{"condition": "position_lost", "threshold": 4})
		made := w.post(t, trackings, map[string]any{"domain": "site.com", "location_id": london, "platform_id": 1, "keywords": []string{"falls", "climbs", "stays", "gone", "passed"}}).Want(t, 201)
		if made.Len("reports") != 1 || made.Text("reports.0") != all || made.Len("tracking.reports_active") != 1 {
			t.Errorf("%s", made.Raw)
		}
		id := made.Text("tracking._id")
		path := trackings + "/" + id
		for _, body := range []map[string]any{
			{"condition": "entered_top", "threshold": 3, "subject_id": id},
			{"condition": "not_found", "subject_id": id},
			{"condition": "snippet_won"},
			{"condition": "rival_passed", "rival": "other-2.example"},
			{"condition": "position_gained", "threshold": 100},
		} {
			rule(body)
		}
		if rules := w.get(t, alerts+"/rules").Want(t, 200); rules.Text("data.1.subject") != "site.com · London, England, United Kingdom · desktop" {
			t.Errorf("%s", rules.Raw)
		}
		if list := w.get(t, trackings).Want(t, 200); list.Len("0.reports_active") != 6 || list.At("0.reports_active.0") != 1.0 || list.At("0.reports_active.5") != 8.0 {
			t.Errorf("%s", list.Raw)
		}
		w.checked(t, path)
		// A rank that was imported was on no page that was seen here, so that nobody can have passed since.
		imported, err := w.RankWatch.ImportTracking(t.Context(), rankwatch.PastTracking{
			AccountID: w.Owner.ID, From: "SerpBear", Domain: "other-4.example", LocationID: london, PlatformID: 1,
			Keywords: []rankwatch.PastKeyword{{Text: "passed", Checks: []rankwatch.PastCheck{{Day: series.DayOf(w.Clock.Now()) - 3, Observation: series.Observation{Rank: 1}}}}},
		}, false)
		if err != nil {
			t.Fatal(err)
		}
		w.engine.do(func(e *engine) {
			e.ranks = map[string]int{"falls": 7, "climbs": 2, "stays": 5, "gone": 0, "passed": 3}
			e.more = []provider.WebItem{{Type: provider.FeaturedSnippet, URL: "https://www.site.com/"}}
		})
		w.tomorrow()
		w.checked(t, path)
		w.checked(t, trackings+"/"+imported.ID)
		var raised struct {
			Data []struct{ Text string }
		}
		w.get(t, alerts).Want(t, 200).Into(t, &raised)
		var told []string
		for _, a := range raised.Data {
			told = append(told, a.Text)
		}
		slices.Sort(told)
		if want := []string{
			"site.com · London, England, United Kingdom · desktop: other-2.example has passed for “passed”: it is 2, the tracking 3.",
			"site.com · London, England, United Kingdom · desktop: the featured snippet of “climbs” is won.",
			"site.com · London, England, United Kingdom · desktop: the featured snippet of “falls” is won.",
			"site.com · London, England, United Kingdom · desktop: the featured snippet of “gone” is won.",
			"site.com · London, England, United Kingdom · desktop: the featured snippet of “passed” is won.",
			"site.com · London, England, United Kingdom · desktop: the featured snippet of “stays” is won.",
			"site.com · London, England, United Kingdom · desktop: “climbs” entered the top 3, from 9 to 2.",
			"site.com · London, England, United Kingdom · desktop: “falls” fell from 3 to 7.",
			"site.com · London, England, United Kingdom · desktop: “gone” fell from 40 to not found.",
			"site.com · London, England, United Kingdom · desktop: “gone” is no longer found; it was 40.",
		}; !slices.Equal(told, want) {
			t.Errorf("told %q", told)
		}
		w.Do(t, apptest.Call{Method: "DELETE", Path: path}).Want(t, 204)
		if list := w.get(t, trackings+"?is_with_deleted=true").Want(t, 200); list.Len("0.reports_active") != 0 {
			t.Errorf("after it is deleted: %s", list.Raw)
		}
	})
}
