package category_test

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/trigpoint/trigpoint/internal/category"
	"github.com/trigpoint/trigpoint/internal/geo"
)

func catalogue(t testing.TB, country string) []category.Category {
	t.Helper()
	list, total, ok := category.List(country, 10_000, 0)
	if !ok || len(list) != total {
		t.Fatalf("List(%s) = %d of %d, %v", country, len(list), total, ok)
	}
	return list
}

func TestCategoryAsClientsSeeIt(t *testing.T) {
	t.Parallel()
	pizza, ok := category.Get("amenity.restaurant.pizza")
	if !ok {
		t.Fatal("no pizza restaurants")
	}
	got, err := json.Marshal(pizza)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"id":"amenity.restaurant.pizza","name":"Pizza Restaurant",` +
		`"full_name":"Amenity \u003e Restaurant \u003e Pizza Restaurant","parent_id":"amenity.restaurant"}`
	if string(got) != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// Locations store these ids: a test that fails here means that existing data breaks.
func TestIDsThatMustNeverChange(t *testing.T) {
	t.Parallel()
	for id, name := range map[string]string{
		"amenity":                        "Amenity",
		"shop":                           "Shop",
		"shop.bakery":                    "Bakery",
		"amenity.cafe.coffee_shop":       "Coffeehouse",
		"amenity.dentist":                "Dentist",
		"amenity.hospital":               "Hospital",
		"craft.plumber":                  "Plumber",
		"education.school":               "School",
		"healthcare.physiotherapist":     "Physical Therapist",
		"leisure.fitness_centre":         "Gym / Fitness Center",
		"office.lawyer":                  "Law Office",
		"tourism.hotel":                  "Hotel",
		"club.sport":                     "Sports Club",
		"aeroway.aerodrome":              "Airport",
		"public_transport.station_train": "Train Station",
		"office.bail_bond_agent-US-PH":   "Bail Bond Agent",
	} {
		if c, ok := category.Get(id); !ok || c.Name != name {
			t.Errorf("Get(%q) = %q, %v; want %q", id, c.Name, ok, name)
		}
	}
}

func TestOnlyPlacesPeopleGoTo(t *testing.T) {
	t.Parallel()
	list := catalogue(t, "US")
	for _, id := range []string{
		"amenity.bench", "amenity.waste_basket", "amenity.post_box", "amenity.telephone", "amenity.vending_machine",
		"amenity.drinking_water", "leisure.picnic_table", "leisure.pitch.table_tennis", "tourism.artwork",
		"tourism.information.guidepost", "shop.vacant", "shop.yes", "highway.bus_stop", "building",
	} {
		if _, ok := category.Get(id); ok {
			t.Errorf("%s is in the catalogue", id)
		}
	}
	tops := map[string]int{}
	for _, c := range list {
		top, _, _ := strings.Cut(c.FullName, " > ")
		tops[top]++
	}
	for top, atLeast := range map[string]int{
		"Amenity": 200, "Shop": 170, "Office": 45, "Craft": 45, "Leisure": 50, "Tourism": 25, "Healthcare": 20, "Education": 9, "Club": 3, "Attraction": 10,
	} {
		if tops[top] < atLeast {
			t.Errorf("%s has %d categories, want at least %d", top, tops[top], atLeast)
		}
		delete(tops, top)
	}
	if len(tops) > 0 {
		t.Errorf("unexpected groups %v", tops)
	}
}

func TestTreeIsWholeInEveryCountry(t *testing.T) {
	t.Parallel()
	spelling := regexp.MustCompile(`^[a-z][a-zA-Z0-9_.-]{1,63}$`)
	countries := 0
	for a := 'A'; a <= 'Z'; a++ {
		for b := 'A'; b <= 'Z'; b++ {
			country := string([]rune{a, b})
			if _, ok := geo.CountryName(country); !ok {
				continue
			}
			countries++
			names := map[string]string{"": ""}
			full := map[string]bool{}
			list := catalogue(t, country)
			for _, c := range list {
				names[c.ID] = c.FullName
			}
			for _, c := range list {
				want := c.Name
				if above, ok := names[c.ParentID]; !ok {
					t.Errorf("%s: the parent %q of %s is not offered", country, c.ParentID, c.ID)
				} else if above != "" {
					want = above + " > " + c.Name
				}
				if c.FullName != want || full[c.FullName] || !spelling.MatchString(c.ID) || !category.Exists(country, c.ID) {
					t.Errorf("%s: %+v; full name should be %q and given once", country, c, want)
				}
				full[c.FullName] = true
			}
		}
	}
	if countries != 250 {
		t.Errorf("looked at %d countries", countries)
	}
}

func TestCategoriesOfSomeCountries(t *testing.T) {
	t.Parallel()
	for _, offer := range []struct {
		id      string
		in, out []string
	}{
		{"office.bail_bond_agent-US-PH", []string{"US", "PH"}, []string{"GB", "DE", "JP"}},
		{"amenity.townhall.barangay-PH", []string{"PH"}, []string{"US", "IN"}},
		{"amenity.community_centre.chitalishte_BG", []string{"BG"}, []string{"RO", "GR"}},
		{"amenity.pub.irish", []string{"GB", "US", "DE"}, []string{"IE"}},
		{"amenity.pub", []string{"IE", "GB", "XK", "AQ"}, nil},
	} {
		for _, country := range offer.in {
			if !category.Exists(country, offer.id) {
				t.Errorf("%s is missing in %s", offer.id, country)
			}
		}
		for _, country := range append(offer.out, "", "ie", "ZZ", "UK", "U", "+") {
			if category.Exists(country, offer.id) {
				t.Errorf("%s exists in %q", offer.id, country)
			}
		}
	}
}

func TestUnknownCountryAndID(t *testing.T) {
	t.Parallel()
	for _, country := range []string{"", "us", "USA", "ZZ", "EU"} {
		if page, total, ok := category.List(country, 10, 0); ok || page == nil || total != 0 {
			t.Errorf("List(%q) = %v, %d, %v", country, page, total, ok)
		}
	}
	for _, id := range []string{"", "amenity.", "AMENITY", "amenity/cafe", "-", "amenity=cafe"} {
		if c, ok := category.Get(id); ok || category.Exists("US", id) || category.Terms(id) != nil {
			t.Errorf("Get(%q) = %v", id, c)
		}
	}
}

// Pages laid end to end are the whole list, whatever their size.
func TestPagesJoin(t *testing.T) {
	t.Parallel()
	whole := catalogue(t, "IE")
	if !slices.IsSortedFunc(whole, func(a, b category.Category) int { return strings.Compare(a.FullName, b.FullName) }) {
		t.Error("not ordered by full name")
	}
	rapid.Check(t, func(t *rapid.T) {
		size := rapid.IntRange(1, 1000).Draw(t, "size")
		var joined []category.Category
		for offset := 0; ; offset += size {
			page, total, ok := category.List("IE", size, offset)
			if !ok || total != len(whole) || len(page) > size {
				t.Fatalf("List(%d, %d): %d of %d", size, offset, len(page), total)
			}
			if len(page) == 0 {
				break
			}
			joined = append(joined, page...)
		}
		if !slices.Equal(joined, whole) {
			t.Fatalf("pages of %d do not join", size)
		}
	})
	if page, total, ok := category.List("IE", 1000, 1<<62); !ok || page == nil || len(page) != 0 || total != len(whole) {
		t.Errorf("a page far beyond the end: %v, %d, %v", page, total, ok)
	}
}

func TestTerms(t *testing.T) {
	t.Parallel()
	for id, word := range map[string]string{
		"amenity.restaurant.pizza": "pizzeria", "amenity.fuel": "petrol", "shop.hairdresser": "hair salon",
		"shop.supermarket": "grocery store", "amenity.hospital": "emergency room", "craft.plumber": "plumber",
	} {
		if terms := category.Terms(id); !slices.Contains(terms, word) {
			t.Errorf("%s does not say %q: %q", id, word, terms)
		}
	}
	for _, c := range catalogue(t, "US") {
		terms := category.Terms(c.ID)
		if len(terms) == 0 || slices.ContainsFunc(terms, func(s string) bool { return s == "" || s != strings.ToLower(s) }) {
			t.Errorf("terms of %s: %q", c.ID, terms)
		}
	}
	category.Terms("shop")[0] = "changed"
	if category.Terms("shop")[0] == "changed" {
		t.Error("a caller can change the catalogue")
	}
}

// Whoever says coffee does not mean any restaurant.
func TestTermsMeanTheirCategory(t *testing.T) {
	t.Parallel()
	for id, want := range map[string]bool{"amenity.cafe": true, "amenity.restaurant": false} {
		if got := slices.Contains(category.Terms(id), "coffee"); got != want {
			t.Errorf("coffee is a term of %s: %v", id, got)
		}
	}
	if !slices.Contains(category.Terms("tourism.museum"), "things to do") {
		t.Error("a museum is nothing to do")
	}
}
