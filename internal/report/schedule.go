package report

import (
	"fmt"
	"time"

	"github.com/trigpoint/trigpoint/internal/account"
	"github.com/trigpoint/trigpoint/internal/errs"
	"github.com/trigpoint/trigpoint/internal/httpapi"
	"github.com/trigpoint/trigpoint/internal/maprank/schedule"
	"github.com/trigpoint/trigpoint/internal/report/document"
)

// Schedule is a report that is mailed again and again: to the account's own address, or to recipients of it who have asked for that.
type Schedule struct {
	ID        string     `json:"id"`
	Kind      Kind       `json:"kind" enum:"campaign,tracking,account" doc:"What the report is about."`
	SubjectID string     `json:"subject_id" doc:"The campaign or tracking; empty for the account." example:"0198f1b2-3c4d-7e5f-8a6b-7c8d9e0f1a2b"`
	Subject   string     `json:"subject" doc:"Its name; empty for the account, and when it was deleted." example:"Decatur Deli"`
	Frequency string     `json:"frequency" enum:"WEEKLY,MONTHLY" doc:"How often it is mailed."`
	Day       int        `json:"day" doc:"1 (Monday) to 7 where it is weekly, else the day of the month; one that a month lacks is its last." example:"1"`
	Hour      int        `json:"hour" doc:"Hour of the day, 0 to 23, in the account's time zone." example:"8"`
	Paper     string     `json:"paper" enum:"a4,letter" doc:"Of the PDF."`
	To        []string   `json:"recipients" nullable:"false" doc:"Who gets it: the address of the account, unless others are named." example:"[\"client@example.com\"]"`
	Waiting   []string   `json:"waiting" nullable:"false" doc:"Those of them who get nothing, since they have not confirmed or have said no." example:"[]"`
	Text      string     `json:"text" doc:"When, in words." example:"Every Monday at 8:00"`
	CreatedAt time.Time  `json:"created_at" doc:"When it was made."`
	PausedAt  *time.Time `json:"paused_at,omitempty" doc:"Since when it sends nothing; absent while it does."`
	NextAt    *time.Time `json:"next_at,omitempty" doc:"When the next one is sent, or tried again; absent while it is paused."`
	SentAt    *time.Time `json:"sent_at,omitempty" doc:"When the last one was mailed; absent before the first."`
	Problem   string     `json:"problem" doc:"Why the last one was not mailed yet, or never; empty when it was." example:""`
}

// ScheduleInput makes a schedule.
type ScheduleInput struct {
	Kind      httpapi.Field[string] `json:"kind" required:"false" doc:"What the report is about: campaign, tracking or account." example:"campaign"`
	SubjectID httpapi.Field[string] `json:"subject_id" required:"false" doc:"The campaign or tracking; none for the account." example:"0198f1b2-3c4d-7e5f-8a6b-7c8d9e0f1a2b"`
	ScheduleChange
}

// ScheduleChange changes a schedule; what is absent stays as it is.
type ScheduleChange struct {
	Frequency httpapi.Field[string]   `json:"frequency" required:"false" doc:"WEEKLY or MONTHLY." example:"WEEKLY"`
	Day       httpapi.Field[int]      `json:"day" required:"false" doc:"1 (Monday) to 7 where it is weekly, else the day of the month; one that a month lacks is its last. 1 unless it is said." example:"1"`
	Hour      httpapi.Field[int]      `json:"hour" required:"false" doc:"Hour of the day, 0 to 23, in the account's time zone. 8 unless it is said." example:"8"`
	Paper     httpapi.Field[string]   `json:"paper" required:"false" doc:"Of the PDF: a4, unless it is said, or letter." example:"a4"`
	To        httpapi.Field[[]string] `json:"recipients" required:"false" doc:"Who gets it, at most 10: the address of the account, as without it, and recipients of the account, once they have confirmed." example:"[\"client@example.com\"]"`
	Paused    httpapi.Field[bool]     `json:"paused" required:"false" doc:"Whether nothing is sent for the time being." example:"false"`
}

const (
	maxSchedules = 50
	maxReceivers = 10
)

// The papers of a schedule, by the names that the routes of reports have for them.
const (
	paperA4     = "a4"
	paperLetter = "letter"
)

// paperOf is the paper of a name.
func paperOf(name string) document.Paper {
	if name == paperLetter {
		return document.Letter
	}
	return document.A4
}

