package placeindex

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// osmNames are the tags that hold what a place is called, the best first.
var osmNames = []string{"name", "name:en", "brand"}

// osmCategory is the category of an object that is a place. What was one says so in keys of another name, such as
// disused:amenity, or beside its old tags.
func osmCategory(tags map[string]string, cats Categories) (id string, ok bool) {
	if len(tags) == 0 || cats == nil || tags["disused"] == "yes" || tags["abandoned"] == "yes" {
		return "", false
	}
	return cats.ByTags(tags)
}

// osmElement is an object of OpenStreetMap.
type osmElement struct {
	kind string // node, way or relation
	id   int64
	tags map[string]string
}

// takeObject deals with an object at a point, which ends at the given byte of its file, or has a problem. One without a
// category is passed over.
func (s *sink) takeObject(o osmElement, end int64, lat, lng float64, problem error) error {
	category, ok := osmCategory(o.tags, s.options.Categories)
	if !ok {
		return nil
	}
	name := o.kind + "/" + strconv.FormatInt(o.id, 10)
	var p Place
	if problem == nil {
		row := row{colLat: formatDegrees(lat), colLng: formatDegrees(lng)}
		osmRow(o.tags, &row)
		p, problem = row.place(s.options.Source)
		p.Categories = osmCategories(category, o.tags)
		p.ID, p.CID = Identify("osm:" + name)
	}
	if problem == nil {
		problem = p.Check()
	}
	if problem != nil {
		problem = fmt.Errorf("%s: %w", name, problem)
	}
	return s.take(o.id, end, p, problem)
}

const maxCuisines = 8

// osmCategories are the category, and what else the tags say that people search for: which cuisine, which diet.
func osmCategories(category string, tags map[string]string) []string {
	list := []string{category}
	add := func(words string) {
		if words = clean(words); words != "" && len(words) <= maxCategory && len(list) <= maxCuisines && !slices.Contains(list, words) {
			list = append(list, words)
		}
	}
	for cuisine := range strings.FieldsFuncSeq(strings.ToLower(tags["cuisine"]), func(r rune) bool { return r == ';' || r == ',' }) {
		if !strings.HasSuffix(category, strings.TrimSpace(cuisine)) { // a pizza restaurant's is said already
			add(strings.ReplaceAll(cuisine, "_", " "))
		}
	}
	for _, diet := range osmDiets {
		if value := strings.ToLower(tags["diet:"+diet]); value == "yes" || value == "only" {
			add(strings.ReplaceAll(diet, "_", " ") + " food")
		}
	}
	return list
}

// osmDiets are those that people look for a place by.
var osmDiets = []string{"vegan", "vegetarian", "halal", "kosher", "gluten_free", "lactose_free", "pescetarian"}

// osmRow fills the columns that tags have a spelling of their own for.
func osmRow(tags map[string]string, r *row) {
	first := func(column int, keys ...string) {
		for _, key := range keys {
			if v := tags[key]; v != "" {
				r[column] = v
				return
			}
		}
	}
	first(colName, osmNames...)
	first(colAddress, "addr:full")
	if street := tags["addr:street"]; r[colAddress] == "" && street != "" {
		r[colAddress] = strings.TrimSpace(tags["addr:housenumber"] + " " + street)
	}
	first(colCity, "addr:city", "addr:suburb", "addr:place")
	first(colRegion, "addr:state", "addr:province")
	first(colPostcode, "addr:postcode")
	first(colCountry, "addr:country")
	first(colPhone, "phone", "contact:phone", "mobile", "contact:mobile")
	first(colWebsite, "website", "contact:website", "url")
	// Several numbers or addresses of sites are kept in one tag; one is enough.
	for _, column := range []int{colPhone, colWebsite} {
		r[column], _, _ = strings.Cut(r[column], ";")
	}
}

// osmObject is an object's type and id, as "node/42", however the tool that wrote the feature spells it.
func osmObject(id string, tags map[string]string) (string, bool) {
	for _, s := range []string{tags["@id"], id, tags["@type"] + "/" + tags["@id"], tags["osm_type"] + "/" + tags["osm_id"]} {
		kind, number, ok := strings.Cut(s, "/")
		if !ok || !isNumber(number) {
			continue
		}
		switch kind {
		case "node", "way", "relation":
			return s, true
		}
	}
	return "", false
}

// osmShortID reads ids such as n42, w42, r42 and a42. The last is an area: twice the id of the way that it is
// made of, or twice that of the relation and one.
func osmShortID(id string) (string, bool) {
	if len(id) < 2 || !isNumber(id[1:]) {
		return "", false
	}
	kind, number := map[byte]string{'n': "node", 'w': "way", 'r': "relation", 'a': ""}, id[1:]
	name, ok := kind[id[0]]
	if ok && name == "" {
		area, err := strconv.ParseUint(number, 10, 63)
		if err != nil {
			return "", false
		}
		name, number = [...]string{"way", "relation"}[area%2], strconv.FormatUint(area/2, 10)
	}
	return name + "/" + number, ok
}

func isNumber(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

// osmFeatures are tags of what is on a map and no place, unless the catalogue knows it for one.
var osmFeatures = []string{
	"admin_level", "aerialway", "aeroway", "amenity", "barrier", "boundary", "building", "craft", "emergency", "healthcare", "highway", "historic",
	"landuse", "leisure", "man_made", "military", "natural", "office", "place", "power", "public_transport", "railway", "route",
	"shop", "telecom", "tourism", "water", "waterway",
}

// isOSM tells whether a feature that is no place was made from an OpenStreetMap object. A file of somebody's own
// places may have a property of the same name, but says a category then. In an extract, told by its ids together
// with such a property, a feature needs no more than its id.
func (s *sink) isOSM(id string, tags map[string]string) bool {
	if _, ok := osmObject(id, tags); ok {
		return true
	}
	for _, name := range columnNames[colCategory] {
		if tags[name] != "" && name != "type" {
			return false
		}
	}
	onMap := slices.ContainsFunc(osmFeatures, func(key string) bool { return tags[key] != "" })
	_, short := osmShortID(id)
	s.extract = s.extract || short && onMap
	return onMap || short && s.extract
}
