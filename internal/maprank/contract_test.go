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
