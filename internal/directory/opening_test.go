package directory

import (
	"testing"
	"time"
)

// Sentences are true in the business's own time: over midnight, on special days, when the clocks change.
func TestOpeningAt(t *testing.T) {
	t.Parallel()
	zone, err := time.LoadLocation("America/New_York")
	if err != nil {
		t.Fatal(err)
	}
	always := Ranges{{"00:00", "00:00"}}
	deli := Profile{
		BusinessHours: &Week{
			Monday: Ranges{{"09:00", "12:00"}, {"13:00", "17:00"}}, Tuesday: Ranges{{"09:00", "17:00"}}, Friday: Ranges{{"18:00", "02:00"}}, Saturday: Ranges{{"22:00", "04:00"}},
		},
		SpecialHours: []SpecialDay{
			{Type: Closed, Day: "2026-11-24"}, {Type: OpenedAllDay, Day: "2026-11-25"}, {Type: RangeHours, Day: "2026-11-26", Times: Ranges{{"10:00", "11:00"}}},
		},
	}
	closedForLonger := deli
	closedForLonger.ReopenDate = "2026-12-03"
	for _, c := range []struct {
		name    string
		profile Profile
		now     string
		want    string
		open    bool
		changes string
	}{
		{"in the morning", deli, "2026-11-16 10:30", "Open now until 12:00", true, "2026-11-16 12:00"},
		{"at noon", deli, "2026-11-16 12:00", "Closed · opens 13:00", false, "2026-11-16 13:00"},
		{"in the evening", deli, "2026-11-16 17:00", "Closed · opens tomorrow 09:00", false, "2026-11-17 00:00"},
		{"days before", deli, "2026-11-18 08:00", "Closed · opens Friday 18:00", false, "2026-11-19 00:00"},
		{"after midnight", deli, "2026-11-21 01:59", "Open now until 02:00", true, "2026-11-21 02:00"},
		{"before midnight", deli, "2026-11-20 23:00", "Open now until 02:00", true, "2026-11-21 00:00"},
		{"a special day is closed", deli, "2026-11-24 10:00", "Closed · opens tomorrow 00:00", false, "2026-11-25 00:00"},
		{"a special day is open throughout", deli, "2026-11-25 22:00", "Open now until 00:00", true, "2026-11-26 00:00"},
		{"a special day has hours of its own", deli, "2026-11-26 10:30", "Open now until 11:00", true, "2026-11-26 11:00"},
		{"closed for longer", closedForLonger, "2026-11-16 10:30", "Temporarily closed · reopens 3 December", false, "2026-11-17 00:00"},
		{"open again", closedForLonger, "2026-12-07 10:00", "Open now until 12:00", true, "2026-12-07 12:00"},
		{"always", Profile{BusinessHours: &Week{always, always, always, always, always, always, always}}, "2026-11-16 10:00", "Open 24 hours", true, "2026-11-17 00:00"},
		{"never", Profile{BusinessHours: &Week{}}, "2026-11-16 10:00", "Closed", false, "2026-11-17 00:00"},
		{"far ahead", Profile{BusinessHours: &Week{}, SpecialHours: []SpecialDay{{Type: OpenedAllDay, Day: "2026-12-01"}}}, "2026-11-16 10:00", "Closed · opens 1 December, 00:00", false, "2026-11-17 00:00"},
		{"the night that is an hour shorter", deli, "2026-03-08 03:30", "Open now until 04:00", true, "2026-03-08 04:00"},
	} {
		now, err := time.ParseInLocation("2006-01-02 15:04", c.now, zone)
		if err != nil {
			t.Fatal(err)
		}
		got, ok := c.profile.OpeningAt(now)
		if !ok || got.Sentence != c.want || got.Open != c.open || got.Changes.Format("2006-01-02 15:04") != c.changes {
			t.Errorf("%s: %q, open %t, until %s", c.name, got.Sentence, got.Open, got.Changes)
		}
	}
	if _, ok := (&Profile{}).OpeningAt(sunday); ok {
		t.Error("a business without hours is said to be open or closed")
	}
}

func TestHolidaysHaveNames(t *testing.T) {
	t.Parallel()
	for day, want := range map[string]string{"2026-11-26": "Thanksgiving", "2026-11-19": "", "2026-07-04": "Independence Day", "2026-12-25": "Christmas Day"} {
		at, err := time.Parse(time.DateOnly, day)
		if err != nil {
			t.Fatal(err)
		}
		if got := holiday(at, "US"); got != want {
			t.Errorf("%s is %q", day, got)
		}
	}
}
