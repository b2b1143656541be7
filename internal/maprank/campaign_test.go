package maprank_test

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/trigpoint/trigpoint/internal/app/apptest"
)

func TestTrackingAreas(t *testing.T) {
	t.Parallel()
	eachEngine(t, func(w *world) {
		create := func(body object) *apptest.Answer {
			w.t.Helper()
			body["placeId"], body["keywords"] = market[0].PlaceID, []string{"pizza"}
			return w.send("POST", "/campaigns", body).Want(w.t, 200)
		}
		byDefault := create(object{})
		if byDefault.Text("data.gridSettings.template") != "5x5" || byDefault.Text("data.gridSettings.unit") != "KM" || byDefault.At("data.gridSettings.distance") != 1.5 ||
			byDefault.At("data.gridSettings.basePoint.lat") != market[0].Lat || byDefault.Len("data.points") != 25 {
			w.t.Errorf("by default: %s", byDefault.Raw)
		}
		// The published check of the contract.
		published := create(object{"gridSettings": object{"template": "5x5", "unit": "KM", "distance": 1.5, "basePoint": object{"lat": 33.7744675, "lng": -84.29508709999999}}})
		for i, want := range [][2]float64{{33.760976614131074, -84.31131325078074}, {33.760977410466175, -84.30320017544062}} {
			lat := published.At(fmt.Sprintf("data.points.%d.coordinates.lat", i)).(float64)
			lng := published.At(fmt.Sprintf("data.points.%d.coordinates.lng", i)).(float64)
			if math.Abs(lat-want[0]) > 1e-9 || math.Abs(lng-want[1]) > 1e-9 {
				w.t.Errorf("point %d is at %v,%v, want %v", i, lat, lng, want)
			}
		}
		miles := create(object{"gridSettings": object{"template": "3x3", "unit": "MILES", "distance": 1}})
		if miles.Text("data.gridSettings.unit") != "MI" || miles.Len("data.points") != 9 {
			w.t.Errorf("miles: %s", miles.Raw)
		}
		one := create(object{"gridSettings": object{"template": "1x1"}})
		if one.Len("data.points") != 1 || one.At("data.points.0.coordinates.lat") != market[0].Lat {
			w.t.Errorf("1x1: %s", one.Raw)
		}
		own := create(object{"points": []object{
			{"index": 3, "isEnabled": true, "coordinates": object{"lat": 10.5, "lng": 20.25}}, {"index": 1, "isEnabled": false, "coordinates": object{"lat": -10, "lng": 180}},
		}})
		if own.At("data.gridSettings") != nil || own.Len("data.points") != 2 || own.At("data.points.0.index") != 3.0 || own.At("data.points.1.isEnabled") != false ||
			own.At("data.points.0.coordinates.lat") != 10.5 || len(own.Text("data.points.0.id")) != 36 || own.Text("data.points.0.id") == own.Text("data.points.1.id") {
			w.t.Errorf("own points: %s", own.Raw)
		}
	})
}

func TestCreatedCampaignAsClientsSeeIt(t *testing.T) {
	t.Parallel()
	eachEngine(t, func(w *world) {
		made := w.send("POST", "/campaigns", object{
			"placeId": market[0].PlaceID, "keywords": []string{"  pizza   near me "}, "name": " My  campaign ",
			"collectingFrequency": object{"frequency": "MONTHLY", "interval": 1, "positions": []int{1}, "time": "10:00", "enable": true},
			"whatever":            "is ignored",
		}).Want(w.t, 200)
		for path, want := range map[string]any{
			"name": "My campaign", "status": "CREATED", "createdAt": "2026-03-02T12:00:00Z", "statusUpdatedAt": "2026-03-02T12:00:00Z",
			"countryCode": "US", "sharingStatus.accessType": "OWNER", "sharingStatus.ownerEmail": "owner@trigpoint.example", "sharingStatus.sharesCount": 0.0,
			"keywords.0.name": "pizza near me", "nextReportDate": "2026-04-01T14:00:00Z", "lastReportDate": nil,
			"collectingFrequency.frequency": "MONTHLY", "collectingFrequency.positions.0": 1.0, "collectingFrequency.enable": true,
			"collectingFrequency.time": nil, "collectingFrequency.interval": nil,
			"business.cid": market[0].CID, "business.placeIds.0": market[0].PlaceID, "business.name": market[0].Name, "business.address": market[0].Address,
			"business.rating": market[0].Rating, "business.reviewNumber": 10.0, "business.coordinates.lng": market[0].Lng,
		} {
			if got := made.At("data." + path); got != want {
				w.t.Errorf("%s is %v, want %v", path, got, want)
			}
		}
		if m, ok := made.At("data.projectMetrics").(object); !ok || len(m) != 0 {
			w.t.Errorf("projectMetrics is %v, want {}", made.At("data.projectMetrics"))
		}
		got := w.get("/campaigns/%s", made.Text("data.id")).Want(w.t, 200)
		same := func(a *apptest.Answer) string { return fmt.Sprint(a.At("data")) }
		if same(got) != same(made) {
			w.t.Errorf("reading it back gives\n%s\nwant\n%s", got.Raw, made.Raw)
		}
		bare := strings.ReplaceAll(made.Text("data.id"), "-", "")
		w.get("/campaigns/%s", strings.ToUpper(bare)).Want(w.t, 200)
		manual := w.campaign("pizza")
		if manual.At("data.collectingFrequency") != nil || manual.At("data.nextReportDate") != nil || manual.Text("data.name") != market[0].Name {
			w.t.Errorf("a campaign by hand: %s", manual.Raw)
		}
	})
}

