package maprank_test

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/trigpoint/trigpoint/internal/maprank"
	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/provider/providertest"
)

// observed is what a person with a sheet of paper would note: at each point, who ranks where.
type observed []map[string]int // cid -> rank

// oracle computes the figures of a report by the words of the contract, without any code of the product.
func (o observed) oracle(cid string) (position, share float64) {
	h20 := 0.0
	for k := 1; k <= 20; k++ {
		h20 += 1 / float64(k)
	}
	for _, point := range o {
		rank, ok := point[cid]
		if !ok {
			rank = 21
		}
		position += float64(rank)
		if rank <= 20 {
			share += 100 * (1 / float64(rank)) / h20
		}
	}
	return position / float64(len(o)), share / float64(len(o))
}

// observe asks the script at every point.
func observe(t testing.TB, search func(context.Context, provider.MapQuery) ([]provider.Business, error), keyword string, points []any) observed {
	t.Helper()
	var all observed
	for _, p := range points {
		at := p.(object)["coordinates"].(object)
		found, err := search(t.Context(), provider.MapQuery{Keyword: keyword, At: provider.Point{Lat: at["lat"].(float64), Lng: at["lng"].(float64)}})
		if err != nil {
			t.Fatal(err)
		}
		ranks := map[string]int{}
		for i, b := range found {
			ranks[b.CID] = i + 1
		}
		all = append(all, ranks)
	}
	return all
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-9*max(1, math.Abs(b)) }

// changingMap ranks by distance, but turned round for "pasta" and, from the second week on, without the
// nearest three for "pizza".
func changingMap(week *atomic.Int64) func(context.Context, provider.MapQuery) ([]provider.Business, error) {
	return func(ctx context.Context, q provider.MapQuery) ([]provider.Business, error) {
		found, err := providertest.NearestFirst(market)(ctx, q)
		if q.Keyword == "pasta" {
			slices.Reverse(found)
		}
		if q.Keyword == "pizza" && week.Load() > 0 {
			found = found[3:]
		}
		return found, err
	}
}

func TestAnswersAreWhatTheContractSays(t *testing.T) {
	t.Parallel()
	eachEngine(t, func(w *world) {
		var week atomic.Int64
		w.maps.Map = changingMap(&week)
		made := w.campaign("pizza", "pasta")
		id, points := made.Text("data.id"), made.At("data.points").([]any)
		pizza := made.Text("data.keywords.0.id")
		own := market[0].CID

		first := w.collect(id)
		before := observe(w.t, w.maps.Map, "pizza", points)
		week.Store(1)
		w.clock.Advance(7 * 24 * time.Hour)
		second := w.collect(id)
		after := observe(w.t, w.maps.Map, "pizza", points)

		w.checkHeatmap(id, pizza, first, own, points, before, nil)
		w.checkHeatmap(id, pizza, second, own, points, after, before)
		w.checkHeatmap(id, pizza, second, market[7].CID, points, after, before)
		for _, cid := range []string{own, market[1].CID, market[39].CID, "1234567"} {
			w.checkMetrics(id, pizza, cid, map[string]observed{first: before, second: after})
		}
		w.checkCompetitors(id, pizza, second, own, after)
		w.checkProject(id, own, second, points, before, after)
	})
}

func (w *world) checkHeatmap(id, keyword, date, cid string, points []any, now, before observed) {
	w.t.Helper()
	h := w.get("/campaigns/%s/heatmap%s", id, query("keywordId", keyword, "reportDate", date, "cid", cid)).Want(w.t, 200)
	if h.Len("data.positions") != len(points) || h.Text("data.keyword.name") != "pizza" || h.Text("data.date") != date {
		w.t.Fatalf("heatmap: %s", h.Raw)
	}
	rank := func(o observed, i int) int {
		if r, ok := o[i][cid]; ok {
			return r
		}
		return 21
	}
	for i, p := range h.At("data.positions").([]any) {
		diff := 0
		if before != nil {
			diff = rank(before, i) - rank(now, i)
		}
		got, point := p.(object), points[i].(object)
		if got["point"].(object)["id"] != point["id"] || fmt.Sprint(got["point"].(object)["coordinates"]) != fmt.Sprint(point["coordinates"]) {
			w.t.Errorf("point %d is %v, want %v", i, got["point"], point)
		}
		if got["position"] != float64(rank(now, i)) || got["diff"] != float64(diff) {
			w.t.Errorf("at point %d: position %v diff %v, want %d and %d", i, got["position"], got["diff"], rank(now, i), diff)
		}
	}
}

func (w *world) checkMetrics(id, keyword, cid string, reports map[string]observed) {
	w.t.Helper()
	m := w.get("/campaigns/%s/metrics%s", id, query("keywordId", keyword, "cid", cid)).Want(w.t, 200)
	positions, shares := m.At("data.average_positions").(object), m.At("data.share_of_voices").(object)
	if len(positions) != len(reports) || len(shares) != len(reports) {
		w.t.Fatalf("metrics: %s", m.Raw)
	}
	for date, o := range reports {
		position, share := o.oracle(cid)
		if !near(positions[date].(float64), position) || !near(shares[date].(float64), share) {
			w.t.Errorf("%s on %s: %v and %v, want %v and %v", cid, date, positions[date], shares[date], position, share)
		}
	}
}

