package result

// The formulas of area B, all in this file. Ranks count from 1 at each point of a report; a business
// that is not among the first 20 is unranked there. A point whose search failed is no observation: it
// takes part in no figure. Nothing is rounded.
//
//	average position   = sum of ranks / points, an unranked point counting 21
//	share of voice     = sum of w(rank) / points, w(r) = 100*(1/r)/H20, 0 where unranked
//	                     (H20 = 1 + 1/2 + ... + 1/20, so that the 20 places of a point make up 100)
//	found-in share     = 100 * points where ranked / points
//	top-3 share        = 100 * points with rank <= 3 / points
//	mean rank found    = sum of ranks where ranked / points where ranked
//	project metrics    = means of average position and share of voice over the keywords of a report;
//	                     their diffs are last report - previous report
//	position diff      = previous position - this one (positive is better)

const (
	// MaxRank is how many results of a map search count.
	MaxRank = 20
	// Unranked is the position of a business that is not among them.
	Unranked = MaxRank + 1
	// topRanks is how many places the "top-3 share" looks at.
	topRanks = 3
)

// Reciprocals of ranks are summed as whole multiples of 1/rankUnit, the least common multiple of 1..20.
// So sums are exact, and a figure is the same to the last bit by whichever way it was added up.
const (
	rankUnit = 232_792_560
	h20Units = rankUnit/1 + rankUnit/2 + rankUnit/3 + rankUnit/4 + rankUnit/5 +
		rankUnit/6 + rankUnit/7 + rankUnit/8 + rankUnit/9 + rankUnit/10 +
		rankUnit/11 + rankUnit/12 + rankUnit/13 + rankUnit/14 + rankUnit/15 +
		rankUnit/16 + rankUnit/17 + rankUnit/18 + rankUnit/19 + rankUnit/20
)

// H20 is the sum of 1/k for k = 1..20.
const H20 = h20Units / float64(rankUnit)

// Weight is w(rank): the share in percent that one rank is worth at one point.
func Weight(rank int) float64 {
	if rank < 1 || rank > MaxRank {
		return 0
	}
	return 100 / (float64(rank) * H20)
}

// Tally adds up the ranks of one business over the points of one keyword in one report. It is made of
// whole numbers, so it can be stored and merged without loss.
type Tally struct {
	Points      int   // points observed
	Found       int   // of them, where it is ranked
	Top         int   // of them, with rank <= 3
	RankSum     int   // sum of ranks where it is ranked
	Reciprocals int64 // sum of 1/rank, in units of 1/232792560
}

// Add counts one point: a rank of 1..20, Unranked (or beyond), or 0 for a failed search, which is none.
func (t *Tally) Add(rank int) {
	if rank < 1 {
		return
	}
	t.Points++
	if rank > MaxRank {
		return
	}
	t.Found++
	t.RankSum += rank
	t.Reciprocals += rankUnit / int64(rank)
	if rank <= topRanks {
		t.Top++
	}
}

// merge adds the points of another tally.
func (t *Tally) merge(o *Tally) {
	t.Points += o.Points
	t.Found += o.Found
	t.Top += o.Top
	t.RankSum += o.RankSum
	t.Reciprocals += o.Reciprocals
}

// AveragePosition is the mean position over all observed points, 21 without any.
func (t Tally) AveragePosition() float64 {
	if t.Points == 0 {
		return Unranked
	}
	return float64(t.RankSum+Unranked*(t.Points-t.Found)) / float64(t.Points)
}

// ShareOfVoice is in percent, 0 without any point.
func (t Tally) ShareOfVoice() float64 {
	if t.Points == 0 {
		return 0
	}
	return 100 * float64(t.Reciprocals) / (float64(t.Points) * h20Units)
}

// FoundShare is the percentage of points where the business is ranked at all.
func (t Tally) FoundShare() float64 { return percent(t.Found, t.Points) }

// TopShare is the percentage of points where it is among the first three.
func (t Tally) TopShare() float64 { return percent(t.Top, t.Points) }

// TopShare is the percentage of all points of several keywords where the business is among the first three.
func TopShare(keywords []Tally) float64 {
	var all Tally
	for i := range keywords {
		all.merge(&keywords[i])
	}
	return all.TopShare()
}

// TallyTogether tallies every business over the results of several keywords, by ordinal. Each is tallied over all points that were
// observed, also of keywords that do not find it.
func TallyTogether(keywords []Stored) (map[uint16]Tally, error) {
	all, points := map[uint16]Tally{}, 0
	for _, k := range keywords {
		businesses, err := k.TallyAll()
		if err != nil {
			return nil, err
		}
		points += k.Tally(OwnOrdinal).Points
		for _, b := range businesses {
			sum := all[b.Ordinal]
			sum.merge(&b.Tally)
			all[b.Ordinal] = sum
		}
	}
	for ordinal, t := range all {
		t.Points = points
		all[ordinal] = t
	}
	return all, nil
}

// MeanRankFound is the mean rank over the points where it is ranked; not ok when there are none.
func (t Tally) MeanRankFound() (rank float64, ok bool) {
	if t.Found == 0 {
		return 0, false
	}
	return float64(t.RankSum) / float64(t.Found), true
}

func percent(part, whole int) float64 {
	if whole == 0 {
		return 0
	}
	return 100 * float64(part) / float64(whole)
}

// ProjectMetrics are the figures of a campaign's own business over all keywords of its last report.
type ProjectMetrics struct {
	AveragePosition         float64 `json:"averagePosition"`
	AveragePositionDiff     float64 `json:"averagePositionDiff"`
	AverageShareOfVoice     float64 `json:"averageShareOfVoice"`
	AverageShareOfVoiceDiff float64 `json:"averageShareOfVoiceDiff"`
}

// NewProjectMetrics takes one tally a keyword of the last report and of the one before it; without one
// before, the diffs are 0. Keywords without any observation do not count; not ok when none is left.
func NewProjectMetrics(last, previous []Tally) (ProjectMetrics, bool) {
	position, share, ok := keywordMeans(last)
	if !ok {
		return ProjectMetrics{}, false
	}
	metrics := ProjectMetrics{AveragePosition: position, AverageShareOfVoice: share}
	if position, share, ok := keywordMeans(previous); ok {
		metrics.AveragePositionDiff = metrics.AveragePosition - position
		metrics.AverageShareOfVoiceDiff = metrics.AverageShareOfVoice - share
	}
	return metrics, true
}

func keywordMeans(keywords []Tally) (position, share float64, ok bool) {
	observed := 0.0
	for _, t := range keywords {
		if t.Points == 0 {
			continue
		}
		observed++
		position += t.AveragePosition()
		share += t.ShareOfVoice()
	}
	if observed == 0 {
		return 0, 0, false
	}
	return position / observed, share / observed, true
}

// PositionDiff is how many places a business rose from previous to current. Where either is 0, a point
// that was not observed, there is nothing to compare: 0.
func PositionDiff(previous, current uint8) int {
	if previous == 0 || current == 0 {
		return 0
	}
	return int(previous) - int(current)
}
