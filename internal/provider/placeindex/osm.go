package placeindex

import (
	"slices"
	"strings"
)

// osmKeys are the tags that make an OpenStreetMap object a place people go to.
var osmKeys = []string{"shop", "healthcare", "craft", "office", "amenity", "leisure", "tourism"}

// osmCategory is the category of an object that is a place. The keys are asked for here, so that a catalogue which also
// knows other things does not let them in.
func osmCategory(tags map[string]string, cats Categories) (id string, ok bool) {
	isPlace := slices.ContainsFunc(osmKeys, func(key string) bool { return tags[key] != "" })
	if cats == nil || !isPlace {
		return "", false
	}
	return cats.ByTags(tags)
}

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
	first(colName, "name", "name:en", "brand")
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
	for _, s := range []string{tags["@id"], id, tags["osm_type"] + "/" + tags["osm_id"]} {
		kind, number, ok := strings.Cut(s, "/")
		if !ok || number == "" || strings.Trim(number, "0123456789") != "" {
			continue
		}
		switch kind {
		case "node", "way", "relation":
			return s, true
		}
	}
	return "", false
}