func TestEverythingWrongIsToldAtOnce(t *testing.T) {
	t.Parallel()
	eachEngine(t, func(w *world) {
		long := strings.Repeat("é", 256)
		many := make([]string, 101)
		for i := range many {
			many[i] = fmt.Sprint("k", i)
		}
		id := w.campaign("pizza").Text("data.id")
		for name, test := range map[string]struct {
			body   any
			fields []string
		}{
			"nothing":        {object{}, []string{"placeId", "keywords"}},
			"empty keywords": {object{"placeId": "x", "keywords": []string{}}, []string{"keywords"}},
			"all at once": {
				object{"placeId": "", "keywords": []string{" ", "a", "A ", long}, "name": long, "gridSettings": object{"template": "4x4", "unit": "FT", "distance": 0.01, "basePoint": object{"lat": 91}}, "collectingFrequency": object{"frequency": "YEARLY", "interval": 0, "time": "24:00"}},
				[]string{
					"placeId", "keywords[0]", "keywords[2]", "keywords[3]", "name", "gridSettings.basePoint", "gridSettings.template", "gridSettings.unit", "gridSettings.distance",
					"collectingFrequency.frequency", "collectingFrequency.interval", "collectingFrequency.time",
				},
			},
			"too many keywords": {object{"placeId": "x", "keywords": many}, []string{"keywords"}},
			"both areas":        {object{"placeId": "x", "keywords": []string{"a"}, "gridSettings": object{}, "points": []object{{"coordinates": object{"lat": 1, "lng": 1}}}}, []string{"points"}},
			"points": {
				object{"placeId": "x", "keywords": []string{"a"}, "points": []object{{"index": -1, "coordinates": object{"lat": 1, "lng": 1}}, {"index": 5, "coordinates": object{"lat": 100, "lng": 1}}, {"index": 5, "isEnabled": true}}},
				[]string{"points[0].index", "points[1].coordinates", "points[2].index", "points[2].coordinates"},
			},
			"none enabled": {object{"placeId": "x", "keywords": []string{"a"}, "points": []object{{"isEnabled": false, "coordinates": object{"lat": 1, "lng": 1}}}}, []string{"points"}},
			"types":        {object{"placeId": 5, "keywords": "pizza", "name": []int{1}, "points": "here", "collectingFrequency": 7}, []string{"placeId", "keywords", "name", "points", "collectingFrequency"}},
			"empty of another type": {
				object{"placeId": []int{}, "keywords": "", "name": []int{}, "gridSettings": "", "collectingFrequency": []int{}}, []string{"placeId", "keywords", "name", "gridSettings", "collectingFrequency"},
			},
			"an object for a list": {object{"placeId": "x", "keywords": object{}, "points": object{}}, []string{"keywords", "points"}},
			"positions":            {object{"placeId": "x", "keywords": []string{"a"}, "collectingFrequency": object{"frequency": "WEEKLY", "positions": []int{0, 8}}}, []string{"collectingFrequency.positions[0]", "collectingFrequency.positions[1]"}},
		} {
			a := w.send("POST", "/campaigns", test.body).Want(w.t, 400)
			told := map[string]bool{}
			for i := range a.Len("error.details") {
				told[a.Text(fmt.Sprintf("error.details.%d.field", i))] = true
			}
			for _, field := range test.fields {
				if !told[field] {
					w.t.Errorf("%s: %s is not told: %s", name, field, a.Raw)
				}
			}
			if body, ok := test.body.(object); ok && name != "nothing" && name != "empty keywords" {
				delete(body, "placeId")
				w.send("PATCH", "/campaigns/"+id, body).Want(w.t, 400)
			}
		}
		w.send("PATCH", "/campaigns/"+id, object{"keywords": []string{}}).Want(w.t, 400)
		w.send("POST", "/campaigns", `{"placeId":`).Want(w.t, 400)
		unknown := w.send("POST", "/campaigns", object{"placeId": "ChIJnobody", "keywords": []string{"a"}}).Want(w.t, 404)
		if unknown.Text("error.details.0.error_status") != "PLACE_NOT_FOUND" {
			w.t.Errorf("unknown place: %s", unknown.Raw)
		}
		if got := w.get("/campaigns").Want(w.t, 200); got.At("data.totalElements") != 1.0 {
			w.t.Errorf("refused campaigns were stored: %s", got.Raw)
		}
	})
}

