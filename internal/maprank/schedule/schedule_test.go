package schedule

import (
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestNextDue(t *testing.T) {
	t.Parallel()
	const newYork = "America/New_York"
	monthly := func(clock string, days ...int) Frequency {
		return Frequency{Frequency: Monthly, Time: clock, Positions: days}
	}
	weekly := func(clock string, days ...int) Frequency {
		return Frequency{Frequency: Weekly, Time: clock, Positions: days}
	}
	every := func(n int, f Frequency) Frequency { f.Interval = n; return f }
	for _, tc := range []struct {
		name          string
		frequency     Frequency
		zone          string
		anchor, after string // after empty: at the anchor
		want          string
	}{
		{"the published example", monthly("10:00", 1), newYork, "2026-03-02T12:00:00Z", "", "2026-04-01T14:00:00Z"},
		{"later the same day", Frequency{Frequency: Daily, Time: "10:00"}, newYork, "2026-03-02T12:00:00Z", "", "2026-03-02T15:00:00Z"},
		{"exactly when it is due", Frequency{Frequency: Daily, Time: "10:00"}, newYork, "2026-03-02T12:00:00Z", "2026-03-02T15:00:00Z", "2026-03-03T15:00:00Z"},
		{"all defaults", Frequency{Frequency: Weekly}, "UTC", "2026-03-04T00:00:00Z", "", "2026-03-09T00:00:00Z"},
		{"asked about a time before the anchor", weekly("09:00", 3), "UTC", "2026-03-04T12:00:00Z", "2020-01-01T00:00:00Z", "2026-03-11T09:00:00Z"},
		{"sunday is the week's last day", weekly("09:00", 7), "UTC", "2026-03-02T00:00:00Z", "", "2026-03-08T09:00:00Z"},
		{"positions in any order, repeated", weekly("09:00", 5, 2, 5), "UTC", "2026-03-02T00:00:00Z", "", "2026-03-03T09:00:00Z"},
		{"the anchor's week is the first of two", every(2, weekly("09:00", 1, 4)), "UTC", "2026-03-04T00:00:00Z", "", "2026-03-05T09:00:00Z"},
		{"every second week", every(2, weekly("09:00", 1, 4)), "UTC", "2026-03-04T00:00:00Z", "2026-03-05T09:00:00Z", "2026-03-16T09:00:00Z"},
		{"it is sunday at the business", every(2, weekly("09:00", 1)), newYork, "2026-03-02T03:00:00Z", "", "2026-03-09T13:00:00Z"},
		{"every third day counts local dates", every(3, Frequency{Frequency: Daily, Time: "23:00"}), newYork, "2026-06-02T03:30:00Z", "", "2026-06-05T03:00:00Z"},
		{"the 31st of a short month", monthly("12:00", 31), "UTC", "2026-04-10T00:00:00Z", "", "2026-04-30T12:00:00Z"},
		{"29, 30 and 31 are one day in February", monthly("12:00", 29, 30, 31), "UTC", "2026-02-01T00:00:00Z", "2026-02-28T12:00:00Z", "2026-03-29T12:00:00Z"},
		{"the 30th in a leap year", monthly("12:00", 30), "UTC", "2028-02-01T00:00:00Z", "", "2028-02-29T12:00:00Z"},
		{"over the new year", every(5, monthly("12:00", 15)), "UTC", "2026-10-20T00:00:00Z", "", "2027-03-15T12:00:00Z"},
		{"the longest interval", every(366, monthly("12:00", 1)), "UTC", "2026-01-02T00:00:00Z", "", "2056-07-01T12:00:00Z"},
		{"a skipped hour", Frequency{Frequency: Daily, Time: "02:30"}, newYork, "2026-03-08T00:00:00Z", "2026-03-07T08:00:00Z", "2026-03-08T07:00:00Z"},
		{"an hour that comes twice", Frequency{Frequency: Daily, Time: "01:30"}, newYork, "2026-10-31T12:00:00Z", "", "2026-11-01T05:30:00Z"},
		{"its second coming is not due", Frequency{Frequency: Daily, Time: "01:30"}, newYork, "2026-10-31T12:00:00Z", "2026-11-01T05:30:00Z", "2026-11-02T06:30:00Z"},
		{"a skipped midnight", Frequency{Frequency: Daily, Time: "00:00"}, "America/Santiago", "2026-09-05T12:00:00Z", "", "2026-09-06T04:00:00Z"},
		{"the last day of a leap year far ahead", Frequency{Frequency: Daily, Time: "20:00"}, newYork, "2040-12-30T12:00:00Z", "2040-12-31T01:00:00Z", "2041-01-01T01:00:00Z"},
		{"a skipped day", Frequency{Frequency: Daily, Time: "10:00"}, "Pacific/Apia", "2011-12-29T21:00:00Z", "", "2011-12-30T10:00:00Z"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			anchor := instant(t, tc.anchor)
			after := anchor
			if tc.after != "" {
				after = instant(t, tc.after)
			}
			got := tc.frequency.Next(after, anchor, location(t, tc.zone))
			if got.Format(time.RFC3339) != tc.want {
				t.Errorf("next = %s, want %s", got.Format(time.RFC3339), tc.want)
			}
		})
	}
}

