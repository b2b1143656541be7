package gazetteer_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/trigpoint/trigpoint/internal/location/gazetteer"
)

var (
	world = gazetteer.Area{Kind: gazetteer.World, Name: "Anywhere"}
	uk    = gazetteer.Area{ID: 2635167, Kind: gazetteer.Country, Population: 62_348_447, Code: "GB", Name: "United Kingdom"}
	leeds = gazetteer.City{ID: 2644688, Area: 1, Population: 455_123, Name: "Leeds"}
	bath  = gazetteer.City{ID: 2656173, Area: 1, Population: 94_782, Name: "Bath"}
)

func TestKeysFollowTheirCities(t *testing.T) {
	t.Parallel()
	// Given out of order; the file has the cities by id and the keys by text.
	data, err := gazetteer.Encode(1584489600, []gazetteer.Area{world, uk}, []gazetteer.City{bath, leeds}, []gazetteer.Key{
		{"leeds", 3, gazetteer.Name}, {"bath", 2, gazetteer.Alias}, {"bath", 2, gazetteer.Name}, {"gb", 1, gazetteer.Code},
	})
	if err != nil {
		t.Fatal(err)
	}
	g, err := gazetteer.Decode(data)
	if err != nil {
		t.Fatal(err)
	}
	if g.Updated != 1584489600 || !slices.Equal(g.Areas, []gazetteer.Area{world, uk}) || g.Cities() != 2 || g.City(0) != leeds || g.City(1) != bath {
		t.Errorf("read %+v", g)
	}
	var keys []string
	for i := range g.Keys() {
		place, form := g.KeyRef(i)
		keys = append(keys, fmt.Sprintf("%s %d %d %d", g.KeyText(i), place, form, g.Population(place)))
	}
	if want := []string{"bath 3 0 94782", "gb 1 3 62348447", "leeds 2 0 455123"}; !slices.Equal(keys, want) {
		t.Errorf("keys %q, want %q", keys, want)
	}
}

func TestRoundTrip(t *testing.T) {
	t.Parallel()
	text := rapid.StringMatching(`[a-z éд京]{1,20}`)
	rapid.Check(t, func(t *rapid.T) {
		areas := []gazetteer.Area{world}
		for i := range rapid.IntRange(0, 5).Draw(t, "areas") {
			areas = append(areas, gazetteer.Area{
				ID: i + 1, Kind: gazetteer.Region, Parent: rapid.IntRange(0, i).Draw(t, "parent"),
				Population: rapid.IntRange(0, 1<<32-1).Draw(t, "population"), Code: text.Draw(t, "code"), Name: text.Draw(t, "name"),
			})
		}
		var cities []gazetteer.City
		for _, id := range rapid.SliceOfDistinct(rapid.IntRange(100, 1<<32-1), rapid.ID[int]).Draw(t, "ids") {
			cities = append(cities, gazetteer.City{
				ID: id, Area: rapid.IntRange(0, len(areas)-1).Draw(t, "area"),
				Population: rapid.IntRange(0, 1<<32-1).Draw(t, "population"), Name: text.Draw(t, "name"),
			})
		}
		var keys []gazetteer.Key
		for range rapid.IntRange(0, 30).Draw(t, "keys") {
			keys = append(keys, gazetteer.Key{
				text.Draw(t, "key"), rapid.IntRange(0, len(areas)+len(cities)-1).Draw(t, "place"),
				gazetteer.Form(rapid.IntRange(0, 3).Draw(t, "form")),
			})
		}
		data, err := gazetteer.Encode(7, areas, cities, keys)
		if err != nil {
			t.Fatal(err)
		}
		g, err := gazetteer.Decode(data)
		if err != nil {
			t.Fatal(err)
		}
		// A place is known by its id, since cities move.
		id := func(place int) int {
			if place < len(areas) {
				return g.Areas[place].ID
			}
			return g.CityID(place - len(areas))
		}
		want := map[string]gazetteer.Form{}
		for _, k := range keys {
			ids := slices.Concat(areaIDs(areas), cityIDs(cities))
			name := fmt.Sprintf("%s %d", k.Text, ids[k.Place])
			if form, ok := want[name]; !ok || k.Form < form {
				want[name] = k.Form
			}
		}
		previous := ""
		for i := range g.Keys() {
			place, form := g.KeyRef(i)
			name := fmt.Sprintf("%s %d", g.KeyText(i), id(place))
			if f, ok := want[name]; !ok || f != form || g.KeyText(i) < previous {
				t.Fatalf("key %q form %d was not given, or is out of order", name, form)
			}
			delete(want, name)
			previous = g.KeyText(i)
		}
		if len(want) > 0 || !slices.Equal(g.Areas, areas) {
			t.Fatalf("lost %v; areas %v", want, g.Areas)
		}
		for i := range g.Cities() {
			if !slices.Contains(cities, g.City(i)) || i > 0 && g.CityID(i) <= g.CityID(i-1) {
				t.Fatalf("city %+v was not given, or is out of order", g.City(i))
			}
		}
	})
}

