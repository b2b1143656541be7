package series

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"
)

// historyOf has the ranks of these days, counted from the first.
func historyOf(t rapid.TB, first Day, ranks map[int]int) History {
	t.Helper()
	months := map[Month]Chunk{}
	for offset, rank := range ranks {
		day := first + Day(offset)
		var err error
		if months[day.Month()], err = months[day.Month()].Set(day.InMonth(), Observation{Rank: uint16(rank)}); err != nil {
			t.Fatal(err)
		}
	}
	h, err := NewHistory(months)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// Whatever was observed is read back by day, over months and years, and nothing else is.
func TestReaderFindsEveryObservationOfARange(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		first, _ := ParseDay("2024-11-20")
		observed := rapid.MapOfN(rapid.IntRange(0, 500), rapid.IntRange(0, 100), 1, 60).Draw(t, "ranks by day")
		history := historyOf(t, first, observed)
		from := first + Day(rapid.IntRange(0, 400).Draw(t, "from"))
		r := Range{from, from + Day(rapid.IntRange(0, 120).Draw(t, "days"))}
		view := NewReader(r)
		if err := view.Read(history); err != nil {
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
		if last != 0 && view.LastDay != last {
			t.Fatalf("last %s, want %s", view.LastDay, last)
		}
	})
}

// A history that is cut is the one that had no later checks, and its years can be written over the others.
func TestUntilLeavesWhatWasBefore(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		first, _ := ParseDay("2024-11-20")
		ranks := rapid.MapOfN(rapid.IntRange(0, 800), rapid.IntRange(0, 100), 1, 40).Draw(t, "ranks by day")
		end := rapid.IntRange(-1, 800).Draw(t, "last day")
		whole := historyOf(t, first, ranks)
		cut, err := whole.Until(first + Day(end))
		if err != nil {
			t.Fatal(err)
		}
		earlier, last := map[int]int{}, Day(0)
		for offset, rank := range ranks {
			if offset <= end {
				earlier[offset], last = rank, max(last, first+Day(offset))
			}
		}
		want := historyOf(t, first, earlier)
		if fmt.Sprint(cut) != fmt.Sprint(want) {
			t.Fatalf("%v, want %v", cut, want)
		}
		if _, lastDay, err := cut.Ends(); err != nil || lastDay != last {
			t.Fatalf("ends on %s, want %s: %v", lastDay, last, err)
		}
		stored := map[int]string{}
		for _, y := range append(whole.Years, cut.YearsChangedFrom(&whole)...) {
			stored[y.Number] = string(y.Year)
		}
		for _, y := range cut.Years {
			if stored[y.Number] != string(y.Year) {
				t.Fatalf("%d is not stored", y.Number)
			}
			delete(stored, y.Number)
		}
		for number, year := range stored {
			if year != "" {
				t.Fatalf("%d is still stored", number)
			}
		}
	})
}
