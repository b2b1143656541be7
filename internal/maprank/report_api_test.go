package maprank_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/trigpoint/trigpoint/internal/app/apptest"
	"github.com/trigpoint/trigpoint/internal/maprank/result"
	"github.com/trigpoint/trigpoint/internal/provider"
)

func TestWrongQuestionsGetTheAgreedAnswers(t *testing.T) {
	t.Parallel()
	eachEngine(t, func(w *world) {
		made := w.campaign("pizza")
		id, keyword := made.Text("data.id"), made.Text("data.keywords.0.id")
		cid := market[0].CID
		never := "2020-01-01T00:00:00Z"

		statuses := w.get("/campaigns/%s/keywords", id).Want(w.t, 200)
		if statuses.Text("data.keywords.0.status") != "CREATED" {
			w.t.Errorf("before the first report: %s", statuses.Raw)
		}
		date := w.collect(id)
		unknown := "00000000-0000-7000-8000-000000000000"
		m := w.get("/campaigns/%s/metrics%s", id, query("keywordId", unknown, "cid", cid)).Want(w.t, 200)
		if m.At("data.average_positions").(object)[date] != 21.0 || m.At("data.share_of_voices").(object)[date] != 0.0 {
			w.t.Errorf("metrics of a wrong keyword: %s", m.Raw)
		}
		m = w.get("/campaigns/%s/metrics%s", id, query("keywordId", keyword, "place_ids", market[0].PlaceID)).Want(w.t, 200)
		if p := m.At("data.average_positions").(object)[date]; p == nil || p == 21.0 {
			w.t.Errorf("metrics by place_ids: %s", m.Raw)
		}
		top := w.get("/campaigns/%s/top-competitors%s", id, query("keywordId", keyword, "reportDate", never)).Want(w.t, 200)
		if top.Len("data.competitors.content") != 0 || top.At("data.competitors.empty") != true || top.At("data.business.averagePosition") != 21.0 ||
			top.At("data.business.shareOfVoice") != 0.0 || top.Text("data.business.business.cid") != cid {
			w.t.Errorf("competitors of no report: %s", top.Raw)
		}
		statuses = w.get("/campaigns/%s/keywords%s", id, query("reportDate", never)).Want(w.t, 200)
		if statuses.Len("data.keywords") != 1 || statuses.Text("data.keywords.0.status") != "CREATED" {
			w.t.Errorf("statuses of no report: %s", statuses.Raw)
		}
		for _, bad := range []string{
			query("keywordId", keyword, "reportDate", never, "cid", cid),
			query("keywordId", unknown, "reportDate", date, "cid", cid),
			query("keywordId", keyword, "reportDate", date),
			query("keywordId", keyword, "reportDate", "2026-03-02", "cid", cid),
			query("keywordId", keyword, "cid", cid),
			query("reportDate", date, "cid", cid),
		} {
			w.get("/campaigns/%s/heatmap%s", id, bad).Want(w.t, 400)
		}
		for asked, want := range map[string]int{ // problems, all told at once
			"metrics":                                    2,
			"heatmap?reportDate=":                        3,
			"heatmap?reportDate=x&keywordId=k":           2,
			"top-competitors?size=0&sort=x&reportDate=x": 4,
			"keywords?reportDate=x":                      1,
		} {
			if a := w.get("/campaigns/%s/%s", id, asked).Want(w.t, 400); a.Len("data.errors") != want && a.Len("error.details") != want {
				w.t.Errorf("%s: want %d problems: %s", asked, want, a.Raw)
			}
		}
		// The same instant in other spellings.
		for _, spelling := range []string{"2026-03-02T12:00:00Z", "2026-03-02T12:00:00.0Z", "2026-03-02T14:00:00+02:00", "2026-03-02T06:30:00.000-05:30"} {
			w.get("/campaigns/%s/heatmap%s", id, query("keywordId", keyword, "reportDate", spelling, "cid", cid)).Want(w.t, 200)
		}
		w.get("/campaigns/%s/heatmap?keywordId=%s&cid=%s&reportDate=2026-03-02T14:00:00+02:00", id, keyword, cid).Want(w.t, 200)
		for _, bad := range []string{"page=-1", "size=0", "size=101", "page=x"} {
			w.get("/campaigns/%s/top-competitors%s&%s", id, query("keywordId", keyword, "reportDate", date), bad).Want(w.t, 400)
		}
	})
}

func TestKeywordFilter(t *testing.T) {
	t.Parallel()
	eachEngine(t, func(w *world) {
		made := w.campaign("pizza", "Pasta Bar", "salad", "fish, chips", "fish")
		id := made.Text("data.id")
		for filter, want := range map[string]int{
			"keywords=pizza": 1, "keywords=pizza,pasta+bar": 2, "keywords=pizza&keywords=salad": 2,
			"keywords=" + made.Text("data.keywords.2.id"): 1, "keywords=burger": 0, "": 5,
			"keywords=fish,+chips": 1, "keywords=fish,+chips&keywords=pizza": 2, "keywords=fish,+chips,pizza": 2, "keywords=fish": 1,
		} {
			if a := w.get("/campaigns/%s/keywords?%s", id, filter).Want(w.t, 200); a.Len("data.keywords") != want {
				w.t.Errorf("%q gives %s, want %d keywords", filter, a.Raw, want)
			}
		}
	})
}

