package maprank

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/trigpoint/trigpoint/internal/placeid"
	"github.com/trigpoint/trigpoint/internal/provider"
)

// anyBusiness draws what a provider may say, odd things included.
func anyBusiness(t *rapid.T) Business {
	cid := rapid.Uint64().Draw(t, "cid")
	b := Business{
		CID:  rapid.SampledFrom([]string{"", fmt.Sprint(cid), "007", "x" + fmt.Sprint(cid)}).Draw(t, "cid text"),
		Name: rapid.StringN(0, 20, -1).Draw(t, "name"), Address: rapid.StringN(0, 40, -1).Draw(t, "address"),
		ReviewNumber: rapid.IntRange(0, 1<<40).Draw(t, "reviews"),
		Rating:       rapid.OneOf(rapid.SampledFrom([]float64{0, 4.5, 3.7, 4.25, -1}), rapid.Float64Range(0, 5)).Draw(t, "rating"),
		Coordinates: Coordinates{
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

func TestBusinessRecordLosesNothing(t *testing.T) {
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

func TestOrdinaryRecordIsShort(t *testing.T) {
	t.Parallel()
	b := Business{
		CID: "11111111111111111111"[:19], Name: "Pizza", Address: "Main St", Rating: 4.5, ReviewNumber: 120,
		Coordinates: Coordinates{Lat: 33.7744675, Lng: -84.2950871},
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
		var parts []part
		ordinals := map[string]uint16{}
		for chunk := range slices.Chunk(all, 40) { // each keyword brings some
			d := newDictionary(parts)
			for i := range chunk {
				ordinal := d.ordinal(&chunk[i])
				if was, again := ordinals[chunk[i].CID]; again && was != ordinal {
					t.Fatalf("%s is %d and %d", chunk[i].CID, was, ordinal)
				}
				ordinals[chunk[i].CID] = ordinal
			}
			gained, err := d.part.encode()
			if err != nil {
				t.Fatal(err)
			}
			if gained != nil {
				parts = append(parts, *gained)
			}
		}
		one, every := map[uint16]Business{}, map[uint16]Business{}
		var found []uint16
		b := all[rapid.IntRange(0, len(all)-1).Draw(t, "wanted")]
		for _, p := range parts {
			found = p.find(found, identity{placeIDs: b.PlaceIDs}.keys())
			if err := errors.Join(p.businesses(one, []uint16{ordinals[b.CID]}), p.businesses(every, nil)); err != nil {
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
	d := newDictionary(nil)
	own := Business{CID: "5", PlaceIDs: []string{"a"}}
	same := []Business{{CID: "5"}, {PlaceIDs: []string{"a"}}, {CID: "5", PlaceIDs: []string{"b"}}, {PlaceIDs: []string{"b"}}, {PlaceIDs: []string{placeid.New(1, 5)}}}
	if d.ordinal(&own) != ownOrdinal {
		t.Fatal("the first business is not the first")
	}
	for _, b := range same {
		if got := d.ordinal(&b); got != ownOrdinal {
			t.Errorf("%+v is %d", b, got)
		}
	}
	if got := d.ordinal(&Business{CID: "6"}); got != 2 {
		t.Errorf("another one is %d", got)
	}
	nameless := Business{Name: "Stand", Address: "Corner"}
	if a, b := d.ordinal(&nameless), d.ordinal(&nameless); a != 3 || b != 3 {
		t.Errorf("one without ids is %d and %d", a, b)
	}
}

func TestFullDictionary(t *testing.T) {
	t.Parallel()
	d := newDictionary(nil)
	for i := range maxOrdinal + 10 {
		got := d.ordinal(&Business{CID: fmt.Sprint(i + 1)})
		if want := uint16(i + 1); i < maxOrdinal && got != want || i >= maxOrdinal && got != 0 {
			t.Fatalf("business %d is %d", i, got)
		}
	}
	if d.ordinal(&Business{CID: "1"}) != ownOrdinal {
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
		points := make([]arrival, rapid.IntRange(0, 20).Draw(t, "points"))
		for i := range points {
			points[i].point = rapid.IntRange(0, MaxPoints-1).Draw(t, "point")
			if points[i].failed = rapid.Bool().Draw(t, "failed"); !points[i].failed {
				points[i].businesses = rapid.SliceOfN(rapid.SampledFrom(pool), 0, MaxRank).Draw(t, "found")
			}
		}
		got, err := decodeBatch(newBatch(points).encode())
		if err != nil || len(got.points) != len(points) {
			t.Fatal(err)
		}
		for i, p := range got.points {
			if p.point != points[i].point || p.failed != points[i].failed || len(p.numbers) != len(points[i].businesses) {
				t.Fatalf("point %d: %+v, want %+v", i, p, points[i])
			}
			for rank, number := range p.numbers {
				if !reflect.DeepEqual(got.businesses[number], points[i].businesses[rank]) {
					t.Fatalf("point %d rank %d: %+v", i, rank+1, got.businesses[number])
				}
			}
		}
	})
}

func FuzzDecodeBatch(f *testing.F) {
	f.Add(newBatch([]arrival{{point: 3, businesses: []Business{{CID: "1", PlaceIDs: []string{"x"}, Name: "n"}}}, {point: 4, failed: true}}).encode())
	f.Add([]byte{})
	f.Add([]byte{1, 0xff, 0xff, 0xff})
	f.Fuzz(func(t *testing.T, data []byte) {
		b, err := decodeBatch(data)
		if err != nil {
			return
		}
		for _, p := range b.points {
			for _, n := range p.numbers {
				_ = b.businesses[n]
			}
		}
	})
}

func FuzzDictionaryPart(f *testing.F) {
	d := newDictionary(nil)
	d.ordinal(&Business{CID: "1", Name: "One"})
	p, _ := d.part.encode()
	f.Add(p.number, p.keys, p.records)
	f.Add(100, []byte{1, 2, 3}, []byte{0, 0, 0, 0})
	f.Fuzz(func(t *testing.T, number int, keys, records []byte) {
		if number < 0 || number > 1000 {
			return
		}
		p := part{first: 1, number: number, keys: keys, records: records}
		p.find(nil, []uint64{1, 2})
		if err := p.businesses(map[uint16]Business{}, nil); err != nil && !errors.Is(err, errCorruptDictionary) {
			t.Fatal(err)
		}
	})
}

func TestPointSetLosesNothing(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		points := make([]Point, rapid.IntRange(0, MaxPoints).Draw(t, "n"))
		for i := range points {
			points[i] = Point{
				Index: rapid.IntRange(0, maxPointIndex).Draw(t, "index"), IsEnabled: rapid.Bool().Draw(t, "enabled"),
				Coordinates: Coordinates{rapid.Float64Range(-90, 90).Draw(t, "lat"), rapid.Float64Range(-180, 180).Draw(t, "lng")},
			}
		}
		set := newPointSet(points)
		got, err := decodePointSet(set.ID, set.encode())
		if err != nil || !reflect.DeepEqual(got, set) {
			t.Fatalf("%+v came back as %+v, %v", set, got, err)
		}
		ids := map[string]bool{}
		for _, p := range got.Points {
			ids[p.ID] = true
		}
		if len(ids) != len(points) {
			t.Fatalf("%d ids for %d points", len(ids), len(points))
		}
	})
	if _, err := decodePointSet("x", make([]byte, 7)); !errors.Is(err, errCorruptPoints) {
		t.Errorf("a damaged set: %v", err)
	}
}

func TestDiffIsAntisymmetric(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		a, b := rapid.Uint8Range(0, Unranked).Draw(t, "a"), rapid.Uint8Range(0, Unranked).Draw(t, "b")
		if PositionDiff(a, b) != -PositionDiff(b, a) {
			t.Fatalf("%d to %d is %d, back it is %d", a, b, PositionDiff(a, b), PositionDiff(b, a))
		}
	})
}

func TestSlices(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		pace             provider.Pace
		points, keywords int
		want             int
	}{
		{provider.Pace{Concurrent: 50, PerSecond: 50}, 441, 100, 500}, // a whole keyword
		{provider.Pace{Concurrent: 2}, 441, 1, 441},
		{provider.Pace{Concurrent: 100, PerSecond: 5}, 441, 1, 50},
		{provider.Pace{Concurrent: 1, PerSecond: 1}, 441, 100, 111}, // at most 400 slices
		{provider.Pace{PerSecond: 0.5}, 25, 1, 25},
	} {
		if got := sliceSize(test.pace, test.points, test.keywords); got != test.want {
			t.Errorf("%+v, %d x %d: slices of %d, want %d", test.pace, test.points, test.keywords, got, test.want)
		}
	}
	if priority(25) >= priority(1_000) || priority(1_000) >= priority(44_100) {
		t.Error("a large report goes before a small one")
	}
}

func TestInstants(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"2026-03-03T11:44:43.66Z": "2026-03-03T11:44:43.66Z", "2026-03-03T11:44:43Z": "2026-03-03T11:44:43Z",
		"2026-03-03T11:44:43.123456+01:00": "2026-03-03T10:44:43.123456Z", "2026-03-03T11:44:43 01:00": "2026-03-03T10:44:43Z",
		"2026-03-03": "", "2026-03-03T11:44": "", "now": "", "": "", "0001-01-01T00:00:00Z": "", "9999-12-31T00:00:00Z": "",
	} {
		got, ok := parseInstant(text)
		if ok != (want != "") || ok && (Instant{got}).String() != want {
			t.Errorf("%q is %v %v, want %q", text, got, ok, want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		at := time.UnixMicro(rapid.Int64Range(0, 4_000_000_000_000_000).Draw(t, "at"))
		if got, ok := parseInstant(Instant{at}.String()); !ok || !got.Equal(at) {
			t.Fatalf("%v came back as %v", at, got)
		}
	})
}

func FuzzParseInstant(f *testing.F) {
	f.Add("2026-03-03T11:44:43.66Z")
	f.Fuzz(func(t *testing.T, text string) {
		if got, ok := parseInstant(text); ok {
			if again, ok := parseInstant(Instant{got}.String()); !ok || !again.Equal(got) {
				t.Fatalf("%q is %v, printed and read again %v", text, got, again)
			}
		}
	})
}

func TestIdentityOfABusiness(t *testing.T) {
	t.Parallel()
	place := placeid.New(9, 77)
	for name, test := range map[string]struct {
		asked identity
		is    bool
	}{
		"by cid":                   {identity{cid: "77"}, true},
		"by place id":              {identity{placeIDs: []string{"x", place}}, true},
		"by another id of its cid": {identity{placeIDs: []string{placeid.New(10, 77)}}, true},
		"another cid":              {identity{cid: "78"}, false},
		"another place":            {identity{placeIDs: []string{placeid.New(9, 78)}}, false},
		"nothing":                  {identity{}, false},
	} {
		b := newBusiness(provider.Business{PlaceID: place, Name: strings.Repeat("ü", 400) + "\x00\xff"})
		if b.CID != "77" || len(b.Name) > maxBusinessName {
			t.Fatalf("%+v", b)
		}
		if got := test.asked.is(b); got != test.is {
			t.Errorf("%s: %v", name, got)
		}
	}
	if (identity{}).is(Business{}) || (identity{placeIDs: []string{""}}).is(Business{PlaceIDs: []string{"a"}}) {
		t.Error("nothing is someone")
	}
}
