package series

import "time"

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

// InMonth is the number of the day in its month, from 1.
func (d Day) InMonth() int { return int(d-d.Month().First()) + 1 }

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

// InYear is the number of the month in its year, from 1.
func (m Month) InYear() int { return int(m) % 100 }

// Day is the n-th day of the month, from 1.
func (m Month) Day(n int) Day { return m.First() + Day(n-1) }

// First is the first day of the month.
func (m Month) First() Day {
	return DayOf(time.Date(m.Year(), time.Month(m.InYear()), 1, 0, 0, 0, 0, time.UTC))
}

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

// Years tells which years hold the checks that a Reader of the range needs.
func (r Range) Years() (from, to int) {
	return (r.From - BridgeDays).Month().Year(), r.To.Month().Year()
}
