package category_test

import (
	"slices"
	"testing"

	"github.com/trigpoint/trigpoint/internal/category"
)

func TestPhrasesNameCategories(t *testing.T) {
	t.Parallel()
	for phrase, want := range map[string]string{
		"dentist": "amenity.dentist", "Dentists": "amenity.dentist", "zahnarzt": "amenity.dentist", "ZAHNÄRZTIN": "amenity.dentist", "歯医者": "amenity.dentist",
		"Fitness Center": "leisure.fitness_centre", "pizzeria": "amenity.restaurant.pizza", "coffee shop": "amenity.cafe.coffee_shop", "boulangerie": "shop.bakery",
	} {
		if ids := category.ByPhrase(phrase); !slices.Contains(ids, want) {
			t.Errorf("%q names %q, want %q", phrase, ids, want)
		}
	}
	for _, phrase := range []string{"", "dinner", "decatur", "joe's pizza palace"} {
		if ids := category.ByPhrase(phrase); ids != nil {
			t.Errorf("%q names %q", phrase, ids)
		}
	}
}

func TestTagsOfACategory(t *testing.T) {
	t.Parallel()
	for id, want := range map[string]category.Tag{
		"amenity.dentist":          {Key: "healthcare", Value: "dentist", Whole: true},
		"amenity.restaurant":       {Key: "amenity", Value: "restaurant", Whole: true},
		"amenity.restaurant.pizza": {Key: "amenity", Value: "restaurant"},
		"shop":                     {Key: "shop", Value: "*", Whole: true},
	} {
		if tags := category.Tags(id); !slices.Contains(tags, want) {
			t.Errorf("%s has the tags %v, want %v", id, tags, want)
		}
	}
}