func TestUpdateChangesOnlyWhatIsSent(t *testing.T) {
	t.Parallel()
	eachEngine(t, func(w *world) {
		made := w.campaign("pizza", "pasta")
		id := made.Text("data.id")
		w.collect(id)
		patch := func(body object) *apptest.Answer {
			w.t.Helper()
			return w.send("PATCH", "/campaigns/"+id, body).Want(w.t, 200)
		}
		if a := patch(object{}); a.Text("data.name") != made.Text("data.name") || a.Len("data.points") != 25 || a.Text("data.points.3.id") != made.Text("data.points.3.id") ||
			a.Text("data.keywords.1.id") != made.Text("data.keywords.1.id") {
			w.t.Errorf("an empty update changed something: %s", a.Raw)
		}
		if a := patch(object{"name": "New"}); a.Text("data.name") != "New" || a.Len("data.keywords") != 2 || len(a.At("data.projectMetrics").(object)) != 0 || a.Len("data.reportDates") != 1 {
			w.t.Errorf("a new name: %s", a.Raw)
		}
		same := patch(object{"name": "New", "keywords": []string{"pizza", "pasta"}, "gridSettings": object{"template": "5x5"}, "shared": false})
		if told := w.Told(w.t, "campaign.changed", nil); told.Len("data") != 1 || same.Text("data.points.3.id") != made.Text("data.points.3.id") {
			w.t.Errorf("nothing new, and told of: %s", told.Raw)
		}
		if a := patch(object{"gridSettings": object{"template": "7x7"}}); a.Len("data.points") != 49 || a.At("data.gridSettings.distance") != 1.5 {
			w.t.Errorf("a finer grid: %s", a.Raw)
		}
		if a := patch(object{"points": []object{{"coordinates": object{"lat": 1, "lng": 2}}}}); a.Len("data.points") != 1 || a.At("data.gridSettings") != nil {
			w.t.Errorf("own points: %s", a.Raw)
		}
		if a := patch(object{"collectingFrequency": object{"frequency": "daily", "time": "06:30"}}); a.Text("data.nextReportDate") != "2026-03-03T11:30:00Z" {
			w.t.Errorf("a schedule: %s", a.Raw)
		}
		if a := patch(object{"collectingFrequency": object{"frequency": "DAILY", "enable": false}}); a.At("data.nextReportDate") != nil || a.At("data.collectingFrequency.enable") != false {
			w.t.Errorf("a schedule that rests: %s", a.Raw)
		}
		if a := patch(object{"collectingFrequency": nil, "keywords": nil, "name": nil, "points": nil}); a.At("data.collectingFrequency.enable") != false || a.Len("data.keywords") != 2 || a.Text("data.name") != "New" {
			w.t.Errorf("null is not given: %s", a.Raw)
		}
		if a := w.get("/campaigns/%s", id).Want(w.t, 200); a.Text("data.status") != "COLLECTED" || a.At("data.projectMetrics.averagePosition") == nil {
			w.t.Errorf("after all updates: %s", a.Raw)
		}
	})
}

