package rankwatch

import (
	"reflect"
	"strconv"

	"github.com/danielgtaylor/huma/v2"
)

// RankHistory is a rank for each day of a range. It prints null for a day on which the target did not
// rank and for one without a check; spans of the latter are listed beside it.
type RankHistory []int16

// MarshalJSON prints the ranks.
func (h RankHistory) MarshalJSON() ([]byte, error) { return h.append(make([]byte, 0, 2+4*len(h))), nil }

func (h RankHistory) append(text []byte) []byte {
	text = append(text, '[')
	for i, rank := range h {
		if i > 0 {
			text = append(text, ',')
		}
		text = appendRank(text, rank)
	}
	return append(text, ']')
}

// appendNewestFirst prints ranks that are in the order of their days the other way round.
func appendNewestFirst(text []byte, ranks []int16) []byte {
	text = append(text, '[')
	for i := len(ranks) - 1; i >= 0; i-- {
		text = appendRank(text, ranks[i])
		if i > 0 {
			text = append(text, ',')
		}
	}
	return append(text, ']')
}

func appendRank(text []byte, rank int16) []byte {
	if rank > 0 {
		return strconv.AppendInt(text, int64(rank), 10)
	}
	return append(text, "null"...)
}

// Schema documents the list.
func (RankHistory) Schema(r huma.Registry) *huma.Schema {
	rank := *r.Schema(reflect.TypeFor[int](), true, "")
	rank.Nullable = true
	return &huma.Schema{Type: huma.TypeArray, Items: &rank}
}

// DaySpan is days in a row, both included.
type DaySpan struct {
	From string `json:"from" format:"date"`
	To   string `json:"to" format:"date"`
}

// notChecked lists the days without a check; ranks begin with the day from.
func notChecked(ranks []int16, from Day) []DaySpan {
	spans := []DaySpan{}
	for i := 0; i < len(ranks); i++ {
		if ranks[i] != NotChecked {
			continue
		}
		first := from + Day(i)
		for i+1 < len(ranks) && ranks[i+1] == NotChecked {
			i++
		}
		spans = append(spans, DaySpan{first.String(), (from + Day(i)).String()})
	}
	return spans
}

// RankSeries is the ranks of a keyword, day by day.
type RankSeries struct {
	From       string      `json:"from" format:"date"`
	To         string      `json:"to" format:"date"`
	Ranks      RankHistory `json:"ranks" doc:"One for each day; null when the target did not rank, or on a day listed in not_checked."`
	NotChecked []DaySpan   `json:"not_checked" nullable:"false" doc:"Days without a check, or whose check failed."`
}

// reading collects the observations of a range, keyword by keyword, without allocating for each.
type reading struct {
	Range
	ranks   []int16 // from BridgeDays before the range on
	last    Observation
	lastDay Day // of last; 0 when nothing was seen up to the end of the range

	newest   Month // of the keyword
	twice    bool  // the newest month is among its years as well
	month    Day   // first day of the chunk being read
	year     int
	fault    error
	takeDay  func(int, Observation)
	takeYear func(int, Chunk)
}

func newReading(r Range) *reading {
	v := &reading{Range: r, ranks: make([]int16, BridgeDays+r.Days())}
	v.takeDay, v.takeYear = v.observe, v.monthOfYear
	return v
}

// start forgets the keyword before.
func (v *reading) start() {
	for i := range v.ranks {
		v.ranks[i] = NotChecked
	}
	v.last, v.lastDay = Observation{}, 0
}

// inRange is the ranks of the range alone.
func (v *reading) inRange() []int16 { return v.ranks[BridgeDays:] }

func (v *reading) observe(day int, o Observation) {
	at := v.month + Day(day-1)
	if at > v.To {
		return
	}
	if at >= v.lastDay {
		v.last, v.lastDay = o, at
	}
	if i := int(at-v.From) + BridgeDays; i >= 0 {
		v.ranks[i] = int16(o.Rank)
	}
}

// chunk reads one month; months that do not touch the range are skipped.
func (v *reading) chunk(m Month, c Chunk) error {
	if len(c) == 0 {
		return nil
	}
	v.month = m.First()
	if v.month > v.To || v.month+lastDay < v.From-BridgeDays {
		return nil
	}
	return c.Each(v.takeDay)
}

func (v *reading) monthOfYear(month int, c Chunk) {
	m := Month(v.year*100 + month)
	v.twice = v.twice || m == v.newest
	if v.fault == nil {
		v.fault = v.chunk(m, c)
	}
}

// chunksOf reads the months of a year.
func (v *reading) chunksOf(year int, y Year) error {
	v.year, v.fault = year, nil
	if err := y.Each(v.takeYear); err != nil {
		return err
	}
	return v.fault
}

// years tells which rows of rank_years a range may need.
func (r Range) years() (from, to int) {
	return (r.From - BridgeDays).Month().Year(), r.To.Month().Year()
}
