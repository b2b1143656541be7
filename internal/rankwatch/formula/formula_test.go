package formula

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/trigpoint/trigpoint/internal/rankwatch/series"
)

// published is the table as the documentation prints it, in percent.
const published = "28.23 15.06 10.11 6.51 4.94 3.84 3.08 2.51 2.09 1.76 1.35 1.18 1.05 0.94 0.85 0.77 0.70 0.64 0.58 0.53"

func TestCTRIsThePublishedTable(t *testing.T) {
	t.Parallel()
	rows := strings.Fields(published)
	if len(rows) != 20 {
		t.Fatalf("%d rows", len(rows))
	}
	for i, row := range rows {
		percent, err := strconv.ParseFloat(row, 64)
		if err != nil {
			t.Fatal(err)
		}
		if got := CTR(i + 1); math.Abs(got-percent/100) > 1e-12 {
			t.Errorf("CTR(%d) = %v, want %v%%", i+1, got, percent)
		}
	}
	for _, rank := range []int{math.MinInt, -1, 0, 21, 100, math.MaxInt} {
		if CTR(rank) != 0 {
			t.Errorf("CTR(%d) = %v, want 0", rank, CTR(rank))
		}
	}
}

func TestStatsItemByHand(t *testing.T) {
	t.Parallel()
	f := NewTimeframes(1)
	f.Add(1000, []int16{1}, 0, 1)               // 282.3 of 282.3
	f.Add(100, []int16{10}, 0, 1)               // 1.76 of 28.23
	f.Add(500, []int16{0}, 0, 1)                // 0 of 141.15
	f.Add(0, []int16{3}, 0, 1)                  // volume unknown: only its visibility counts
	f.Add(50, []int16{101}, 0, 1)               // beyond the depth: 0 of 14.115
	f.Add(70, []int16{series.NotChecked}, 0, 1) // not checked: nothing but eligible
	f.Add(70, []int16{1}, 1, 1)                 // not tracked on the day
	got := f.Item(0)
	want := StatsItem{
		EstimatedVisits:     284.06,
		PerformanceTotal:    465.795,
		PerformanceIndex:    100 * 284.06 / 465.795,
		VisibilityIndex:     100 * (28.23 + 1.76 + 10.11) / (5 * 28.23),
		RankDistribution:    RankDistribution{First: 1, Top3: 1, Top10: 1, Rest: 2},
		KeywordsWithHistory: 5,
		KeywordsEligible:    6,
	}
	near := func(name string, got, want float64) {
		if math.Abs(got-want) > 1e-9 {
			t.Errorf("%s = %v, want %v", name, got, want)
		}
	}
	near("estimated_visits", got.EstimatedVisits, want.EstimatedVisits)
	near("performance_total", got.PerformanceTotal, want.PerformanceTotal)
	near("performance_index", got.PerformanceIndex, want.PerformanceIndex)
	near("visibility_index", got.VisibilityIndex, want.VisibilityIndex)
	if got.RankDistribution != want.RankDistribution || got.KeywordsWithHistory != 5 || got.KeywordsEligible != 6 {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestStatsOverNothingAreZero(t *testing.T) {
	t.Parallel()
	f := NewTimeframes(2)
	f.Add(100, []int16{series.NotChecked, 4}, 0, 2)
	if got := f.Item(0); got != (StatsItem{KeywordsEligible: 1}) {
		t.Errorf("unchecked day: %+v", got)
	}
	if got := f.Item(1).RankDistribution.Top10; got != 1 {
		t.Errorf("second day: %+v", f.Item(1))
	}
}

func TestStatsItemJSON(t *testing.T) {
	t.Parallel()
	f := NewTimeframes(1)
	for _, rank := range []int16{1, 2, 3, 4, 10, 11, 20, 21, 100, 101, 0} {
		f.Add(0, []int16{rank}, 0, 1)
	}
	got, err := json.Marshal(f.Item(0))
	if err != nil {
		t.Fatal(err)
	}
	const distribution = `"rank_distribution":{"1":1,"3":2,"10":2,"20":2,"100":2,"rest":2}`
	if !strings.Contains(string(got), distribution) {
		t.Errorf("%s lacks %s", got, distribution)
	}
}

type keyword struct {
	rank   int16
	volume int64
}

func keywords() *rapid.Generator[[]keyword] {
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) keyword {
		return keyword{
			rank:   rapid.Int16Range(series.NotChecked, 130).Draw(t, "rank"),
			volume: rapid.Int64Range(-5, 2*maxVolume).Draw(t, "volume"),
		}
	}), 0, 50)
}

func statsOf(list []keyword) StatsItem {
	f := NewTimeframes(1)
	for _, k := range list {
		f.Add(k.volume, []int16{k.rank}, 0, 1)
	}
	return f.Item(0)
}

func TestIndicesStayInRangeAndTheDistributionSums(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		list := keywords().Draw(t, "keywords")
		s := statsOf(list)
		for _, index := range []float64{s.PerformanceIndex, s.VisibilityIndex} {
			if !(index >= 0 && index <= 100) {
				t.Fatalf("index %v in %+v", index, s)
			}
		}
		if s.EstimatedVisits < 0 || s.EstimatedVisits > s.PerformanceTotal {
			t.Fatalf("visits %v of %v", s.EstimatedVisits, s.PerformanceTotal)
		}
		checked := 0
		for _, k := range list {
			if k.rank != series.NotChecked {
				checked++
			}
		}
		d := s.RankDistribution
		if sum := d.First + d.Top3 + d.Top10 + d.Top20 + d.Top + d.Rest; sum != checked || s.KeywordsWithHistory != checked {
			t.Fatalf("distribution sums to %d, with history %d, checked %d", sum, s.KeywordsWithHistory, checked)
		}
		if s.KeywordsEligible != len(list) {
			t.Fatalf("eligible %d of %d", s.KeywordsEligible, len(list))
		}
	})
}

func TestABetterRankNeverLowersAnIndex(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		list := append(keywords().Draw(t, "keywords"), keyword{rank: rapid.Int16Range(0, 130).Draw(t, "rank"), volume: 10})
		before := statsOf(list)
		k := &list[len(list)-1]
		worst := k.rank
		if worst == 0 {
			worst = 130
		}
		k.rank = rapid.Int16Range(1, worst).Draw(t, "better")
		after := statsOf(list)
		if after.PerformanceIndex < before.PerformanceIndex || after.VisibilityIndex < before.VisibilityIndex ||
			after.EstimatedVisits < before.EstimatedVisits {
			t.Fatalf("from %+v to %+v", before, after)
		}
	})
}

func TestEveryKeywordFirstIsExactlyAHundred(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		f := NewTimeframes(1)
		for _, volume := range rapid.SliceOfN(rapid.Int64Range(1, maxVolume), 1, 40).Draw(t, "volumes") {
			f.Add(volume, []int16{1}, 0, 1)
		}
		if s := f.Item(0); s.PerformanceIndex != 100 || s.VisibilityIndex != 100 {
			t.Fatalf("%+v", s)
		}
	})
}