func TestAFrequencyWithProblemsIsNeverDue(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC)
	for _, f := range []Frequency{
		{},
		{Frequency: Daily, Interval: -1},
		{Frequency: Monthly, Positions: []int{0}},
		{Frequency: Weekly, Time: "25:00"},
	} {
		if due := f.Next(now, now, time.UTC); !due.IsZero() {
			t.Errorf("%+v is due %s", f, due)
		}
	}
}

func TestFrequencyProblems(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name      string
		frequency Frequency
		want      []string // field and status of each
	}{
		{"sound", Frequency{Frequency: Monthly, Interval: 366, Positions: []int{1, 31, 1}, Time: "23:59"}, nil},
		{"defaults fill what is left out", Frequency{Frequency: Weekly}.WithDefaults(), nil},
		{"daily looks at no positions", Frequency{Frequency: Daily, Interval: 1, Positions: []int{99}, Time: "00:00"}, nil},
		{"all at once", Frequency{Frequency: Weekly, Interval: 0, Positions: []int{1, 8, 0}, Time: "9:00"}, []string{
			"collectingFrequency.interval INVALID_VALUE", "collectingFrequency.positions[1] INVALID_VALUE",
			"collectingFrequency.positions[2] INVALID_VALUE", "collectingFrequency.time INVALID_VALUE",
		}},
		{"interval too long", Frequency{Frequency: Daily, Interval: 367, Time: "00:00"}, []string{"collectingFrequency.interval INVALID_VALUE"}},
		{"no frequency", Frequency{Interval: 1, Time: "00:00"}, []string{"collectingFrequency.frequency NOT_SPECIFIED"}},
		{"unknown frequency", Frequency{Frequency: "weekly", Interval: 1, Time: "00:00"}, []string{"collectingFrequency.frequency INVALID_VALUE"}},
		{"no positions", Frequency{Frequency: Weekly, Interval: 1, Time: "00:00"}, []string{"collectingFrequency.positions NOT_SPECIFIED"}},
		{"too many positions", Frequency{Frequency: Monthly, Interval: 1, Positions: make([]int, 32), Time: "00:00"}, []string{"collectingFrequency.positions TOO_MANY"}},
		{"day 32", Frequency{Frequency: Monthly, Interval: 1, Positions: []int{32}, Time: "00:00"}, []string{"collectingFrequency.positions[0] INVALID_VALUE"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			var got []string
			for _, detail := range tc.frequency.Problems("collectingFrequency") {
				got = append(got, detail.Field+" "+string(detail.Status))
				if !strings.HasSuffix(detail.Message, ".") {
					t.Errorf("message %q is not a sentence", detail.Message)
				}
			}
			if !slices.Equal(got, tc.want) {
				t.Errorf("problems = %q, want %q", got, tc.want)
			}
		})
	}
	if problems := (Frequency{Frequency: Weekly}.WithDefaults().Problems("")); problems.Err() != nil {
		t.Error("no problems must be no error")
	}
}

