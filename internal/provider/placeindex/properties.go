package placeindex

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// properties are those of a GeoJSON feature, in one of three dialects: plain columns as in CSV,
// OpenStreetMap tags, or Overture's schema of places.
type properties map[string]any

// place makes a place of a feature at a point.
func (f *feature) place(lat, lng float64, out *sink) (Place, error) {
	props, o := f.Properties, &out.options
	if props == nil {
		return Place{}, errors.New("feature has no properties")
	}
	if reason := props.unfit(o.MinConfidence); reason != "" {
		return Place{}, errors.New(reason)
	}
	r := props.row()
	r[colLat], r[colLng] = formatDegrees(lat), formatDegrees(lng)
	if r[colID] == "" {
		r[colID] = scalar(f.ID)
	}
	tags := props.tags()
	category, fromOSM := osmCategory(tags, o.Categories)
	switch {
	case fromOSM:
		if osmRow(tags, &r); r[colName] == "" {
			return Place{}, errNoPlace
		}
	case out.isOSM(r[colID], tags):
		return Place{}, errNoPlace
	}
	p, err := r.place(o.Source)
	if err != nil {
		return Place{}, err
	}
	if fromOSM {
		p.Categories = osmCategories(category, tags)
	}
	if own := props.identity(tags, r[colID], fromOSM); own != "" && r[colPlaceID] == "" {
		p.ID, p.CID = Identify(own)
	}
	return p, nil
}

// errNoPlace is said of what a file rightly holds and is no place, such as a street of an extract.
var errNoPlace = errors.New("not a place")

// identity is that of datasets whose ids mean the same in every file.
func (p properties) identity(tags map[string]string, id string, fromOSM bool) string {
	if fromOSM {
		if object, ok := osmObject(id, tags); ok {
			return "osm:" + object
		}
		if object, ok := osmShortID(id); ok {
			return "osm:" + object
		}
	}
	if id != "" && p.isOverture() {
		return "overture:" + id
	}
	return ""
}

// unfit is why Overture's own judgement keeps a place out, or "".
func (p properties) unfit(minConfidence float64) string {
	if status := scalar(p["operating_status"]); strings.Contains(status, "closed") {
		return "it is " + strings.ReplaceAll(status, "_", " ")
	}
	if c, ok := p["confidence"].(float64); ok && c < minConfidence {
		return fmt.Sprintf("confidence %v is below %v", c, minConfidence)
	}
	return ""
}

// row reads plain columns, and Overture's where those are missing.
func (p properties) row() row {
	byKey := make(map[string]string, len(p))
	for _, name := range slices.Sorted(maps.Keys(p)) {
		key := columnKey(name)
		if v := joined(p[name]); v != "" && byKey[key] == "" {
			byKey[key] = v
		}
	}
	var r row
	for column, names := range columnNames {
		for _, name := range names {
			if r[column] = byKey[name]; r[column] != "" {
				break
			}
		}
	}
	fill := func(column int, v any) {
		if r[column] == "" {
			r[column] = joined(v)
		}
	}
	fill(colName, p.at("names", "primary"))
	for column, key := range map[int]string{
		colAddress: "freeform", colCity: "locality", colRegion: "region", colPostcode: "postcode", colCountry: "country",
	} {
		fill(column, p.at("addresses", "0", key))
	}
	fill(colPhone, p.at("phones", "0"))
	fill(colWebsite, p.at("websites", "0"))
	// Overture writes regions as ISO 3166-2 does.
	if code, ok := strings.CutPrefix(r[colRegion], r[colCountry]+"-"); ok && r[colCountry] != "" {
		r[colRegion] = code
	}
	if list := joined(p.overtureKinds()); list != "" || p.isOverture() {
		r[colCategory] = list // not the "type" that Overture also has
	}
	return r
}

// overtureKinds are the categories of a place, the most telling first. Newer releases have a taxonomy in the stead of categories.
func (p properties) overtureKinds() []any {
	return []any{
		p.at("categories", "primary"), p.at("taxonomy", "primary"), p.at("categories", "alternate"), p.at("taxonomy", "alternates"),
		p["basic_category"],
	}
}

func (p properties) isOverture() bool { return p.at("names", "primary") != nil }

// tags are the members that are text or a number.
func (p properties) tags() map[string]string {
	tags := make(map[string]string, len(p))
	for key, v := range p {
		if s := scalar(v); s != "" {
			tags[key] = s
		}
	}
	return tags
}

// at follows a path of members and list positions. Some tools write what is nested as JSON in a
// string; it is read as well.
func (p properties) at(path ...string) any {
	var v any = map[string]any(p)
	for _, step := range path {
		if s, ok := v.(string); ok && (strings.HasPrefix(s, "{") || strings.HasPrefix(s, "[")) {
			if json.Unmarshal([]byte(s), &v) != nil {
				return nil
			}
		}
		switch inner := v.(type) {
		case map[string]any:
			v = inner[step]
		case []any:
			i, err := strconv.Atoi(step)
			if err != nil || i >= len(inner) {
				return nil
			}
			v = inner[i]
		default:
			return nil
		}
	}
	return v
}

// joined is text, a number, or a list of them as one text; "" for anything else.
func joined(v any) string {
	list, ok := v.([]any)
	if !ok {
		return scalar(v)
	}
	var parts []string
	for _, e := range list {
		if s := joined(e); s != "" && !slices.Contains(parts, s) {
			parts = append(parts, s)
		}
	}
	return strings.Join(parts, ";")
}

func scalar(v any) string {
	switch v := v.(type) {
	case string:
		if strings.HasPrefix(v, "{") || strings.HasPrefix(v, "[") {
			return ""
		}
		return v
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return ""
}
