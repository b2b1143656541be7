package main

import (
	"bufio"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/trigpoint/trigpoint/internal/location/gazetteer"
)

type cityTable struct {
	list        []gazetteer.City
	spots       []spot
	oldNames    []string // as of the dump
	otherNames  [][]string
	partOfOther []bool // a quarter whose people its city counts too
	updated     time.Time
}

// spot is where a city is, in the spelling that both editions share.
type spot struct{ country, lat, lng string }

// Columns of a GeoNames dump.
const (
	colID         = 0
	colName       = 1
	colASCII      = 2
	colAlternates = 3
	colLat        = 4
	colLng        = 5
	colFeature    = 7
	colCountry    = 8
	colAdmin1     = 10
	colPopulation = 14
	colModified   = 18
	columns       = 19
)

// gone are feature codes of places that nobody lives in any more.
var gone = []string{"PPLH", "PPLQ", "PPLW", "PPLCH"}

func readCities(path string, areas *areaTable) (*cityTable, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	t := &cityTable{}
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for n := 1; lines.Scan(); n++ {
		if err := t.add(strings.Split(lines.Text(), "\t"), areas); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", path, n, err)
		}
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return t, nil
}

func (t *cityTable) add(row []string, areas *areaTable) error {
	if len(row) != columns {
		return fmt.Errorf("%d columns, want %d", len(row), columns)
	}
	if slices.Contains(gone, row[colFeature]) {
		return nil
	}
	id, err := strconv.Atoi(row[colID])
	if err != nil {
		return err
	}
	population, err := strconv.Atoi(row[colPopulation])
	if err != nil {
		return err
	}
	modified, err := time.Parse(time.DateOnly, row[colModified])
	if err != nil {
		return err
	}
	area, ok := areas.find(row[colCountry], row[colAdmin1])
	if !ok {
		return fmt.Errorf("unknown country %q", row[colCountry])
	}
	if modified.After(t.updated) {
		t.updated = modified
	}
	t.list = append(t.list, gazetteer.City{ID: id, Area: area, Population: population, Name: row[colName]})
	t.spots = append(t.spots, spot{row[colCountry], row[colLat], row[colLng]})
	t.oldNames = append(t.oldNames, row[colName])
	t.otherNames = append(t.otherNames, append(strings.Split(row[colAlternates], ","), row[colASCII]))
	t.partOfOther = append(t.partOfOther, row[colFeature] == "PPLX")
	return nil
}

// rename takes the names of a newer edition, which are English where there is an English name (Geneva,
// once Genève). It has no ids: a city is known by its spot, if it is alone there in both.
func (t *cityTable) rename(path string) error {
	var newer []struct{ Name, Country, Lat, Lng string }
	if err := readJSON(path, &newer); err != nil {
		return err
	}
	names, crowd := map[spot]string{}, map[spot]int{}
	for _, c := range newer {
		at := spot{c.Country, c.Lat, c.Lng}
		names[at] = c.Name
		crowd[at]++
	}
	crowdHere := map[spot]int{}
	for _, at := range t.spots {
		crowdHere[at]++
	}
	for i, at := range t.spots {
		if crowd[at] == 1 && crowdHere[at] == 1 && names[at] != "" {
			t.list[i].Name = names[at]
		}
	}
	return nil
}

// cityKeys leaves out what nobody types: GeoNames' mechanical spellings of other scripts ("lun dun"),
// which are all lower case, and links.
func cityKeys(place int, own, others []string) []gazetteer.Key {
	typed := slices.DeleteFunc(slices.Clone(others), func(s string) bool {
		return s == "" || s[0] >= 'a' && s[0] <= 'z' || strings.Contains(s, "://")
	})
	return names(place, own, typed)
}
