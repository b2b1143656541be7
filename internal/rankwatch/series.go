package rankwatch

import (
	"cmp"
	"slices"
)

// NotChecked marks a day without an observation in a series of ranks; 0 is a day on which the page
// was looked for and not found.
const NotChecked int16 = -1

// BridgeDays is for how many days the last known rank stands in for missing checks.
const BridgeDays = 7

// Bridge fills the gaps of a daily series in place. A series that is to be right from its first day
// on starts BridgeDays earlier.
func Bridge(ranks []int16) {
	last, age := NotChecked, 0
	for i, rank := range ranks {
		if rank != NotChecked {
			last, age = rank, 0
			continue
		}
		if age++; age <= BridgeDays {
			ranks[i] = last
		}
	}
}

// Timeframes computes the stats of every day of a range, keyword by keyword.
type Timeframes struct{ days []tally }

// NewTimeframes starts with no keywords.
func NewTimeframes(days int) *Timeframes { return &Timeframes{days: make([]tally, days)} }

// Add counts a keyword that was tracked on the days [from, to) of the range; ranks holds one bridged
// rank for each day of the range. An unknown volume is 0.
func (f *Timeframes) Add(volume int64, ranks []int16, from, to int) {
	volume = boundVolume(volume)
	from, to = max(from, 0), min(to, len(f.days), len(ranks))
	for day := from; day < to; day++ {
		t := &f.days[day]
		t.eligible++
		if rank := ranks[day]; rank != NotChecked {
			t.add(int(rank), volume)
		}
	}
}

// Merge adds the keywords of another computation over the same range.
func (f *Timeframes) Merge(o *Timeframes) {
	for day := range f.days {
		f.days[day].merge(o.days[day])
	}
}

// Item is the state on a day of the range.
func (f *Timeframes) Item(day int) StatsItem { return f.days[day].item() }

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
		if r == NotChecked {
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
