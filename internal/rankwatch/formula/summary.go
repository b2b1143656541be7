package formula

import (
	"cmp"
	"slices"

	"github.com/trigpoint/trigpoint/internal/rankwatch/series"
)

// Summary is what the checks of a range say about one keyword.
type Summary struct {
	Checks      int     // days with an observation; the rest is meaningless when 0
	First, Last int     // ranks of the first and last check; 0 when it did not rank
	Best        int     // 0 when it never ranked
	Average     float64 // over the checks in which it ranked; 0 when it never did
	Change      int     // positive is better
}

// Summarise reads a series without bridging: only real checks count.
func Summarise(ranks []int16) Summary {
	var s Summary
	sum, ranked := 0, 0
	for _, r := range ranks {
		if r == series.NotChecked {
			continue
		}
		rank := int(r)
		if s.Checks++; s.Checks == 1 {
			s.First = rank
		}
		s.Last = rank
		if rank == 0 {
			continue
		}
		sum, ranked = sum+rank, ranked+1
		if s.Best == 0 || rank < s.Best {
			s.Best = rank
		}
	}
	if ranked > 0 {
		s.Average = float64(sum) / float64(ranked)
	}
	s.Change = RankChange(s.First, s.Last)
	return s
}

// RankChange is first - last, so that a climb is positive. A page beyond the depth counts as just
// beyond it: entering at 5 is a climb of 96.
func RankChange(first, last int) int { return depthRank(first) - depthRank(last) }

func depthRank(rank int) int {
	if rank < 1 || rank > Depth {
		return Depth + 1
	}
	return rank
}

// Impact is what a keyword's move from one rank to another means for its tracking.
type Impact struct {
	Visits           float64 // change of the keyword's estimated visits
	PerformanceIndex float64 // the same as points of the tracking's performance index
}

// ImpactOf weighs a move; performanceTotal is that of the whole tracking.
func ImpactOf(first, last int, volume int64, performanceTotal float64) Impact {
	change := boundVolume(volume) * (clicks(last) - clicks(first))
	impact := Impact{Visits: float64(change) / ctrUnit}
	if performanceTotal > 0 {
		impact.PerformanceIndex = 100 * impact.Visits / performanceTotal
	}
	return impact
}

// Movers returns the indexes of the keywords that climbed and fell most, at most limit of each: the
// largest change first, then the better last rank, then the order given.
func Movers(summaries []Summary, limit int) (up, down []int) {
	for i, s := range summaries {
		switch {
		case s.Change > 0:
			up = append(up, i)
		case s.Change < 0:
			down = append(down, i)
		}
	}
	for _, list := range [][]int{up, down} {
		slices.SortStableFunc(list, func(a, b int) int {
			x, y := summaries[a], summaries[b]
			return cmp.Or(cmp.Compare(abs(y.Change), abs(x.Change)), cmp.Compare(depthRank(x.Last), depthRank(y.Last)))
		})
	}
	return up[:min(limit, len(up))], down[:min(limit, len(down))]
}

func abs(n int) int { return max(n, -n) }
