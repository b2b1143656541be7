package maprank_test

import (
	"math"
	"slices"
	"testing"
	"time"

	"github.com/trigpoint/trigpoint/internal/app/apptest"
	"github.com/trigpoint/trigpoint/internal/maprank"
	"github.com/trigpoint/trigpoint/internal/maprank/grid"
	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/provider/providertest"
)

// importsShifted makes a report in which the first so many businesses of each point are missing.
func (w *world) importsShifted(id string, at time.Time, missing int) string {
	w.t.Helper()
	search := providertest.NearestFirst(market)
	err := w.MapRank.ImportReport(w.t.Context(), id, at, func(keyword string, at grid.Coordinates) []provider.Business {
		found, err := search(w.t.Context(), provider.MapQuery{Keyword: keyword, At: provider.Point(at)})
		if err != nil {
			w.t.Fatal(err)
		}
		return slices.Concat(found[missing:], found[:missing/2])
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return at.Format(time.RFC3339)
}

func (w *world) view(id string, pairs ...string) *apptest.Answer {
	w.t.Helper()
	return w.get("/campaigns/%s/view%s", id, query(pairs...)).Want(w.t, 200)
}

// A view says what the operations say that answer its parts.
func TestViewAgreesWithItsParts(t *testing.T) {
	t.Parallel()
	eachEngine(t, func(w *world) {
		made := w.campaign("pizza", "pasta")
		id, pasta := made.Text("data.id"), made.Text("data.keywords.1.id")
		first := w.importsShifted(id, start.AddDate(0, 0, -21), 2)
		w.send("PATCH", "/campaigns/"+id, object{"gridSettings": object{"template": "3x3"}}).Want(w.t, 200)
		second := w.importsShifted(id, start.AddDate(0, 0, -14), 0)
		third := w.importsShifted(id, start.AddDate(0, 0, -7), 4)

		for _, business := range []provider.Business{market[0], market[3]} {
			v := w.view(id, "keywordId", pasta, "reportDate", third, "cid", business.CID)
			if v.Text("data.business.name") != business.Name || v.At("data.own") != (business.CID == market[0].CID) || v.Text("data.keyword.name") != "pasta" {
				w.t.Errorf("%s: the view shows %v, own %v, %v", business.Name, v.At("data.business.name"), v.At("data.own"), v.At("data.keyword"))
			}
			w.agreesWithHeatmaps(v, id, pasta, business.CID, first, second, third)
			w.agreesWithMetrics(v, id, pasta, business.CID)
		}
		v := w.view(id, "keywordId", pasta)
		w.agreesWithCompetitors(v, w.view(id, "keywordId", pasta, "reportDate", second), id, pasta, third)
		if v.Text("data.reportDate") != third || v.Text("data.campaign.id") != id || v.Len("data.campaign.reportDates") != 3 || v.At("data.collectCost") != 18.0 {
			w.t.Errorf("the newest report is not shown: %s", v.Raw)
		}
		if v.At("data.credits.total") == nil || v.At("data.collecting") != nil || v.At("data.brand") != nil {
			w.t.Errorf("credits, collecting, brand: %v, %v, %v", v.At("data.credits"), v.At("data.collecting"), v.At("data.brand"))
		}
		// An older report moves the history back, and is compared with the one before it.
		short := w.view(id, "reports", "1", "reportDate", second)
		if short.Len("data.reports") != 1 || short.Text("data.reports.0.date") != second || short.At("data.competitors.0.averagePositionDiff") == nil {
			w.t.Errorf("a history of one report: %s", short.Raw)
		}
		if oldest := w.view(id, "reportDate", first); oldest.At("data.competitors.0.averagePositionDiff") != nil || oldest.At("data.keywords.0.averagePositionDiff") != nil {
			w.t.Error("the first report is compared with one before it")
		}
	})
}

func (w *world) agreesWithHeatmaps(v *apptest.Answer, id, keyword, cid string, dates ...string) {
	w.t.Helper()
	if v.Len("data.reports") != len(dates) || v.Len("data.pointSets") != 2 {
		w.t.Fatalf("%d reports at %d sets of points, want %d at 2", v.Len("data.reports"), v.Len("data.pointSets"), len(dates))
	}
	for i, date := range dates {
		report := v.At("data.reports").([]any)[i].(object)
		points := v.At("data.pointSets").([]any)[int(report["pointSet"].(float64))].([]any)
		heatmap := w.get("/campaigns/%s/heatmap%s", id, query("keywordId", keyword, "reportDate", date, "cid", cid)).Want(w.t, 200).At("data.positions").([]any)
		positions := report["positions"].([]any)
		if report["date"] != date || len(points) != len(positions) || len(heatmap) != len(positions) {
			w.t.Fatalf("report %d is of %v, with %d points and %d positions, want %s and %d", i, report["date"], len(points), len(positions), date, len(heatmap))
		}
		for j, at := range heatmap {
			if want := at.(object); positions[j] != want["position"] || points[j].(object)["id"] != want["point"].(object)["id"] {
				w.t.Errorf("%s, point %d: position %v at %v, want %v", date, j, positions[j], points[j], want)
			}
		}
	}
}

func (w *world) agreesWithMetrics(v *apptest.Answer, id, keyword, cid string) {
	w.t.Helper()
	m := w.get("/campaigns/%s/metrics%s", id, query("keywordId", keyword, "cid", cid)).Want(w.t, 200)
	for _, one := range v.At("data.reports").([]any) {
		report := one.(object)
		for name, series := range map[string]string{
			"averagePosition": "average_positions", "shareOfVoice": "share_of_voices", "foundShare": "found_in_shares", "top3Share": "top_3_shares",
		} {
			if want := m.At("data." + series).(object)[report["date"].(string)]; report[name] != want {
				w.t.Errorf("%s of %v is %v, want %v", name, report["date"], report[name], want)
			}
		}
	}
	// The keyword's line is the last report's, beside the one before.
	reports := v.At("data.reports").([]any)
	last, before := reports[len(reports)-1].(object), reports[len(reports)-2].(object)
	line := v.At("data.keywords.1").(object)
	won := before["averagePosition"].(float64) - last["averagePosition"].(float64)
	if line["averagePosition"] != last["averagePosition"] || line["averagePositionDiff"] != won || won == 0 || line["status"] != "COLLECTED" {
		w.t.Errorf("the keyword's line is %v, want %v and %v won", line, last["averagePosition"], won)
	}
}

func (w *world) agreesWithCompetitors(v, before *apptest.Answer, id, keyword, date string) {
	w.t.Helper()
	top := w.get("/campaigns/%s/top-competitors%s", id, query("keywordId", keyword, "reportDate", date, "size", "100")).Want(w.t, 200)
	then := map[any]float64{}
	for _, c := range before.At("data.competitors").([]any) {
		then[c.(object)["business"].(object)["cid"]] = c.(object)["averagePosition"].(float64)
	}
	listed := v.At("data.competitors").([]any)
	if v.At("data.competitorsTotal") != float64(len(listed)) || len(listed) != top.Len("data.competitors.content")+1 {
		w.t.Errorf("%d of %v businesses, want %d", len(listed), v.At("data.competitorsTotal"), top.Len("data.competitors.content")+1)
	}
	figures := map[any]object{market[0].CID: top.At("data.business").(object)}
	for _, c := range top.At("data.competitors.content").([]any) {
		figures[c.(object)["business"].(object)["cid"]] = c.(object)
	}
	last := 0.0
	for _, c := range listed {
		line := c.(object)
		cid := line["business"].(object)["cid"]
		want := figures[cid]
		if want == nil || line["averagePosition"] != want["averagePosition"] || line["shareOfVoice"] != want["shareOfVoice"] || line["own"] != (cid == market[0].CID) {
			w.t.Errorf("competitor %v, want %v", line, want)
		}
		position := line["averagePosition"].(float64)
		was, known := then[cid]
		if !known {
			was = 21
		}
		if math.Abs(line["averagePositionDiff"].(float64)-(was-position)) > 1e-9 {
			w.t.Errorf("%v won %v positions, want %v", line["business"], line["averagePositionDiff"], was-position)
		}
		if position < last {
			w.t.Errorf("%v comes after one of %v", position, last)
		}
		last = position
	}
}

func TestViewOfWhatIsNotThere(t *testing.T) {
	t.Parallel()
	eachEngine(t, func(w *world) {
		made := w.campaign("pizza", "pasta")
		id := made.Text("data.id")
		v := w.view(id)
		if v.At("data.reportDate") != nil || v.Len("data.reports") != 0 || v.Len("data.competitors") != 0 || v.Len("data.keywords") != 2 ||
			v.Text("data.keyword.name") != "pizza" || v.At("data.keywords.0.averagePosition") != nil || v.At("data.collectCost") != 50.0 {
			w.t.Errorf("before the first report: %s", v.Raw)
		}
		w.imports(id, start.AddDate(0, 0, -1))
		for asked, want := range map[string]int{
			query("reportDate", "2020-01-01T00:00:00Z"):                       400,
			query("reportDate", "yesterday"):                                  400,
			query("reports", "0"):                                             400,
			query("cid", "12345"):                                             404,
			query("keywordId", "018f0000-0000-7000-8000-000000000000"):        404,
			query("keywordId", "x", "placeIds", market[2].PlaceID):            404,
			query("keywordId", "", "placeIds", "018f0000-0000-7000-8000-000"): 400,
		} {
			if a := w.get("/campaigns/%s/view%s", id, asked); a.Status != want || a.Text("error.message") == "" {
				w.t.Errorf("%s answers %d, want %d: %s", asked, a.Status, want, a.Raw)
			}
		}
		// A keyword that was removed keeps its history.
		pasta := made.Text("data.keywords.1.id")
		w.send("PATCH", "/campaigns/"+id, object{"keywords": []string{"pizza"}}).Want(w.t, 200)
		w.imports(id, start)
		if v := w.view(id, "keywordId", pasta); v.Text("data.keyword.name") != "pasta" || v.Len("data.reports") != 1 || v.Len("data.competitors") != 0 || v.Len("data.keywords") != 1 {
			w.t.Errorf("a removed keyword: %s", v.Raw)
		}
	})
}

func TestPointResults(t *testing.T) {
	t.Parallel()
	eachEngine(t, func(w *world) {
		made := w.campaign("pizza")
		id, keyword := made.Text("data.id"), made.Text("data.keywords.0.id")
		date := w.collect(id)
		v := w.view(id)
		for _, i := range []int{0, 12, 24} {
			point := v.At("data.pointSets").([]any)[0].([]any)[i].(object)
			at := point["coordinates"].(object)
			want, err := providertest.NearestFirst(market)(w.t.Context(), provider.MapQuery{Keyword: "pizza", At: provider.Point{Lat: at["lat"].(float64), Lng: at["lng"].(float64)}})
			if err != nil {
				w.t.Fatal(err)
			}
			a := w.get("/campaigns/%s/point-results%s", id, query("keywordId", keyword, "reportDate", date, "pointId", point["id"].(string))).Want(w.t, 200)
			if a.At("data.point.index") != point["index"] || a.Len("data.results") != 20 {
				w.t.Fatalf("point %d: %s", i, a.Raw)
			}
			nearest := 0.0
			for rank, one := range a.At("data.results").([]any) {
				found := one.(object)
				if found["position"] != float64(rank+1) || found["business"].(object)["cid"] != want[rank].CID || found["own"] != (want[rank].CID == market[0].CID) {
					w.t.Errorf("point %d, rank %d: %v, want %s", i, rank+1, found, want[rank].Name)
				}
				if metres := found["distance"].(float64); metres < nearest-1 {
					w.t.Errorf("point %d, rank %d: %v m after %v m", i, rank+1, metres, nearest)
				} else {
					nearest = metres
				}
			}
		}
		for asked, want := range map[string]int{
			query("keywordId", keyword, "reportDate", date, "pointId", id):                   404,
			query("keywordId", keyword, "reportDate", "2020-01-01T00:00:00Z", "pointId", id): 400,
			query("keywordId", id, "reportDate", date, "pointId", id):                        400,
			query("keywordId", keyword, "reportDate", date):                                  400,
		} {
			w.get("/campaigns/%s/point-results%s", id, asked).Want(w.t, want)
		}
	})
}

func TestProgressOfACollection(t *testing.T) {
	t.Parallel()
	eachEngine(t, func(w *world) {
		hold := make(chan struct{})
		w.maps.Map = held(w.maps.Map, hold, 6)
		id := w.campaign("pizza").Text("data.id")
		if p := w.get("/campaigns/%s/progress", id).Want(w.t, 200); p.Text("data.status") != "CREATED" || p.At("data.collecting") != nil {
			w.t.Errorf("before: %s", p.Raw)
		}
		w.send("PUT", "/campaigns/"+id+"/collect", nil).Want(w.t, 200)
		var p *apptest.Answer
		w.until("points to arrive", func() bool {
			p = w.get("/campaigns/%s/progress", id).Want(w.t, 200)
			return p.At("data.collecting.done") == 6.0
		})
		v := w.view(id)
		for name, a := range map[string]*apptest.Answer{"progress": p, "view": v} {
			if a.At("data.collecting.total") != 25.0 || a.At("data.collecting.failed") != 0.0 || a.Text("data.collecting.reportDate") != "2026-03-02T12:00:00Z" {
				w.t.Errorf("%s while collecting: %v", name, a.At("data.collecting"))
			}
		}
		close(hold)
		w.ended(id)
		if p := w.get("/campaigns/%s/progress", id).Want(w.t, 200); p.Text("data.status") != "COLLECTED" || p.At("data.collecting") != nil {
			w.t.Errorf("after: %s", p.Raw)
		}
	})
}

func TestPlacesAreFound(t *testing.T) {
	t.Parallel()
	eachEngine(t, func(w *world) {
		near := []string{"query", "pizza", "lat", "33.7745", "lng", "-84.2951", "limit", "3"}
		found := w.get("/places%s", query(near...)).Want(w.t, 200)
		want, err := providertest.NearestFirst(market)(w.t.Context(), provider.MapQuery{Keyword: "pizza", At: provider.Point{Lat: 33.7745, Lng: -84.2951}})
		if err != nil {
			w.t.Fatal(err)
		}
		if found.Len("data") != 3 || found.Text("data.0.placeId") != want[0].PlaceID || found.Text("data.2.name") != want[2].Name {
			w.t.Errorf("by name: %s", found.Raw)
		}
		if a := w.get("/places%s", query("query", market[5].PlaceID)).Want(w.t, 200); a.Len("data") != 1 || a.Text("data.0.name") != market[5].Name {
			w.t.Errorf("by place id: %s", a.Raw)
		}
		for asked, status := range map[string]int{
			query("query", "pizza"):                                  400, // where?
			query("query", "pizza", "lat", "33"):                     400,
			query("query", "pizza", "lat", "91", "lng", "0"):         400,
			query("lat", "33", "lng", "-84"):                         400,
			query("query", " ", "lat", "33", "lng", "-84"):           400,
			query("query", "ChIJjQmTaV0E9YgRC2MLmS_e_mZ"):            404,
			query("query", "pizza", "lat", "33.7745", "limit", "21"): 400,
		} {
			w.get("/places%s", asked).Want(w.t, status)
		}
		made := w.campaign("pizza")
		if a := w.get("/places%s", query("query", "pizza")).Want(w.t, 200); a.Len("data") != 10 {
			w.t.Errorf("near the newest campaign: %s", a.Raw)
		}
		guest := w.NewAccount(w.t, "guest@trigpoint.example", "free")
		if err := w.MapRank.Share(w.t.Context(), made.Text("data.id"), guest.ID, maprank.Editor); err != nil {
			w.t.Fatal(err)
		}
		w.Do(w.t, apptest.Call{Method: "GET", Path: path("/places%s", query("query", "pizza")), As: &guest}).Want(w.t, 400) // what others share says nothing of where one is
	})
}
