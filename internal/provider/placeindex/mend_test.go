package placeindex

import (
	"strings"
	"testing"

	"github.com/trigpoint/trigpoint/internal/geo"
)

func TestSearchUnderstandsSlipsAndOtherLanguages(t *testing.T) {
	t.Parallel()
	var places []Place
	at := geo.Point{Lat: 33.77, Lng: -84.29}
	for i, p := range []Place{
		{Name: "Tarnley", Categories: []string{"amenity/restaurant/italian"}},
		{Name: "Marlford", Categories: []string{"amenity/cafe"}},
		{Name: "Ruskdell", Categories: []string{"shop/bakery"}},
		{Name: "Lummwick", Categories: []string{"amenity/restaurant", "malaysian", "vegan food"}},
		{Name: "Corrinholt", Categories: []string{"amenity/bar"}},
		{Name: "Baker Dental", Categories: []string{"amenity/dentist"}},
	} {
		p.ID, p.Lat, p.Lng = p.Name, at.Lat+float64(i)/1000, at.Lng
		places = append(places, p)
	}
	x := New(testCategories())
	if err := x.Put(places...); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ query, want string }{
		{"itallian", "Tarnley"},
		{"restaurnt", "Lummwick Tarnley"},
		{"itailan restaurnt", "Tarnley"},
		{"marlfort", "Marlford"},
		{"bakery", "Ruskdell"}, // what is known is never mended, to Baker or to anything
		{"barr", ""},           // too short to be mended
		{"xxitalian", ""},      // two slips
		{"Bäckerei", "Ruskdell"},
		{"КАФЕ", "Marlford"},
		{"panadería de barrio", "Ruskdell"},
		{"パン屋酒場", "Corrinholt"},
		{"zapatería", ""}, // no such place, so the word says nothing
		{"Malaysian", "Lummwick"},
		{"malaysian food", "Lummwick"},
		{"vegan food", "Lummwick"},
		{"coffee", "Marlford Lummwick Tarnley"}, // English first: in no other language is it a dentist
	} {
		hits := x.Search(c.query, at, 10)
		var got []string
		for _, h := range hits {
			got = append(got, h.Place.Name)
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%q finds %q, want %q", c.query, got, c.want)
		}
	}
}

func TestNeighboursAreOneSlipAway(t *testing.T) {
	t.Parallel()
	found := map[string]bool{}
	for w := range neighbours([]rune("пекар")) {
		found[w] = true
	}
	for _, w := range []string{"пекарь", "пеар", "пкеар", "пекап", "спекар"} {
		if !found[w] {
			t.Errorf("%s is missing", w)
		}
	}
	if found["пекарня"] {
		t.Error("two letters were added")
	}
}
