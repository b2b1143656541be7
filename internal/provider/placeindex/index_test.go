package placeindex

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"
)

func TestIndexChangesLikeOneBuiltAnew(t *testing.T) {
	t.Parallel()
	market := NewMarket(11, 400)
	pool := [][]Place{market.Drift(0), market.Drift(30)}
	rapid.Check(t, func(t *rapid.T) {
		x := New(testCategories())
		model := map[string]Place{}
		someOf := func(places []Place) []Place {
			from := rapid.IntRange(0, len(places)-1).Draw(t, "from")
			return places[from:min(len(places), from+rapid.SampledFrom([]int{1, 1, 2, 9, 80}).Draw(t, "many"))]
		}
		t.Repeat(map[string]func(*rapid.T){
			"put": func(t *rapid.T) {
				places := someOf(rapid.SampledFrom(pool).Draw(t, "week"))
				if err := x.Put(places...); err != nil {
					t.Fatal(err)
				}
				for _, p := range places {
					model[p.ID] = p
				}
			},
			"remove": func(t *rapid.T) {
				var gone []string
				for _, p := range someOf(pool[0]) {
					gone = append(gone, p.ID)
					delete(model, p.ID)
				}
				x.Remove(gone...)
			},
		})
		if x.Len() != len(model) {
			t.Fatalf("%d places, want %d", x.Len(), len(model))
		}
		anew := New(testCategories())
		if err := anew.Load(sequence(slices.Collect(maps.Values(model)))); err != nil {
			t.Fatal(err)
		}
		for _, q := range []string{"pizza decatur", "old tarnley dental", "restaurant", "hair salon 30030", "quillmere"} {
			got, want := x.Search(q, MarketCenter(), 20), anew.Search(q, MarketCenter(), 20)
			if !slices.EqualFunc(got, want, equalHits) {
				t.Fatalf("%q: %s, want %s", q, ids(got), ids(want))
			}
		}
		for id, want := range model {
			if got, ok := x.Get(id); !ok || !equalPlaces(got, want) {
				t.Fatalf("Get(%q) = %+v, %v", id, got, ok)
			}
			if got, ok := x.Snapshot().GetByCID(want.CID); !ok || got.ID != id {
				t.Fatalf("GetByCID(%q) = %+v, %v", want.CID, got, ok)
			}
		}
	})
}

func equalHits(a, b Hit) bool { return equalPlaces(a.Place, b.Place) && a.Score == b.Score }

func equalPlaces(a, b Place) bool { return fmt.Sprintf("%#v", a) == fmt.Sprintf("%#v", b) }

func TestIndexKeepsFewSegments(t *testing.T) {
	t.Parallel()
	x := New(testCategories())
	for _, p := range NewMarket(5, 1000).Drift(0) {
		if err := x.Put(p); err != nil {
			t.Fatal(err)
		}
		if n := len(x.Snapshot().views); n > 6 {
			t.Fatalf("%d segments for %d places", n, x.Len())
		}
	}
}

func TestIndexShrinks(t *testing.T) {
	t.Parallel()
	places := NewMarket(5, 500).Drift(0)
	x := indexOf(t, places...)
	full := x.Snapshot().Bytes()
	for _, p := range places[10:] {
		x.Remove(p.ID)
	}
	if left := x.Snapshot().Bytes(); x.Len() != 10 || left > full/10 {
		t.Errorf("%d places take %d bytes, all of them took %d", x.Len(), left, full)
	}
	x.Remove(places[0].ID, places[1].ID)
	for _, p := range places[2:10] {
		x.Remove(p.ID)
	}
	if x.Len() != 0 || x.Snapshot().Bytes() != 0 || x.Search("restaurant", MarketCenter(), 20) != nil {
		t.Errorf("%d places are left", x.Len())
	}
}

func TestOfTwoPlacesWithOneIDTheLastCounts(t *testing.T) {
	t.Parallel()
	first, last := place("a", "Tarnley", "amenity/bar", 1), place("a", "Marlford", "amenity/cafe", 2)
	loaded, put := indexOf(t, first, last), New(testCategories())
	if err := put.Put(first, last); err != nil {
		t.Fatal(err)
	}
	for _, x := range []*Index{loaded, put} {
		if p, _ := x.Get("a"); x.Len() != 1 || p.Name != "Marlford" || len(x.Search("bar", MarketCenter(), 20)) != 0 {
			t.Errorf("%d places, a is %q", x.Len(), p.Name)
		}
	}
}

func TestSnapshotDoesNotChange(t *testing.T) {
	t.Parallel()
	x := indexOf(t, place("a", "Tarnley", "amenity/bar", 1), place("b", "Marlford", "amenity/bar", 2))
	before := x.Snapshot()
	if err := x.Put(place("a", "Ruskdell", "amenity/cafe", 1), place("c", "Lummwick", "amenity/bar", 1)); err != nil {
		t.Fatal(err)
	}
	x.Remove("b", "unknown")
	if got := ids(before.Search("bar", MarketCenter(), 20)); got != "a b" {
		t.Errorf("the old snapshot found %q", got)
	}
	if got := ids(x.Search("bar", MarketCenter(), 20)); got != "c" {
		t.Errorf("the index found %q, want c", got)
	}
	if old := x.Swap(before); old.Len() != 2 || ids(x.Search("bar", MarketCenter(), 20)) != "a b" {
		t.Errorf("Swap did not put the snapshot back")
	}
}

