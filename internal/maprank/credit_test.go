package maprank_test

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/trigpoint/trigpoint/internal/app/apptest"
	"github.com/trigpoint/trigpoint/internal/clock"
	"github.com/trigpoint/trigpoint/internal/db/dbtest"
	"github.com/trigpoint/trigpoint/internal/errs"
	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/provider/providertest"
)

func (w *world) spent() int {
	w.t.Helper()
	return int(w.get("/limits").Want(w.t, 200).At("data.credits.spentThisMonth").(float64))
}

func poor(credits string) func(*apptest.Setup) {
	return func(s *apptest.Setup) {
		s.Plan = "pro"
		s.Config.Plans = `{"pro":{"rate":0,"campaigns":60,"credits":` + credits + `}}`
	}
}

func TestConcurrentCollectsNeverSpendPastTheTotal(t *testing.T) {
	t.Parallel()
	eachEngine(t, func(w *world) {
		const campaigns = 50
		ids := make([]string, campaigns)
		for i := range ids {
			ids[i] = w.campaign("pizza", "pasta").Text("data.id") // 50 credits each
		}
		var collected, refused atomic.Int64
		var all sync.WaitGroup
		for _, id := range ids {
			all.Go(func() {
				switch a := w.send("PUT", "/campaigns/"+id+"/collect", nil); {
				case a.Status == 200:
					collected.Add(1)
				case a.Status == 403 && a.Text("error.details.0.error_status") == "NOT_ENOUGH_CREDITS":
					refused.Add(1)
				default:
					w.t.Errorf("%d %s", a.Status, a.Raw)
				}
			})
		}
		all.Wait()
		if collected.Load() != 20 || refused.Load() != 30 || w.spent() != 1_000 {
			w.t.Errorf("%d collected, %d refused, %d credits spent; want 20, 30 and 1,000 of 1,030", collected.Load(), refused.Load(), w.spent())
		}
		if n := w.count("reports"); n != 20 {
			w.t.Errorf("%d reports, want 20: a refused collection must leave nothing", n)
		}
		for _, id := range ids {
			w.ended(id)
		}
		if w.spent() != 1_000 || w.maps.Calls() != 1_000+campaigns {
			w.t.Errorf("%d credits, %d questions", w.spent(), w.maps.Calls())
		}
	}, poor("1030"))
}

func TestOneCollectionAtATime(t *testing.T) {
	t.Parallel()
	eachEngine(t, func(w *world) {
		hold := make(chan struct{})
		w.maps.Map = held(w.maps.Map, hold, 0)
		id := w.campaign("pizza").Text("data.id")
		var started, refused atomic.Int64
		var all sync.WaitGroup
		for i := range 10 {
			all.Go(func() {
				at := start.Add(-time.Duration(i) * time.Minute).Format(time.RFC3339)
				a := w.send("PUT", "/campaigns/"+id+"/collect"+query("reportDate", at), nil)
				switch {
				case a.Status == 200:
					started.Add(1)
				case a.Status == 409 && a.Text("error.details.0.error_status") == "COLLECTION_RUNNING":
					refused.Add(1)
				default:
					w.t.Errorf("%d %s", a.Status, a.Raw)
				}
			})
		}
		all.Wait()
		if started.Load() != 1 || refused.Load() != 9 || w.spent() != 25 {
			w.t.Errorf("%d started, %d refused, %d spent", started.Load(), refused.Load(), w.spent())
		}
		if a := w.get("/campaigns/%s", id); a.Text("data.status") != "COLLECTING" {
			w.t.Errorf("status %s while it runs", a.Text("data.status"))
		}
		close(hold)
		done := w.ended(id)
		same := w.send("PUT", "/campaigns/"+id+"/collect"+query("reportDate", done.Text("data.lastReportDate")), nil).Want(w.t, 409)
		if same.Text("error.details.0.error_status") != "REPORT_EXISTS" {
			w.t.Errorf("the same instant again: %s", same.Raw)
		}
		w.send("PUT", "/campaigns/"+id+"/collect?reportDate=yesterday", nil).Want(w.t, 400)
	})
}

func TestCreditsOfANewMonth(t *testing.T) {
	t.Parallel()
	eachEngine(t, func(w *world) {
		w.clock.Set(time.Date(2026, 3, 31, 23, 59, 59, 0, time.UTC))
		id := w.campaign("pizza").Text("data.id")
		w.collect(id)
		w.clock.Advance(500 * time.Millisecond)
		w.send("PUT", "/campaigns/"+id+"/collect", nil).Want(w.t, 403)
		w.clock.Advance(500 * time.Millisecond)
		if l := w.get("/limits").Want(w.t, 200); l.At("data.credits.available") != 30.0 || l.At("data.credits.spentThisMonth") != 0.0 || l.At("data.credits.total") != 30.0 {
			w.t.Errorf("on the first of the month: %s", l.Raw)
		}
		w.collect(id)
		if w.spent() != 25 {
			w.t.Errorf("%d spent in the new month", w.spent())
		}
	}, poor("30"))
}