func areaIDs(areas []gazetteer.Area) (ids []int) {
	for _, a := range areas {
		ids = append(ids, a.ID)
	}
	return ids
}

func cityIDs(cities []gazetteer.City) (ids []int) {
	for _, c := range cities {
		ids = append(ids, c.ID)
	}
	return ids
}

func TestEncodeRefuses(t *testing.T) {
	t.Parallel()
	areas := []gazetteer.Area{world, uk}
	for name, at := range map[string]struct {
		areas  []gazetteer.Area
		cities []gazetteer.City
		keys   []gazetteer.Key
	}{
		"no world":          {areas: []gazetteer.Area{uk}},
		"two of one id":     {areas: areas, cities: []gazetteer.City{leeds, leeds}},
		"an area's id":      {areas: areas, cities: []gazetteer.City{{ID: uk.ID, Name: "x"}}},
		"nowhere":           {areas: areas, cities: []gazetteer.City{{ID: 1, Area: 2, Name: "x"}}},
		"no name":           {areas: areas, cities: []gazetteer.City{{ID: 1}}},
		"a long name":       {areas: areas, cities: []gazetteer.City{{ID: 1, Name: strings.Repeat("x", 256)}}},
		"too many people":   {areas: areas, cities: []gazetteer.City{{ID: 1, Name: "x", Population: 1 << 32}}},
		"an empty key":      {areas: areas, keys: []gazetteer.Key{{"", 1, gazetteer.Name}}},
		"a key of no place": {areas: areas, keys: []gazetteer.Key{{"x", 2, gazetteer.Name}}},
	} {
		if _, err := gazetteer.Encode(0, at.areas, at.cities, at.keys); err == nil {
			t.Errorf("%s was written", name)
		}
	}
}

// Damage is an error, never a panic, and what is accepted can be used.
func FuzzDecode(f *testing.F) {
	data, err := gazetteer.Encode(1, []gazetteer.Area{world, uk}, []gazetteer.City{bath, leeds}, []gazetteer.Key{
		{"leeds", 3, gazetteer.Name}, {"leads", 3, gazetteer.Alias}, {"gb", 1, gazetteer.Code},
	})
	if err != nil {
		f.Fatal(err)
	}
	for cut := range len(data) {
		if _, err := gazetteer.Decode(data[:cut]); err == nil {
			f.Errorf("the first %d of %d bytes were accepted", cut, len(data))
		}
	}
	f.Add(data)
	f.Add(append(slices.Clone(data), 0))
	f.Fuzz(func(_ *testing.T, data []byte) {
		g, err := gazetteer.Decode(data)
		if err != nil {
			return
		}
		for i := range g.Keys() {
			place, _ := g.KeyRef(i)
			_, _ = g.KeyText(i), g.Population(place)
		}
		for i := range g.Cities() {
			_ = g.Areas[g.City(i).Area]
		}
	})
}
