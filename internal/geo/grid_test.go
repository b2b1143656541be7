package geo_test

import (
	"math"
	"testing"

	"github.com/trigpoint/trigpoint/internal/geo"
	"pgregory.net/rapid"
)

func TestGridOfThePublishedExample(t *testing.T) {
	t.Parallel()
	grid := geo.Grid(decatur, 5, 1.5)
	if len(grid) != 25 {
		t.Fatalf("%d points, want 25", len(grid))
	}
	for index, want := range map[int]geo.Point{
		0:  {Lat: 33.760976614131074, Lng: -84.31131325078074},
		1:  {Lat: 33.760977410466175, Lng: -84.30320017544062},
		12: decatur,
	} {
		if !near(grid[index], want, 1e-9) {
			t.Errorf("point %d = %v, want %v", index, grid[index], want)
		}
	}
	if grid[12] != decatur {
		t.Errorf("the middle is %v, want the base itself", grid[12])
	}
}

func TestGridRunsEastwardThenNorthward(t *testing.T) {
	t.Parallel()
	const n = 7
	grid := geo.Grid(decatur, n, 3)
	for i := range grid {
		if i%n > 0 && grid[i].Lng <= grid[i-1].Lng {
			t.Errorf("point %d is not east of point %d", i, i-1)
		}
		if i >= n && grid[i].Lat <= grid[i-n].Lat {
			t.Errorf("point %d is not north of point %d", i, i-n)
		}
	}
}

func TestGridSizes(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]int{-1: 0, 0: 0, 1: 1, 3: 9, 21: 441} {
		if got := len(geo.Grid(decatur, n, 2)); got != want {
			t.Errorf("%dx%d has %d points, want %d", n, n, got, want)
		}
	}
	if one := geo.Grid(decatur, 1, 2); one[0] != decatur {
		t.Errorf("1x1 is at %v, want the base", one[0])
	}
}

// The destination of each offset is checked by the inverse: how far and in which direction it lies.
func TestGridPointsLieAtTheirOffsets(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		base := anyPoint(t)
		n := 2*rapid.IntRange(1, 10).Draw(t, "half") + 1
		distance := rapid.Float64Range(0.05, 257).Draw(t, "km")
		step := 2 * distance / float64(n-1)
		for i, p := range geo.Grid(base, n, distance) {
			if !p.Valid() {
				t.Fatalf("point %d = %v is not valid", i, p)
			}
			dx := float64(i%n)*step - distance
			dy := float64(i/n)*step - distance
			if got := geo.Distance(base, p); math.Abs(got-math.Hypot(dx, dy)) > 1e-6 {
				t.Fatalf("point %d is %v km away, want %v", i, got, math.Hypot(dx, dy))
			}
			if math.Abs(base.Lat) > 89 || math.Hypot(dx, dy) < 0.01 {
				continue // no bearing to speak of
			}
			if off := angleBetween(bearing(base, p), math.Atan2(dx, dy)); off > 1e-6 {
				t.Fatalf("point %d is %v rad off its bearing", i, off)
			}
		}
	})
}

// bearing is the initial direction from a to b by the textbook formula.
func bearing(a, b geo.Point) float64 {
	lat1, lat2, dLng := a.Lat*math.Pi/180, b.Lat*math.Pi/180, (b.Lng-a.Lng)*math.Pi/180
	return math.Atan2(math.Sin(dLng)*math.Cos(lat2),
		math.Cos(lat1)*math.Sin(lat2)-math.Sin(lat1)*math.Cos(lat2)*math.Cos(dLng))
}

func angleBetween(a, b float64) float64 { return math.Abs(math.Remainder(a-b, 2*math.Pi)) }

func BenchmarkGrid21x21(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		geo.Grid(decatur, 21, 10)
	}
}
