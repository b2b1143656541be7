package geo_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/ringsaturn/tzf"
	tzfrellite "github.com/ringsaturn/tzf-rel-lite"
	tzfpb "github.com/ringsaturn/tzf/gen/go/tzf/v1"
	"github.com/trigpoint/trigpoint/internal/geo"
	"google.golang.org/protobuf/proto"
)

func TestZoneAndCountryOfPlaces(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		place         string
		lat, lng      float64
		zone, country string
	}{
		{"Decatur, Georgia", decatur.Lat, decatur.Lng, "America/New_York", "US"},
		{"London", 51.5074, -0.1278, "Europe/London", "GB"},
		{"Kathmandu", 27.7172, 85.3240, "Asia/Kathmandu", "NP"},
		{"Lord Howe Island", -31.5553, 159.0821, "Australia/Lord_Howe", "AU"},
		{"Oslo", 59.9139, 10.7522, "Europe/Oslo", "NO"},
		{"Bratislava, by two borders", 48.1486, 17.1077, "Europe/Bratislava", "SK"},
		{"Detroit, opposite Windsor", 42.3314, -83.0458, "America/Detroit", "US"},
		{"Windsor, opposite Detroit", 42.3000, -83.0167, "America/Toronto", "CA"},
		{"El Paso", 31.7900, -106.4420, "America/Denver", "US"},
		{"Lesotho, inside South Africa", -29.3151, 27.4869, "Africa/Maseru", "LS"},
		{"Vatican City, inside Rome", 41.9022, 12.4534, "Europe/Vatican", "VA"},
		{"Honolulu", 21.3069, -157.8583, "Pacific/Honolulu", "US"},
		{"Taveuni, Fiji, past the antimeridian", -16.8500, -179.9700, "Pacific/Fiji", "FJ"},
		{"South Pole station", -90, 0, "Antarctica/McMurdo", "AQ"},
		{"North Pole", 90, 0, "Etc/GMT", ""},
		{"mid Atlantic", 30, -45, "Etc/GMT+3", ""},
		{"mid Indian Ocean", -20, 75.5, "Etc/GMT-5", ""},
		{"antimeridian from the west", 30, 180, "Etc/GMT-12", ""},
		{"antimeridian from the east", 30, -180, "Etc/GMT+12", ""},
		{"no place at all", math.NaN(), math.NaN(), "Etc/GMT", ""},
		{"off the map", 100, 500, "Etc/GMT", ""},
	} {
		t.Run(tc.place, func(t *testing.T) {
			t.Parallel()
			p := geo.Point{Lat: tc.lat, Lng: tc.lng}
			zone, name := geo.ZoneAt(p)
			if name != tc.zone || zone.String() != tc.zone {
				t.Errorf("zone = %s (%s), want %s", name, zone, tc.zone)
			}
			country, ok := geo.CountryAt(p)
			if country != tc.country || ok != (tc.country != "") {
				t.Errorf("country = %q, %v, want %q", country, ok, tc.country)
			}
		})
	}
}

func TestNauticalZonesFollowTheSun(t *testing.T) {
	t.Parallel()
	zone, _ := geo.ZoneAt(geo.Point{Lat: 30, Lng: -45})
	if _, offset := time.Date(2026, 7, 1, 0, 0, 0, 0, zone).Zone(); offset != -3*60*60 {
		t.Errorf("45 degrees west is %d s from UTC, want three hours behind", offset)
	}
}

// tzf's index of map tiles was made from the same boundaries by another program; it is silent where a
// tile has a border in it.
func TestZonesAgreeWithTheTilesOfTzf(t *testing.T) {
	t.Parallel()
	var index tzfpb.PreindexTimezones
	if err := proto.Unmarshal(tzfrellite.PreindexData, &index); err != nil {
		t.Fatal(err)
	}
	tiles, err := tzf.NewFuzzyFinderFromPB(&index)
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(1, 2))
	const points = 2000
	compared, land := 0, 0
	for range points {
		// Uniform on the sphere.
		p := geo.Point{Lat: math.Asin(2*random.Float64()-1) * 180 / math.Pi, Lng: 360*random.Float64() - 180}
		want := tiles.GetTimezoneName(p.Lng, p.Lat)
		if want == "" {
			continue
		}
		compared++
		if geo.KnowsCountryOf(want) {
			land++
		}
		if _, got := geo.ZoneAt(p); got != want {
			t.Errorf("%v: %s, the tile says %s", p, got, want)
		}
	}
	if compared < points*4/5 || land < points/5 {
		t.Errorf("only %d points compared, %d on land: a poor sample", compared, land)
	}
}

func TestEveryZoneLoadsAndHasACountry(t *testing.T) {
	t.Parallel()
	names := geo.ZoneNames()
	if len(names) < 400 {
		t.Errorf("only %d zones", len(names))
	}
	for _, name := range names {
		if _, err := time.LoadLocation(name); err != nil {
			t.Error(err)
		}
		if !geo.KnowsCountryOf(name) && !strings.HasPrefix(name, "Etc/") {
			t.Errorf("zone %s has no country", name)
		}
	}
}

func BenchmarkZoneAt(b *testing.B) {
	geo.ZoneAt(decatur)
	for name, p := range map[string]geo.Point{
		"Decatur": decatur, "London": {Lat: 51.5, Lng: -0.12}, "Moscow": {Lat: 55.75, Lng: 37.6}, "Atlantic": {Lat: 30, Lng: -45},
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				geo.ZoneAt(p)
			}
		})
	}
}

func BenchmarkIndexBoundaries(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		geo.IndexBoundaries()
	}
}
