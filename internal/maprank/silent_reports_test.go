package maprank_test

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/trigpoint/trigpoint/internal/app/apptest"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/maprank"
	"github.com/trigpoint/trigpoint/internal/provider"
)

// refusing answers n searches and refuses the others with an error of its own.
func refusing(search search, n int64, refusal provider.Error) search {
	var asked atomic.Int64
	return func(ctx context.Context, q provider.MapQuery) ([]provider.Business, error) {
		if asked.Add(1) > n {
			e := refusal
			return nil, &e
		}
		return search(ctx, q)
	}
}

// patient gives up no slice for itself.
func patient(s *apptest.Setup) { s.Options.Map.Pace.Stalls = 1_000 }

// A provider answers a few points and then asks for years of patience. The report ends within an hour with what
// it has; the rest is given back.
func TestReportEndsWithinAnHourOfTheLastAnswer(t *testing.T) {
	t.Parallel()
	eachEngine(t, func(w *world) {
		const answered = 4
		w.maps.Map = refusing(w.maps.Map, answered, provider.Error{
			Kind: provider.RateLimited, Provider: "Scripted", Message: "Scripted asks for fewer requests.", RetryAfter: 99_999_999 * time.Second,
		})
		id := w.campaign("pizza").Text("data.id")
		w.send("PUT", "/campaigns/"+id+"/collect", nil).Want(w.t, 200)
		w.until("the provider to be asked in vain", func() bool { return w.quiet() == 1 })
		w.endSilent()
		if a := w.get("/campaigns/%s", id).Want(w.t, 200); a.Text("data.status") != "COLLECTING" {
			w.t.Fatalf("ended at once: %s", a.Raw)
		}
		w.clock.Advance(time.Hour)
		w.endSilent()
		done := w.get("/campaigns/%s", id).Want(w.t, 200)
		if done.Text("data.status") != "COLLECTED" || done.Text("data.statusDetail") != "21 of 25 searches failed and were not charged. Scripted brought nothing for an hour." {
			w.t.Errorf("after an hour: %s", done.Raw)
		}
		if w.spent() != answered {
			w.t.Errorf("%d spent, want %d", w.spent(), answered)
		}
	}, patient)
}

// quiet counts the reports whose provider is asked in vain.
func (w *world) quiet() int {
	w.t.Helper()
	n, err := db.One(w.t.Context(), w.DB, db.Value[int], "SELECT count(*) FROM reports WHERE status = 'COLLECTING' AND quiet_since IS NOT NULL")
	if err != nil {
		w.t.Fatal(err)
	}
	return n
}

func (w *world) endSilent() {
	w.t.Helper()
	if _, err := w.MapRank.EndSilent(w.t.Context()); err != nil {
		w.t.Fatal(err)
	}
}

// An outage that passes costs nothing: answers make the hour begin anew.
func TestAnswersKeepAReportAlive(t *testing.T) {
	t.Parallel()
	eachEngine(t, func(w *world) {
		search := w.maps.Map
		var down atomic.Bool
		down.Store(true)
		w.maps.Map = func(ctx context.Context, q provider.MapQuery) ([]provider.Business, error) {
			if down.Load() {
				return nil, provider.Errorf(provider.Transient, "Scripted", "Scripted is down.")
			}
			return search(ctx, q)
		}
		id := w.campaign("pizza").Text("data.id")
		w.send("PUT", "/campaigns/"+id+"/collect", nil).Want(w.t, 200)
		w.until("the provider to be asked in vain", func() bool { return w.quiet() == 1 })
		w.clock.Advance(50 * time.Minute)
		w.endSilent()
		down.Store(false)
		if done := w.ended(id); done.Text("data.status") != "COLLECTED" || done.At("data.statusDetail") != nil || w.spent() != 25 {
			w.t.Errorf("%d spent: %s", w.spent(), done.Raw)
		}
	}, patient)
}

// A provider that wants fewer requests, without saying when to come back, gets no further one in the round.
func TestRefusalEndsTheRound(t *testing.T) {
	t.Parallel()
	eachEngine(t, func(w *world) {
		w.maps.Map = refusing(w.maps.Map, 0, provider.Error{Kind: provider.RateLimited, Provider: "Scripted", Message: "No."})
		made := w.send("POST", "/campaigns", object{"placeId": market[0].PlaceID, "keywords": []string{"pizza"}, "gridSettings": object{"template": "21x21"}}).Want(w.t, 200)
		before := w.maps.Calls()
		w.send("PUT", "/campaigns/"+made.Text("data.id")+"/collect", nil).Want(w.t, 200)
		if done := w.ended(made.Text("data.id")); done.Text("data.status") != "FAILED" || w.spent() != 0 {
			w.t.Errorf("%d spent: %s", w.spent(), done.Raw)
		}
		const atOnce, attempts, rounds = 16, 2, 2
		if n := w.maps.Calls() - before; n > 2*atOnce*attempts*rounds { // those that had begun when the first was refused
			w.t.Errorf("asked %d times", n)
		}
	})
}

