package series

import (
	"math/rand/v2"
	"testing"
)

// month draws a lively month: the rank wanders daily, features flip every third day, the URL changes
// now and then.
func month(tb testing.TB, r *rand.Rand, days int) Chunk {
	tb.Helper()
	var c Chunk
	o := Observation{Rank: uint16(1 + r.IntN(90)), Features: SimilarQuestions | LocalPack}
	for day := 1; day <= days; day++ {
		o.Rank = uint16(min(max(int(o.Rank)+r.IntN(5)-2, 1), 100))
		if r.IntN(3) == 0 {
			o.Features ^= 1 << r.IntN(9)
		}
		if r.IntN(12) == 0 {
			o.URL = uint16(r.IntN(4))
		}
		var err error
		if c, err = c.Set(day, o); err != nil {
			tb.Fatal(err)
		}
	}
	return c
}

func TestALivelyMonthIsSmall(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 1))
	size, days := 0, 0
	for range 200 {
		c := month(t, r, 30)
		size, days = size+len(c), days+30
	}
	if perDay := float64(size) / float64(days); perDay > 3 {
		t.Errorf("%.2f bytes a day, want at most 3 to leave room for the row", perDay)
	} else {
		t.Logf("%.2f bytes a day", perDay)
	}
}

// BenchmarkReadYear reads a year of 1,000 keywords.
func BenchmarkReadYear(b *testing.B) {
	const keywords = 1000
	random := rand.New(rand.NewPCG(1, 1))
	all := make([]History, keywords)
	for i := range all {
		months := map[Month]Chunk{}
		for m := Month(202501); m <= 202512; m++ {
			months[m] = month(b, random, 28)
		}
		var err error
		if all[i], err = NewHistory(months); err != nil {
			b.Fatal(err)
		}
	}
	view := NewReader(Range{Month(202501).First(), Month(202512).Day(31)})
	b.ReportAllocs()
	for b.Loop() {
		for _, h := range all {
			if err := view.Read(h); err != nil {
				b.Fatal(err)
			}
		}
		if view.LastDay != Month(202512).Day(28) {
			b.Fatal("checks lost")
		}
	}
}

func BenchmarkDecode12000Chunks(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 1))
	chunks := make([]Chunk, 12_000)
	for i := range chunks {
		chunks[i] = month(b, r, 30)
	}
	b.ReportAllocs()
	for b.Loop() {
		sum := 0
		for _, c := range chunks {
			if err := c.Each(func(_ int, o Observation) { sum += int(o.Rank) }); err != nil {
				b.Fatal(err)
			}
		}
		if sum == 0 {
			b.Fatal("nothing decoded")
		}
	}
}

func BenchmarkSet(b *testing.B) {
	c := month(b, rand.New(rand.NewPCG(1, 1)), 30)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := c.Set(31, Observation{Rank: 3}); err != nil {
			b.Fatal(err)
		}
	}
}
