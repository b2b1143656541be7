package maprank_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/trigpoint/trigpoint/internal/app/apptest"
)

func TestPlanThatShrinks(t *testing.T) {
	t.Parallel()
	eachEngine(t, func(w *world) {
		var ids []string
		for range 5 {
			w.clock.Advance(time.Minute)
			ids = append(ids, w.campaign("pizza").Text("data.id"))
		}
		w.collect(ids[0])
		marked := func() (list []string) {
			w.t.Helper()
			a := w.get("/campaigns?onlyMarkedForRemoval=true&sort=createdAt,ASC").Want(w.t, 200)
			for i := range a.Len("data.content") {
				list = append(list, a.Text(fmt.Sprintf("data.content.%d.id", i)))
			}
			return list
		}
		plan := func(name string) {
			w.t.Helper()
			if err := w.SetPlan(w.t.Context(), w.Owner.ID, name); err != nil {
				w.t.Fatal(err)
			}
		}
		if got := marked(); len(got) != 0 {
			w.t.Errorf("marked at first: %v", got)
		}
		plan("free") // three slots
		if got := marked(); fmt.Sprint(got) != fmt.Sprint(ids[:2]) {
			w.t.Errorf("marked %v, want the two oldest of %v", got, ids)
		}
		if a := w.get("/campaigns/%s", ids[0]).Want(w.t, 200); a.Text("data.markedForRemovalAt") != "2026-03-16T12:05:00Z" {
			w.t.Errorf("the date of the removal: %s", a.Raw)
		}
		full := w.send("POST", "/campaigns", object{"placeId": market[0].PlaceID, "keywords": []string{"a"}}).Want(w.t, 403)
		if full.Text("error.details.0.error_status") != "CAMPAIGN_LIMIT_REACHED" {
			w.t.Errorf("without a slot: %s", full.Raw)
		}
		if a := w.get("/limits").Want(w.t, 200); a.At("data.campaigns.available") != 0.0 || a.At("data.campaigns.inUse") != 5.0 || a.At("data.campaigns.total") != 3.0 {
			w.t.Errorf("limits: %s", a.Raw)
		}
		plan("pro")
		if got := marked(); len(got) != 0 {
			w.t.Errorf("marked after the upgrade: %v", got)
		}
		plan("free")
		w.clock.Advance(13 * 24 * time.Hour)
		plan("free") // a second time does not put it off
		w.send("DELETE", "/campaigns/"+ids[4], nil).Want(w.t, 200)
		if got := marked(); fmt.Sprint(got) != fmt.Sprint(ids[:1]) {
			w.t.Errorf("marked %v after a slot became free, want %v", got, ids[:1])
		}
		w.clock.Advance(24 * time.Hour)
		w.RemoveDue(w.t)
		w.get("/campaigns/%s", ids[0]).Want(w.t, 404)
		if a := w.get("/campaigns").Want(w.t, 200); a.At("data.totalElements") != 3.0 {
			w.t.Errorf("left: %s", a.Raw)
		}
		if w.count("reports") != 0 || w.count("campaign_points") != 3 || w.count("campaign_removals") != 0 {
			w.t.Errorf("remains: %d reports, %d sets of points, %d removals", w.count("reports"), w.count("campaign_points"), w.count("campaign_removals"))
		}
	}, func(s *apptest.Setup) { s.Plan = "pro" })
}

// RemoveDue runs the sweep, which looks once a minute, until it has nothing to do.
func (w *world) RemoveDue(t testing.TB) {
	t.Helper()
	for {
		more, err := w.MapRank.RemoveDue(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if !more {
			return
		}
	}
}
