package rankwatch_test

import (
	"math"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/trigpoint/trigpoint/internal/app/apptest"
	"github.com/trigpoint/trigpoint/internal/rankwatch"
	"github.com/trigpoint/trigpoint/internal/rankwatch/formula"
	"github.com/trigpoint/trigpoint/internal/research"
)

// clickRate is the published table, in percent; beyond it nobody clicks.
func clickRate(rank int) float64 {
	table := strings.Fields("28.23 15.06 10.11 6.51 4.94 3.84 3.08 2.51 2.09 1.76 1.35 1.18 1.05 0.94 0.85 0.77 0.70 0.64 0.58 0.53")
	if rank < 1 || rank > len(table) {
		return 0
	}
	percent, _ := strconv.ParseFloat(table[rank-1], 64)
	return percent / 100
}

func near(a, b float64) bool { return math.Abs(a-b) < 1e-6 }

// importVolumes tells the search volume of keywords, as a planner export.
func (w *world) importVolumes(t testing.TB, volumes map[string]int) {
	t.Helper()
	csv := "Keyword,Avg. monthly searches\n"
	for kw, volume := range volumes {
		csv += kw + "," + strconv.Itoa(volume) + "\n"
	}
	bad := func(line int, reason string) { t.Errorf("line %d: %s", line, reason) }
	if _, err := w.Research.ImportKeywords(t.Context(), strings.NewReader(csv), research.KeywordFile{LocationID: london}, nil, bad); err != nil {
		t.Fatal(err)
	}
}

// The engine's ranks over six days around a month's end, -1 for a check that fails. The stats that come
// back are compared with sums done here.
func TestStatsAgainstSumsDoneByHand(t *testing.T) {
	t.Parallel()
	ranks := map[string][]int{
		"pizza": {12, 9, 3, 3, 2, 1},
		"soup":  {1, 1, 5, 0, 0, 30},
		"pasta": {0, 0, -1, 101, 100, 20},
		"salad": {7, -1, -1, -1, -1, -1},
	}
	volumes := map[string]int{"pizza": 1000, "soup": 50, "pasta": 300} // nobody knows that of salad
	order := []string{"pizza", "soup", "pasta", "salad"}
	each(t, func(t *testing.T, w *world) {
		first := time.Date(2026, 2, 26, 10, 0, 0, 0, time.UTC)
		w.clock.Set(first)
		w.importVolumes(t, volumes)
		day := 0
		w.engine.do(func(e *engine) {
			e.fault = func(q query, _ int) error { return failing(ranks[q.Keyword][day] == -1) }
		})
		setDay := func(n int) {
			w.engine.do(func(e *engine) {
				day = n
				for kw, list := range ranks {
					e.ranks[kw] = list[n]
				}
			})
		}
		setDay(0)
		path, ids := w.track(t, order...)
		w.Do(t, apptest.Call{Method: "PATCH", Path: path, Body: map[string]any{"tracking_config": map[string]any{"depth": 120}}}).Want(t, 200)
		w.settled(t, path, order)
		for n := 1; n < 6; n++ {
			setDay(n)
			w.tomorrow()
			w.settled(t, path, order)
		}
		stats := w.stats(t, path, "?from=2026-02-25&to=2026-03-03")
		if len(stats.HistoryDates) != 7 || stats.HistoryDates[6] != "2026-02-25" || len(stats.Stats.Timeframes) != 7 {
			t.Fatalf("dates %v, %d timeframes", stats.HistoryDates, len(stats.Stats.Timeframes))
		}
		if before := stats.Stats.Timeframes["2026-02-25"]; before != (formula.StatsItem{}) {
			t.Errorf("before the tracking began: %+v", before)
		}
		for n := range 6 {
			var visits, total, seen, all float64
			var dist formula.RankDistribution
			for _, kw := range order {
				rank := ranks[kw][n]
				for back := n; rank == -1; back-- { // a failed check takes the last known rank
					rank = ranks[kw][back]
				}
				volume := float64(volumes[kw])
				visits += volume * clickRate(rank)
				total += volume * clickRate(1)
				seen += clickRate(rank)
				all += clickRate(1)
				dist.Add(rank)
			}
			date := first.AddDate(0, 0, n).Format(time.DateOnly)
			got := stats.Stats.Timeframes[date]
			if !near(got.EstimatedVisits, visits) || !near(got.PerformanceTotal, total) || !near(got.PerformanceIndex, 100*visits/total) ||
				!near(got.VisibilityIndex, 100*seen/all) || got.RankDistribution != dist || got.KeywordsWithHistory != 4 || got.KeywordsEligible != 4 {
				t.Errorf("%s: %+v, want visits %v of %v, visibility %v, %+v", date, got, visits, total, 100*seen/all, dist)
			}
		}
		checkKeywordStats(t, stats, ids, ranks, order, volumes)
		if up, down := stats.Stats.TopUp, stats.Stats.TopDown; strings.Join(up, " ") != ids[2]+" "+ids[0] || strings.Join(down, " ") != ids[1] {
			t.Errorf("up %v, down %v of %v", up, down, ids)
		}
		filtered := w.stats(t, path, "?kwIds="+ids[1]+"&kwIds="+ids[2])
		if len(filtered.Keywords) != 2 || filtered.Stats.Timeframes["2026-03-03"].KeywordsEligible != 2 {
			t.Errorf("filtered by keyword: %+v", filtered.Stats.Timeframes["2026-03-03"])
		}
		body := w.post(t, path+"/stats?from=2020-01-01", map[string]any{"from": "2026-03-01", "to": "2026-03-02", "kwIds": []string{ids[0]}}).Want(t, 200)
		if body.Len("history_dates") != 2 || body.Len("keywords") != 1 {
			t.Errorf("the body was not heeded: %s", body.Raw)
		}
		w.post(t, path+"/stats", map[string]any{"kwIds": []string{ids[0], "0123456789abcdef0123456789abcdef"}}).Want(t, 404)
		if list := w.get(t, trackings+"?from=2026-03-03").Want(t, 200); !near(list.At("0.stats.timeframes.2026-03-03.estimated_visits").(float64), stats.Stats.Timeframes["2026-03-03"].EstimatedVisits) {
			t.Errorf("the list says %s", list.Raw)
		}
	})
}

