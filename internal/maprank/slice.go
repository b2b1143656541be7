package maprank

import (
	"errors"
	"fmt"
	"time"

	"github.com/trigpoint/trigpoint/internal/maprank/grid"
	"github.com/trigpoint/trigpoint/internal/maprank/result"
	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/source"
)

// sliceArgs is the durable order to collect a range of points of one keyword. What is left of it is in the
// slice's row: the job is only what makes a worker look.
type sliceArgs struct {
	ReportID  string `json:"report_id"`
	KeywordID string `json:"keyword_id"`
	First     int    `json:"first"`
}

// Kind implements job.Args.
func (sliceArgs) Kind() string { return "map_slice" }

const (
	maxAttempts  = 6      // crashes and faults of ours on one slice, in a row without results, before its points are given up
	endless      = 10_000 // attempts of a job: its slice counts those that matter
	storeRetry   = 2 * time.Second
	storeTimeout = 10 * time.Second
	longestPause = time.Hour
)

// slice is a slice being worked.
type slice struct {
	sliceArgs
	beyond  int
	stalls  int    // rounds in a row that brought nothing
	attempt int    // of the job, the last that brought results
	account string // that pays, of its credits of the month
	month   int
	keyword string
	status  Status
	country string
	from    string // provider that the keyword is asked of
	purpose source.Purpose
	points  []grid.Point // all that the report asks
	arrived [grid.MaxPoints]bool
}

// missing are the points still to be asked.
func (sl *slice) missing() []int {
	var missing []int
	for i := sl.First; i < min(sl.beyond, len(sl.points)); i++ {
		if !sl.arrived[i] {
			missing = append(missing, i)
		}
	}
	return missing
}

// errGone says that a slice need not be collected any more: its report has ended. errDeleted says that this is
// because its campaign was deleted.
var (
	errGone    = errors.New("the slice is no longer wanted")
	errDeleted = fmt.Errorf("%w: its campaign was deleted", errGone)
)

// errMoved says that the keyword of a slice is asked of another provider by now, all of it: what this one has answered does not count.
var errMoved = errors.New("the keyword is asked of another provider")

// round is what one run over a slice brought.
type round struct {
	pending  []result.Arrival // arrived, not stored yet
	progress bool             // at least one point arrived
	fault    string           // why points are missing that were asked; empty when only time ran short
	final    string           // why points failed for good, if any did
	failing  string           // how the provider refuses or keeps failing; empty when it does not
	fatal    bool             // nothing more can be had from the provider: another takes over, or the report ends
	resting  bool             // the provider keeps failing and is left alone: another takes over, if there is one
	refused  bool             // the provider wants fewer requests: the round ends
	hopeless bool             // the missing points are to be given up
	others   bool             // another provider can take over
	promised bool             // answers may still come that were promised, also when the provider takes no more questions
	wait     time.Duration
	later    time.Duration // the provider has promised answers: when to come for them
	owed     source.Charge // cost of searches, not recorded yet
	reserved source.Reservation
}

// answer is what came of asking for a point; it has arrived when it need not be asked again.
type answer struct {
	result.Arrival
	arrived bool
	err     error
	bill    provider.Bill
}

const (
	sliceSeconds = 10  // of the provider's full pace that a slice is made for
	minSlice     = 25  // points
	maxSlices    = 400 // of a report
)

// sliceSize is how many points of a keyword make a job: what the provider answers in some seconds, or all of
// them where nothing says how many that is. A slice that takes longer all the same makes room for others and
// goes on later.
func sliceSize(p provider.Pace, points, keywords int) int {
	if p.PerSecond <= 0 {
		return points
	}
	return max(int(p.PerSecond*sliceSeconds), minSlice, (points*keywords+maxSlices-1)/maxSlices)
}

// sliceOrder is a slice to be made.
type sliceOrder struct {
	sliceArgs
	beyond int
}

// cutPoints makes slices of at most size points of a range.
func cutPoints(reportID, keywordID string, first, beyond, size int) (orders []sliceOrder) {
	for ; first < beyond; first += size {
		orders = append(orders, sliceOrder{sliceArgs{ReportID: reportID, KeywordID: keywordID, First: first}, min(first+size, beyond)})
	}
	return orders
}

// priority of a job: 1 is first, 4 last.
func priority(credits int64) int {
	switch {
	case credits <= 500:
		return 1
	case credits <= 5_000:
		return 2
	}
	return 3
}
