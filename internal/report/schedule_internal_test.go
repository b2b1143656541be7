package report

import (
	"errors"
	"testing"
	"time"

	"github.com/trigpoint/trigpoint/internal/account"
	"github.com/trigpoint/trigpoint/internal/maprank/schedule"
)

// Two years, with a leap day, in zones whose clocks change at different hours, also at midnight: every week and every month has
// one report, at its hour where that exists, and each begins on the day after the one before has ended.
func TestTwoYearsOfSchedules(t *testing.T) {
	t.Parallel()
	begin := time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC)
	for _, name := range []string{"UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "America/Santiago", "Asia/Kathmandu", "Africa/Cairo", "Pacific/Auckland"} {
		zone := account.ZoneOf(name)
		if zone.String() != name {
			t.Fatalf("there is no zone %s", name)
		}
		for _, s := range []Schedule{
			{Frequency: schedule.Weekly, Day: 1, Hour: 8},
			{Frequency: schedule.Weekly, Day: 7, Hour: 2},
			{Frequency: schedule.Weekly, Day: 7, Hour: 0},
			{Frequency: schedule.Monthly, Day: 1, Hour: 0},
			{Frequency: schedule.Monthly, Day: 29, Hour: 8},
			{Frequency: schedule.Monthly, Day: 31, Hour: 23},
		} {
			r := record{Schedule: s, zone: zone}
			r.Kind, r.CreatedAt = Account, begin
			r.plan(begin, zone)
			sent, until := 0, time.Time{}
			for ; r.nextAt.Before(begin.AddDate(2, 0, 0)); sent++ {
				at := r.nextAt.In(zone)
				from, to := r.period(r.nextAt, zone)
				if !until.IsZero() && !from.Equal(until.AddDate(0, 0, 1)) {
					t.Fatalf("%s, %s: after %s comes %s", name, s.rhythm(), until, from)
				}
				if next := to.AddDate(0, 0, 1).Format(time.DateOnly); next != at.Format(time.DateOnly) {
					t.Fatalf("%s, %s: what is sent at %s ends on %s", name, s.rhythm(), at, to)
				}
				if skipped := time.Date(at.Year(), at.Month(), at.Day(), s.Hour, 0, 0, 0, zone).Hour() != s.Hour; at.Hour() != s.Hour && !skipped {
					t.Fatalf("%s, %s: sent at %s", name, s.rhythm(), at)
				}
				until = to
				r.judge(r.nextAt.Add(time.Minute), zone, false, nil)
			}
			if want := map[string][2]int{schedule.Weekly: {104, 105}, schedule.Monthly: {23, 24}}[s.Frequency]; sent < want[0] || sent > want[1] {
				t.Errorf("%s, %s: %d reports", name, s.rhythm(), sent)
			}
		}
	}
}

// A report that was sent today does not come again when its hour or the zone changes; one that failed is tried again, for about a
// day; of several that were missed the last is sent.
func TestEachReportOnce(t *testing.T) {
	t.Parallel()
	newYork := account.ZoneOf("America/New_York")
	monday := time.Date(2026, 11, 16, 8, 0, 0, 0, time.UTC)
	r := record{Schedule: Schedule{Kind: Account, Frequency: schedule.Weekly, Day: 1, Hour: 8}, nextAt: monday, dueAt: &monday, zone: time.UTC}
	r.outcomes = []outcome{{Email: "you@example.com"}}
	r.judge(monday, time.UTC, false, nil)
	if want := monday.AddDate(0, 0, 7); !r.nextAt.Equal(want) || !r.dueAt.Equal(want) || !r.SentAt.Equal(monday) {
		t.Fatalf("the next is at %s", r.nextAt)
	}
	r.plan(monday.Add(time.Hour), newYork)
	if want := time.Date(2026, 11, 23, 8, 0, 0, 0, newYork); !r.nextAt.Equal(want) {
		t.Errorf("in another zone it comes at %s", r.nextAt)
	}
	r.Hour = 12
	r.plan(monday.Add(time.Hour), time.UTC)
	if want := time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC); !r.nextAt.Equal(want) {
		t.Errorf("at another hour it comes at %s", r.nextAt)
	}

	due, now := r.nextAt, r.nextAt
	for r.nextAt.Equal(due) {
		r.judge(now, time.UTC, false, errors.New("the disk is full"))
		now = *r.dueAt
		if r.Problem != "The report could not be made; the log of the service says why." {
			t.Fatalf("it says %q", r.Problem)
		}
	}
	if !r.nextAt.Equal(due.AddDate(0, 0, 7)) || r.failures != 0 || !r.SentAt.Equal(monday) {
		t.Errorf("after all attempts: %+v", r)
	}
	due = r.nextAt
	r.skipMissed(due.AddDate(0, 0, 20))
	if !r.nextAt.Equal(due.AddDate(0, 0, 14)) {
		t.Errorf("of those that were missed it sends that of %s", r.nextAt)
	}
}
