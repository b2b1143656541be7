// Package schedule says when a campaign is due to be collected.
package schedule

import (
	"fmt"
	"slices"
	"sort"
	"time"

	"github.com/trigpoint/trigpoint/internal/errs"
)

// How often a campaign is collected.
const (
	Daily   = "DAILY"
	Weekly  = "WEEKLY"
	Monthly = "MONTHLY"
)

const (
	maxInterval  = 366
	maxPositions = 31
)

// Frequency says when a campaign is collected: in every Interval-th day, week or month, on the days
// given by Positions (1 = Monday .. 7 when weekly, day of the month when monthly, none when daily), at
// Time on the wall clock of the business.
type Frequency struct {
	Frequency string `json:"frequency"`
	Interval  int    `json:"interval"`
	Positions []int  `json:"positions"`
	Time      string `json:"time"`
	Enable    bool   `json:"enable"`
}

// WithDefaults fills what was left out: interval 1, positions [1], time 00:00. Positions come out
// sorted and distinct; a daily frequency has no use for them and gets the default.
func (f Frequency) WithDefaults() Frequency {
	if f.Interval == 0 {
		f.Interval = 1
	}
	if f.Time == "" {
		f.Time = "00:00"
	}
	if len(f.Positions) == 0 || f.Frequency == Daily {
		f.Positions = []int{1}
	}
	f.Positions = slices.Compact(slices.Sorted(slices.Values(f.Positions)))
	return f
}

// Problems lists all that is wrong, each under its path inside field. It takes 0 and "" at their word,
// so that a caller who can tell them from "left out" fills the defaults first.
func (f Frequency) Problems(field string) errs.Problems {
	var found errs.Problems
	lastPosition := 0 // positions are not looked at
	switch f.Frequency {
	case Daily:
	case Weekly:
		lastPosition = 7
	case Monthly:
		lastPosition = 31
	case "":
		found.Add(field+".frequency", errs.NotSpecified, "Frequency is not specified; use DAILY, WEEKLY or MONTHLY.")
	default:
		found.Add(field+".frequency", errs.InvalidValue, "Frequency must be DAILY, WEEKLY or MONTHLY.")
	}
	if f.Interval < 1 || f.Interval > maxInterval {
		found.Add(field+".interval", errs.InvalidValue, "Interval must be from 1 to %d, not %d.", maxInterval, f.Interval)
	}
	if lastPosition > 0 {
		switch {
		case len(f.Positions) == 0:
			found.Add(field+".positions", errs.NotSpecified, "At least one position is needed.")
		case len(f.Positions) > maxPositions:
			found.Add(field+".positions", errs.TooMany, "At most %d positions are allowed, not %d.", maxPositions, len(f.Positions))
		default:
			for i, position := range f.Positions {
				if position < 1 || position > lastPosition {
					found.Add(fmt.Sprintf("%s.positions[%d]", field, i), errs.InvalidValue,
						"A %s position must be from 1 to %d, not %d.", f.Frequency, lastPosition, position)
				}
			}
		}
	}
	if _, ok := minuteOfDay(f.Time); !ok {
		found.Add(field+".time", errs.InvalidValue, "Time must be HH:MM from 00:00 to 23:59.")
	}
	return found
}

// Next is the first due instant, in UTC, strictly after both after and anchor; whether the frequency is
// enabled is the caller's to ask. The anchor is when the frequency was set: its day, week (from Monday)
// or month at the business counts as the first period, and every Interval-th from there is due.
//
// A monthly 29, 30 or 31 falls on the last day of a shorter month. A wall-clock time that a clock change
// skips is due at the first instant after the gap; one that comes twice is due the first time. A
// frequency with problems is never due: the zero time.
func (f Frequency) Next(after, anchor time.Time, zone *time.Location) time.Time {
	f = f.WithDefaults()
	if f.Problems("") != nil {
		return time.Time{}
	}
	if after.Before(anchor) {
		after = anchor
	}
	minute, _ := minuteOfDay(f.Time)
	first, current := f.period(anchor.In(zone)), f.period(after.In(zone))
	// From the last due period up to now; unless it still has a day to come, the next one has.
	for period := first + (current-first)/f.Interval*f.Interval; ; period += f.Interval {
		for _, position := range f.Positions {
			if due := firstInstant(f.day(period, position), minute, zone); due.After(after) {
				return due
			}
		}
	}
}

// period numbers the local day, week or month that t lies in.
func (f Frequency) period(t time.Time) int {
	year, month, day := t.Date()
	switch f.Frequency {
	case Monthly:
		return year*12 + int(month) - 1
	case Weekly:
		monday := dayNumber(year, month, day) - (int(t.Weekday())+6)%7
		return (monday - firstMonday) / 7
	default:
		return dayNumber(year, month, day)
	}
}

// day is the day number of a position in a period.
func (f Frequency) day(period, position int) int {
	switch f.Frequency {
	case Monthly:
		year, month := period/12, time.Month(period%12+1)
		first, next := dayNumber(year, month, 1), dayNumber(year, month+1, 1)
		return min(first+position, next) - 1
	case Weekly:
		return firstMonday + period*7 + position - 1
	default:
		return period
	}
}

const secondsADay = 24 * 60 * 60

// firstMonday is the day number of Monday, 29 December 1969.
const firstMonday = -3

// dayNumber counts calendar days from 1 January 1970, whatever the zone.
func dayNumber(year int, month time.Month, day int) int {
	return int(time.Date(year, month, day, 0, 0, 0, 0, time.UTC).Unix() / secondsADay)
}

// firstInstant is when clocks in the zone first show the minute of the day, or pass it. time.Date would
// do for all but clock changes, where it promises neither choice; Time.ZoneBounds knows the changes, but
// not on the last day of leap years after the zone's table ends.
func firstInstant(day, minute int, zone *time.Location) time.Time {
	offsetAt := func(unix int64) int64 {
		_, offset := time.Unix(unix, 0).In(zone).Zone()
		return int64(offset)
	}
	wall := int64(day)*secondsADay + int64(minute)*60
	// Offsets stay below a day, and clocks do not change twice in two.
	begin, end := wall-secondsADay, wall+secondsADay
	before, after := offsetAt(begin), offsetAt(end)
	for _, offset := range []int64{max(before, after), min(before, after)} { // the earlier instant first
		if offsetAt(wall-offset) == offset {
			return time.Unix(wall-offset, 0).UTC()
		}
	}
	skippedTo := sort.Search(2*secondsADay, func(i int) bool {
		at := begin + int64(i)
		return at+offsetAt(at) >= wall
	})
	return time.Unix(begin+int64(skippedTo), 0).UTC()
}

// minuteOfDay reads HH:MM, exactly so.
func minuteOfDay(s string) (int, bool) {
	if len(s) != 5 || s[2] != ':' {
		return 0, false
	}
	for _, i := range []int{0, 1, 3, 4} {
		if s[i] < '0' || s[i] > '9' {
			return 0, false
		}
	}
	hour, minute := int(s[0]-'0')*10+int(s[1]-'0'), int(s[3]-'0')*10+int(s[4]-'0')
	return hour*60 + minute, hour < 24 && minute < 60
}
