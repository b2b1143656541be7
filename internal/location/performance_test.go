package location

import (
	"runtime"
	"testing"
)

// maxMemory is what the index may hold for as long as the program runs.
const maxMemory = 40 << 20

// Not parallel: nothing else may allocate while it measures.
func TestMemory(t *testing.T) {
	before := heap()
	ix, err := read(packed)
	if err != nil {
		t.Fatal(err)
	}
	resident := heap() - before
	runtime.KeepAlive(ix)
	t.Logf("%d areas, %d cities, %d keys; file %.2f MB, %.1f MB in memory",
		len(ix.Areas), ix.Cities(), ix.Keys(), float64(len(packed))/1e6, float64(resident)/1e6)
	if resident < int64(len(packed)) || resident > maxMemory {
		t.Errorf("%d bytes in memory, want at most %d", resident, maxMemory)
	}
}

func heap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

func BenchmarkLoad(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := read(packed); err != nil {
			b.Fatal(err)
		}
	}
}

// Besides two plain ones, those with the most to rank: frequent beginnings, and the most ways to split.
func BenchmarkSearch(b *testing.B) {
	Get(0)
	for _, query := range []string{"london", "portland oregon", "sa", "sa, us", "san jose de la", "a a a a a a a a a a a a"} {
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
