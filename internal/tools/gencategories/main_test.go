package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestCountriesOfLocationSets(t *testing.T) {
	t.Parallel()
	for name, at := range map[string]struct {
		set  *locationSet
		want string
	}{
		"none":             {nil, ""},
		"the world":        {&locationSet{Include: []string{"001"}}, ""},
		"all but Ireland":  {&locationSet{Include: []string{"Planet"}, Exclude: []string{"ie"}}, "-IE"},
		"only exclusions":  {&locationSet{Exclude: []string{"us", "CA"}}, "-CA,US"},
		"two countries":    {&locationSet{Include: []string{"us", "PH"}}, "+PH,US"},
		"a country taken":  {&locationSet{Include: []string{"us", "ph"}, Exclude: []string{"ph"}}, "+US"},
		"France in Europe": {&locationSet{Include: []string{"fx"}}, "+FR"},
	} {
		if got, err := countriesOf(at.set); err != nil || got.String() != at.want {
			t.Errorf("%s: %q, %v; want %q", name, got, err, at.want)
		}
	}
	for _, region := range []string{"Q46", "150", "conus.geojson", ""} {
		if got, err := countriesOf(&locationSet{Include: []string{region}}); err == nil {
			t.Errorf("region %q was guessed to be %q", region, got)
		}
	}
}

func TestChoiceOfPlaces(t *testing.T) {
	t.Parallel()
	hidden := false
	point := []string{"point"}
	phone := []string{"name", "phone"}
	for path, at := range map[string]struct {
		preset preset
		want   bool
	}{
		"amenity":                 {preset{Searchable: &hidden}, true},
		"amenity/cafe":            {preset{Geometry: point, Fields: phone}, true},
		"amenity/pub":             {preset{Geometry: point, MoreFields: phone}, true},
		"amenity/bench":           {preset{Geometry: point, Fields: []string{"material"}}, false},
		"amenity/school":          {preset{Geometry: point, Fields: phone, Searchable: &hidden}, false},
		"leisure/garden/kitchen":  {preset{Geometry: []string{"area"}, Fields: phone}, false},
		"amenity/telephone":       {preset{Geometry: point, Fields: phone}, false},
		"amenity/atm":             {preset{Geometry: point}, true},
		"building/office":         {preset{Geometry: point, Fields: phone}, false},
		"amenity_extra/something": {preset{Geometry: point, Fields: phone}, false},
	} {
		if got := isPlace(path, at.preset); got != at.want {
			t.Errorf("isPlace(%s) = %v", path, got)
		}
	}
}

func TestIDsInUseStay(t *testing.T) {
	t.Parallel()
	out := filepath.Join(t.TempDir(), "catalogue.tsv.gz")
	before := []category{{id: "shop", name: "Shop"}, {id: "shop.bakery", parent: "shop", name: "Bakery"}}
	if err := keepsIDs(out, before); err != nil {
		t.Errorf("a first catalogue: %v", err)
	}
	data, err := encode(before, []tagRule{{[]string{"shop=bakery"}, "shop.bakery"}})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(out, data, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := keepsIDs(out, append(before, category{id: "shop.deli"})); err != nil {
		t.Errorf("one more: %v", err)
	}
	if err := keepsIDs(out, before[:1]); err == nil || !strings.Contains(err.Error(), "shop.bakery") {
		t.Errorf("one less: %v", err)
	}
}

func TestSeparatorsInValuesAreRefused(t *testing.T) {
	t.Parallel()
	if _, err := encode([]category{{id: "shop", name: "Shop\tand more"}}, nil); err == nil {
		t.Error("a name with a tab was written")
	}
	if _, err := flatten(map[string]string{"shop=a=b": "shop"}); err == nil {
		t.Error("a tag with two signs was written")
	}
}
