package series

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestDayOfAMoment(t *testing.T) {
	t.Parallel()
	east := time.FixedZone("east", 9*60*60)
	tests := []struct {
		at   time.Time
		want string
	}{
		{time.Date(2026, 3, 31, 23, 59, 59, 999_999_000, time.UTC), "2026-03-31"},
		{time.Date(2026, 4, 1, 0, 0, 0, 0, time.UTC), "2026-04-01"},
		{time.Date(2026, 4, 1, 8, 59, 0, 0, east), "2026-03-31"}, // still the day before in UTC
		{time.Date(2024, 2, 29, 12, 0, 0, 0, time.UTC), "2024-02-29"},
		{time.Date(1969, 12, 31, 23, 0, 0, 0, time.UTC), "1969-12-31"},
	}
	for _, tt := range tests {
		if got := DayOf(tt.at).String(); got != tt.want {
			t.Errorf("%s is on %s, want %s", tt.at, got, tt.want)
		}
	}
}

func TestDaysMonthsAndCalendarAgree(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		at := time.Unix(rapid.Int64Range(0, 4_000_000_000).Draw(t, "seconds"), 0).UTC()
		d := DayOf(at)
		if d.String() != at.Format(time.DateOnly) || d.Month().Year() != at.Year() || d.Month().InYear() != int(at.Month()) {
			t.Fatalf("%s: %s of %d", at, d, d.Month())
		}
		if inMonth := int(d-d.Month().First()) + 1; inMonth != at.Day() {
			t.Fatalf("%s is day %d of its month", at, inMonth)
		}
		if back, err := ParseDay(d.String()); err != nil || back != d {
			t.Fatalf("%s reads back as %s, %v", d, back, err)
		}
		if start := d.Start(); start.After(at) || at.Sub(start) >= 24*time.Hour {
			t.Fatalf("%s starts at %s", at, start)
		}
	})
}

func TestDatesOfARange(t *testing.T) {
	t.Parallel()
	from, _ := ParseDay("2024-02-28")
	if got := (Range{from, from + 2}).Dates(); !slices.Equal(got, []string{"2024-02-28", "2024-02-29", "2024-03-01"}) {
		t.Errorf("got %v", got)
	}
}
