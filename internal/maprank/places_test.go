package maprank_test

import (
	"fmt"
	"testing"

	"github.com/trigpoint/trigpoint/internal/app/apptest"
	"github.com/trigpoint/trigpoint/internal/local"
	"github.com/trigpoint/trigpoint/internal/provider/placeindex"
)

// With the built-in places a campaign needs no vendor: an imported market, and a location of area A in it.
func TestCampaignOverTheBuiltInPlaces(t *testing.T) {
	t.Parallel()
	eachEngine(t, func(w *world) {
		if err := w.Places.Save(w.t.Context(), placeindex.NewMarket(7, 400).Drift(0)); err != nil {
			w.t.Fatal(err)
		}
		center := placeindex.MarketCenter()
		location := w.Do(w.t, apptest.Call{Method: "POST", Path: local.Prefix + "/locations", Body: object{
			"business_name": "Trig Pizza", "phone_number": "+1 404-555-0123", "country": "US", "region": "GA", "city": "Decatur", "zip": "30030",
			"address_line_1": "1 Main St", "category_ids": []string{"amenity.restaurant.pizza"}, "coordinates": object{"latitude": center.Lat, "longitude": center.Lng},
		}}).Want(w.t, 200)
		published := apptest.Call{Method: "GET", Path: local.Prefix + "/locations/" + location.Text("data.location_id")}
		w.Eventually(w.t, published, func(a *apptest.Answer) bool { return a.Text("data.location_status") == "COMPLETED" })
		placeID, cid := placeindex.Identify("location:" + location.Text("data.location_id"))
		made := w.send("POST", "/campaigns", object{"placeId": placeID, "keywords": []string{"pizza"}, "gridSettings": object{"template": "3x3", "distance": 2}}).Want(w.t, 200)
		if made.Text("data.business.name") != "Trig Pizza" || made.Text("data.business.cid") != cid || made.Text("data.business.address") != "1 Main St, Decatur, GA 30030" {
			w.t.Errorf("the location as a place: %s", made.Raw)
		}
		id, keyword := made.Text("data.id"), made.Text("data.keywords.0.id")
		date := w.collect(id)
		h := w.get("/campaigns/%s/heatmap%s", id, query("keywordId", keyword, "reportDate", date, "placeIds", placeID)).Want(w.t, 200)
		rank := func(point int) float64 { return h.At(fmt.Sprintf("data.positions.%d.position", point)).(float64) }
		for _, corner := range []int{0, 2, 6, 8} {
			if rank(4) > 20 || rank(4) >= rank(corner) {
				w.t.Errorf("it stands where the middle point is, ranks %v there, and %v at corner %d", rank(4), rank(corner), corner)
			}
		}
		top := w.get("/campaigns/%s/top-competitors%s", id, query("keywordId", keyword, "reportDate", date)).Want(w.t, 200)
		if top.Len("data.competitors.content") == 0 {
			w.t.Errorf("no competitors: %s", top.Raw)
		}
		w.send("POST", "/campaigns", object{"placeId": "ChIJnobody", "keywords": []string{"pizza"}}).Want(w.t, 404)
	}, func(s *apptest.Setup) { s.Options.Map.Provider = nil })
}
