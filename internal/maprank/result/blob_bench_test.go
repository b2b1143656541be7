package result

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/trigpoint/trigpoint/internal/maprank/grid"
)

func TestStoredBytesAnObservation(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		businesses int
		most       float64
	}{{200, 1.2}, {2000, 2.1}} {
		points := market(21, tc.businesses)
		if got := float64(len(encode(t, points))) / (441 * 20); got > tc.most {
			t.Errorf("%d businesses: %.2f bytes an observation, want at most %.1f", tc.businesses, got, tc.most)
		}
	}
}

func TestReadingAllocatesNothing(t *testing.T) {
	for _, businesses := range []int{200, 2000} {
		blob := encode(t, market(21, businesses))
		var buffer [grid.MaxPoints]uint8
		if n := testing.AllocsPerRun(10, func() {
			stored, err := Open(blob)
			if err != nil {
				t.Fatal(err)
			}
			stored.Positions(buffer[:0], 3, 4)
			stored.Tally(3)
		}); n > 0 {
			t.Errorf("%d businesses: %v allocations", businesses, n)
		}
	}
}

func BenchmarkResult(b *testing.B) {
	for _, businesses := range []int{200, 2000} {
		points := market(21, businesses)
		blob := encode(b, points)
		run := func(name string, work func(Stored)) {
			b.Run(fmt.Sprintf("%s/%d", name, businesses), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					stored, err := Open(blob)
					if err != nil {
						b.Fatal(err)
					}
					work(stored)
				}
				b.ReportMetric(float64(len(blob))/(441*20), "B/observation")
			})
		}
		b.Run(fmt.Sprintf("encode/%d", businesses), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Encode(points); err != nil {
					b.Fatal(err)
				}
			}
		})
		var buffer [grid.MaxPoints]uint8
		run("open", func(Stored) {})
		run("positions", func(r Stored) { r.Positions(buffer[:0], 100) })
		run("tally", func(r Stored) { r.Tally(100) })
		run("tally all", func(r Stored) { _, _ = r.TallyAll() })
	}
}

// market makes what an n x n grid over a town sees: each point lists the 20 businesses that are near
// and well known, so neighbours see much the same.
func market(n, businesses int) []AtPoint {
	random := rand.New(rand.NewPCG(7, uint64(businesses)))
	type business struct{ x, y, fame float64 }
	town := make([]business, businesses)
	for i := range town {
		town[i] = business{random.Float64(), random.Float64(), random.ExpFloat64()}
	}
	points := make([]AtPoint, n*n)
	order := make([]uint16, businesses)
	score := make([]float64, businesses)
	for p := range points {
		x, y := float64(p%n)/float64(n-1), float64(p/n)/float64(n-1)
		for i, b := range town {
			order[i] = uint16(i)
			score[i] = math.Hypot(b.x-x, b.y-y) - 0.1*b.fame
		}
		slices.SortFunc(order, func(a, b uint16) int { return cmp.Compare(score[a], score[b]) })
		for _, i := range order[:MaxRank] {
			points[p].Ordinals = append(points[p].Ordinals, i+1)
		}
	}
	return points
}
