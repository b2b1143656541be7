package category

import (
	"maps"
	"slices"
	"strings"
)

// tagRule is a category and the tags an object needs to belong to it.
type tagRule struct {
	needs []string // "key=value", besides the tag that the rule is filed under
	id    string   // noPlace when such an object is known not to be a place
}

const noPlace = "-"

// maxTagValues bounds how many values of a list such as cuisine=pizza;kebab are looked at.
const maxTagValues = 8

// ByTags finds the category of an object with these OpenStreetMap tags: the one that explains most of
// them. A value may be a list ("pizza;kebab"). A value that nobody knows falls to its group where
// all of the group are places: any shop is a shop, but not any amenity is a place.
func ByTags(tags map[string]string) (id string, ok bool) {
	has := func(tag string) bool {
		key, value, _ := strings.Cut(tag, "=")
		return slices.Contains(values(tags[key]), value)
	}
	explained := 0
	group := ""
	for _, key := range slices.Sorted(maps.Keys(tags)) {
		known := tags[key] == "no"
		for _, value := range values(tags[key]) {
			for _, rule := range load().tags[key+"="+value] {
				known = true
				if n := 1 + len(rule.needs); rule.id != noPlace && n > explained && !slices.ContainsFunc(rule.needs, not(has)) {
					id, explained = rule.id, n
				}
			}
		}
		if any := load().tags[key+"=*"]; !known && group == "" && len(any) > 0 {
			group = any[0].id
		}
	}
	if explained == 0 {
		id = group
	}
	return id, id != ""
}

// TagKeys lists the keys of tags without one of which no object has a category.
func TagKeys() []string {
	keys := map[string]bool{}
	for tag := range load().tags {
		key, _, _ := strings.Cut(tag, "=")
		keys[key] = true
	}
	return slices.Sorted(maps.Keys(keys))
}

func not(f func(string) bool) func(string) bool {
	return func(s string) bool { return !f(s) }
}

func values(list string) []string {
	parts := strings.SplitN(list, ";", maxTagValues+1)
	parts = parts[:min(len(parts), maxTagValues)]
	for i := range parts {
		parts[i] = spelling.Replace(strings.ToLower(strings.TrimSpace(parts[i])))
	}
	return parts
}

// spelling is how the catalogue writes values: mappers also write "coffee shop" and "Coffee-Shop".
var spelling = strings.NewReplacer(" ", "_", "-", "_")
