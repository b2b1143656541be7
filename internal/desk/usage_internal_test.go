package desk

import (
	"testing"
	"time"
)

func TestWhenAMonthRunsOut(t *testing.T) {
	t.Parallel()
	at := func(text string) time.Time {
		parsed, err := time.Parse(time.RFC3339, text)
		if err != nil {
			t.Fatal(err)
		}
		return parsed
	}
	for name, c := range map[string]struct {
		used, limit int64
		now, want   string // "" lasts
	}{
		"nothing spent":                       {0, 1000, "2026-11-10T12:00:00Z", ""},
		"nothing spent of nothing":            {0, 0, "2026-11-10T12:00:00Z", ""},
		"all spent":                           {1000, 1000, "2026-11-10T12:00:00Z", "2026-11-10T12:00:00Z"},
		"more spent than a lower plan allows": {1500, 1000, "2026-11-10T12:00:00Z", "2026-11-10T12:00:00Z"},
		"a tenth on each of five days":        {500, 1000, "2026-11-05T12:00:00Z", "2026-11-10T12:00:00Z"},
		"half on the first day, early":        {500, 1000, "2026-11-01T00:00:01Z", "2026-11-02T00:00:01Z"},
		"a little on the first day":           {10, 1000, "2026-11-01T12:00:00Z", ""},
		"just until the month ends":           {500, 1000, "2026-11-15T23:59:59Z", "2026-11-30T23:59:59Z"},
		"a little less":                       {499, 1000, "2026-11-15T23:59:59Z", ""},
		"the last day of a year":              {999, 1000, "2026-12-31T23:00:00Z", "2026-12-31T23:44:41Z"},
	} {
		use := newMonthlyUse(c.used, c.limit, at(c.now))
		got := ""
		if use.RunsOutAt != nil {
			got = use.RunsOutAt.Format(time.RFC3339)
		}
		if got != c.want {
			t.Errorf("%s: it runs out at %q, want %q", name, got, c.want)
		}
		if r := use.ResetsAt; r.Day() != 1 || !r.After(at(c.now)) || r.Sub(at(c.now)) > 31*24*time.Hour {
			t.Errorf("%s: it starts anew at %s", name, r)
		}
	}
}