func (w *world) checkCompetitors(id, keyword, date, own string, o observed) {
	w.t.Helper()
	type standing struct {
		cid             string
		position, share float64
	}
	var want []standing
	sum := 0.0
	for _, b := range market {
		position, share := o.oracle(b.CID)
		sum += share
		if share > 0 && b.CID != own {
			want = append(want, standing{b.CID, position, share})
		}
	}
	if sum > 100+1e-9 {
		w.t.Errorf("all shares of voice together are %v", sum)
	}
	slices.SortStableFunc(want, func(a, b standing) int { return cmp.Compare(a.position, b.position) })
	var got []any
	for page := 0; ; page++ {
		a := w.get("/campaigns/%s/top-competitors%s", id, query("keywordId", keyword, "reportDate", date, "page", fmt.Sprint(page), "size", "7")).Want(w.t, 200)
		position, share := o.oracle(own)
		if !near(a.At("data.business.averagePosition").(float64), position) || !near(a.At("data.business.shareOfVoice").(float64), share) {
			w.t.Errorf("own business: %s", a.Raw)
		}
		got = append(got, a.At("data.competitors.content").([]any)...)
		if a.At("data.competitors.last") == true {
			if a.At("data.competitors.totalElements") != float64(len(want)) || a.At("data.competitors.totalPages") != float64((len(want)+6)/7) {
				w.t.Errorf("page: %s", a.Raw)
			}
			break
		}
	}
	if len(got) != len(want) {
		w.t.Fatalf("%d competitors, want %d", len(got), len(want))
	}
	for i := range want {
		c := got[i].(object)
		if !near(c["averagePosition"].(float64), want[i].position) {
			w.t.Errorf("competitor %d is at %v, want %v", i, c["averagePosition"], want[i].position)
		}
		at := slices.IndexFunc(want, func(s standing) bool { return s.cid == c["business"].(object)["cid"] })
		if at < 0 || !near(c["shareOfVoice"].(float64), want[at].share) {
			w.t.Errorf("competitor %d: %v, want share %v", i, c, want[max(at, 0)].share)
		}
	}
}

// checkProject recomputes projectMetrics: means over both keywords, and what changed since the report before.
func (w *world) checkProject(id, own, date string, points []any, before, after observed) {
	w.t.Helper()
	pasta := observe(w.t, w.maps.Map, "pasta", points)
	p0, s0 := before.oracle(own)
	p1, s1 := after.oracle(own)
	pp, ps := pasta.oracle(own)
	c := w.get("/campaigns/%s", id).Want(w.t, 200)
	for name, want := range map[string]float64{
		"averagePosition": (p1 + pp) / 2, "averagePositionDiff": (p1+pp)/2 - (p0+pp)/2,
		"averageShareOfVoice": (s1 + ps) / 2, "averageShareOfVoiceDiff": (s1+ps)/2 - (s0+ps)/2,
	} {
		if got, ok := c.At("data.projectMetrics." + name).(float64); !ok || !near(got, want) {
			w.t.Errorf("%s is %v, want %v", name, c.At("data.projectMetrics."+name), want)
		}
	}
	if c.Text("data.lastReportDate") != date || c.Len("data.reportDates") != 2 || c.Text("data.reportDates.0") != date {
		w.t.Errorf("dates: %s", c.Raw)
	}
}

func TestOrderOfCompetitors(t *testing.T) {
	t.Parallel()
	eachEngine(t, func(w *world) {
		made := w.campaign("pizza")
		id, keyword := made.Text("data.id"), made.Text("data.keywords.0.id")
		date := w.collect(id)
		value := map[string]func(object) any{
			"averagePosition": func(c object) any { return c["averagePosition"] },
			"shareOfVoice":    func(c object) any { return c["shareOfVoice"] },
			"name":            func(c object) any { return c["business"].(object)["name"] },
			"rating":          func(c object) any { return c["business"].(object)["rating"] },
			"reviewNumber":    func(c object) any { return c["business"].(object)["reviewNumber"] },
		}
		for field, of := range value {
			for _, direction := range []string{"ASC", "DESC"} {
				a := w.get("/campaigns/%s/top-competitors%s", id, query("keywordId", keyword, "reportDate", date, "size", "100", "sort", field+","+direction)).Want(w.t, 200)
				list := a.At("data.competitors.content").([]any)
				if len(list) != len(market)-1 {
					w.t.Fatalf("%d competitors", len(list))
				}
				for i := 1; i < len(list); i++ {
					order := compare(of(list[i-1].(object)), of(list[i].(object)))
					if direction == "DESC" {
						order = -order
					}
					if order > 0 {
						w.t.Errorf("%s,%s: %v comes before %v", field, direction, of(list[i-1].(object)), of(list[i].(object)))
					}
				}
			}
		}
		for _, sort := range []string{"averagePosition", "cid,ASC", "name,UP", ","} {
			w.get("/campaigns/%s/top-competitors%s", id, query("keywordId", keyword, "reportDate", date, "sort", sort)).Want(w.t, 400)
		}
	})
}

func compare(a, b any) int {
	if s, ok := a.(string); ok {
		return cmp.Compare(s, b.(string))
	}
	return cmp.Compare(a.(float64), b.(float64))
}

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
		made := w.campaign("pizza", "Pasta Bar", "salad")
		id := made.Text("data.id")
		for filter, want := range map[string]int{
			"keywords=pizza": 1, "keywords=pizza,pasta+bar": 2, "keywords=pizza&keywords=salad": 2,
			"keywords=" + made.Text("data.keywords.2.id"): 1, "keywords=burger": 0, "": 3,
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
			"average_positions": (2 + 5 + 21 + 21) / 4.0, "share_of_voices": (maprank.Weight(2) + maprank.Weight(5)) / 4,
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
