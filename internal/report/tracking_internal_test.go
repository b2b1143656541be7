package report

import (
	"testing"
	"time"

	"github.com/trigpoint/trigpoint/internal/rankwatch"
)

// One check has nothing to be compared with, though the days after it have its ranks.
func TestATrackingOfOneCheckIsNotCompared(t *testing.T) {
	t.Parallel()
	day := time.Date(2026, 11, 14, 0, 0, 0, 0, time.UTC)
	p := &rankwatch.Period{
		Trend:    rankwatch.Trend{Days: []rankwatch.PeriodDay{{Day: day}, {Day: day.AddDate(0, 0, 1)}}},
		Keywords: []rankwatch.PeriodKeyword{{Text: "deli", Checked: true}, {Text: "寿司"}},
	}
	summary := trackingSummary(p)
	for _, f := range summary.Figures {
		if f.Change.Text != "" {
			t.Errorf("%s is said to have changed: %s", f.Name, f.Change)
		}
	}
	if columns := summary.Tables[0].Columns; len(columns) != 2 {
		t.Errorf("ranks are counted for %v", columns)
	}
	for i, want := range [][3]string{{"–", "not found", ""}, {"–", "–", ""}} {
		row := trackedTable(p.Keywords).Rows[i]
		if got := [3]string{row[1].Text, row[2].Text, row[3].Text}; got != want {
			t.Errorf("%s: %q, not %q", row[0].Text, got, want)
		}
	}
	p.Keywords[0].Compared = true
	if got := trackedTable(p.Keywords).Rows[0][3].Text; got != "as before" {
		t.Errorf("after two checks: %q", got)
	}
}
