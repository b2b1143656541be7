package placeindex

import (
	"iter"
	"slices"
	"strings"
)

// fakeCategories is a small cut of the catalogue, with its quirks: shared synonyms, double names.
type fakeCategories map[string][]string

func testCategories() fakeCategories {
	return fakeCategories{
		"amenity/restaurant":         {"Restaurant", "bar", "cafe", "coffee", "dinner", "dining"},
		"amenity/restaurant/pizza":   {"Pizza Restaurant", "Pizzeria", "slice", "deep dish", "dinner"},
		"amenity/restaurant/italian": {"Italian Restaurant", "pasta", "pizza"},
		"amenity/restaurant/mexican": {"Mexican Restaurant", "tacos", "burritos"},
		"amenity/cafe":               {"Cafe", "bistro", "coffee", "espresso", "tea"},
		"amenity/cafe/coffee_shop":   {"Coffeehouse", "coffee shop", "cappuccino", "latte"},
		"amenity/bar":                {"Bar", "booze", "beer"},
		"amenity/dentist":            {"Dentist", "dental", "teeth"},
		"amenity/doctors":            {"Doctor", "physician", "clinic"},
		"craft/plumber":              {"Plumber", "pipe", "plumbing"},
		"craft/electrician":          {"Electrician", "wiring"},
		"leisure/fitness_centre":     {"Gym / Fitness Center", "health", "pilates"},
		"shop":                       {"Shop", "retailer", "store"},
		"shop/hairdresser":           {"Hairdresser", "Hair Salon", "Hair Stylist", "haircut"},
		"shop/bakery":                {"Bakery", "bread", "cakes"},
		"shop/shoes":                 {"Shoe Store", "boots"},
		"shop/car_repair":            {"Car Repair Shop", "mechanic", "garage"},
	}
}

func (c fakeCategories) IDs() []string {
	ids := []string{}
	for id := range c {
		ids = append(ids, id)
	}
	return ids
}

func (c fakeCategories) Terms(id string) []string { return c[id] }

func (c fakeCategories) Ancestors(id string) []string {
	var up []string
	for i := strings.LastIndexByte(id, '/'); i > 0; i = strings.LastIndexByte(id, '/') {
		id = id[:i]
		if c[id] != nil {
			up = append(up, id)
		}
	}
	return up
}

func (c fakeCategories) ByTags(tags map[string]string) (string, bool) {
	for _, key := range c.TagKeys() {
		for _, id := range []string{key + "/" + tags[key] + "/" + tags["cuisine"], key + "/" + tags[key]} {
			if c[id] != nil {
				return id, true
			}
		}
	}
	return "", false
}

func (fakeCategories) Translations() iter.Seq2[string, string] {
	return func(yield func(string, string) bool) {
		_ = yield("shop/bakery", "Bäckerei") && yield("amenity/cafe", "кафе") && yield("shop/shoes", "zapatería") &&
			yield("shop/bakery", "panadería de barrio") && yield("amenity/bar", "パン屋酒場") && yield("amenity/dentist", "coffee")
	}
}

func (fakeCategories) TagKeys() []string { return []string{"shop", "craft", "amenity", "leisure"} }

func sequence(places []Place) iter.Seq2[Place, error] {
	return func(yield func(Place, error) bool) {
		for p := range slices.Values(places) {
			if !yield(p, nil) {
				return
			}
		}
	}
}
