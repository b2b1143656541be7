package result

import (
	"encoding/hex"
	"reflect"
	"slices"
	"testing"

	"github.com/trigpoint/trigpoint/internal/maprank/grid"
	"github.com/trigpoint/trigpoint/internal/placeid"
)

// What follows is as the first version of each format wrote it: every later one must read it.
const (
	frozenNarrow     = "0101030002000500090003ff00010002"
	frozenWide       = "0102010009010209010700"
	frozenKeys       = "176175b50746d5080200ca6275b50747d5080200b22e45515ad1d65c01003d6bca0c194ec4f5020018b8740d19c88cf60100"
	frozenBusinesses = "4b000000e2f76580004e28cdea9c98767825afa1826f62669e427049516a6a49c52166e5c98a229ad30f9e6560aa3064624c644c620d2e49cc4b61600" +
		"80583abf6301a6a8c03200000ffff"
	frozenBatch = "020f4d00000000000000090000000000000005436166c3a90d31204d61696e2053747265657478c203239321142997c1cd000278310201610162055374616e640000" +
		"555555555555d53f555555555555d53f0000000000000040020302000104ff"
)

var (
	frozenCafe = Business{
		CID: "77", PlaceIDs: []string{placeid.New(9, 77)}, Name: "Café", Address: "1 Main Street", Rating: 4.5, ReviewNumber: 120,
		Coordinates: grid.Coordinates{Lat: 33.7744675, Lng: -84.2950871},
	}
	frozenStand = Business{CID: "x1", PlaceIDs: []string{"a", "b"}, Name: "Stand", Rating: 1.0 / 3, Coordinates: grid.Coordinates{Lat: 1.0 / 3, Lng: 2}}
)

func frozen(t *testing.T, text string) []byte {
	t.Helper()
	data, err := hex.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestFrozenResults(t *testing.T) {
	t.Parallel()
	narrow := []AtPoint{{Ordinals: []uint16{5, 0, 9}}, {Failed: true}, {}}
	if got := open(t, frozen(t, frozenNarrow)).decode(); !samePoints(got, narrow) {
		t.Errorf("one byte a code: %v, want %v", got, narrow)
	}
	wide := []AtPoint{{Ordinals: []uint16{0x109, 7}}}
	if got := open(t, frozen(t, frozenWide)).decode(); !samePoints(got, wide) {
		t.Errorf("two bytes a code: %v, want %v", got, wide)
	}
}

func TestFrozenDictionary(t *testing.T) {
	t.Parallel()
	p := Part{First: 1, Count: 2, Keys: frozen(t, frozenKeys), Businesses: frozen(t, frozenBusinesses)}
	for ordinal, b := range map[uint16]Business{1: frozenCafe, 2: frozenStand} {
		if got := p.Find(nil, b.Keys()); !slices.Equal(got, []uint16{ordinal}) {
			t.Errorf("%s has the ordinals %v, want %d", b.Name, got, ordinal)
		}
	}
	got := map[uint16]Business{}
	if err := p.Read(got, []uint16{1, 2}); err != nil {
		t.Fatal(err)
	}
	if want := (map[uint16]Business{1: frozenCafe, 2: frozenStand}); !reflect.DeepEqual(got, want) {
		t.Errorf("businesses %+v, want %+v", got, want)
	}
}

func TestFrozenBatch(t *testing.T) {
	t.Parallel()
	got, err := DecodeBatch(frozen(t, frozenBatch))
	if err != nil {
		t.Fatal(err)
	}
	want := NewBatch([]Arrival{{Point: 3, Businesses: []Business{frozenCafe, frozenStand}}, {Point: 4, Failed: true}})
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
}
