package rankwatch

import (
	"testing"

	"github.com/trigpoint/trigpoint/internal/errs"
	"github.com/trigpoint/trigpoint/internal/rankwatch/series"
)

func TestRanges(t *testing.T) {
	t.Parallel()
	today, _ := series.ParseDay("2026-03-31")
	tests := []struct {
		from, to string
		want     string // from..to, or the field that is at fault
	}{
		{"", "", "2026-03-02..2026-03-31"},
		{"2026-03-31", "", "2026-03-31..2026-03-31"},
		{"", "2026-01-10", "2025-12-12..2026-01-10"},
		{"2026-01-01T10:00:00Z", "2026-01-31T00:00:00.000Z", "2026-01-01..2026-01-31"},
		{"2025-02-25", "2026-03-31", "2025-02-25..2026-03-31"}, // 400 days
		{"2025-02-24", "2026-03-31", "from"},
		{"2026-03-01", "2027-01-01", "2026-03-01..2026-03-31"}, // the future is cut off
		{"2026-04-01", "2026-04-30", "from"},
		{"2026-03-02", "2026-03-01", "from"},
		{"yesterday", "2026-02-30", "to from"},
		{"0001-01-01", "", "from"},
		{"2026-3-1", "", "from"},
	}
	for _, tt := range tests {
		var problems errs.Problems
		r := readRange(&problems, tt.from, tt.to, today)
		got := r.From.String() + ".." + r.To.String()
		if len(problems) > 0 {
			got = ""
			for _, p := range problems {
				got += " " + p.Field
			}
			got = got[1:]
		}
		if got != tt.want {
			t.Errorf("%q to %q: %s, want %s (%v)", tt.from, tt.to, got, tt.want, problems)
		}
	}
}