func TestReportsKeepTheirOwnPointsAndKeywords(t *testing.T) {
	t.Parallel()
	eachEngine(t, func(w *world) {
		made := w.campaign("pizza", "pasta")
		id, pizza := made.Text("data.id"), made.Text("data.keywords.0.id")
		first := w.collect(id)
		changed := w.send("PATCH", "/campaigns/"+id, object{
			"keywords": []string{"PIZZA", "salad"}, "gridSettings": object{"template": "3x3", "distance": 1.5},
		}).Want(w.t, 200)
		if changed.Text("data.keywords.0.id") != pizza || changed.Text("data.keywords.0.name") != "PIZZA" {
			w.t.Errorf("the keyword that stayed: %s", changed.Raw)
		}
		w.clock.Advance(time.Hour)
		second := w.collect(id)

		for date, want := range map[string]int{first: 25, second: 9} {
			h := w.get("/campaigns/%s/heatmap%s", id, query("keywordId", pizza, "reportDate", date, "cid", market[0].CID)).Want(w.t, 200)
			if h.Len("data.positions") != want {
				w.t.Errorf("the report of %s has %d points, want %d", date, h.Len("data.positions"), want)
			}
			for _, p := range h.At("data.positions").([]any) {
				if p.(object)["diff"] != 0.0 { // the nine points are among the twenty-five, and nothing changed
					w.t.Errorf("diff in %s: %v", date, p)
				}
			}
		}
		old := w.get("/campaigns/%s/keywords%s", id, query("reportDate", first)).Want(w.t, 200)
		w.send("PATCH", "/campaigns/"+id, object{"keywords": []string{"PIZZA", "soup"}}).Want(w.t, 200)
		latest := w.get("/campaigns/%s/keywords", id).Want(w.t, 200)
		if latest.Len("data.keywords") != 2 || latest.Text("data.keywords.1.keyword.name") != "salad" {
			w.t.Errorf("the latest report has keywords that it was not made with: %s", latest.Raw)
		}
		if old.Len("data.keywords") != 2 || old.Text("data.keywords.0.keyword.name") != "pizza" || old.Text("data.keywords.1.keyword.name") != "pasta" {
			w.t.Errorf("keywords of the first report: %s", old.Raw)
		}
		m := w.get("/campaigns/%s/metrics%s", id, query("keywordId", pizza, "cid", market[0].CID)).Want(w.t, 200)
		if len(m.At("data.average_positions").(object)) != 2 {
			w.t.Errorf("history of the keyword that stayed: %s", m.Raw)
		}
		salad := changed.Text("data.keywords.1.id")
		m = w.get("/campaigns/%s/metrics%s", id, query("keywordId", salad, "cid", market[0].CID)).Want(w.t, 200)
		if len(m.At("data.average_positions").(object)) != 1 {
			w.t.Errorf("history of the keyword that is new: %s", m.Raw)
		}
	})
}

func TestExtraFigures(t *testing.T) {
	t.Parallel()
	eachEngine(t, func(w *world) {
		w.maps.Map = func(_ context.Context, q provider.MapQuery) ([]provider.Business, error) {
			switch { // ranked 2nd in the south-west, 5th in the south-east, nowhere in the north
			case q.At.Lat > market[0].Lat+0.001:
				return market[1:5], nil
			case q.At.Lng < market[0].Lng:
				return []provider.Business{market[1], market[0]}, nil
			}
			return []provider.Business{market[1], market[2], market[3], market[4], market[0]}, nil
		}
		made := w.send("POST", "/campaigns", object{"placeId": market[0].PlaceID, "keywords": []string{"pizza"}, "points": []object{
			{"index": 0, "isEnabled": true, "coordinates": object{"lat": market[0].Lat - 0.01, "lng": market[0].Lng - 0.01}},
			{"index": 1, "isEnabled": true, "coordinates": object{"lat": market[0].Lat - 0.01, "lng": market[0].Lng + 0.01}},
			{"index": 2, "isEnabled": true, "coordinates": object{"lat": market[0].Lat + 0.01, "lng": market[0].Lng}},
			{"index": 7, "isEnabled": true, "coordinates": object{"lat": market[0].Lat + 0.02, "lng": market[0].Lng}},
			{"index": 9, "isEnabled": false, "coordinates": object{"lat": market[0].Lat, "lng": market[0].Lng}},
		}}).Want(w.t, 200)
		id := made.Text("data.id")
		date := w.collect(id)
		m := w.get("/campaigns/%s/metrics%s", id, query("keywordId", made.Text("data.keywords.0.id"), "cid", market[0].CID)).Want(w.t, 200)
		for name, want := range map[string]float64{
			"average_positions": (2 + 5 + 21 + 21) / 4.0, "share_of_voices": (result.Weight(2) + result.Weight(5)) / 4,
			"found_in_shares": 50, "top_3_shares": 25, "mean_ranks_found": 3.5,
		} {
			if got, _ := m.At("data." + name).(object)[date].(float64); !near(got, want) {
				w.t.Errorf("%s is %v, want %v", name, got, want)
			}
		}
		if l := w.get("/limits").Want(w.t, 200); l.At("data.credits.spentThisMonth") != 4.0 {
			w.t.Errorf("four enabled points cost %v", l.At("data.credits.spentThisMonth"))
		}
	})
}

