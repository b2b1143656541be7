// Package category owns the catalogue of business categories: OpenStreetMap presets of places that
// people go to, with stable ids, a tree, search terms, and the countries they are offered in. It is
// read-only and embedded; internal/tools/gencategories makes it. What a location does with its
// categories is not its concern.
package category

import (
	"slices"

	"github.com/trigpoint/trigpoint/internal/geo"
)

// Category is one entry of the catalogue.
type Category struct {
	ID       string `json:"id" doc:"Stable identifier, to use in category_ids." example:"amenity.restaurant.pizza"`
	Name     string `json:"name" doc:"English name." example:"Pizza Restaurant"`
	FullName string `json:"full_name" doc:"Names of the ancestors and the category, joined by ' > '." example:"Amenity > Restaurant > Pizza Restaurant"`
	ParentID string `json:"parent_id" doc:"Identifier of the parent; empty at the top." example:"amenity.restaurant"`
}

// List returns a page of the country's categories by full name, and how many there are in all. It
// tells false when there is no such country (ISO 3166-1 alpha-2, upper case). The page is never nil.
func List(country string, limit, offset int) (page []Category, total int, ok bool) {
	if _, known := geo.CountryName(country); !known {
		return []Category{}, 0, false
	}
	page = []Category{}
	entries := load().entries
	for i := range entries {
		if !entries[i].offeredIn(country) {
			continue
		}
		if total >= offset && len(page) < limit {
			page = append(page, entries[i].Category)
		}
		total++
	}
	return page, total, true
}

// Exists tells whether the category is offered in the country.
func Exists(country, id string) bool {
	e := load().find(id)
	if e == nil {
		return false
	}
	_, known := geo.CountryName(country)
	return known && e.offeredIn(country)
}

// Get returns the category wherever it is offered.
func Get(id string) (Category, bool) {
	if e := load().find(id); e != nil {
		return e.Category, true
	}
	return Category{}, false
}

// Name is what the category is called in English; empty when there is no such category.
func Name(id string) string {
	c, _ := Get(id)
	return c.Name
}

// IDs lists every category, whatever the country.
func IDs() []string {
	entries := load().entries
	ids := make([]string, len(entries))
	for i := range entries {
		ids[i] = entries[i].ID
	}
	return ids
}

// Terms are the English words and phrases that people use for the category, lower case, its name
// first. They do not include those of its ancestors.
func Terms(id string) []string {
	if e := load().find(id); e != nil {
		return slices.Clone(e.terms)
	}
	return nil
}

// ByTag finds the category of an object with this OpenStreetMap tag.
func ByTag(key, value string) (id string, ok bool) {
	return ByTags(map[string]string{key: value})
}
