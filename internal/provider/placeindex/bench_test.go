package placeindex

import (
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/trigpoint/trigpoint/internal/geo"
)

const benchPlaces = 100_000

func benchIndex(b *testing.B) *Index {
	b.Helper()
	x := New(testCategories())
	if err := x.Load(sequence(NewMarket(1, benchPlaces).Drift(0))); err != nil {
		b.Fatal(err)
	}
	return x
}

func benchQueries() []string {
	return []string{
		"pizza", "coffee shop near me", "emergency plumber", "best dentist in decatur", "hair salon",
		"restaurant", "gym", "quillmere pizza", "italian restaurant atlanta", "car repair",
	}
}

// BenchmarkSearch asks on all cores, as workers do: queries/s is the figure to read.
func BenchmarkSearch(b *testing.B) {
	x := benchIndex(b)
	queries := benchQueries()
	b.ReportAllocs()
	b.ResetTimer()
	b.RunParallel(func(pb *testing.PB) {
		r := rand.New(rand.NewPCG(1, 2))
		for i := 0; pb.Next(); i++ {
			at := geo.Destination(MarketCenter(), r.Float64()*6, r.Float64()*10)
			if len(x.Search(queries[i%len(queries)], at, 20)) == 0 {
				b.Fail()
			}
		}
	})
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "searches/s")
}

// BenchmarkSearchEach tells the queries apart.
func BenchmarkSearchEach(b *testing.B) {
	x := benchIndex(b)
	for _, q := range benchQueries() {
		b.Run(q, func(b *testing.B) {
			for b.Loop() {
				x.Search(q, MarketCenter(), 20)
			}
		})
	}
}

// BenchmarkBuild makes the index of all places; resident-MB is what it keeps afterwards.
func BenchmarkBuild(b *testing.B) {
	places := NewMarket(1, benchPlaces).Drift(0)
	var x *Index
	before := heapBytes()
	for b.Loop() {
		x = New(testCategories())
		if err := x.Load(sequence(places)); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(heapBytes()-before)/1e6, "resident-MB")
	b.ReportMetric(float64(x.Snapshot().Bytes())/1e6, "counted-MB")
	runtime.KeepAlive(places)
}

// BenchmarkPut changes one place after another in a full index.
func BenchmarkPut(b *testing.B) {
	x := benchIndex(b)
	places := NewMarket(2, benchPlaces).Drift(0)
	i := 0
	for b.Loop() {
		if err := x.Put(places[i%len(places)]); err != nil {
			b.Fatal(err)
		}
		i++
	}
}

func heapBytes() int {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}
