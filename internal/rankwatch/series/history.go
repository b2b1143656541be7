package series

import (
	"bytes"
	"cmp"
	"maps"
	"slices"
)

// History is all checks of a tracked keyword. The newest month stands apart from the years, so that a
// check rewrites little.
type History struct {
	Month Month // the newest that has a check; 0 before the first
	Chunk Chunk // its checks
	Years []DatedYear
}

// DatedYear is a year of months that are over.
type DatedYear struct {
	Number int // such as 2026
	Year   Year
}

// Each calls yield for the checks of all months that a Reader of the range needs, none after the range. The
// years may be newer than the rest: the newest month is not read twice when it is among them already.
func (h *History) Each(r Range, yield func(Day, Observation)) error {
	closed := false
	for _, y := range h.Years {
		var fault error
		err := y.Year.Each(func(inYear int, c Chunk) {
			month := Month(y.Number*100 + inYear)
			closed = closed || month == h.Month
			fault = cmp.Or(fault, c.eachIn(month, r, yield))
		})
		if err = cmp.Or(err, fault); err != nil {
			return err
		}
	}
	if closed {
		return nil
	}
	return h.Chunk.eachIn(h.Month, r, yield)
}

func (c Chunk) eachIn(month Month, r Range, yield func(Day, Observation)) error {
	if len(c) == 0 {
		return nil
	}
	first := month.First()
	if first > r.To || first+lastDay < r.From-BridgeDays {
		return nil
	}
	return c.Each(func(inMonth int, o Observation) {
		if day := first + Day(inMonth-1); day <= r.To {
			yield(day, o)
		}
	})
}

// Months takes the history apart.
func (h *History) Months() (map[Month]Chunk, error) {
	months := map[Month]Chunk{}
	for _, y := range h.Years {
		if err := y.Year.Each(func(inYear int, c Chunk) { months[Month(y.Number*100+inYear)] = c }); err != nil {
			return nil, err
		}
	}
	if len(h.Chunk) > 0 {
		months[h.Month] = h.Chunk
	}
	return months, nil
}

// NewHistory puts months together; none of them may be empty.
func NewHistory(months map[Month]Chunk) (History, error) {
	var h History
	for _, month := range slices.Sorted(maps.Keys(months)) {
		if err := h.closeMonth(); err != nil {
			return History{}, err
		}
		h.Month, h.Chunk = month, months[month]
	}
	return h, nil
}

// closeMonth puts the newest month with its year.
func (h *History) closeMonth() error {
	if h.Month == 0 {
		return nil
	}
	number := h.Month.Year()
	if n := len(h.Years); n == 0 || h.Years[n-1].Number != number {
		h.Years = append(h.Years, DatedYear{Number: number})
	}
	last := &h.Years[len(h.Years)-1]
	var err error
	last.Year, err = last.Year.Set(h.Month.InYear(), h.Chunk)
	return err
}

// Until returns the history without the days after one.
func (h *History) Until(day Day) (History, error) {
	months, err := h.Months()
	if err != nil {
		return History{}, err
	}
	for month, chunk := range months {
		if month < day.Month() {
			continue
		}
		if months[month], err = chunk.Until(int(day-month.First()) + 1); err != nil {
			return History{}, err
		}
		if len(months[month]) == 0 {
			delete(months, month)
		}
	}
	return NewHistory(months)
}

// Ends returns the first check and the day of the last, which is 0 when there are none.
func (h *History) Ends() (first Observation, lastDay Day, err error) {
	months, err := h.Months()
	if err != nil {
		return first, 0, err
	}
	for _, month := range slices.Sorted(maps.Keys(months)) {
		err := months[month].Each(func(inMonth int, o Observation) {
			if lastDay == 0 {
				first = o
			}
			lastDay = month.Day(inMonth)
		})
		if err != nil {
			return first, 0, err
		}
	}
	return first, lastDay, nil
}

// YearsChangedFrom returns the years that differ from those of another history; one that only the other
// has is returned empty.
func (h *History) YearsChangedFrom(other *History) []DatedYear {
	var changed []DatedYear
	for _, y := range h.Years {
		if !bytes.Equal(y.Year, other.year(y.Number)) {
			changed = append(changed, y)
		}
	}
	for _, y := range other.Years {
		if h.year(y.Number) == nil {
			changed = append(changed, DatedYear{y.Number, Year{}})
		}
	}
	return changed
}

func (h *History) year(number int) Year {
	for _, y := range h.Years {
		if y.Number == number {
			return y.Year
		}
	}
	return nil
}
