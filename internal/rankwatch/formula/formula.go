// Package formula computes the published figures of rank tracking from ranks and search volumes. It does
// no I/O and keeps nothing.
//
//	CTR(r)             the share of searchers who click the result at position r: the table below
//	                   for 1..20, 0 beyond and for a page that does not rank
//	estimated_visits   Σ volume·CTR(rank), visits a month
//	performance_total  Σ volume·CTR(1), the visits if every keyword ranked first
//	performance_index  100·estimated_visits / performance_total
//	visibility_index   100·Σ CTR(rank) / Σ CTR(1): the same with a volume of 1 for every keyword
//	rank_distribution  how many keywords rank at 1, 2-3, 4-10, 11-20, 21-100, or worse or not at all;
//	                   every keyword is in exactly one
//
// The sums run over the keywords that have a known rank on the day. A keyword whose volume is
// unknown counts with volume 0, which leaves both sums of the performance index as they are. An
// index over nothing is 0, and its total (performance_total, keywords_with_history) is 0 as well.
//
// A day without a check takes the rank of the last check at most series.BridgeDays before it, so a failed
// check dents no curve; after that the keyword is not counted. Being unchecked never counts as
// being unranked.
package formula

// Depth is the last position that counts as ranking in distributions and changes.
const Depth = 100

// ctr is in hundredths of a percent, so sums are exact and do not depend on their order.
var ctr = [...]int64{
	1: 2823, 1506, 1011, 651, 494, 384, 308, 251, 209, 176,
	11: 135, 118, 105, 94, 85, 77, 70, 64, 58, 53,
}

const ctrUnit = 10_000

// maxVolume keeps the sum over a million keywords inside 63 bits; no keyword is searched as often.
const maxVolume = 1_000_000_000

// CTR is the expected share of clicks, 0..1, at a rank; rank 0 is a page that does not rank.
func CTR(rank int) float64 { return float64(clicks(rank)) / ctrUnit }

func clicks(rank int) int64 {
	if rank < 1 || rank >= len(ctr) {
		return 0
	}
	return ctr[rank]
}

// EstimatedVisits is the visits a month that a rank brings at a search volume.
func EstimatedVisits(rank int, volume int64) float64 {
	return float64(boundVolume(volume)*clicks(rank)) / ctrUnit
}

func boundVolume(volume int64) int64 { return min(max(volume, 0), maxVolume) }

// StatsItem is the state of a tracking on one day.
type StatsItem struct {
	EstimatedVisits     float64          `json:"estimated_visits" doc:"Visits a month expected at the day's ranks: the sum of search volume x CTR(rank)."`
	PerformanceIndex    float64          `json:"performance_index" minimum:"0" maximum:"100" doc:"Estimated visits as a percentage of performance_total; 0 when no keyword has a volume."`
	VisibilityIndex     float64          `json:"visibility_index" minimum:"0" maximum:"100" doc:"As performance_index with every keyword weighing the same."`
	PerformanceTotal    float64          `json:"performance_total" doc:"Visits a month if every keyword ranked first."`
	RankDistribution    RankDistribution `json:"rank_distribution"`
	KeywordsWithHistory int              `json:"keywords_with_history" doc:"Keywords with a known rank on the day; the distribution sums to it."`
	KeywordsEligible    int              `json:"keywords_eligible" doc:"Keywords tracked on the day, checked or not."`
}

// RankDistribution counts keywords in exclusive ranges of ranks.
type RankDistribution struct {
	First int `json:"1" doc:"Keywords at rank 1."`
	Top3  int `json:"3" doc:"Keywords at rank 2 or 3."`
	Top10 int `json:"10" doc:"Keywords at ranks 4 to 10."`
	Top20 int `json:"20" doc:"Keywords at ranks 11 to 20."`
	Top   int `json:"100" doc:"Keywords at ranks 21 to 100."`
	Rest  int `json:"rest" doc:"Keywords checked and not found within 100 positions."`
}

// Add counts one keyword.
func (d *RankDistribution) Add(rank int) {
	switch {
	case rank < 1 || rank > Depth:
		d.Rest++
	case rank == 1:
		d.First++
	case rank <= 3:
		d.Top3++
	case rank <= 10:
		d.Top10++
	case rank <= 20:
		d.Top20++
	default:
		d.Top++
	}
}

// tally sums one day; every field is exact.
type tally struct {
	visits, total int64 // volume x ctrUnit
	seen          int64 // Σ CTR(rank) x ctrUnit
	dist          RankDistribution
	known         int
	eligible      int
}

func (t *tally) add(rank int, volume int64) {
	t.visits += volume * clicks(rank)
	t.total += volume * clicks(1)
	t.seen += clicks(rank)
	t.dist.Add(rank)
	t.known++
}

// merge adds the keywords of another tally of the same day.
func (t *tally) merge(o tally) {
	t.visits, t.total, t.seen = t.visits+o.visits, t.total+o.total, t.seen+o.seen
	t.known, t.eligible = t.known+o.known, t.eligible+o.eligible
	t.dist.First, t.dist.Top3, t.dist.Top10 = t.dist.First+o.dist.First, t.dist.Top3+o.dist.Top3, t.dist.Top10+o.dist.Top10
	t.dist.Top20, t.dist.Top, t.dist.Rest = t.dist.Top20+o.dist.Top20, t.dist.Top+o.dist.Top, t.dist.Rest+o.dist.Rest
}

func (t *tally) item() StatsItem {
	return StatsItem{
		EstimatedVisits:     float64(t.visits) / ctrUnit,
		PerformanceIndex:    percent(t.visits, t.total),
		VisibilityIndex:     percent(t.seen, int64(t.known)*clicks(1)),
		PerformanceTotal:    float64(t.total) / ctrUnit,
		RankDistribution:    t.dist,
		KeywordsWithHistory: t.known,
		KeywordsEligible:    t.eligible,
	}
}

func percent(part, whole int64) float64 {
	if whole == 0 {
		return 0
	}
	return 100 * float64(part) / float64(whole)
}
