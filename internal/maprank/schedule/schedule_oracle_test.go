package schedule

import (
	"slices"
	"testing"
	"time"
)

// Ten years of schedules against someone who watches the wall clock: every quarter of an hour he looks
// up the local time, and starts a run once it has reached the next date and time on his list. He knows
// nothing of offsets, and makes the list by walking the calendar day by day.
func TestTenYearsOfSchedules(t *testing.T) {
	t.Parallel()
	frequencies := []Frequency{
		{Frequency: Daily, Time: "00:00"},
		{Frequency: Daily, Time: "02:30"},
		{Frequency: Daily, Interval: 3, Time: "01:45"},
		{Frequency: Daily, Interval: 100, Time: "02:15"},
		{Frequency: Weekly, Positions: []int{7}, Time: "02:15"},
		{Frequency: Weekly, Positions: []int{7}, Time: "01:30"},
		{Frequency: Weekly, Interval: 2, Positions: []int{5, 1}, Time: "23:45"},
		{Frequency: Weekly, Interval: 7, Positions: []int{3, 7}, Time: "00:15"},
		{Frequency: Monthly, Positions: []int{1}, Time: "10:00"},
		{Frequency: Monthly, Positions: []int{29, 30, 31}, Time: "23:30"},
		{Frequency: Monthly, Interval: 5, Positions: []int{31, 15}, Time: "02:00"},
		{Frequency: Monthly, Interval: 13, Positions: []int{8}, Time: "00:00"},
	}
	for _, name := range []string{
		"America/New_York", "Europe/London", "Asia/Kathmandu", "Australia/Lord_Howe", "America/Santiago",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			zone := location(t, name)
			anchor := time.Date(2026, 3, 2, 17, 7, 31, 0, time.UTC)
			end := anchor.AddDate(10, 0, 0)
			watch := watchClock(zone, anchor, end)
			for _, f := range frequencies {
				want := watch.runs(f.WithDefaults())
				var got []time.Time
				for due := f.Next(anchor, anchor, zone); due.Before(end); due = f.Next(due, anchor, zone) {
					got = append(got, due)
				}
				if !slices.EqualFunc(got, want, time.Time.Equal) {
					t.Errorf("%+v: %s", f, firstDifference(got, want, zone))
				}
				if len(want) < 9 {
					t.Errorf("%+v: only %d runs in ten years", f, len(want))
				}
			}
		})
	}
}

// clockWatch is what the clock of one place showed.
type clockWatch struct {
	zone        *time.Location
	anchor, end time.Time
	from        time.Time
	shown       []int64 // at from and every quarter of an hour after it, as YYYYMMDDhhmm
}

const quarter = 15 * time.Minute

func watchClock(zone *time.Location, anchor, end time.Time) clockWatch {
	w := clockWatch{zone: zone, anchor: anchor, end: end, from: anchor.AddDate(0, 0, -40).Truncate(quarter)}
	for at := w.from; at.Before(end); at = at.Add(quarter) {
		local := at.In(zone)
		year, month, day := local.Date()
		hour, minute, _ := local.Clock()
		w.shown = append(w.shown, asNumber(year, int(month), day, hour, minute))
	}
	return w
}

func asNumber(year, month, day, hour, minute int) int64 {
	return (((int64(year)*100+int64(month))*100+int64(day))*100+int64(hour))*100 + int64(minute)
}

// runs goes through the list and the clock together.
func (w clockWatch) runs(f Frequency) []time.Time {
	var runs []time.Time
	list := w.list(f)
	for i, shown := range w.shown {
		for len(list) > 0 && shown >= list[0] {
			list = list[1:]
			if at := w.from.Add(time.Duration(i) * quarter); at.After(w.anchor) {
				runs = append(runs, at)
			}
		}
	}
	return runs
}

// list walks the calendar from the first day of the anchor's period.
func (w clockWatch) list(f Frequency) []int64 {
	clock, err := time.Parse("15:04", f.Time)
	if err != nil {
		panic(err)
	}
	local := w.anchor.In(w.zone)
	day := time.Date(local.Year(), local.Month(), local.Day(), 0, 0, 0, 0, time.UTC)
	var startsPeriod func(time.Time) bool
	switch f.Frequency {
	case Daily:
		startsPeriod = func(time.Time) bool { return true }
	case Weekly:
		startsPeriod = func(d time.Time) bool { return d.Weekday() == time.Monday }
	case Monthly:
		startsPeriod = func(d time.Time) bool { return d.Day() == 1 }
	}
	for !startsPeriod(day) {
		day = day.AddDate(0, 0, -1)
	}
	var list []int64
	lastDay := w.end.AddDate(0, 0, 1) // east of Greenwich it is later already
	for period := -1; !day.After(lastDay); day = day.AddDate(0, 0, 1) {
		if startsPeriod(day) {
			period++
		}
		if period%f.Interval == 0 && onList(f, day) {
			list = append(list, asNumber(day.Year(), int(day.Month()), day.Day(), clock.Hour(), clock.Minute()))
		}
	}
	return list
}

func onList(f Frequency, day time.Time) bool {
	lastOfMonth := day.AddDate(0, 0, 1).Day() == 1
	return f.Frequency == Daily || slices.ContainsFunc(f.Positions, func(position int) bool {
		if f.Frequency == Weekly {
			return day.Weekday() == time.Weekday(position%7)
		}
		return day.Day() == position || lastOfMonth && position > day.Day()
	})
}

func firstDifference(got, want []time.Time, zone *time.Location) string {
	for i := range min(len(got), len(want)) {
		if !got[i].Equal(want[i]) {
			return "run at " + got[i].In(zone).String() + ", want " + want[i].In(zone).String()
		}
	}
	return "one list is longer"
}