// Figures that the provider does not tell are left out, and a place that is nowhere cannot be tracked.
func TestBusinessOfWhichLittleIsKnown(t *testing.T) {
	t.Parallel()
	eachEngine(t, func(w *world) {
		little := market[0]
		little.Rating, little.Reviews = 0, 0
		w.maps.Place = func(_ context.Context, placeID string) (provider.Business, error) {
			b := little
			if b.PlaceID = placeID; placeID == "nowhere" {
				b.Lat, b.Lng = 0, 0
			}
			return b, nil
		}
		w.maps.Map = func(context.Context, provider.MapQuery) ([]provider.Business, error) {
			return []provider.Business{{CID: "77", Name: "Unrated"}}, nil
		}
		made := w.campaign("pizza")
		id := made.Text("data.id")
		if business := made.At("data.business").(object); business["rating"] != nil || business["reviewNumber"] != nil {
			w.t.Errorf("the campaign's business: %v", business)
		}
		date := w.collect(id)
		top := w.get("/campaigns/%s/top-competitors%s", id, query("keywordId", made.Text("data.keywords.0.id"), "reportDate", date)).Want(w.t, 200)
		if business := top.At("data.competitors.content.0.business").(object); business["name"] != "Unrated" || business["rating"] != nil || business["reviewNumber"] != nil {
			w.t.Errorf("a competitor: %v", business)
		}
		nowhere := w.send("POST", "/campaigns", object{"placeId": "nowhere", "keywords": []string{"a"}}).Want(w.t, 404)
		if nowhere.Text("error.details.0.error_status") != "PLACE_NOT_FOUND" {
			w.t.Errorf("a place without coordinates: %s", nowhere.Raw)
		}
	})
}

func TestDatesOfACollection(t *testing.T) {
	t.Parallel()
	eachEngine(t, func(w *world) { // it is 2026-03-02T12:00:00Z
		id := w.campaign("pizza").Text("data.id")
		collect := func(pairs ...string) *apptest.Answer {
			w.t.Helper()
			return w.send("PUT", "/campaigns/"+id+"/collect"+query(pairs...), nil)
		}
		for _, wrong := range [][]string{
			{"reportDate", "2026-03-02T12:00:01Z"},
			{"reportDate", "2026-03-03T12:00:00Z", "collectingReportDate", "2026-03-03T11:00:00Z"},
			{"reportDate", "2026-03-02T12:00:01Z", "collectingReportDate", "2020-01-01T00:00:00Z"},
		} {
			if a := collect(wrong...).Want(w.t, 400); a.Text("error.details.0.field") != "reportDate" {
				w.t.Errorf("%v: %s", wrong, a.Raw)
			}
		}
		// With both, the report bears reportDate and is collected when collectingReportDate says.
		if a := collect("reportDate", "2026-03-01T00:00:00Z", "collectingReportDate", "2026-03-03T11:00:00Z").Want(w.t, 200); a.Text("data.collectingReportDate") != "2026-03-03T11:00:00Z" {
			w.t.Errorf("with both dates: %s", a.Raw)
		}
		w.clock.Set(time.Date(2026, 3, 3, 11, 0, 0, 0, time.UTC))
		if a := w.reports(id, 1); a.Text("data.reportDates.0") != "2026-03-01T00:00:00Z" {
			w.t.Errorf("its report: %s", a.Raw)
		}
	})
}

// Pages beyond every list are empty, and none is before the first.
func TestPagesFarBeyond(t *testing.T) {
	t.Parallel()
	eachEngine(t, func(w *world) {
		made := w.campaign("pizza")
		id := made.Text("data.id")
		date := w.collect(id)
		for _, list := range []string{"/campaigns?x=", "/campaigns/" + id + "/top-competitors" + query("keywordId", made.Text("data.keywords.0.id"), "reportDate", date)} {
			at := "data.content"
			if strings.Contains(list, "top") {
				at = "data.competitors.content"
			}
			if a := w.get("%s&page=2147483647&size=100", list).Want(w.t, 200); a.Len(at) != 0 {
				w.t.Errorf("%s", a.Raw)
			}
			for _, page := range []string{"2147483648", "9223372036854775808", "-1"} {
				if a := w.get("%s&page=%s", list, page); a.Status >= 500 || a.Status == 200 && a.Len(at) > 10 {
					w.t.Errorf("page %s: %d %s", page, a.Status, a.Raw)
				}
			}
		}
	})
}
