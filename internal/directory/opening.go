package directory

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Opening says whether a business is open at an instant.
type Opening struct {
	Open     bool
	Sentence string    // for people: "Open now until 17:00"
	Changes  time.Time // when the sentence is no longer true at the latest
}

const (
	// lookAheadDays is how far the next opening is looked for: a week beyond a month of special days.
	lookAheadDays = 38
	clockLayout   = "15:04"
)

// OpeningAt tells whether the business is open at an instant, whose zone is that of the business. It is false for
// one that tells no hours.
func (p *Profile) OpeningAt(now time.Time) (Opening, bool) {
	midnight := dayAfter(now, 1)
	if reopens, closed := p.closedUntil(now); closed {
		return Opening{Sentence: "Temporarily closed · reopens " + dayAndMonth(reopens), Changes: midnight}, true
	}
	if p.BusinessHours == nil {
		return Opening{}, false
	}
	for _, s := range p.spans(now) {
		switch {
		case !s.to.After(now):
		case s.from.After(now):
			return Opening{Sentence: "Closed · opens " + wordsFor(s.from, now), Changes: earlier(s.from, midnight)}, true
		case s.to.After(dayAfter(now, 7)):
			return Opening{Open: true, Sentence: "Open 24 hours", Changes: midnight}, true
		default:
			return Opening{Open: true, Sentence: "Open now until " + s.to.Format(clockLayout), Changes: earlier(s.to, midnight)}, true
		}
	}
	return Opening{Sentence: "Closed", Changes: midnight}, true
}

// closedUntil is the first day of a business that is closed for longer.
func (p *Profile) closedUntil(now time.Time) (reopens time.Time, closed bool) {
	reopens, err := time.ParseInLocation(time.DateOnly, p.ReopenDate, now.Location())
	return reopens, err == nil && reopens.After(now)
}

// openSpan is a time from one instant to another during which a business is open.
type openSpan struct{ from, to time.Time }

// spans lists when the business is open from the day before an instant on, in order. Those that touch are one.
func (p *Profile) spans(now time.Time) []openSpan {
	var all []openSpan
	for ahead := -1; ahead <= lookAheadDays; ahead++ { // what began yesterday may end today
		day := dayAfter(now, ahead)
		for _, r := range p.HoursOn(day) {
			from, errFrom := time.Parse(clockLayout, r.From)
			to, errTo := time.Parse(clockLayout, r.To)
			if errFrom != nil || errTo != nil {
				continue
			}
			s := openSpan{onDay(day, from), onDay(day, to)}
			if !to.After(from) {
				s.to = onDay(dayAfter(day, 1), to)
			}
			all = append(all, s)
		}
	}
	slices.SortFunc(all, func(a, b openSpan) int { return a.from.Compare(b.from) })
	var joined []openSpan
	for _, s := range all {
		if last := len(joined) - 1; last >= 0 && !s.from.After(joined[last].to) {
			if s.to.After(joined[last].to) {
				joined[last].to = s.to
			}
			continue
		}
		joined = append(joined, s)
	}
	return joined
}

// HoursOn are the hours of a date: those of a special day, or else of the week.
func (p *Profile) HoursOn(day time.Time) Ranges {
	if special, ok := p.specialOn(day); ok {
		return special.Hours()
	}
	if p.BusinessHours == nil {
		return nil
	}
	return p.BusinessHours.Days()[(int(day.Weekday())+6)%7].Ranges
}

func (p *Profile) specialOn(day time.Time) (SpecialDay, bool) {
	date := day.Format(time.DateOnly)
	i := slices.IndexFunc(p.SpecialHours, func(d SpecialDay) bool { return d.Day == date })
	if i < 0 {
		return SpecialDay{}, false
	}
	return p.SpecialHours[i], true
}

// dayAfter is the beginning of the day that many days after an instant's.
func dayAfter(t time.Time, days int) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day()+days, 0, 0, 0, 0, t.Location())
}

func onDay(day, clock time.Time) time.Time {
	return time.Date(day.Year(), day.Month(), day.Day(), clock.Hour(), clock.Minute(), 0, 0, day.Location())
}

func earlier(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}

// wordsFor says when something is, seen from an instant before it.
func wordsFor(t, now time.Time) string {
	clock := t.Format(clockLayout)
	switch {
	case t.Before(dayAfter(now, 1)):
		return clock
	case t.Before(dayAfter(now, 2)):
		return "tomorrow " + clock
	case t.Before(dayAfter(now, 7)):
		return t.Weekday().String() + " " + clock
	}
	return dayAndMonth(t) + ", " + clock
}

func dayAndMonth(t time.Time) string { return t.Format("2 January") }

// holidays are days that people know by name, as month and day.
var holidays = map[string]string{
	"01-01": "New Year’s Day", "12-24": "Christmas Eve", "12-25": "Christmas Day", "12-31": "New Year’s Eve",
}

// holiday names a day of a country that people know by name; "" for others.
func holiday(day time.Time, country string) string {
	if country == "US" {
		switch {
		case day.Month() == time.July && day.Day() == 4:
			return "Independence Day"
		case day.Month() == time.November && day.Weekday() == time.Thursday && (day.Day()-1)/7 == 3:
			return "Thanksgiving"
		}
	}
	return holidays[day.Format("01-02")]
}

// comingDays are the special days from a day on, with their names, for people to read.
func (p *Profile) comingDays(today time.Time, days int) []namedDay {
	var coming []namedDay
	for _, d := range p.SpecialDays() {
		day, err := time.ParseInLocation(time.DateOnly, d.Day, today.Location())
		if err != nil || day.Before(dayAfter(today, 0)) || !day.Before(dayAfter(today, days)) {
			continue
		}
		name := day.Format("Mon 2 Jan")
		if known := holiday(day, p.Country); known != "" {
			name = strings.TrimSpace(fmt.Sprintf("%s, %s", known, day.Format("2 Jan")))
		}
		coming = append(coming, namedDay{Name: name, Hours: d.Hours().String()})
	}
	return coming
}
