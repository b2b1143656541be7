package rankwatch

import (
	"testing"

	"github.com/trigpoint/trigpoint/internal/rankwatch/series"
)

func TestImportKeepsWhatWasChecked(t *testing.T) {
	t.Parallel()
	day, _ := series.ParseDay("2026-02-27")
	var s rankState
	add := func(offset int, rank uint16) {
		years, _, err := s.importChecks([]PastCheck{{Day: day + series.Day(offset), Observation: series.Observation{Rank: rank}, URL: "https://a/"}}, nil)
		if err != nil || (offset < 2 && len(years) > 0) {
			t.Fatal(years, err)
		}
	}
	add(0, 4)
	add(0, 9)
	if o, ok, err := s.last(); err != nil || !ok || o.Rank != 4 || o.URL != 1 || *s.firstRank != 4 {
		t.Errorf("%+v, %v, first %v", o, err, s.firstRank)
	}
	add(2, 7) // in March
	if s.month != 202603 || s.chunk.Len() != 1 {
		t.Errorf("month %d has %d days", s.month, s.chunk.Len())
	}
}
