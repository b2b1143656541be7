package rankwatch

import (
	"fmt"
	"strings"
	"time"

	"github.com/trigpoint/trigpoint/internal/errs"
)

// Day is a calendar day in UTC, counted from 1970-01-01.
type Day int32

const (
	secondsADay = 24 * 60 * 60
	dateLayout  = "2006-01-02"
)

// DayOf is the day on which a moment falls.
func DayOf(t time.Time) Day {
	seconds := t.Unix()
	day := seconds / secondsADay
	if seconds%secondsADay < 0 {
		day-- // before 1970
	}
	return Day(day)
}

// Start is the midnight with which the day begins.
func (d Day) Start() time.Time { return time.Unix(int64(d)*secondsADay, 0).UTC() }

// String prints YYYY-MM-DD.
func (d Day) String() string { return d.Start().Format(dateLayout) }

// Month is the month of the day.
func (d Day) Month() Month {
	year, month, _ := d.Start().Date()
	return monthOf(year, month)
}

// ParseDay reads YYYY-MM-DD.
func ParseDay(s string) (Day, error) {
	t, err := time.Parse(dateLayout, s)
	if err != nil {
		return 0, err
	}
	return DayOf(t), nil
}

// Month is a calendar month as yyyymm.
type Month int32

func monthOf(year int, month time.Month) Month { return Month(year*100 + int(month)) }

// Year of the month.
func (m Month) Year() int { return int(m) / 100 }

// InYear is its number in the year, from 1.
func (m Month) InYear() int { return int(m) % 100 }

// First is the first day of the month.
func (m Month) First() Day {
	return DayOf(time.Date(m.Year(), time.Month(m.InYear()), 1, 0, 0, 0, 0, time.UTC))
}

// Bounds of a range of days, and of the years that a date may have.
const (
	DefaultDays = 30
	MaxDays     = 400
	firstYear   = 1990
	lastYear    = 2200
)

// Range is the days From to To, both included.
type Range struct{ From, To Day }

// Days is how many there are.
func (r Range) Days() int { return int(r.To-r.From) + 1 }

// Dates prints each day.
func (r Range) Dates() []string {
	dates := make([]string, r.Days())
	for i := range dates {
		dates[i] = (r.From + Day(i)).String()
	}
	return dates
}

// parseRange reads from and to; what is empty is chosen so that there are DefaultDays, up to today.
func parseRange(from, to string, today Day) (Range, []errs.Detail) {
	var ps problems
	r := Range{To: today}
	if to != "" {
		r.To = ps.day("to", to)
	}
	r.To = min(r.To, today) // nothing is known of later days
	r.From = r.To - DefaultDays + 1
	if from != "" {
		r.From = ps.day("from", from)
	}
	switch {
	case len(ps) > 0:
	case r.From > today:
		ps.add("from", errs.InvalidValue, "from must not be after today, %s.", today)
	case r.From > r.To:
		ps.add("from", errs.InvalidValue, "from must not be after to.")
	case r.Days() > MaxDays:
		ps.add("from", errs.InvalidValue, "From %s to %s are %d days; at most %d are allowed.", r.From, r.To, r.Days(), MaxDays)
	}
	return r, ps
}

// problems collects what is wrong with a request.
type problems []errs.Detail

func (ps *problems) add(field string, status errs.Status, format string, args ...any) {
	*ps = append(*ps, errs.Detail{Field: field, Status: status, Message: fmt.Sprintf(format, args...)})
}

// given refuses an empty date: it is neither a day nor nothing.
func (ps *problems) given(field, date string) {
	if date == "" {
		ps.add(field, errs.InvalidValue, "%s is empty; leave it out or send a date such as 2026-03-31.", field)
	}
}

// day reads a date of a request. Clients print moments as well as dates: what follows a T is ignored.
func (ps *problems) day(field, s string) Day {
	date, _, _ := strings.Cut(s, "T")
	d, err := ParseDay(date)
	if year := d.Start().Year(); err != nil || year < firstYear || year > lastYear {
		ps.add(field, errs.InvalidValue, "%s must be a date such as 2026-03-31, not %.32q.", field, s)
		return 0
	}
	return d
}