// apply fills a new schedule as the request says, and collects what is wrong with it.
func (in *ScheduleInput) apply(problems *errs.Problems, s *Schedule, now time.Time) {
	if in.Kind.Given(problems, "kind") {
		s.Kind = Kind(in.Kind.Value)
	}
	if in.SubjectID.Given(problems, "subject_id") {
		s.SubjectID = in.SubjectID.Value
	}
	switch {
	case s.Kind == "":
		problems.Add("kind", errs.NotSpecified, "kind is not specified; a report is about a campaign, a tracking or the account.")
	case s.Kind != Campaign && s.Kind != Tracking && s.Kind != Account:
		problems.Add("kind", errs.InvalidValue, "kind must be campaign, tracking or account, not %.20q.", string(s.Kind))
	case s.SubjectID == "" && s.Kind != Account:
		problems.Add("subject_id", errs.NotSpecified, "subject_id is not specified; say which %s the report is about.", s.Kind)
	case s.SubjectID != "" && s.Kind == Account:
		problems.Add("subject_id", errs.InvalidValue, "subject_id: a report of the account is about all of it; leave it out.")
	}
	in.ScheduleChange.apply(problems, s, now)
}

// apply changes a schedule as the request says, and collects what is wrong with it then.
func (in *ScheduleChange) apply(problems *errs.Problems, s *Schedule, now time.Time) {
	if in.Frequency.Given(problems, "frequency") {
		s.Frequency = in.Frequency.Value
	}
	if in.Day.Given(problems, "day") {
		s.Day = in.Day.Value
	}
	if in.Hour.Given(problems, "hour") {
		s.Hour = in.Hour.Value
	}
	if in.Paper.Given(problems, "paper") {
		if s.Paper = in.Paper.Value; s.Paper != paperA4 && s.Paper != paperLetter {
			problems.Add("paper", errs.InvalidValue, "paper must be a4 or letter, not %.20q.", s.Paper)
		}
	}
	if in.To.Set && !in.To.Mistyped(problems, "recipients") {
		s.To = account.ParseEmails(problems, "recipients", in.To.Value, maxReceivers)
	}
	if in.Paused.Given(problems, "paused") {
		switch {
		case !in.Paused.Value:
			s.PausedAt = nil
		case s.PausedAt == nil:
			s.PausedAt = &now
		}
	}
	switch last := map[string]int{schedule.Weekly: 7, schedule.Monthly: 31}[s.Frequency]; {
	case s.Frequency == "":
		problems.Add("frequency", errs.NotSpecified, "frequency is not specified; it is WEEKLY or MONTHLY.")
	case last == 0:
		problems.Add("frequency", errs.InvalidValue, "frequency must be WEEKLY or MONTHLY, not %.20q.", s.Frequency)
	case s.Day < 1 || s.Day > last:
		problems.Add("day", errs.InvalidValue, "day of a %s schedule must be from 1 to %d, not %d.", s.Frequency, last, s.Day)
	}
	if s.Hour < 0 || s.Hour > 23 {
		problems.Add("hour", errs.InvalidValue, "hour must be from 0 to 23, not %d.", s.Hour)
	}
}

// rhythm says in words when the report is mailed.
func (s *Schedule) rhythm() string {
	if s.Frequency == schedule.Weekly {
		return fmt.Sprintf("Every %s at %d:00", time.Weekday(s.Day%7), s.Hour)
	}
	day := fmt.Sprintf("day %d", s.Day)
	switch {
	case s.Day == 1:
		day = "the first day"
	case s.Day == 31:
		day = "the last day"
	case s.Day > 28:
		day += ", or the last day,"
	}
	return fmt.Sprintf("On %s of every month at %d:00", day, s.Hour)
}

// after is when the schedule is meant to be sent next after an instant, on the clocks of a zone, and after a local day: a day has
// one report, also when the hour or the zone changes after it was sent.
func (s *Schedule) after(t time.Time, day string, zone *time.Location) time.Time {
	f := schedule.Frequency{Frequency: s.Frequency, Interval: 1, Positions: []int{s.Day}, Time: fmt.Sprintf("%02d:00", s.Hour)}
	for {
		t = f.Next(t, s.CreatedAt, zone)
		if t.In(zone).Format(time.DateOnly) > day {
			return t
		}
	}
}

// period is what the report of an instant covers, as days in UTC: from the day on which the report before was meant to be sent, up to
// yesterday. So no day is left out and none told twice, also where months lack the schedule's day.
func (s *Schedule) period(at time.Time, zone *time.Location) (from, to time.Time) {
	year, month, day := at.In(zone).Date()
	on := func(month time.Month, day int) time.Time { return time.Date(year, month, day, 0, 0, 0, 0, time.UTC) }
	if s.Frequency == schedule.Weekly {
		return on(month, day-7), on(month, day-1)
	}
	lastDay := on(month, 0).Day() // of the month before
	return on(month-1, min(s.Day, lastDay)), on(month, day-1)
}
