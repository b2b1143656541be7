package alert

import "time"

// Pace is when a rule tells of what it has found.
type Pace string

// The paces.
const (
	AtOnce Pace = "at_once"
	Daily  Pace = "daily"
	Weekly Pace = "weekly"
)

// pause is from one message of a rule that tells at once to the next: what is found meanwhile comes together.
const pause = 10 * time.Minute

// tellAt is when alerts are told of which have waited since an instant: at once, or at the next hour of the rule in the account's
// zone. Every local day, or week, has one such hour; one that the clocks leave out or repeat is that day's only one, too.
func (r *Rule) tellAt(since time.Time, zone *time.Location) time.Time {
	if r.Pace == AtOnce {
		return since
	}
	year, month, day := since.In(zone).Date()
	for ; ; day++ {
		at := time.Date(year, month, day, r.Hour, 0, 0, 0, zone)
		if at.Hour() != r.Hour { // the clocks leave it out, and so does the day before it at midnight
			at = time.Date(year, month, day, r.Hour+1, 0, 0, 0, zone)
		}
		if at.After(since) && (r.Pace == Daily || int(at.Weekday()) == r.Weekday) {
			return at
		}
	}
}
