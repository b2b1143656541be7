package alert

import (
	"testing"
	"time"
)

// Alerts come every hour for a year, in zones whose clocks change at different hours, also at midnight: every local day has its
// digest, every week its own, and none has two.
func TestAYearOfDigests(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "America/Santiago", "Asia/Kathmandu", "Africa/Cairo"} {
		zone, err := time.LoadLocation(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, hour := range []int{0, 1, 2, 3, 8, 23} {
			for _, pace := range []Pace{Daily, Weekly} {
				r := Rule{Pace: pace, Hour: hour, Weekday: int(time.Sunday)}
				days := map[string]int{}
				begin := time.Date(2026, 1, 1, 0, 30, 0, 0, time.UTC)
				var due time.Time // of what waits
				for now := begin; now.Before(begin.AddDate(1, 0, 0)); now = now.Add(time.Hour) {
					if !due.IsZero() && !due.After(now) {
						days[due.In(zone).Format(time.DateOnly)]++
						if told := due.In(zone); pace == Weekly && told.Weekday() != time.Sunday {
							t.Fatalf("%s: told on %s", name, told)
						}
						due = time.Time{}
					}
					if due.IsZero() {
						due = r.tellAt(now, zone)
					}
				}
				want := map[Pace][2]int{Daily: {364, 365}, Weekly: {51, 52}}[pace]
				if len(days) < want[0] || len(days) > want[1] {
					t.Errorf("%s, %s at %d: %d digests", name, pace, hour, len(days))
				}
				for day, n := range days {
					if n != 1 {
						t.Errorf("%s, %s at %d: %d digests on %s", name, pace, hour, n, day)
					}
				}
				checkNoneMissed(t, name, pace, days)
			}
		}
	}
}

func checkNoneMissed(t *testing.T, zone string, pace Pace, days map[string]int) {
	t.Helper()
	for day := time.Date(2026, 1, 5, 0, 0, 0, 0, time.UTC); day.Year() == 2026 && day.YearDay() < 360; day = day.AddDate(0, 0, 1) {
		if (pace == Daily || day.Weekday() == time.Sunday) && days[day.Format(time.DateOnly)] == 0 {
			t.Errorf("%s, %s: none on %s", zone, pace, day.Format(time.DateOnly))
		}
	}
}
