package formula

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/trigpoint/trigpoint/internal/rankwatch/series"
)

func TestSummarise(t *testing.T) {
	t.Parallel()
	const no = series.NotChecked
	tests := []struct {
		name  string
		ranks []int16
		want  Summary
	}{
		{"never checked", []int16{no, no}, Summary{}},
		{"one check", []int16{no, 7}, Summary{Checks: 1, First: 7, Last: 7, Best: 7, Average: 7}},
		{"a climb", []int16{9, no, 2, 4}, Summary{Checks: 3, First: 9, Last: 4, Best: 2, Average: 5, Change: 5}},
		{"a fall", []int16{3, 8}, Summary{Checks: 2, First: 3, Last: 8, Best: 3, Average: 5.5, Change: -5}},
		{"entered the page", []int16{0, 5}, Summary{Checks: 2, Last: 5, Best: 5, Average: 5, Change: 96}},
		{"dropped out", []int16{5, 0}, Summary{Checks: 2, First: 5, Best: 5, Average: 5, Change: -96}},
		{"never ranked", []int16{0, 0}, Summary{Checks: 2}},
		{"beyond the depth is as good as out", []int16{0, 140}, Summary{Checks: 2, Last: 140, Best: 140, Average: 140}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := Summarise(tt.ranks); got != tt.want {
				t.Errorf("got %+v, want %+v", got, tt.want)
			}
		})
	}
}

func TestImpactsAddUpToTheChangeOfTheIndex(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		type move struct {
			First, Last int16
			Volume      int64
		}
		moves := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) move {
			return move{rapid.Int16Range(0, 30).Draw(t, "first"), rapid.Int16Range(0, 30).Draw(t, "last"), rapid.Int64Range(1, 9999).Draw(t, "volume")}
		}), 1, 30).Draw(t, "moves")
		f := NewTimeframes(2)
		for _, m := range moves {
			f.Add(m.Volume, []int16{m.First, m.Last}, 0, 2)
		}
		var visits, index float64
		for _, m := range moves {
			i := ImpactOf(int(m.First), int(m.Last), m.Volume, f.Item(0).PerformanceTotal)
			visits, index = visits+i.Visits, index+i.PerformanceIndex
			if back := ImpactOf(int(m.Last), int(m.First), m.Volume, f.Item(0).PerformanceTotal); back.Visits != -i.Visits {
				t.Fatalf("impact %+v and back %+v", i, back)
			}
		}
		near := func(a, b float64) bool { return a-b < 1e-6 && b-a < 1e-6 }
		if !near(visits, f.Item(1).EstimatedVisits-f.Item(0).EstimatedVisits) || !near(index, f.Item(1).PerformanceIndex-f.Item(0).PerformanceIndex) {
			t.Fatalf("impacts sum to %v visits, %v points; items %+v, %+v", visits, index, f.Item(0), f.Item(1))
		}
	})
}

func TestMovers(t *testing.T) {
	t.Parallel()
	var list []Summary
	for _, ranks := range [][]int16{{5, 5}, {9, 4}, {0, 8}, {3, 90}, {20, 15}, {7, 2}, {2, 0}, {series.NotChecked}} {
		list = append(list, Summarise(ranks))
	}
	up, down := Movers(list, 3)
	if !slices.Equal(up, []int{2, 5, 1}) || !slices.Equal(down, []int{6, 3}) {
		t.Errorf("up %v, down %v", up, down)
	}
	if up, down := Movers(nil, 3); len(up)+len(down) != 0 {
		t.Errorf("of nothing: up %v, down %v", up, down)
	}
}

func TestRankChangeIsAntisymmetric(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		a, b := rapid.IntRange(0, 200).Draw(t, "a"), rapid.IntRange(0, 200).Draw(t, "b")
		if RankChange(a, b) != -RankChange(b, a) {
			t.Fatalf("%d then %d: %d; back: %d", a, b, RankChange(a, b), RankChange(b, a))
		}
	})
}