func checkKeywordStats(t *testing.T, stats rankwatch.Stats, ids []string, ranks map[string][]int, order []string, volumes map[string]int) {
	t.Helper()
	for i, kw := range order {
		k := stats.Keywords[i]
		var seen []int
		for n, rank := range ranks[kw] {
			if got, want := int(k.RankHistory[5-n]), max(rank, 0); got != want { // null is read as 0
				t.Errorf("%s on day %d: %d in the history, want %d", kw, n, got, want)
			}
			if rank != -1 {
				seen = append(seen, rank)
			}
		}
		sum, ranked, best := 0, 0, 0
		for _, rank := range seen {
			if rank > 0 {
				sum, ranked = sum+rank, ranked+1
				if best == 0 || rank < best {
					best = rank
				}
			}
		}
		beyond := func(rank int) int {
			if rank == 0 || rank > 100 {
				return 101
			}
			return rank
		}
		first, last := seen[0], seen[len(seen)-1]
		if k.ID != ids[i] || *k.Rank.Last != last || *k.Rank.Best != best || !near(*k.Rank.Avg, float64(sum)/float64(ranked)) || *k.RankChange != beyond(first)-beyond(last) {
			t.Errorf("%s: %+v change %d", kw, k.Rank, *k.RankChange)
		}
		volume, known := volumes[kw]
		if !known {
			if k.Volume != nil || k.Visits != nil || k.VisitsChange != nil || k.PerformanceChange != nil {
				t.Errorf("%s has no volume, yet %+v", kw, k)
			}
			continue
		}
		total := 0.0
		for _, v := range volumes {
			total += float64(v) * clickRate(1)
		}
		change := float64(volume) * (clickRate(last) - clickRate(first))
		if *k.Volume != int64(volume) || !near(*k.Visits, float64(volume)*clickRate(last)) || !near(*k.VisitsChange, change) ||
			!near(*k.VisitsTotalChange, change) || !near(*k.PerformanceChange, 100*change/total) {
			t.Errorf("%s: visits %v, change %v, %v, %v", kw, *k.Visits, *k.VisitsChange, *k.VisitsTotalChange, *k.PerformanceChange)
		}
	}
	salad := stats.Keywords[3]
	if len(salad.NotChecked) != 2 || salad.NotChecked[1] != (rankwatch.DaySpan{From: "2026-02-27", To: "2026-03-03"}) || !salad.EmptyMain || *salad.NearestBefore != "2026-02-26" {
		t.Errorf("salad: not checked %v, nearest %v", salad.NotChecked, salad.NearestBefore)
	}
	if pizza := stats.Keywords[0]; pizza.EmptyMain || pizza.NearestBefore != nil || len(pizza.NotChecked) != 1 {
		t.Errorf("pizza: %+v", pizza)
	}
}

func TestStatsRefuseBadRanges(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		path, _ := w.track(t, "pizza")
		for _, query := range []string{"?from=2024-01-01", "?from=x&to=y", "?from=2026-03-09&to=2026-03-08", "?from=2026-04-01"} {
			answer := w.post(t, path+"/stats"+query, nil).Want(t, 422)
			if answer.Text("error.type") != "ValidationError" || answer.Len("error.errors") < 1 {
				t.Errorf("%s answered %s", query, answer.Raw)
			}
		}
		if s := w.stats(t, path, ""); len(s.HistoryDates) != 30 || s.HistoryDates[0] != "2026-03-10" {
			t.Errorf("by default %v", s.HistoryDates)
		}
		if s := w.stats(t, path, "?from=2025-02-04&to=2099-01-01"); len(s.HistoryDates) != 400 {
			t.Errorf("at most %d days", len(s.HistoryDates))
		}
	})
}
