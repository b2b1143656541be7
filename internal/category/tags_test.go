package category_test

import (
	"testing"

	"github.com/trigpoint/trigpoint/internal/category"
)

func TestByTags(t *testing.T) {
	t.Parallel()
	type tags = map[string]string
	for name, at := range map[string]struct {
		tags tags
		want string
	}{
		"one tag":                     {tags{"amenity": "restaurant"}, "amenity.restaurant"},
		"a cuisine narrows it":        {tags{"amenity": "restaurant", "cuisine": "pizza", "name": "Da Luigi"}, "amenity.restaurant.pizza"},
		"an unknown cuisine does not": {tags{"amenity": "restaurant", "cuisine": "martian"}, "amenity.restaurant"},
		"a list of cuisines":          {tags{"amenity": "fast_food", "cuisine": "soup; kebab"}, "amenity.fast_food.kebab"},
		"a cuisine alone says little": {tags{"cuisine": "pizza"}, ""},
		"another case":                {tags{"amenity": "Restaurant", "cuisine": "PIZZA"}, "amenity.restaurant.pizza"},
		"another spelling":            {tags{"shop": "E cigarette"}, "shop.e-cigarette"},
		"three tags":                  {tags{"amenity": "place_of_worship", "religion": "christian", "denomination": "quaker"}, "amenity.place_of_worship.christian.quaker"},
		"an unknown shop is a shop":   {tags{"shop": "umbrella_stands"}, "shop"},
		"an unspecified shop":         {tags{"shop": "yes"}, "shop"},
		"no shop":                     {tags{"shop": "no"}, ""},
		"an empty shop":               {tags{"shop": "vacant"}, ""},
		"an unknown amenity":          {tags{"amenity": "gizmo"}, ""},
		"furniture":                   {tags{"amenity": "bench"}, ""},
		"a telephone":                 {tags{"amenity": "telephone"}, ""},
		"a telephone in a kiosk":      {tags{"amenity": "telephone", "shop": "kiosk"}, "shop.kiosk"},
		"the known tag beats a group": {tags{"office": "something", "tourism": "hotel"}, "tourism.hotel"},
		"moved to another group":      {tags{"amenity": "school"}, "education.school"},
		"the companion tag":           {tags{"healthcare": "doctor"}, "amenity.doctors"},
		"a tag of old":                {tags{"amenity": "bus_station"}, "public_transport.station_bus"},
		"a replaced tag":              {tags{"amenity": "car_repair"}, "shop.car_repair"},
		"an adopted place":            {tags{"aeroway": "aerodrome"}, "aeroway.aerodrome"},
		"a train station":             {tags{"railway": "station"}, "public_transport.station_train"},
		"not a place at all":          {tags{"highway": "residential"}, ""},
		"nothing":                     {nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if id, ok := category.ByTags(at.tags); id != at.want || ok != (at.want != "") {
				t.Errorf("%v is %q, %v; want %q", at.tags, id, ok, at.want)
			}
		})
	}
	if id, ok := category.ByTag("shop", "bakery"); id != "shop.bakery" || !ok {
		t.Errorf("shop=bakery is %q, %v", id, ok)
	}
}

// Whatever the tags say, the answer is nothing or a category that exists.
func FuzzByTags(f *testing.F) {
	f.Add("amenity", "restaurant", "cuisine", "pizza;sushi")
	f.Add("shop", "*", "=", "&")
	f.Add("", "", "shop=bakery", ";;;;;;;;;;;;")
	f.Fuzz(func(t *testing.T, k1, v1, k2, v2 string) {
		id, ok := category.ByTags(map[string]string{k1: v1, k2: v2})
		if _, exists := category.Get(id); ok != exists {
			t.Errorf("%q=%q, %q=%q is %q, %v", k1, v1, k2, v2, id, ok)
		}
	})
}
