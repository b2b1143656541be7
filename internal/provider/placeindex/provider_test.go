package placeindex_test

import (
	"iter"
	"testing"

	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/provider/placeindex"
	"github.com/trigpoint/trigpoint/internal/provider/providertest"
)

// noCategories is a catalogue with nothing in it: free words do.
type noCategories struct{}

func (noCategories) Translations() iter.Seq2[string, string] {
	return func(func(string, string) bool) {}
}
func (noCategories) TagKeys() []string                       { return nil }
func (noCategories) IDs() []string                           { return nil }
func (noCategories) Terms(string) []string                   { return nil }
func (noCategories) Ancestors(string) []string               { return nil }
func (noCategories) ByTags(map[string]string) (string, bool) { return "", false }

func newProvider(t testing.TB) *placeindex.Provider {
	t.Helper()
	x := placeindex.New(noCategories{})
	base := placeindex.Place{Lat: 33.77, Lng: -84.29, CountryCode: "US", Categories: []string{"pizza_restaurant"}}
	var places []placeindex.Place
	for i, name := range []string{"Tarnley Pizza", "Marlford Pizza", "Ruskdell Pizza", "Lummwick Pizza"} {
		p := base
		p.ID, p.CID = "place-"+name[:4], string(rune('1'+i))+"000"
		p.Name, p.Lng = name, base.Lng+float64(i)/100
		places = append(places, p)
	}
	places[3].ID, places[3].CID = "ChIJCQEAAAAAAAARAgAAAAAAAAA", "2"
	if err := x.Put(places...); err != nil {
		t.Fatal(err)
	}
	return placeindex.NewProvider(x)
}

func TestProvider(t *testing.T) {
	t.Parallel()
	subject := providertest.Subject{
		New:   func(t testing.TB, _ providertest.Setup) provider.Provider { return newProvider(t) },
		Place: "place-Tarn", PlaceName: "Tarnley Pizza", UnknownPlace: "place-none",
		Map:      provider.MapQuery{Keyword: "pizza", At: provider.Point{Lat: 33.77, Lng: -84.29}},
		MapNames: []string{"Tarnley Pizza", "Marlford Pizza", "Ruskdell Pizza", "Lummwick Pizza"},
	}
	providertest.Suite(t, subject)
}

func TestProviderFindsByCID(t *testing.T) {
	t.Parallel()
	p := newProvider(t)
	for id, want := range map[string]string{
		"3000":                        "Ruskdell Pizza",
		"2":                           "Lummwick Pizza",
		"ChIJCQEAAAAAAAARAgAAAAAAAAA": "Lummwick Pizza",
		"ChIJCf8AAAAAAAARAgAAAAAAAAA": "Lummwick Pizza", // another feature, the same cid
	} {
		b, err := p.FindPlace(t.Context(), id)
		if err != nil || b.Name != want {
			t.Errorf("%s is %q (%v), want %q", id, b.Name, err, want)
		}
		if len(b.Categories) != 1 || b.Categories[0] != "pizza restaurant" {
			t.Errorf("%s has the categories %q", id, b.Categories)
		}
	}
}