func TestWithDefaultsLeavesTheGivenSliceAlone(t *testing.T) {
	t.Parallel()
	given := []int{3, 1, 3}
	got := Frequency{Frequency: Weekly, Positions: given}.WithDefaults()
	if !slices.Equal(got.Positions, []int{1, 3}) || !slices.Equal(given, []int{3, 1, 3}) {
		t.Errorf("positions %v of %v", got.Positions, given)
	}
}

func TestNextProperties(t *testing.T) {
	t.Parallel()
	zones := []string{"America/New_York", "Europe/London", "Asia/Kathmandu", "Australia/Lord_Howe", "America/Santiago", "Africa/Cairo", "America/St_Johns", "UTC"}
	rapid.Check(t, func(t *rapid.T) {
		zone := location(t, rapid.SampledFrom(zones).Draw(t, "zone"))
		f := anyFrequency(t)
		anchor := time.Unix(rapid.Int64Range(946684800, 2500000000).Draw(t, "anchor"), 0)
		previous := f.Next(anchor, anchor, zone)
		for range 20 {
			due := f.Next(previous, anchor, zone)
			if !due.After(previous) {
				t.Fatalf("%s does not come after %s", due, previous)
			}
			if sameDate(due.In(zone), previous.In(zone)) {
				t.Fatalf("%s and %s are one date", previous.In(zone), due.In(zone))
			}
			local := due.In(zone)
			if local.Format("15:04") != f.WithDefaults().Time && !clockSkips(local, f.WithDefaults().Time) {
				t.Fatalf("due at %s, want %s", local, f.Time)
			}
			// Whenever one asks in between, the answer is the same.
			between := previous.Add(time.Duration(rapid.Int64Range(0, int64(due.Sub(previous))-1).Draw(t, "between")))
			if got := f.Next(between, anchor, zone); !got.Equal(due) {
				t.Fatalf("asked at %s: %s, want %s", between, got, due)
			}
			previous = due
		}
	})
}

// clockSkips tells whether no instant near due shows the given time on due's date.
func clockSkips(due time.Time, clock string) bool {
	for at := due.Add(-3 * time.Hour); at.Before(due.Add(3 * time.Hour)); at = at.Add(time.Minute) {
		if sameDate(at, due) && at.Format("15:04") == clock {
			return false
		}
	}
	return due.Add(-time.Second).Format("15:04") < clock || !sameDate(due.Add(-time.Second), due)
}

func sameDate(a, b time.Time) bool { return a.Format(time.DateOnly) == b.Format(time.DateOnly) }

func anyFrequency(t *rapid.T) Frequency {
	f := Frequency{
		Frequency: rapid.SampledFrom([]string{Daily, Weekly, Monthly}).Draw(t, "frequency"),
		Interval:  rapid.IntRange(0, 15).Draw(t, "interval"),
		Time:      time.Unix(60*rapid.Int64Range(0, 24*60-1).Draw(t, "minute"), 0).UTC().Format("15:04"),
	}
	last := map[string]int{Daily: 1, Weekly: 7, Monthly: 31}[f.Frequency]
	f.Positions = rapid.SliceOfN(rapid.IntRange(1, last), 0, 8).Draw(t, "positions")
	return f
}

func instant(t rapid.TB, s string) time.Time {
	t.Helper()
	at, err := time.Parse(time.RFC3339, s)
	if err != nil {
		t.Fatal(err)
	}
	return at
}

func location(t rapid.TB, name string) *time.Location {
	t.Helper()
	zone, err := time.LoadLocation(name)
	if err != nil {
		t.Fatal(err)
	}
	return zone
}

func BenchmarkNext(b *testing.B) {
	zone := location(b, "America/New_York")
	anchor := time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
	f := Frequency{Frequency: Monthly, Interval: 7, Positions: []int{1, 15}, Time: "10:00", Enable: true}
	after := anchor.AddDate(30, 0, 0)
	b.ReportAllocs()
	for b.Loop() {
		f.Next(after, anchor, zone)
	}
}
