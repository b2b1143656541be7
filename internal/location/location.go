// Package location owns the places that a tracking or a research call can be bound to: countries,
// regions and cities, found by name, and "Anywhere" with id 0. The data is GeoNames', embedded and
// read-only; internal/tools/genlocations makes it. Ids are GeoNames ids.
package location

import (
	"strings"

	"github.com/trigpoint/trigpoint/internal/location/gazetteer"
)

// MinQuery and MaxQuery bound the characters of a query; Search finds nothing outside of them.
const (
	MinQuery = 2
	MaxQuery = 100
	// MaxResults is the most that one search returns.
	MaxResults = 100
)

// Type is the kind of a place.
type Type int

// The kinds of places.
const (
	Anywhere Type = iota
	Country
	Region
	City
)

// Location is a place as area C shows it.
type Location struct {
	ID            int    `json:"_id" doc:"To use as location_id; 0 is anywhere." example:"2643743"`
	Name          string `json:"name" example:"London"`
	CountryCode   string `json:"country_code" doc:"ISO 3166-1 alpha-2; empty for anywhere." example:"GB"`
	CanonicalName string `json:"canonical_name" doc:"The place and what it lies in, joined by commas." example:"London,England,United Kingdom"`
	Label         string `json:"label" doc:"The same, to show to people." example:"London, England, United Kingdom"`
	Code          string `json:"code" doc:"The same in lower case, to choose a flag." example:"gb"`
	GoogleDomain  string `json:"google_domain" doc:"Google's domain for the country." example:"google.co.uk"`
	TLD           string `json:"tld" doc:"What follows google. in it." example:"co.uk"`
	Type          Type   `json:"type" enum:"0,1,2,3" doc:"1 country, 2 region, 3 city; 0 for anywhere." example:"3"`
	TargetType    string `json:"target_type" enum:"Anywhere,Country,Region,City"`
	ParentID      *int   `json:"parent_id" doc:"The place around it; null for a country and for anywhere." example:"6269131"`
	Status        string `json:"status" enum:"Active"`
	Active        bool   `json:"active"`
	CreatedAt     int64  `json:"created_at" doc:"Unix seconds of the data set."`
}

// Locality is the name of a place smaller than a country, as providers want it; "" for a country and for
// anywhere.
func (l *Location) Locality() string {
	if l.Type == City || l.Type == Region {
		return l.CanonicalName
	}
	return ""
}

// Search finds places whose name begins with the query, without regard to case and accents, best match
// first, the more populous first among equals. The query may go on with the region or the country, by
// name or code, after a comma or a space: "london, gb", "portland oregon". At most MaxResults.
func Search(query string, limit int) []Location {
	found := []Location{}
	q, ok := parse(query)
	if !ok || limit < 1 {
		return found
	}
	ix := load()
	for _, place := range ix.search(q, min(limit, MaxResults)) {
		found = append(found, ix.location(place))
	}
	return found
}

// Get returns the place with this id. The id of a country in the advertising world, 2000 + ISO 3166-1
// numeric, is understood as that country, which has an id of its own here.
func Get(id int) (Location, bool) {
	ix := load()
	place, ok := ix.byID(id)
	if !ok {
		place, ok = ix.byAdvertisingID(id)
	}
	if !ok {
		return Location{}, false
	}
	return ix.location(place), true
}

var targetTypes = [...]string{Anywhere: "Anywhere", Country: "Country", Region: "Region", City: "City"}

var kinds = [...]Type{gazetteer.World: Anywhere, gazetteer.Country: Country, gazetteer.Region: Region}

// location writes out a place, given by the index that keys use.
func (ix *index) location(place int) Location {
	l := Location{Type: City, Status: "Active", Active: true, CreatedAt: ix.Updated}
	area := place
	var names []string
	if place < len(ix.Areas) {
		a := ix.Areas[place]
		l.ID, l.Name, l.Type = a.ID, a.Name, kinds[a.Kind]
		if l.Type == Region {
			l.ParentID = &ix.Areas[a.Parent].ID
		}
	} else {
		c := ix.City(place - len(ix.Areas))
		l.ID, l.Name, l.ParentID = c.ID, c.Name, &ix.Areas[c.Area].ID
		names = append(names, c.Name)
		area = c.Area
	}
	for ; area != world; area = ix.Areas[area].Parent {
		names = append(names, ix.Areas[area].Name)
		l.CountryCode = ix.Areas[area].Code // the country's is the last
	}
	if place == world {
		names = append(names, l.Name)
	}
	l.CanonicalName, l.Label = strings.Join(names, ","), strings.Join(names, ", ")
	l.Code, l.TargetType = strings.ToLower(l.CountryCode), targetTypes[l.Type]
	l.TLD = googleTLD(l.CountryCode)
	l.GoogleDomain = "google." + l.TLD
	return l
}
