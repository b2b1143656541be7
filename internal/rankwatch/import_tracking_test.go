package rankwatch_test

import (
	"testing"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/rankwatch"
	"github.com/trigpoint/trigpoint/internal/rankwatch/performance"
	"github.com/trigpoint/trigpoint/internal/rankwatch/series"
)

// What another tool has tracked goes on here, with its history, once, and takes no look-up.
func TestTrackingOfAnotherTool(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		today := series.DayOf(w.clock.Now())
		check := func(daysAgo int, rank uint16) rankwatch.PastCheck {
			return rankwatch.PastCheck{Day: today - series.Day(daysAgo), Observation: series.Observation{Rank: rank}, URL: "https://site.com/"}
		}
		past := rankwatch.PastTracking{
			AccountID: w.Owner.ID, From: "SerpBear", Domain: "https://www.site.com", LocationID: london, PlatformID: 1,
			Keywords: []rankwatch.PastKeyword{
				{Text: " Pizza  near me", Tags: []string{"Menu", "menu", "Near"}, Checks: []rankwatch.PastCheck{check(3, 12), check(2, 0), check(0, 1)}},
				{Text: "pizza NEAR me", Tags: []string{"Near"}, Checks: []rankwatch.PastCheck{check(4, 20), check(3, 99)}}, // the same again, of older days
				{Text: "soup", Tags: []string{"Menu"}, Checks: []rankwatch.PastCheck{check(400, 5)}},
				{Text: "one two three four five six seven eight nine ten eleven"},
			},
		}
		run := func(rehearse bool, keywords, checks, known int) rankwatch.ImportedTracking {
			t.Helper()
			done, err := w.RankWatch.ImportTracking(t.Context(), past, rehearse)
			if err != nil || done.Keywords != keywords || done.Checks != checks || done.Known != known || len(done.Refused) != 1 {
				t.Fatalf("%+v, %v", done, err)
			}
			return done
		}
		run(true, 2, 4, 0)
		if w.get(t, trackings).Want(t, 200).At("0") != nil {
			t.Fatal("what was rehearsed is kept")
		}
		before := lookups(t, w)
		done := run(false, 2, 4, 0)
		if again := run(false, 0, 0, 4); again.New || again.ID != done.ID || !done.New {
			t.Errorf("an import again: %+v", again)
		}
		path := trackings + "/" + done.ID
		list := w.get(t, path+"/tracked-keywords?fields=kw,rank,tags,url").Want(t, 200)
		if list.At("2") != nil || list.Text("0.kw") != "Pizza near me" || list.Len("0.tags") != 2 || list.At("1.rank") != 5.0 || list.Text("1.url") != "https://site.com/" {
			t.Errorf("%s", list.Raw)
		}
		stats := w.stats(t, path, "?from="+(today-30).String())
		if h := stats.Keywords[0].RankHistory; len(stats.Annotations) != 1 || stats.Annotations[0].Content.Text != "Ranks before this day were imported from SerpBear" || len(h) == 0 {
			t.Errorf("annotations %+v, history %v", stats.Annotations, h)
		}
		searches := []rankwatch.PastSearches{{Day: today - 3, Queries: []performance.Row{{Query: "pizza near me", Figures: performance.Of(3, 40, 7.5)}}}}
		for _, want := range []rankwatch.ImportedSearches{{SiteURL: "sc-domain:site.com", Days: 1, Queries: 1}, {SiteURL: "sc-domain:site.com", Known: 1}} {
			if got, err := w.RankWatch.ImportSearches(t.Context(), w.Owner.ID, done.ID, "", searches, false); err != nil || got != want {
				t.Errorf("%+v, %v", got, err)
			}
		}
		beside := w.get(t, path+"/search-console/history?query=pizza+near+me&from="+(today-3).String()+"&to="+(today-3).String()).Want(t, 200)
		if beside.At("days.0.position") != 7.5 || beside.At("days.0.rank") != 12.0 {
			t.Errorf("figures beside the rank: %s", beside.Raw)
		}
		if after := lookups(t, w); after != before {
			t.Errorf("look-ups went from %d to %d", before, after)
		}
		if due, err := db.One(t.Context(), w.DB, db.Value[int64], "SELECT min(next_check_at) FROM rank_states"); err != nil || !db.Time(due).Equal((today + 1).Start()) {
			t.Errorf("the first check is due at %v, %v", db.Time(due), err)
		}
	})
}

func lookups(t *testing.T, w *world) int64 {
	t.Helper()
	n, err := db.One(t.Context(), w.DB, db.Value[int64], "SELECT coalesce(sum(used), 0) FROM quota_months")
	if err != nil {
		t.Fatal(err)
	}
	return n
}