// Killed again and again in one slice, each time after some results: no point is given up.
func TestKillsAfterResultsDoNotCount(t *testing.T) {
	t.Parallel()
	eachEngine(t, func(w *world) {
		id := w.campaign("pizza").Text("data.id")
		w.send("PUT", "/campaigns/"+id+"/collect", nil).Want(w.t, 200)
		order := w.sliceOrder()
		search := w.maps.Map
		for attempt := range 10 {
			ctx, kill := context.WithCancel(w.t.Context())
			var asked atomic.Int64
			w.maps.Map = func(ctx context.Context, q provider.MapQuery) ([]provider.Business, error) {
				if asked.Add(1) > 1 {
					<-ctx.Done()
					return nil, ctx.Err()
				}
				return search(ctx, q)
			}
			before := w.arrived()
			worked := make(chan error, 1)
			go func() { worked <- w.MapRank.WorkSlice(ctx, order, attempt+1) }()
			w.until("a result to be stored", func() bool { return w.arrived() > before })
			kill()
			<-worked
		}
		w.maps.Map = search
		if err := w.MapRank.WorkSlice(w.t.Context(), order, 11); err != nil {
			w.t.Fatal(err)
		}
		if done := w.get("/campaigns/%s", id).Want(w.t, 200); done.Text("data.status") != "COLLECTED" || done.At("data.statusDetail") != nil || w.spent() != 25 {
			w.t.Errorf("%d spent: %s", w.spent(), done.Raw)
		}
	}, func(s *apptest.Setup) { s.NoWorker = true })
}

// Killed again and again without any result: the slice is given up, and given back.
func TestKillsWithoutResultsEnd(t *testing.T) {
	t.Parallel()
	eachEngine(t, func(w *world) {
		id := w.campaign("pizza").Text("data.id")
		w.send("PUT", "/campaigns/"+id+"/collect", nil).Want(w.t, 200)
		if err := w.MapRank.WorkSlice(w.t.Context(), w.sliceOrder(), 7); err != nil {
			w.t.Fatal(err)
		}
		done := w.get("/campaigns/%s", id).Want(w.t, 200)
		if done.Text("data.status") != "FAILED" || !strings.Contains(done.Text("data.statusDetail"), "failed repeatedly") || w.spent() != 0 {
			w.t.Errorf("%d spent: %s", w.spent(), done.Raw)
		}
	}, func(s *apptest.Setup) { s.NoWorker = true })
}

// sliceOrder is the one slice that is to be worked.
func (w *world) sliceOrder() maprank.SliceArgs {
	w.t.Helper()
	order, err := db.One(w.t.Context(), w.DB, func(row db.Scanner) (a maprank.SliceArgs, err error) {
		err = row.Scan(&a.ReportID, &a.KeywordID, &a.First)
		return a, err
	}, "SELECT report_id, keyword_id, first FROM report_slices")
	if err != nil {
		w.t.Fatal(err)
	}
	return order
}

func (w *world) arrived() int {
	w.t.Helper()
	n, err := db.One(w.t.Context(), w.DB, db.Value[int], "SELECT coalesce(sum(points), 0) FROM report_batches")
	if err != nil {
		w.t.Fatal(err)
	}
	return n
}

// The clock was years ahead for a moment. Schedules set or run in it are due again when the real time says so.
func TestClockThatWasAhead(t *testing.T) {
	t.Parallel()
	eachEngine(t, func(w *world) {
		before := w.scheduled()
		w.clock.Set(start.AddDate(7, 0, 0))
		during := w.scheduled()
		w.reports(before, 1)
		w.clock.Set(start.Add(5 * time.Second))
		w.endSilent()
		for _, id := range []string{before, during} {
			if a := w.get("/campaigns/%s", id).Want(w.t, 200); !strings.HasPrefix(a.Text("data.nextReportDate"), "2026-03-02T13:00:00") {
				w.t.Errorf("due next: %s", a.Raw)
			}
		}
		w.clock.Set(time.Date(2026, 3, 2, 13, 0, 1, 0, time.UTC))
		w.reports(before, 2)
		w.reports(during, 1)
	})
}

// A report that was asked in vain while the clock was ahead waits its hour from now.
func TestSilenceNotedByAClockThatWasAhead(t *testing.T) {
	t.Parallel()
	eachEngine(t, func(w *world) {
		w.maps.Map = refusing(w.maps.Map, 0, provider.Error{Kind: provider.RateLimited, Provider: "Scripted", Message: "No.", RetryAfter: time.Hour})
		id := w.campaign("pizza").Text("data.id")
		w.clock.Set(start.AddDate(7, 0, 0))
		w.send("PUT", "/campaigns/"+id+"/collect", nil).Want(w.t, 200)
		w.until("the provider to be asked in vain", func() bool { return w.quiet() == 1 })
		w.clock.Set(start)
		w.endSilent()
		w.clock.Set(start.Add(time.Hour))
		w.endSilent()
		if done := w.get("/campaigns/%s", id).Want(w.t, 200); done.Text("data.status") != "FAILED" || w.spent() != 0 {
			w.t.Errorf("%d spent: %s", w.spent(), done.Raw)
		}
	}, patient)
}
