package local_test

import (
	"net/http"
	"sync/atomic"
	"testing"

	"github.com/trigpoint/trigpoint/internal/app/apptest"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/db/dbtest"
	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/provider/placeindex"
)

// Map search knows a location as long as its page is public and the location in order.
func TestLocationIsAPlaceWhileItsPageIsConnected(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		var refuse atomic.Bool
		receiver := newPartner(t, func(w http.ResponseWriter, _ *http.Request) {
			if refuse.Load() {
				w.WriteHeader(http.StatusUnprocessableEntity)
			}
		})
		p := apptest.Start(t, d, withWebhook(receiver.URL), func(s *apptest.Setup) {
			s.Config.Plans = `{"free":{"locations":0,"rate":0},"agency":{"rate":0}}`
		})
		id := create(t, p, with(valid(t), "coordinates", map[string]float64{"latitude": 33.7, "longitude": -84.2}))
		placeID, _ := placeindex.Identify("location:" + id)
		isPlace := func(when string, want bool) {
			t.Helper()
			if _, err := p.Places.Index(t.Context()); err != nil {
				t.Fatal(err)
			}
			if _, err := p.Places.FindPlace(t.Context(), placeID); (err == nil) != want || err != nil && provider.KindOf(err) != provider.NotFound {
				t.Errorf("%s: %v", when, err)
			}
		}
		published(t, p, id)
		isPlace("published", true)
		page := listings(t, p, id)["Hosted page"]
		switchTo(t, p, page, "disable", 200)
		isPlace("disabled", false)
		switchTo(t, p, page, "enable", 200)
		isPlace("enabled again", true)
		for _, change := range []struct {
			plan string
			want bool
		}{{"free", false}, {"agency", true}} {
			if err := p.SetPlan(t.Context(), p.Owner.ID, change.plan); err != nil {
				t.Fatal(err)
			}
			isPlace("on the plan "+change.plan, change.want)
		}
		refuse.Store(true)
		patch := func(body string) {
			p.Do(t, apptest.Call{Method: "PATCH", Path: base + "/locations/" + id + "?update_mask=city,coordinates", Body: body}).Want(t, 200)
		}
		patch(`{"city":"Atlanta"}`)
		p.Eventually(t, apptest.Call{Method: "GET", Path: base + "/locations/" + id}, func(a *apptest.Answer) bool { return a.Text("data.location_status") == "FAILED" })
		isPlace("failed", false)
		refuse.Store(false)
		patch(`{"city":"Decatur"}`)
		published(t, p, id)
		isPlace("mended", true)
		patch(`{"coordinates":null}`)
		published(t, p, id)
		isPlace("without coordinates", false)
		patch(`{"coordinates":{"latitude":1,"longitude":2}}`)
		published(t, p, id)
		isPlace("with coordinates", true)
		p.Do(t, apptest.Call{Method: "DELETE", Path: base + "/locations/" + id}).Want(t, 200)
		isPlace("deleted", false)
	})
}

func TestUnpublishedLocationIsNoPlace(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, p *apptest.Program) {
		id := create(t, p, with(valid(t), "coordinates", map[string]float64{"latitude": 33.7, "longitude": -84.2}))
		placeID, _ := placeindex.Identify("location:" + id)
		if _, err := p.Places.FindPlace(t.Context(), placeID); provider.KindOf(err) != provider.NotFound {
			t.Errorf("found with %v", err)
		}
	}, func(s *apptest.Setup) { s.NoWorker = true })
}