// A refund goes to the month that was charged, though the month has changed meanwhile.
func TestRefundOfAPointThatFails(t *testing.T) {
	t.Parallel()
	eachEngine(t, func(w *world) {
		w.clock.Set(time.Date(2026, 3, 31, 23, 0, 0, 0, time.UTC))
		search, hold := w.maps.Map, make(chan struct{})
		var asked atomic.Int64
		w.maps.Map = func(ctx context.Context, q provider.MapQuery) ([]provider.Business, error) {
			<-hold
			if q.Keyword == "pizza" && asked.Add(1) <= 3 {
				return nil, provider.Errorf(provider.BadQuery, "Scripted", "No such street.")
			}
			return search(ctx, q)
		}
		made := w.campaign("pizza", "pasta")
		id := made.Text("data.id")
		date := w.send("PUT", "/campaigns/"+id+"/collect", nil).Want(w.t, 200).Text("data.collectingReportDate")
		if w.spent() != 50 {
			w.t.Errorf("%d charged", w.spent())
		}
		w.clock.Set(time.Date(2026, 4, 1, 1, 0, 0, 0, time.UTC))
		close(hold)
		done := w.ended(id)
		if done.Text("data.status") != "COLLECTED" || done.Text("data.statusDetail") != "3 of 50 searches failed and were not charged. No such street." {
			w.t.Errorf("the campaign: %s", done.Raw)
		}
		if w.spent() != 0 {
			w.t.Errorf("%d spent in April", w.spent())
		}
		w.clock.Set(time.Date(2026, 3, 31, 23, 30, 0, 0, time.UTC))
		if w.spent() != 47 {
			w.t.Errorf("%d spent in March, want 50 - 3", w.spent())
		}
		h := w.get("/campaigns/%s/heatmap%s", id, query("keywordId", made.Text("data.keywords.0.id"), "reportDate", date, "cid", market[0].CID)).Want(w.t, 200)
		if h.Len("data.positions") != 22 {
			w.t.Errorf("a point that failed is shown: %d positions", h.Len("data.positions"))
		}
	})
}

// Fewer points never cost more, whatever else changes.
func TestFewerPointsNeverCostMore(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, dbtest.SQLite(t), prepare, func(s *apptest.Setup) { s.NoWorker = true })
	w := &world{Program: p, t: t, clock: p.Clock.(*clock.Fake)}
	cost := func(rt *rapid.T, enabled []bool, keywords int) int {
		points := make([]object, len(enabled))
		for i, on := range enabled {
			points[i] = object{"index": i, "isEnabled": on, "coordinates": object{"lat": 33 + float64(i)/100, "lng": -84}}
		}
		names := []string{"a", "b", "c", "d", "e"}[:keywords]
		before := w.spent()
		made := w.send("POST", "/campaigns", object{"placeId": market[0].PlaceID, "keywords": names, "points": points})
		if made.Status != 200 {
			rt.Fatalf("%s", made.Raw)
		}
		w.send("PUT", "/campaigns/"+made.Text("data.id")+"/collect", nil).Want(t, 200)
		return w.spent() - before
	}
	rapid.Check(t, func(rt *rapid.T) {
		enabled := rapid.SliceOfN(rapid.Bool(), 1, 30).Draw(rt, "enabled")
		enabled[rapid.IntRange(0, len(enabled)-1).Draw(rt, "on")] = true
		keywords := rapid.IntRange(1, 5).Draw(rt, "keywords")
		on := 0
		for _, e := range enabled {
			if e {
				on++
			}
		}
		all := cost(rt, enabled, keywords)
		if all != on*keywords {
			rt.Fatalf("%d points and %d keywords cost %d", on, keywords, all)
		}
		if on > 1 {
			off := rapid.IntRange(0, len(enabled)-1).Filter(func(i int) bool { return enabled[i] }).Draw(rt, "off")
			enabled[off] = false
			if fewer := cost(rt, enabled, keywords); fewer > all {
				rt.Fatalf("one point less costs %d in place of %d", fewer, all)
			}
		}
	})
}

// Each place id of a new campaign is a question to a vendor that bills it, also when there is no such place.
func TestPlacesAreLookedUpWithinThePlan(t *testing.T) {
	t.Parallel()
	eachEngine(t, func(w *world) {
		ask := func(placeID string) *apptest.Answer {
			return w.send("POST", "/campaigns", map[string]any{"placeId": placeID, "keywords": []string{"pizza"}})
		}
		ask("ChIJunknown1").Want(w.t, 404)
		place := w.maps.Place
		w.maps.Place = func(context.Context, string) (provider.Business, error) {
			return provider.Business{}, provider.Errorf(provider.Unauthorized, "Scripted", "No.")
		}
		ask("ChIJunanswered").Want(w.t, 503) // which takes none
		w.maps.Place = place
		ask("ChIJunknown2").Want(w.t, 404)
		if over := ask("ChIJunknown3").Want(w.t, 403); over.Text("error.details.0.error_status") != string(errs.LookupLimitReached) {
			w.t.Errorf("over the look-ups: %s", over.Raw)
		}
	}, func(s *apptest.Setup) {
		s.Plan, s.Config.Plans = "pro", `{"pro":{"rate":0,"lookups":2}}`
		s.Options.Map.Provider.(*providertest.Scripted).Account = "a vendor's"
	})
}
