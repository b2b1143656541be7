package rankwatch

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/trigpoint/trigpoint/internal/rankwatch/series"
)

func TestRankHistoryJSON(t *testing.T) {
	t.Parallel()
	for want, h := range map[string]RankHistory{"[]": {}, "[1,null,100,null]": {1, 0, 100, series.NotChecked}} {
		if got, err := json.Marshal(h); err != nil || string(got) != want {
			t.Errorf("%v prints %s, %v; want %s", h, got, err, want)
		}
	}
}

func TestDaysWithoutACheckAreListed(t *testing.T) {
	t.Parallel()
	const no = series.NotChecked
	from, _ := series.ParseDay("2026-02-27")
	span := func(first, last int) DaySpan {
		return DaySpan{(from + series.Day(first)).String(), (from + series.Day(last)).String()}
	}
	tests := []struct {
		history []int16
		want    []DaySpan
	}{
		{[]int16{1, 0, 3, 4, 5}, []DaySpan{}},
		{[]int16{no, no, 3, no, 0}, []DaySpan{span(0, 1), span(3, 3)}},
		{[]int16{no, no, no, no, no}, []DaySpan{span(0, 4)}},
		{[]int16{1, 2, 3, 0, no}, []DaySpan{span(4, 4)}},
	}
	for _, tt := range tests {
		if got := notChecked(tt.history, from); !slices.Equal(got, tt.want) {
			t.Errorf("%v: %v, want %v", tt.history, got, tt.want)
		}
	}
}
