package maprank_test

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/trigpoint/trigpoint/internal/app/apptest"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/provider"
)

// A campaign is deleted in the moment in which a collection of it is charged. Nobody works, so nothing is
// ever delivered: whichever comes first, nothing stays charged.
func TestDeleteWhileACollectionStarts(t *testing.T) {
	t.Parallel()
	eachEngine(t, func(w *world) {
		for range 25 {
			id := w.campaign("pizza").Text("data.id")
			var both sync.WaitGroup
			both.Go(func() {
				if a := w.send("PUT", "/campaigns/"+id+"/collect", nil); a.Status != 200 && a.Status != 404 {
					w.t.Errorf("collect: %d %s", a.Status, a.Raw)
				}
			})
			both.Go(func() { w.send("DELETE", "/campaigns/"+id, nil).Want(w.t, 200) })
			both.Wait()
		}
		if w.spent() != 0 {
			w.t.Errorf("%d credits for campaigns that are gone", w.spent())
		}
	}, func(s *apptest.Setup) { s.NoWorker = true })
}

// Points that had failed when their campaign was deleted were not delivered, nor were those never asked.
func TestDeleteGivesBackPointsThatHadFailed(t *testing.T) {
	t.Parallel()
	eachEngine(t, func(w *world) {
		const failed, answered = 3, 2
		search, hold := w.maps.Map, make(chan struct{})
		defer close(hold)
		var asked atomic.Int64
		w.maps.Map = func(ctx context.Context, q provider.MapQuery) ([]provider.Business, error) {
			switch n := asked.Add(1); {
			case n <= failed:
				return nil, provider.Errorf(provider.BadQuery, "Scripted", "No such street.")
			case n <= failed+answered:
				return search(ctx, q)
			}
			return held(search, hold, 0)(ctx, q)
		}
		id := w.campaign("pizza").Text("data.id")
		w.send("PUT", "/campaigns/"+id+"/collect", nil).Want(w.t, 200)
		w.until("the first points to be stored", func() bool {
			n, err := db.One(w.t.Context(), w.DB, db.Value[int], "SELECT coalesce(sum(points), 0) FROM report_batches")
			return err == nil && n == failed+answered
		})
		w.send("DELETE", "/campaigns/"+id, nil).Want(w.t, 200)
		if w.spent() != answered {
			w.t.Errorf("%d credits, want %d for the points that were answered", w.spent(), answered)
		}
	})
}

// Collecting and deleting in a loop gets no searches for nothing: those under way stay charged.
func TestDeletePaysForSearchesUnderWay(t *testing.T) {
	t.Parallel()
	eachEngine(t, func(w *world) {
		search, hold := w.maps.Map, make(chan struct{})
		var asked atomic.Int64
		w.maps.Map = func(ctx context.Context, q provider.MapQuery) ([]provider.Business, error) {
			asked.Add(1)
			return held(search, hold, 0)(ctx, q)
		}
		id := w.campaign("pizza").Text("data.id")
		w.send("PUT", "/campaigns/"+id+"/collect", nil).Want(w.t, 200)
		w.until("searches to be under way", func() bool { return asked.Load() > 0 })
		w.send("DELETE", "/campaigns/"+id, nil).Want(w.t, 200)
		close(hold)
		w.until("them to be charged", func() bool { return w.spent() > 0 && w.spent() == int(asked.Load()) })
	})
}