func TestLoadKeepsWhatIsWrittenMeanwhile(t *testing.T) {
	t.Parallel()
	x := indexOf(t, place("old", "Tarnley", "amenity/bar", 1))
	err := x.Load(func(yield func(Place, error) bool) {
		yield(place("stale", "Marlford", "amenity/bar", 1), nil)
		yield(place("kept", "Marlford", "amenity/bar", 3), nil)
		if err := x.Put(place("new", "Ruskdell", "amenity/bar", 2)); err != nil {
			t.Error(err)
		}
		x.Remove("stale")
		if got := ids(x.Search("bar", MarketCenter(), 20)); got != "old new" {
			t.Errorf("during the load found %q, want old new", got)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if got := ids(x.Search("bar", MarketCenter(), 20)); got != "new kept" {
		t.Errorf("after the load found %q, want new kept", got)
	}
}

func TestFailedLoadChangesNothing(t *testing.T) {
	t.Parallel()
	x := indexOf(t, place("old", "Tarnley", "amenity/bar", 1))
	broken := errors.New("store is gone")
	err := x.Load(func(yield func(Place, error) bool) {
		_ = yield(place("new", "Marlford", "amenity/bar", 1), nil) && yield(Place{}, broken)
	})
	if !errors.Is(err, broken) {
		t.Errorf("err = %v, want %v", err, broken)
	}
	err = x.Load(sequence([]Place{{ID: "x", Name: "Nowhere", Lat: 91}}))
	if err == nil || !strings.Contains(err.Error(), "not on the globe") {
		t.Errorf("err = %v, want one about the coordinates", err)
	}
	if err := x.Put(place("fine", "Marlford", "amenity/bar", 1), Place{}); err == nil {
		t.Error("Put took a place without id and name")
	}
	if got := ids(x.Search("bar", MarketCenter(), 20)); got != "old" {
		t.Errorf("found %q, want old", got)
	}
}

func TestReadersAndWritersTogether(t *testing.T) {
	t.Parallel()
	places := NewMarket(3, 300).Drift(0)
	x := indexOf(t, places[:150]...)
	var work sync.WaitGroup
	for range 4 {
		work.Go(func() {
			for range 100 {
				if hits := x.Search("restaurant", MarketCenter(), 20); len(hits) == 0 {
					t.Error("found nothing")
				}
			}
		})
	}
	work.Go(func() {
		for i, p := range places[150:] {
			if err := x.Put(p); err != nil {
				t.Error(err)
			}
			x.Remove(places[i%50].ID)
		}
	})
	work.Go(func() {
		if err := x.Load(sequence(places[:150])); err != nil {
			t.Error(err)
		}
	})
	work.Wait()
}

func TestPlaceCheck(t *testing.T) {
	t.Parallel()
	good := place("id", "Tarnley", "amenity/bar", 1).rated(4.5, 10)
	for problem, spoil := range map[string]func(*Place){
		"":                     func(*Place) {},
		"place id is missing":  func(p *Place) { p.ID = "" },
		"name is missing":      func(p *Place) { p.Name = "" },
		"name has":             func(p *Place) { p.Name = strings.Repeat("n", maxName+1) },
		"name is not clean":    func(p *Place) { p.Name = "a\x00b" },
		"address is not clean": func(p *Place) { p.Address = "\xff" },
		"website has":          func(p *Place) { p.Website = strings.Repeat("w", maxWebsite+1) },
		"21 categories":        func(p *Place) { p.Categories = make([]string, 21) },
		"category has":         func(p *Place) { p.Categories = []string{strings.Repeat("c", 200)} },
		"coordinates":          func(p *Place) { p.Lng = math.NaN() },
		"rating":               func(p *Place) { p.Rating = 5.1 },
		"rating NaN":           func(p *Place) { p.Rating = math.NaN() },
		"reviews":              func(p *Place) { p.Reviews = -1 },
	} {
		p := good
		spoil(&p)
		if err := p.Check(); problem == "" && err != nil || problem != "" && (err == nil || !strings.Contains(err.Error(), problem)) {
			t.Errorf("err = %v, want %q", err, problem)
		}
	}
}

func TestRecordKeepsEveryField(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.String()
		want := Place{
			ID: text.Draw(t, "id"), CID: text.Draw(t, "cid"), Name: text.Draw(t, "name"), Address: text.Draw(t, "address"),
			CountryCode: text.Draw(t, "country"), Phone: text.Draw(t, "phone"), Website: text.Draw(t, "website"), Source: text.Draw(t, "source"),
			Lat: rapid.Float64().Draw(t, "lat"), Lng: rapid.Float64().Draw(t, "lng"), Rating: rapid.Float64().Draw(t, "rating"),
			Reviews: rapid.IntRange(0, math.MaxInt).Draw(t, "reviews"),
		}
		if c := rapid.SliceOf(text).Draw(t, "categories"); len(c) > 0 {
			want.Categories = c
		}
		raw := appendRecord([]byte("before"), &want)[len("before"):]
		if got := decodeRecord(raw); !equalPlaces(got, want) || string(recordID(raw)) != want.ID {
			t.Fatalf("got %#v, want %#v", got, want)
		}
	})
}
