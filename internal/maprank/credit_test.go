package maprank_test

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"time"

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
		const campaigns, affordable, cost = 12, 4, 25
		ids := make([]string, campaigns)
		for i := range ids {
			ids[i] = w.campaign("pizza").Text("data.id")
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
		if collected.Load() != affordable || refused.Load() != campaigns-affordable {
			w.t.Errorf("%d collected and %d refused, want %d and %d", collected.Load(), refused.Load(), affordable, campaigns-affordable)
		}
		if n := w.count("reports"); n != affordable {
			w.t.Errorf("%d reports, want %d: a refused collection must leave nothing", n, affordable)
		}
		for _, id := range ids {
			w.ended(id)
		}
		if spent := w.spent(); spent != affordable*cost {
			w.t.Errorf("%d credits spent of 110, want %d", spent, affordable*cost)
		}
		if low := w.events("credits.low"); low.Len("data") != 1 || low.At("data.0.data.used") != float64(affordable*cost) {
			w.t.Errorf("told of low credits: %s", low.Raw)
		}
		if started, ended := w.events("report.started"), w.events("report.collected"); started.Len("data") != affordable || ended.Len("data") != affordable {
			w.t.Errorf("told of reports: %s, %s", started.Raw, ended.Raw)
		}
		if asked := w.maps.Calls(); asked != campaigns+affordable*cost {
			w.t.Errorf("%d questions to the provider, want a place for each campaign and %d searches", asked, affordable*cost)
		}
	}, poor("110"))
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
		told := w.events("report.collected")
		if told.Text("data.0.data.campaign_id") != id || told.Text("data.0.data.report_date") != date || told.At("data.0.data.credits") != float64(47) || told.At("data.0.data.average_position") == nil {
			w.t.Errorf("told: %s", told.Raw)
		}
		h := w.get("/campaigns/%s/heatmap%s", id, query("keywordId", made.Text("data.keywords.0.id"), "reportDate", date, "cid", market[0].CID)).Want(w.t, 200)
		if h.Len("data.positions") != 22 {
			w.t.Errorf("a point that failed is shown: %d positions", h.Len("data.positions"))
		}
	})
}

// A collection costs its keywords times the points that are switched on, so fewer points never cost more.
func TestOnlyEnabledPointsCost(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, dbtest.SQLite(t), prepare, func(s *apptest.Setup) { s.NoWorker = true })
	w := &world{Program: p, t: t, clock: p.Clock.(*clock.Fake)}
	spent := 0
	for _, keywords := range [][]string{{"a"}, {"a", "b", "c"}} {
		for enabled := 1; enabled <= 5; enabled += 2 {
			points := make([]object, 5)
			for i := range points {
				points[i] = object{"isEnabled": i < enabled, "coordinates": object{"lat": 33 + float64(i)/100, "lng": -84}}
			}
			made := w.send("POST", "/campaigns", object{"placeId": market[0].PlaceID, "keywords": keywords, "points": points}).Want(t, 200)
			w.send("PUT", "/campaigns/"+made.Text("data.id")+"/collect", nil).Want(t, 200)
			before := spent
			if spent = w.spent(); spent-before != enabled*len(keywords) {
				t.Errorf("%d of 5 points and %d keywords cost %d", enabled, len(keywords), spent-before)
			}
		}
	}
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
