package result

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/trigpoint/trigpoint/internal/maprank/grid"
	"github.com/trigpoint/trigpoint/internal/placeid"
)

// anyBusiness draws what a provider may say, odd things included.
func anyBusiness(t *rapid.T) Business {
	cid := rapid.Uint64().Draw(t, "cid")
	b := Business{
		CID:  rapid.SampledFrom([]string{"", fmt.Sprint(cid), "007", "x" + fmt.Sprint(cid)}).Draw(t, "cid text"),
		Name: rapid.StringN(0, 20, -1).Draw(t, "name"), Address: rapid.StringN(0, 40, -1).Draw(t, "address"),
		ReviewNumber: rapid.IntRange(0, 1<<40).Draw(t, "reviews"),
		Rating:       rapid.OneOf(rapid.SampledFrom([]float64{0, 4.5, 3.7, 4.25, -1}), rapid.Float64Range(0, 5)).Draw(t, "rating"),
		Coordinates: grid.Coordinates{
			Lat: rapid.OneOf(rapid.SampledFrom([]float64{0, 33.7744675, -90}), rapid.Float64Range(-90, 90)).Draw(t, "lat"),
			Lng: rapid.OneOf(rapid.SampledFrom([]float64{0, -84.2950871, 180}), rapid.Float64Range(-180, 180)).Draw(t, "lng"),
		},
	}
	ids := rapid.SampledFrom([][]string{
		{}, {placeid.New(rapid.Uint64().Draw(t, "feature"), cid)}, {"ChIJ"}, {"a", "b"}, {placeid.New(1, 2), placeid.New(3, 4)},
	}).Draw(t, "place ids")
	b.PlaceIDs = append([]string{}, ids...)
	return b
}

func TestPackedBusinessLosesNothing(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		first, second := anyBusiness(t), anyBusiness(t)
		data := appendBusiness(appendBusiness(nil, &first), &second)
		r := reader{data: data}
		if got := r.business(); !reflect.DeepEqual(got, first) {
			t.Fatalf("%+v came back as %+v", first, got)
		}
		skipper := reader{data: data}
		skipper.skipBusiness()
		if got := skipper.business(); !reflect.DeepEqual(got, second) || len(skipper.data) != 0 || skipper.broken {
			t.Fatalf("after a skip: %+v, want %+v", got, second)
		}
		if got := r.business(); !reflect.DeepEqual(got, second) || r.broken || len(r.data) != 0 {
			t.Fatalf("%+v came back as %+v", second, got)
		}
	})
}

func TestOrdinaryBusinessIsShort(t *testing.T) {
	t.Parallel()
	b := Business{
		CID: "11111111111111111111"[:19], Name: "Pizza", Address: "Main St", Rating: 4.5, ReviewNumber: 120,
		Coordinates: grid.Coordinates{Lat: 33.7744675, Lng: -84.2950871},
	}
	b.PlaceIDs = []string{placeid.New(42, 1111111111111111111)}
	if n := len(appendBusiness(nil, &b)); n > 1+8+8+6+8+1+2+8 {
		t.Errorf("%d bytes", n)
	}
}

func TestDictionaryFindsWhatItWasTold(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var all []Business
		for range rapid.IntRange(1, 150).Draw(t, "businesses") {
			n := rapid.Uint64Range(1, 300).Draw(t, "cid")
			all = append(all, Business{CID: fmt.Sprint(n), PlaceIDs: []string{placeid.New(n*7, n)}, Name: fmt.Sprint("Business ", n), Address: "Street"})
		}
		var parts []Part
		ordinals := map[string]uint16{}
		for chunk := range slices.Chunk(all, 40) { // each keyword brings some
			d := NewDictionary(parts)
			for i := range chunk {
				ordinal := d.Ordinal(&chunk[i])
				if was, again := ordinals[chunk[i].CID]; again && was != ordinal {
					t.Fatalf("%s is %d and %d", chunk[i].CID, was, ordinal)
				}
				ordinals[chunk[i].CID] = ordinal
			}
			gained, err := d.Gained()
			if err != nil {
				t.Fatal(err)
			}
			if gained != nil {
				parts = append(parts, *gained)
			}
		}
		allOrdinals := slices.Sorted(maps.Values(ordinals))
		one, every := map[uint16]Business{}, map[uint16]Business{}
		var found []uint16
		b := all[rapid.IntRange(0, len(all)-1).Draw(t, "wanted")]
		for _, p := range parts {
			found = p.Find(found, Identity{PlaceIDs: b.PlaceIDs}.Keys())
			if err := errors.Join(p.Read(one, []uint16{ordinals[b.CID]}), p.Read(every, allOrdinals)); err != nil {
				t.Fatal(err)
			}
		}
		if !slices.Equal(found, []uint16{ordinals[b.CID]}) || !reflect.DeepEqual(one, map[uint16]Business{ordinals[b.CID]: b}) {
			t.Fatalf("looking for %+v: ordinals %v, businesses %+v", b, found, one)
		}
		if len(every) != len(ordinals) {
			t.Fatalf("%d businesses of %d", len(every), len(ordinals))
		}
	})
}

