package research

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func known(scores ...float64) []Authority {
	var list []Authority
	for _, s := range scores {
		list = append(list, Authority{Score: s, Known: true})
	}
	return list
}

func TestDifficulty(t *testing.T) {
	t.Parallel()
	unknown := Authority{Score: 90}
	tests := []struct {
		name    string
		results []Authority
		want    int
		ok      bool
	}{
		{"no results", nil, 0, false},
		{"nothing known", []Authority{unknown, unknown}, 0, false},
		{"fewer than half known", []Authority{unknown, unknown, {50, true}}, 0, false},
		{"half known", []Authority{unknown, {50, true}}, 50, true},
		{"not a number is unknown", known(math.NaN()), 0, false},
		{"all equal", known(40, 40, 40, 40, 40, 40, 40, 40, 40, 40), 40, true},
		{"two of them by hand: (2*30+1*90)/3", known(90, 30), 50, true},
		{"one weak page among strong ones: 100-100*10/55", known(100, 100, 100, 0, 100, 100, 100, 100, 100, 100), 82, true},
		{"one strong page among weak ones: 100*1/55", known(0, 0, 0, 100, 0, 0, 0, 0, 0, 0), 2, true},
		{"the eleventh does not count", append(known(100, 100, 100, 100, 100, 100, 100, 100, 100, 100), known(0, 0)...), 100, true},
		{"out of range is bounded", known(-20, 400), 33, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got, ok := Difficulty(tt.results); got != tt.want || ok != tt.ok {
				t.Errorf("got %d, %v; want %d, %v", got, ok, tt.want, tt.ok)
			}
		})
	}
}

func TestDifficultyProperties(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		scores := rapid.SliceOfN(rapid.Float64Range(0, 100), 1, 10).Draw(t, "scores")
		before, ok := Difficulty(known(scores...))
		if !ok || before < 0 || before > 100 {
			t.Fatalf("%d, %v", before, ok)
		}
		mean := 0.0
		for _, s := range scores {
			mean += s / float64(len(scores))
		}
		if float64(before) > math.Round(mean)+0.5 {
			t.Fatalf("%d is above the plain mean %v: strong pages weigh more", before, mean)
		}
		shuffled := rapid.Permutation(scores).Draw(t, "shuffled")
		if again, _ := Difficulty(known(shuffled...)); again != before {
			t.Fatalf("order matters: %d and %d", before, again)
		}
		stronger := slices.Clone(scores)
		i := rapid.IntRange(0, len(scores)-1).Draw(t, "which")
		stronger[i] = rapid.Float64Range(scores[i], 100).Draw(t, "stronger")
		if after, _ := Difficulty(known(stronger...)); after < before {
			t.Fatalf("a stronger result lowered %d to %d", before, after)
		}
	})
}

func TestAuthorityOfRank(t *testing.T) {
	t.Parallel()
	for rank, want := range map[int]float64{1: 100, 10: 600.0 / 7, 1000: 400.0 / 7, 1_000_000: 100.0 / 7, 10_000_000: 0, math.MaxInt: 0} {
		if got := AuthorityOfRank(rank); !got.Known || math.Abs(got.Score-want) > 1e-9 {
			t.Errorf("rank %d: %+v, want %v", rank, got, want)
		}
	}
	if AuthorityOfRank(0).Known || AuthorityOfRank(-3).Known {
		t.Error("a rank below 1 is known")
	}
}
