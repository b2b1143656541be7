package location

import (
	"runtime"
	"testing"
	"time"
)

// What the search may cost. Best of several runs, because the machine has other work too.
const (
	maxLoad   = 300 * time.Millisecond
	maxSearch = 5 * time.Millisecond
	maxMemory = 40 << 20
)

// wide are queries with the most to rank: frequent beginnings, and the most ways to split.
var wide = []string{"sa", "ma", "ka", "la", "san", "santa", "sa, us", "san a", "sa c", "a a a a a a a a a a a a", "san jose de la"}

// Not parallel: nothing else may allocate while it measures.
func TestMemoryAndLoad(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector's own cost would be measured")
	}
	best := time.Hour
	for range 5 {
		start := time.Now()
		if _, err := read(packed); err != nil {
			t.Fatal(err)
		}
		best = min(best, time.Since(start))
	}
	before := heap()
	ix, err := read(packed)
	if err != nil {
		t.Fatal(err)
	}
	resident := heap() - before
	runtime.KeepAlive(ix)
	t.Logf("%d areas, %d cities, %d keys; file %.2f MB, loaded in %v, %.1f MB in memory",
		len(ix.Areas), ix.Cities(), ix.Keys(), float64(len(packed))/1e6, best, float64(resident)/1e6)
	if best > maxLoad || resident > maxMemory {
		t.Errorf("want at most %v and %d bytes", maxLoad, maxMemory)
	}
}

func heap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// Not parallel, as above.
func TestSearchIsQuick(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector's own cost would be measured")
	}
	Get(0)
	for _, query := range append(wide, "london", "portland oregon", "münchen, bayern, deutschland") {
		best := time.Hour
		for range 10 {
			start := time.Now()
			Search(query, MaxResults)
			best = min(best, time.Since(start))
		}
		t.Logf("%-28q %v", query, best)
		if best > maxSearch {
			t.Errorf("%q takes %v, want at most %v", query, best, maxSearch)
		}
	}
}

func BenchmarkLoad(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := read(packed); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkSearch(b *testing.B) {
	Get(0)
	for _, query := range []string{"london", "portland oregon", "sa", "a a a a a a a a a a a a"} {
		b.Run(query, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Search(query, MaxResults)
			}
		})
	}
}

func BenchmarkGet(b *testing.B) {
	Get(0)
	for b.Loop() {
		Get(2643743)
	}
}
