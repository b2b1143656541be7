package result

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/trigpoint/trigpoint/internal/maprank/grid"
)

func TestWeights(t *testing.T) {
	t.Parallel()
	h20 := 0.0
	for k := 1; k <= 20; k++ {
		h20 += 1 / float64(k)
	}
	if math.Abs(H20-h20) > 1e-14 {
		t.Errorf("H20 = %v, want %v", H20, h20)
	}
	sum := 0.0
	for rank := 1; rank <= 20; rank++ {
		if want := 100 * (1 / float64(rank)) / h20; math.Abs(Weight(rank)-want) > 1e-12 {
			t.Errorf("w(%d) = %v, want %v", rank, Weight(rank), want)
		}
		if rankUnit%rank != 0 {
			t.Errorf("1/%d is not a whole number of units", rank)
		}
		sum += Weight(rank)
	}
	if math.Abs(sum-100) > 1e-12 {
		t.Errorf("all ranks together weigh %v, want 100", sum)
	}
	for _, rank := range []int{-1, 0, 21, 100} {
		if Weight(rank) != 0 {
			t.Errorf("w(%d) = %v, want 0", rank, Weight(rank))
		}
	}
}

func TestTally(t *testing.T) {
	t.Parallel()
	type figures struct{ position, share, found, top, meanRank float64 }
	for _, tc := range []struct {
		name  string
		ranks []int
		want  figures
		ok    bool
	}{
		{"no point", nil, figures{position: 21}, false},
		{"only failed points", []int{0, 0}, figures{position: 21}, false},
		{"first everywhere", []int{1, 1}, figures{1, 100 / H20, 100, 100, 1}, true},
		{"nowhere", []int{21, 21}, figures{position: 21}, false},
		{"a rank beyond 20 counts as 21", []int{1, 57}, figures{11, 50 / H20, 50, 50, 1}, true},
		{"a failed point is left out of every mean", []int{2, 0, 4}, figures{3, (50 + 25) / H20 / 2, 100, 50, 3}, true},
		{"the last of the top three", []int{3, 4, 20, 21}, figures{12, (100/3. + 25 + 5) / H20 / 4, 75, 25, 9}, true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			var tally Tally
			for _, rank := range tc.ranks {
				tally.Add(rank)
			}
			mean, ok := tally.MeanRankFound()
			got := figures{tally.AveragePosition(), tally.ShareOfVoice(), tally.FoundShare(), tally.TopShare(), mean}
			if ok != tc.ok || !same(got.position, tc.want.position) || !same(got.share, tc.want.share) ||
				!same(got.found, tc.want.found) || !same(got.top, tc.want.top) || !same(got.meanRank, tc.want.meanRank) {
				t.Errorf("figures = %+v, %v, want %+v, %v", got, ok, tc.want, tc.ok)
			}
		})
	}
}

// The figures recomputed in floating point, straight from the published formulas.
func TestTallyFollowsTheFormulas(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		ranks := rapid.SliceOfN(rapid.IntRange(1, 25), 1, grid.MaxPoints).Draw(t, "ranks")
		var tally Tally
		position, share := 0.0, 0.0
		for _, rank := range ranks {
			tally.Add(rank)
			position += math.Min(float64(rank), 21)
			share += Weight(rank)
		}
		points := float64(len(ranks))
		if !same(tally.AveragePosition(), position/points) || !same(tally.ShareOfVoice(), share/points) {
			t.Fatalf("%v, %v, want %v, %v", tally.AveragePosition(), tally.ShareOfVoice(), position/points, share/points)
		}
	})
}

func TestBetterRanksNeverLowerAFigure(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		ranks := rapid.SliceOfN(rapid.IntRange(2, 21), 1, 50).Draw(t, "ranks")
		better := rapid.IntRange(0, len(ranks)-1).Draw(t, "better")
		var before, after Tally
		for i, rank := range ranks {
			before.Add(rank)
			if i == better {
				rank--
			}
			after.Add(rank)
		}
		if after.AveragePosition() >= before.AveragePosition() || after.ShareOfVoice() <= before.ShareOfVoice() ||
			after.FoundShare() < before.FoundShare() || after.TopShare() < before.TopShare() {
			t.Fatalf("%+v became %+v", before, after)
		}
	})
}

func TestProjectMetrics(t *testing.T) {
	t.Parallel()
	first, third, nowhere := tallyOf(1, 1), tallyOf(3, 3), tallyOf(21, 21)
	for _, tc := range []struct {
		name           string
		last, previous []Tally
		want           ProjectMetrics
		ok             bool
	}{
		{"no report yet", nil, nil, ProjectMetrics{}, false},
		{"nothing observed", []Tally{{}, {}}, []Tally{first}, ProjectMetrics{}, false},
		{"first report", []Tally{first, third}, nil, ProjectMetrics{2, 0, 200 / 3. / H20, 0}, true},
		{"a keyword without observation does not count", []Tally{first, {}}, nil, ProjectMetrics{1, 0, 100 / H20, 0}, true},
		{"last less previous", []Tally{first}, []Tally{nowhere}, ProjectMetrics{1, -20, 100 / H20, 100 / H20}, true},
		{"a previous report that failed", []Tally{first}, []Tally{{}}, ProjectMetrics{1, 0, 100 / H20, 0}, true},
		{"other keywords than before", []Tally{first, third}, []Tally{third}, ProjectMetrics{2, -1, 200 / 3. / H20, 100 / 3. / H20}, true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			got, ok := NewProjectMetrics(tc.last, tc.previous)
			if ok != tc.ok || !same(got.AveragePosition, tc.want.AveragePosition) ||
				!same(got.AveragePositionDiff, tc.want.AveragePositionDiff) ||
				!same(got.AverageShareOfVoice, tc.want.AverageShareOfVoice) ||
				!same(got.AverageShareOfVoiceDiff, tc.want.AverageShareOfVoiceDiff) {
				t.Errorf("metrics = %+v, %v, want %+v, %v", got, ok, tc.want, tc.ok)
			}
		})
	}
}

func TestPositionDiff(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		previous, current uint8
		want              int
	}{
		{5, 2, 3}, {2, 5, -3}, {Unranked, 1, 20}, {7, 7, 0}, {0, 4, 0}, {4, 0, 0},
	} {
		if got := PositionDiff(tc.previous, tc.current); got != tc.want {
			t.Errorf("from %d to %d: %d, want %d", tc.previous, tc.current, got, tc.want)
		}
		if PositionDiff(tc.current, tc.previous) != -tc.want {
			t.Errorf("from %d to %d is not the opposite of the way back", tc.current, tc.previous)
		}
	}
}

func TestDiffIsAntisymmetric(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		a, b := rapid.Uint8Range(0, Unranked).Draw(t, "a"), rapid.Uint8Range(0, Unranked).Draw(t, "b")
		if PositionDiff(a, b) != -PositionDiff(b, a) {
			t.Fatalf("%d to %d is %d, back it is %d", a, b, PositionDiff(a, b), PositionDiff(b, a))
		}
	})
}

func tallyOf(ranks ...int) Tally {
	var t Tally
	for _, rank := range ranks {
		t.Add(rank)
	}
	return t
}

func same(a, b float64) bool { return math.Abs(a-b) <= 1e-9 }