func TestOneBusinessUnderSeveralNames(t *testing.T) {
	t.Parallel()
	d := NewDictionary(nil)
	own := Business{CID: "5", PlaceIDs: []string{"a"}}
	same := []Business{{CID: "5"}, {PlaceIDs: []string{"a"}}, {CID: "5", PlaceIDs: []string{"b"}}, {PlaceIDs: []string{"b"}}, {PlaceIDs: []string{placeid.New(1, 5)}}}
	if d.Ordinal(&own) != OwnOrdinal {
		t.Fatal("the first business is not the first")
	}
	for _, b := range same {
		if got := d.Ordinal(&b); got != OwnOrdinal {
			t.Errorf("%+v is %d", b, got)
		}
	}
	if got := d.Ordinal(&Business{CID: "6"}); got != 2 {
		t.Errorf("another one is %d", got)
	}
	nameless := Business{Name: "Stand", Address: "Corner"}
	if a, b := d.Ordinal(&nameless), d.Ordinal(&nameless); a != 3 || b != 3 {
		t.Errorf("one without ids is %d and %d", a, b)
	}
}

func TestFullDictionary(t *testing.T) {
	t.Parallel()
	d := NewDictionary(nil)
	for i := range maxOrdinal + 10 {
		got := d.Ordinal(&Business{CID: fmt.Sprint(i + 1)})
		if want := uint16(i + 1); i < maxOrdinal && got != want || i >= maxOrdinal && got != 0 {
			t.Fatalf("business %d is %d", i, got)
		}
	}
	if d.Ordinal(&Business{CID: "1"}) != OwnOrdinal {
		t.Error("the own business is lost in a full dictionary")
	}
}

func TestBatchLosesNothing(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var pool []Business
		for i := range 30 {
			b := anyBusiness(t)
			b.Name = fmt.Sprint(i) // told apart
			pool = append(pool, b)
		}
		points := make([]Arrival, rapid.IntRange(0, 20).Draw(t, "points"))
		for i := range points {
			points[i].Point = rapid.IntRange(0, grid.MaxPoints-1).Draw(t, "point")
			if points[i].Failed = rapid.Bool().Draw(t, "failed"); !points[i].Failed {
				points[i].Businesses = rapid.SliceOfN(rapid.SampledFrom(pool), 0, MaxRank).Draw(t, "found")
			}
		}
		got, err := DecodeBatch(NewBatch(points).Encode())
		if err != nil || len(got.Points) != len(points) {
			t.Fatal(err)
		}
		for i, p := range got.Points {
			if p.Point != points[i].Point || p.Failed != points[i].Failed || len(p.numbers) != len(points[i].Businesses) {
				t.Fatalf("point %d: %+v, want %+v", i, p, points[i])
			}
			for rank, number := range p.numbers {
				if !reflect.DeepEqual(got.businesses[number], points[i].Businesses[rank]) {
					t.Fatalf("point %d rank %d: %+v", i, rank+1, got.businesses[number])
				}
			}
		}
	})
}

func FuzzDecodeBatch(f *testing.F) {
	f.Add(NewBatch([]Arrival{{Point: 3, Businesses: []Business{{CID: "1", PlaceIDs: []string{"x"}, Name: "n"}}}, {Point: 4, Failed: true}}).Encode())
	f.Add([]byte{})
	f.Add([]byte{1, 0xff, 0xff, 0xff})
	f.Fuzz(func(t *testing.T, data []byte) {
		b, err := DecodeBatch(data)
		if err != nil {
			return
		}
		for _, p := range b.Points {
			for _, n := range p.numbers {
				_ = b.businesses[n]
			}
		}
	})
}

func FuzzDictionaryPart(f *testing.F) {
	d := NewDictionary(nil)
	d.Ordinal(&Business{CID: "1", Name: "One"})
	p, _ := d.Gained()
	f.Add(p.Count, p.Keys, p.Businesses)
	f.Add(100, []byte{1, 2, 3}, []byte{0, 0, 0, 0})
	f.Fuzz(func(t *testing.T, number int, keys, records []byte) {
		if number < 0 || number > 1000 {
			return
		}
		p := Part{First: 1, Count: number, Keys: keys, Businesses: records}
		p.Find(nil, []uint64{1, 2})
		if err := p.Read(map[uint16]Business{}, []uint16{1, 64, 65, uint16(number)}); err != nil && !errors.Is(err, errCorruptDictionary) {
			t.Fatal(err)
		}
	})
}
