package report

import (
	"fmt"
	"slices"
	"time"

	"github.com/trigpoint/trigpoint/internal/errs"
	"github.com/trigpoint/trigpoint/internal/httpapi"
	"github.com/trigpoint/trigpoint/internal/maprank/schedule"
)

// Schedule is a report that is mailed to the account again and again: to its own address only, so that nobody gets mail who has
// not asked for it.
type Schedule struct {
	ID        string     `json:"id"`
	Kind      Kind       `json:"kind" enum:"campaign,tracking,account"`
	SubjectID string     `json:"subject_id"`
	Frequency string     `json:"frequency" enum:"WEEKLY,MONTHLY"`
	Day       int        `json:"day"`
	Hour      int        `json:"hour"`
	NextAt    time.Time  `json:"next_at"`
	SentAt    *time.Time `json:"sent_at"`
	Problem   string     `json:"problem"`
	CreatedAt time.Time  `json:"created_at"`
}

// ScheduleInput is a schedule as it is sent.
type ScheduleInput struct {
	Kind      httpapi.Field[string] `json:"kind" required:"false"`
	SubjectID httpapi.Field[string] `json:"subject_id" required:"false"`
	Frequency httpapi.Field[string] `json:"frequency" required:"false"`
	Day       httpapi.Field[int]    `json:"day" required:"false"`
	Hour      httpapi.Field[int]    `json:"hour" required:"false"`
}

const maxSchedules = 50

// check reads the schedule, all problems at once.
func (in *ScheduleInput) check() (Schedule, error) {
	var problems errs.Problems
	s := Schedule{Day: 1, Hour: 8}
	if in.Kind.Given(&problems, "kind") {
		s.Kind = Kind(in.Kind.Value)
	}
	if in.SubjectID.Given(&problems, "subject_id") {
		s.SubjectID = in.SubjectID.Value
	}
	switch {
	case !slices.Contains([]Kind{Campaign, Tracking, Account}, s.Kind):
		problems.Add("kind", errs.InvalidValue, "kind must be campaign, tracking or account.")
	case (s.SubjectID == "") != (s.Kind == Account):
		problems.Add("subject_id", errs.InvalidValue, "subject_id is the campaign's or tracking's; a report of the account has none.")
	}
	if in.Frequency.Given(&problems, "frequency") {
		s.Frequency = in.Frequency.Value
	}
	if in.Day.Given(&problems, "day") {
		s.Day = in.Day.Value
	}
	if in.Hour.Given(&problems, "hour") {
		s.Hour = in.Hour.Value
	}
	last := map[string]int{schedule.Weekly: 7, schedule.Monthly: 31}[s.Frequency]
	if last == 0 {
		problems.Add("frequency", errs.InvalidValue, "frequency must be WEEKLY or MONTHLY.")
	} else if s.Day < 1 || s.Day > last {
		problems.Add("day", errs.InvalidValue, "day must be 1 to %d, not %d.", last, s.Day)
	}
	if s.Hour < 0 || s.Hour > 23 {
		problems.Add("hour", errs.InvalidValue, "hour must be 0 to 23, not %d.", s.Hour)
	}
	return s, problems.Err()
}

// zoneOf finds the account's time zone.
func zoneOf(name string) *time.Location {
	zone, err := time.LoadLocation(name)
	if err != nil { // one that this machine does not know
		return time.UTC
	}
	return zone
}

// after is when the schedule is due next after an instant, on the clocks of a zone.
func (s *Schedule) after(t time.Time, zone *time.Location) time.Time {
	f := schedule.Frequency{Frequency: s.Frequency, Interval: 1, Positions: []int{s.Day}, Time: fmt.Sprintf("%02d:00", s.Hour), Enable: true}
	return f.Next(t, s.CreatedAt, zone)
}

// period is what the report of a due instant covers: the week or month up to the day before.
func (s *Schedule) period(due time.Time, zone *time.Location) (from, to time.Time) {
	year, month, day := due.In(zone).Date()
	end := time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
	from = end.AddDate(0, 0, -7)
	if s.Frequency == schedule.Monthly {
		from = end.AddDate(0, -1, 0)
	}
	return from, end.AddDate(0, 0, -1)
}
