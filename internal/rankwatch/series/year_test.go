package series

import (
	"bytes"
	"errors"
	"maps"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func chunkWith(t rapid.TB, day int, rank uint16) Chunk {
	t.Helper()
	c, err := Chunk(nil).Set(day, Observation{Rank: rank})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestYearHoldsWhatWasSet(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var y Year
		want := map[int]Chunk{}
		for range rapid.IntRange(0, 20).Draw(t, "sets") {
			month := rapid.IntRange(1, 12).Draw(t, "month")
			c := chunkWith(t, rapid.IntRange(1, 28).Draw(t, "day"), uint16(rapid.IntRange(0, MaxRank).Draw(t, "rank")))
			former := bytes.Clone(y)
			next, err := y.Set(month, c)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(former, y) {
				t.Fatal("Set changed the former year")
			}
			y, want[month] = next, c
		}
		var months []int
		err := y.Each(func(month int, c Chunk) {
			months = append(months, month)
			if !bytes.Equal(c, want[month]) {
				t.Fatalf("month %d: %x, want %x", month, c, want[month])
			}
		})
		if err != nil || !slices.Equal(months, slices.Sorted(maps.Keys(want))) {
			t.Fatalf("months %v, want %v (%v)", months, want, err)
		}
		for month := range 14 {
			if c, err := y.Get(month); err != nil || !bytes.Equal(c, want[month]) {
				t.Fatalf("month %d: %x, %v", month, c, err)
			}
		}
	})
}

func TestYearRefusesWhatItCannotHold(t *testing.T) {
	t.Parallel()
	c := chunkWith(t, 1, 1)
	for month, chunk := range map[int]Chunk{0: c, 13: c, 5: nil} {
		if y, err := Year(nil).Set(month, chunk); err == nil {
			t.Errorf("month %d accepted as %x", month, y)
		}
	}
}

func FuzzYear(f *testing.F) {
	good, err := Year(nil).Set(3, Chunk{1, 2, 0, 0, 0, 6})
	if err != nil {
		f.Fatal(err)
	}
	f.Add([]byte(nil))
	f.Add([]byte(good))
	f.Add([]byte{3, 200})
	f.Add([]byte{2, 1, 0, 1, 1, 0})
	f.Fuzz(func(t *testing.T, data []byte) {
		y := Year(data)
		chunks := map[int]Chunk{}
		if err := y.Each(func(month int, c Chunk) { chunks[month] = c }); err != nil {
			if !errors.Is(err, ErrCorrupt) {
				t.Fatalf("%v is not ErrCorrupt", err)
			}
			return
		}
		again := Year(nil)
		for _, month := range slices.Sorted(maps.Keys(chunks)) {
			again = again.with(month, chunks[month])
		}
		// A length may be written in more bytes than it needs; nothing else may differ.
		if len(again) > len(y) {
			t.Fatalf("%x reads as %x", data, again)
		}
	})
}