func TestListOfCampaigns(t *testing.T) {
	t.Parallel()
	eachEngine(t, func(w *world) {
		for i := range 13 {
			w.clock.Advance(time.Second)
			w.send("POST", "/campaigns", object{
				"placeId": market[(i*5)%13].PlaceID, "keywords": []string{"a"}, "name": fmt.Sprintf("Campaign %02d %s", i, []string{"Straße", "50%_off"}[i%2]),
			}).Want(w.t, 200)
		}
		names := func(q string) (list []string, a *apptest.Answer) {
			w.t.Helper()
			a = w.get("/campaigns%s", q).Want(w.t, 200)
			for i := range a.Len("data.content") {
				list = append(list, a.Text(fmt.Sprintf("data.content.%d.name", i)))
			}
			return list, a
		}
		all, first := names("")
		if len(all) != 10 || !strings.HasPrefix(all[0], "Campaign 12") || first.At("data.totalElements") != 13.0 || first.At("data.totalPages") != 2.0 ||
			first.At("data.first") != true || first.At("data.last") != false || first.At("data.pageable.sort.sorted") != true {
			w.t.Errorf("the first page: %s", first.Raw)
		}
		rest, last := names("?page=1")
		if len(rest) != 3 || !strings.HasPrefix(rest[2], "Campaign 00") || last.At("data.last") != true || last.At("data.pageable.offset") != 10.0 || last.At("data.numberOfElements") != 3.0 {
			w.t.Errorf("the last page: %s", last.Raw)
		}
		if beyond, a := names("?page=7"); len(beyond) != 0 || a.At("data.empty") != true || a.At("data.totalElements") != 13.0 {
			w.t.Errorf("beyond the last page: %s", a.Raw)
		}
		if oldest, _ := names("?sort=createdAt,ASC&size=1"); !strings.HasPrefix(oldest[0], "Campaign 00") {
			w.t.Errorf("oldest first gives %v", oldest)
		}
		_, byName := names("?sort=businessName,asc&size=100")
		for i := 1; i < 13; i++ {
			if a, b := byName.Text(fmt.Sprintf("data.content.%d.business.name", i-1)), byName.Text(fmt.Sprintf("data.content.%d.business.name", i)); a > b {
				w.t.Errorf("%q comes before %q", a, b)
			}
		}
		for q, want := range map[string]int{
			"campaign 1": 3, "STRASSE": 0, "straße": 7, "STRAßE": 7, "50%_": 6, "50%x": 0, "test  street": 13, "3 test street": 2, "nobody": 0, `\`: 0,
		} {
			if _, a := names(query("size", "100", "query", q)); a.At("data.totalElements") != float64(want) {
				w.t.Errorf("query %q finds %v, want %d", q, a.At("data.totalElements"), want)
			}
		}
		for _, bad := range []string{"?sort=name,ASC", "?sort=createdAt", "?page=-1", "?size=0", "?size=101", "?query=" + strings.Repeat("a", 256), "?onlyMarkedForRemoval=1"} {
			w.get("/campaigns%s", bad).Want(w.t, 400)
		}
		item := first.At("data.content.0").(object)
		for _, field := range []string{"id", "userId", "keywordsNumber", "pointsNumber", "gridSettings", "countryCode", "business", "projectMetrics", "name", "status", "createdAt"} {
			if _, ok := item[field]; !ok {
				w.t.Errorf("a list item has no %s", field)
			}
		}
	})
}

func TestDeleteLeavesNothingAndStopsTheCollection(t *testing.T) {
	t.Parallel()
	eachEngine(t, func(w *world) {
		hold := make(chan struct{})
		w.maps.Map = held(w.maps.Map, hold, 5)
		id := w.campaign("pizza", "pasta").Text("data.id")
		w.send("PUT", "/campaigns/"+id+"/collect", nil).Want(w.t, 200)
		w.until("some searches to be under way", func() bool { return w.maps.Calls() > 5 })
		w.send("DELETE", "/campaigns/"+id, nil).Want(w.t, 200)
		close(hold)
		for _, at := range []string{"", "/keywords", "/metrics" + query("keywordId", "x", "cid", "1")} {
			w.get("/campaigns/%s%s", id, at).Want(w.t, 404)
		}
		for _, table := range []string{"campaigns", "campaign_access", "campaign_keywords", "campaign_points", "campaign_removals", "reports", "report_keywords", "report_businesses", "report_slices", "report_batches"} {
			w.until(table+" to be empty", func() bool { return w.count(table) == 0 })
		}
		spent := w.get("/limits").Want(w.t, 200).At("data.credits.spentThisMonth").(float64)
		if spent > float64(w.maps.Calls()) {
			w.t.Errorf("%v credits for %d searches", spent, w.maps.Calls())
		}
		w.send("DELETE", "/campaigns/"+id, nil).Want(w.t, 404)
	})
}
