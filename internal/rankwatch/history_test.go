package rankwatch

import (
	"encoding/json"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestRankHistoryJSON(t *testing.T) {
	t.Parallel()
	for want, h := range map[string]RankHistory{"[]": {}, "[1,null,100,null]": {1, 0, 100, NotChecked}} {
		if got, err := json.Marshal(h); err != nil || string(got) != want {
			t.Errorf("%v prints %s, %v; want %s", h, got, err, want)
		}
	}
}

func TestDaysWithoutACheckAreListed(t *testing.T) {
	t.Parallel()
	const no = NotChecked
	from, _ := ParseDay("2026-02-27")
	span := func(first, last int) DaySpan {
		return DaySpan{(from + Day(first)).String(), (from + Day(last)).String()}
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

// Whatever was observed is read back by day, over months and years, and nothing else is.
func TestReadingFindsEveryObservationOfARange(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		first, _ := ParseDay("2024-11-20")
		observed := rapid.MapOfN(rapid.IntRange(0, 500), rapid.IntRange(0, 100), 1, 60).Draw(t, "ranks by day")
		var checks []PastCheck
		for offset, rank := range observed {
			checks = append(checks, PastCheck{Day: first + Day(offset), Observation: Observation{Rank: uint16(rank)}})
		}
		var state rankState
		_, rows, err := state.imported(checks, nil)
		if err != nil {
			t.Fatal(err)
		}
		var years []yearOf
		for _, row := range rows {
			years = append(years, row.yearOf)
		}
		from := first + Day(rapid.IntRange(0, 400).Draw(t, "from"))
		r := Range{from, from + Day(rapid.IntRange(0, 120).Draw(t, "days"))}
		view := newReading(r)
		k := trackedKeyword{month: state.month, chunk: state.chunk}
		if err := view.read(&k, years); err != nil {
			t.Fatal(err)
		}
		last := Day(0)
		for i, got := range view.ranks {
			day := r.From - BridgeDays + Day(i)
			rank, ok := observed[int(day-first)]
			if want := int16(rank); (ok && got != want) || (!ok && got != NotChecked) {
				t.Fatalf("%s: %d, observed %v %d", day, got, ok, rank)
			}
			if ok {
				last = day
			}
		}
		if last != 0 && view.lastDay != last {
			t.Fatalf("last %s, want %s", view.lastDay, last)
		}
	})
}

// Between the reading of a keyword and of its years its month may have been closed.
func TestAMonthThatIsClosedMeanwhileCountsOnce(t *testing.T) {
	t.Parallel()
	day, _ := ParseDay("2026-03-31")
	chunk := chunkWith(t, 31, 4)
	year, err := Year(nil).Set(3, chunk)
	if err != nil {
		t.Fatal(err)
	}
	k := trackedKeyword{month: 202603, chunk: chunk}
	checks, err := k.checks(Range{day - 1, day + 1}, []yearOf{{2026, year}}, nil)
	if err != nil || len(checks) != 1 || checks[0].Date != "2026-03-31" || *checks[0].Rank != 4 {
		t.Errorf("%+v, %v", checks, err)
	}
}

func TestImportKeepsWhatWasChecked(t *testing.T) {
	t.Parallel()
	day, _ := ParseDay("2026-02-27")
	var s rankState
	add := func(offset int, rank uint16) {
		_, rows, err := s.imported([]PastCheck{{Day: day + Day(offset), Observation: Observation{Rank: rank}, URL: "https://a/"}}, nil)
		if err != nil || (offset < 2 && len(rows) > 0) {
			t.Fatal(rows, err)
		}
	}
	add(0, 4)
	add(0, 9)
	if o, ok, err := (&trackedKeyword{chunk: s.chunk}).last(); err != nil || !ok || o.Rank != 4 || o.URL != 1 || *s.firstRank != 4 {
		t.Errorf("%+v, %v, first %v", o, err, s.firstRank)
	}
	add(2, 7) // in March
	if s.month != 202603 || s.chunk.Len() != 1 {
		t.Errorf("month %d has %d days", s.month, s.chunk.Len())
	}
}
