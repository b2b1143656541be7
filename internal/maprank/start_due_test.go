package maprank_test

import (
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/trigpoint/trigpoint/internal/app/apptest"
	"github.com/trigpoint/trigpoint/internal/clock"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/db/dbtest"
)

// scheduled creates a campaign that is collected on Mondays at 08:00 in Decatur.
func (w *world) scheduled() string {
	w.t.Helper()
	return w.send("POST", "/campaigns", object{
		"placeId": market[0].PlaceID, "keywords": []string{"pizza"},
		"collectingFrequency": object{"frequency": "WEEKLY", "positions": []int{1}, "time": "08:00", "enable": true},
	}).Want(w.t, 200).Text("data.id")
}

// reports waits for that many collected reports and returns the campaign.
func (w *world) reports(id string, n int) *apptest.Answer {
	w.t.Helper()
	return w.becomes(id, func(a *apptest.Answer) bool {
		return a.Text("data.status") != "COLLECTING" && a.Len("data.reportDates") >= n
	})
}

func TestScheduleRuns(t *testing.T) {
	t.Parallel()
	eachEngine(t, func(w *world) { // it is Monday, 2 March 2026, 07:00 in Decatur
		id := w.scheduled()
		if a := w.get("/campaigns/%s", id); a.Text("data.nextReportDate") != "2026-03-02T13:00:00Z" {
			w.t.Errorf("created: %s", a.Raw)
		}
		w.clock.Set(time.Date(2026, 3, 2, 13, 0, 1, 0, time.UTC))
		a := w.reports(id, 1)
		if a.Text("data.lastReportDate") != "2026-03-02T13:00:00Z" || a.Text("data.nextReportDate") != "2026-03-09T12:00:00Z" {
			w.t.Errorf("after the first run (the clocks go forward on the 8th): %s", a.Raw)
		}
		// Down for a month: one run to catch up, of the time that it really is.
		w.clock.Set(time.Date(2026, 4, 9, 15, 30, 0, 0, time.UTC))
		a = w.reports(id, 2)
		if a.Len("data.reportDates") != 2 || a.Text("data.reportDates.0") != "2026-04-09T15:30:00Z" || a.Text("data.nextReportDate") != "2026-04-13T12:00:00Z" {
			w.t.Errorf("after the catch-up: %s", a.Raw)
		}
		if w.count("reports") != 2 || w.spent() != 25 {
			w.t.Errorf("%d reports, %d spent in April", w.count("reports"), w.spent())
		}
	})
}

func TestScheduleWithoutCredits(t *testing.T) {
	t.Parallel()
	eachEngine(t, func(w *world) {
		id := w.scheduled()
		w.clock.Set(time.Date(2026, 3, 2, 13, 0, 0, 0, time.UTC))
		w.becomes(id, func(a *apptest.Answer) bool {
			return strings.HasPrefix(a.Text("data.statusDetail"), "The collection of 2026-03-02T13:00:00Z was skipped. This needs 25 credits and 10 of 10 are left")
		})
		a := w.get("/campaigns/%s", id).Want(w.t, 200)
		if a.Text("data.status") != "CREATED" || a.Len("data.reportDates") != 0 || a.Text("data.nextReportDate") != "2026-03-09T12:00:00Z" || w.spent() != 0 {
			w.t.Errorf("after a skipped run: %s", a.Raw)
		}
		status, err := db.One(w.t.Context(), w.DB, db.Value[string], "SELECT status FROM reports")
		if err != nil || status != "SKIPPED" {
			w.t.Errorf("recorded as %q, %v", status, err)
		}
		w.send("PUT", "/campaigns/"+id+"/collect", nil).Want(w.t, 409) // of the instant that was skipped
	}, poor("10"))
}

func TestCollectionOrderedForLater(t *testing.T) {
	t.Parallel()
	eachEngine(t, func(w *world) {
		id := w.campaign("pizza").Text("data.id")
		later := query("collectingReportDate", "2026-03-05T10:00:00.5+01:00")
		a := w.send("PUT", "/campaigns/"+id+"/collect"+later, nil).Want(w.t, 200)
		if a.Text("data.collectingReportDate") != "2026-03-05T09:00:00.5Z" || w.spent() != 0 {
			w.t.Errorf("%d spent: %s", w.spent(), a.Raw)
		}
		w.send("PUT", "/campaigns/"+id+"/collect"+later, nil).Want(w.t, 409)
		w.collect(id) // another may run before
		w.send("PATCH", "/campaigns/"+id, object{"keywords": []string{"pizza", "pasta"}}).Want(w.t, 200)
		w.clock.Set(time.Date(2026, 3, 5, 9, 0, 1, 0, time.UTC))
		done := w.reports(id, 2)
		if done.Text("data.reportDates.0") != "2026-03-05T09:00:00.5Z" || w.spent() != 25+50 {
			w.t.Errorf("%d spent: %s", w.spent(), done.Raw)
		}
		// In the past it starts at once.
		past := w.send("PUT", "/campaigns/"+id+"/collect"+query("collectingReportDate", "2026-01-01T00:00:00Z"), nil).Want(w.t, 200)
		if past.Text("data.collectingReportDate") != "2026-03-05T09:00:01Z" {
			w.t.Errorf("in the past: %s", past.Raw)
		}
		w.reports(id, 3)
	})
}

// Many processes on one store: a run is started by one of them.
func TestTwoProcessesStartARunOnce(t *testing.T) {
	t.Parallel()
	dbtest.EachOptions(t, func(t *testing.T, o db.Options) {
		open := func() *db.DB {
			d, err := db.Open(t.Context(), o)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = d.Close() })
			return d
		}
		idle := func(s *apptest.Setup) { s.NoWorker = true }
		first := apptest.Start(t, open(), prepare, idle)
		w := &world{Program: first, t: t, clock: first.Clock.(*clock.Fake)}
		const campaigns = 8
		for range campaigns {
			w.scheduled()
		}
		later := w.clock.Now().Add(2 * time.Hour)
		w.clock.Set(later)
		programs := []*apptest.Program{first}
		for range 3 {
			programs = append(programs, apptest.Start(t, open(), prepare, idle, func(s *apptest.Setup) {
				s.Options.Clock = clock.NewFake(later)
				s.Email = "other" + string(rune('a'+len(programs))) + "@trigpoint.example"
			}))
		}
		var all sync.WaitGroup
		for _, p := range programs {
			for range 3 {
				all.Go(func() {
					if _, err := p.MapRank.StartDue(t.Context()); err != nil {
						t.Error(err)
					}
				})
			}
		}
		all.Wait()
		if n := w.count("reports"); n != campaigns || w.spent() != campaigns*25 {
			t.Errorf("%d reports and %d credits for %d campaigns", n, w.spent(), campaigns)
		}
	})
}
