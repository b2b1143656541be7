package geo_test

import (
	"math"
	"testing"

	"github.com/trigpoint/trigpoint/internal/geo"
	"pgregory.net/rapid"
)

var decatur = geo.Point{Lat: 33.7744675, Lng: -84.29508709999999}

func TestDistance(t *testing.T) {
	t.Parallel()
	quarter := math.Pi / 2 * geo.EarthRadiusKM
	for _, tc := range []struct {
		name string
		a, b geo.Point
		km   float64
		off  float64
	}{
		{"to itself", decatur, decatur, 0, 0},
		{"one degree of the equator", geo.Point{}, geo.Point{Lng: 1}, quarter / 90, 1e-9},
		{"equator to pole", geo.Point{Lng: 77}, geo.Point{Lat: 90, Lng: -3}, quarter, 1e-9},
		{"over the antimeridian", geo.Point{Lng: 179.5}, geo.Point{Lng: -179.5}, quarter / 90, 1e-9},
		{"antipodes, where haversine is weakest", geo.Point{Lat: 12, Lng: 34}, geo.Point{Lat: -12, Lng: -146}, 2 * quarter, 1e-3},
		{"Paris to New York", geo.Point{Lat: 48.8566, Lng: 2.3522}, geo.Point{Lat: 40.7128, Lng: -74.0060}, 5837, 1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			if got := geo.Distance(tc.a, tc.b); math.Abs(got-tc.km) > tc.off {
				t.Errorf("Distance = %v, want %v", got, tc.km)
			}
		})
	}
}

func TestDestination(t *testing.T) {
	t.Parallel()
	degree := math.Pi / 180 * geo.EarthRadiusKM
	north, east, south := 0.0, math.Pi/2, math.Pi
	for _, tc := range []struct {
		name    string
		from    geo.Point
		bearing float64
		km      float64
		want    geo.Point
	}{
		{"nowhere", decatur, 1, 0, decatur},
		{"east over the antimeridian", geo.Point{Lng: 179.5}, east, degree, geo.Point{Lng: -179.5}},
		{"west over the antimeridian", geo.Point{Lng: -179.5}, -east, degree, geo.Point{Lng: 179.5}},
		{"north over the pole", geo.Point{Lat: 89.5, Lng: 10}, north, degree, geo.Point{Lat: 89.5, Lng: -170}},
		{"south over the pole", geo.Point{Lat: -89.5, Lng: -10}, south, degree, geo.Point{Lat: -89.5, Lng: 170}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			got := geo.Destination(tc.from, tc.bearing, tc.km)
			if !near(got, tc.want, 1e-9) {
				t.Errorf("Destination = %v, want %v", got, tc.want)
			}
		})
	}
}

func TestDestinationIsThatFarAway(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		from := anyPoint(t)
		km := rapid.Float64Range(0, 1000).Draw(t, "km")
		to := geo.Destination(from, rapid.Float64Range(-math.Pi, math.Pi).Draw(t, "bearing"), km)
		if !to.Valid() {
			t.Fatalf("%v is not a valid point", to)
		}
		if got := geo.Distance(from, to); math.Abs(got-km) > 1e-6 {
			t.Fatalf("%v is %v km from %v, want %v", to, got, from, km)
		}
	})
}

func TestValid(t *testing.T) {
	t.Parallel()
	for p, want := range map[geo.Point]bool{
		{}:                      true,
		{Lat: 90, Lng: 180}:     true,
		{Lat: -90, Lng: -180}:   true,
		{Lat: 90.0001}:          false,
		{Lng: -180.0001}:        false,
		{Lat: math.NaN()}:       false,
		{Lng: math.Inf(1)}:      false,
		{Lat: 45, Lng: 179.999}: true,
	} {
		if p.Valid() != want {
			t.Errorf("%v valid = %v, want %v", p, !want, want)
		}
	}
}

func near(a, b geo.Point, degrees float64) bool {
	return math.Abs(a.Lat-b.Lat) <= degrees && math.Abs(a.Lng-b.Lng) <= degrees
}

func anyPoint(t *rapid.T) geo.Point {
	return geo.Point{
		Lat: rapid.Float64Range(-90, 90).Draw(t, "lat"),
		Lng: rapid.Float64Range(-180, 180).Draw(t, "lng"),
	}
}
