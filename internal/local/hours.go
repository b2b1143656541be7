package local

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/trigpoint/trigpoint/internal/directory"
	"github.com/trigpoint/trigpoint/internal/errs"
)

// HourTypes are the types that more_hours may use.
var HourTypes = []string{
	"SENIOR_HOURS", "DRIVE_THROUGH", "DELIVERY", "TAKEOUT", "PICKUP", "KITCHEN",
	"BREAKFAST", "LUNCH", "DINNER", "BRUNCH", "HAPPY_HOUR", "PRAYER_GENERAL",
}

// PaymentOptions are the identifiers that payment_options may use.
var PaymentOptions = []string{"CASH", "CREDIT_CARD", "DEBIT_CARD", "NFC_MOBILE_PAYMENTS"}

const (
	maxRangesADay  = 2
	maxSpecialDays = 30
	dayMinutes     = 24 * 60
)

// span is a range in minutes since the day began; one past midnight ends after dayMinutes.
type span struct{ from, to int }

// parseMinutes reads HH:MM of a 24-hour clock.
func parseMinutes(s string) (int, bool) {
	if len(s) != 5 || s[2] != ':' {
		return 0, false
	}
	digit := func(i int) int { return int(s[i]) - '0' }
	for _, i := range []int{0, 1, 3, 4} {
		if digit(i) < 0 || digit(i) > 9 {
			return 0, false
		}
	}
	hour, minute := digit(0)*10+digit(1), digit(3)*10+digit(4)
	return hour*60 + minute, hour < 24 && minute < 60
}

// parseSpan reads a range; an end at or before its start is on the next day.
func parseSpan(r directory.Range) (span, bool) {
	from, okFrom := parseMinutes(r.From)
	to, okTo := parseMinutes(r.To)
	if to <= from {
		to += dayMinutes
	}
	return span{from, to}, okFrom && okTo
}

func overlap(a, b span) bool { return a.from < b.to && b.from < a.to }

// checkRanges checks the ranges of one day and returns those that could be read.
func checkRanges(problems *errs.Problems, at string, ranges directory.Ranges) []span {
	if len(ranges) > maxRangesADay {
		problems.Add(at, errs.TooMany, "%s has %d ranges; at most %d a day are allowed.", at, len(ranges), maxRangesADay)
		return nil
	}
	var spans []span
	for i, r := range ranges {
		s, ok := parseSpan(r)
		if !ok {
			problems.Add(fmt.Sprintf("%s[%d]", at, i), errs.HoursInvalid, "%s[%d] must have from and to as HH:MM of a 24-hour clock.", at, i)
			continue
		}
		if slices.ContainsFunc(spans, func(o span) bool { return overlap(s, o) }) {
			problems.Add(fmt.Sprintf("%s[%d]", at, i), errs.HoursOverlap, "%s[%d] overlaps another range of the day.", at, i)
		}
		spans = append(spans, s)
	}
	return spans
}

// checkWeek checks every day, and that hours past midnight end before the next day's begin.
func checkWeek(problems *errs.Problems, at string, w *directory.Week) {
	days := w.Days()
	spans := make([][]span, len(days))
	for i, d := range days {
		spans[i] = checkRanges(problems, at+"."+d.Field, d.Ranges)
	}
	for i, d := range days {
		next := spans[(i+1)%len(days)]
		for _, s := range spans[i] {
			late := span{s.from - dayMinutes, s.to - dayMinutes}
			if slices.ContainsFunc(next, func(o span) bool { return overlap(late, o) }) {
				problems.Add(at+"."+d.Field, errs.HoursOverlap, "%s.%s runs past midnight into the hours of the next day.", at, d.Field)
			}
		}
	}
}

func checkSpecialHours(problems *errs.Problems, p *directory.Profile) {
	if len(p.SpecialHours) == 0 {
		return
	}
	if p.BusinessHours == nil {
		problems.Add("special_hours", errs.BusinessHoursRequired, "special_hours needs business_hours.")
	}
	if n := len(p.SpecialHours); n > maxSpecialDays {
		problems.Add("special_hours", errs.TooMany, "special_hours has %d days; at most %d are allowed.", n, maxSpecialDays)
		return
	}
	seen := map[string]bool{}
	for i, d := range p.SpecialHours {
		at := fmt.Sprintf("special_hours[%d]", i)
		if _, err := time.Parse(time.DateOnly, d.Day); err != nil {
			problems.Add(at+".day", errs.SpecialHoursInvalid, "%s.day must be a date as YYYY-MM-DD.", at)
		} else if seen[d.Day] {
			problems.Add(at+".day", errs.Duplicate, "special_hours has %s twice.", d.Day)
		}
		seen[d.Day] = true
		switch d.Type {
		case directory.RangeHours:
			if len(d.Times) == 0 {
				problems.Add(at+".times", errs.SpecialHoursInvalid, "%s.times is needed when type is RANGE.", at)
			}
			checkRanges(problems, at+".times", d.Times)
		case directory.Closed, directory.OpenedAllDay:
			if len(d.Times) > 0 {
				problems.Add(at+".times", errs.SpecialHoursInvalid, "%s.times must be empty unless type is RANGE.", at)
			}
		default:
			problems.Add(at+".type", errs.SpecialHoursInvalid, "%s.type must be CLOSED, OPENED_ALL_DAY or RANGE.", at)
		}
	}
}

func checkMoreHours(problems *errs.Problems, p *directory.Profile, types []string) {
	if n := len(p.MoreHours); n > len(types) {
		problems.Add("more_hours", errs.TooMany, "more_hours has %d entries; there are %d types.", n, len(types))
		return
	}
	seen := map[string]bool{}
	for i, m := range p.MoreHours {
		at := fmt.Sprintf("more_hours[%d]", i)
		if seen[m.Type] {
			problems.Add(at+".type", errs.Duplicate, "more_hours has %.64q twice.", m.Type)
			continue
		}
		seen[m.Type] = true
		if !slices.Contains(types, m.Type) {
			problems.Add(at+".type", errs.MoreHoursTypeUnknown, "%.64q is not a type of hours; there are %s.", m.Type, strings.Join(types, ", "))
		}
		if m.Hours.Empty() {
			problems.Add(at+".hours", errs.NotSpecified, "%s.hours has no hours on any day.", at)
		}
		checkWeek(problems, at+".hours", &m.Hours)
	}
}
