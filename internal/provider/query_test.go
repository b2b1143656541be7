package provider_test

import (
	"math"
	"strings"
	"testing"

	"github.com/trigpoint/trigpoint/internal/provider"
)

func TestQueriesAreCheckedBeforeTheyCostAnything(t *testing.T) {
	t.Parallel()
	here := provider.Point{Lat: 33.7, Lng: -84.2}
	for _, c := range []struct {
		name string
		err  error
		ok   bool
	}{
		{"plain map", provider.MapQuery{Keyword: "pizza", At: here}.Check(), true},
		{"map at the pole", provider.MapQuery{Keyword: "ice", At: provider.Point{Lat: -90, Lng: 180}, Country: "aq", Language: "en", Depth: 20}.Check(), true},
		{"map nowhere", provider.MapQuery{Keyword: "pizza", At: provider.Point{Lat: math.NaN()}}.Check(), false},
		{"map beyond the date line", provider.MapQuery{Keyword: "pizza", At: provider.Point{Lng: 180.1}}.Check(), false},
		{"map with a country's name", provider.MapQuery{Keyword: "pizza", At: here, Country: "Germany"}.Check(), false},
		{"map too deep", provider.MapQuery{Keyword: "pizza", At: here, Depth: 21}.Check(), false},
		{"map with a broken keyword", provider.MapQuery{Keyword: "\xff", At: here}.Check(), false},
		{"plain web", provider.WebQuery{Keyword: "pizza"}.Check(), true},
		{"web in Chinese, long", provider.WebQuery{Keyword: strings.Repeat("披", 700), Device: provider.Mobile, Depth: 200}.Check(), true},
		{"web too long", provider.WebQuery{Keyword: strings.Repeat("披", 701)}.Check(), false},
		{"web without a keyword", provider.WebQuery{Keyword: "\t"}.Check(), false},
		{"web of negative depth", provider.WebQuery{Keyword: "pizza", Depth: -1}.Check(), false},
		{"web from far too long a place", provider.WebQuery{Keyword: "pizza", Location: strings.Repeat("x", 501)}.Check(), false},
		{"web in a long language", provider.WebQuery{Keyword: "pizza", Language: strings.Repeat("x", 17)}.Check(), false},
		{"web on a toaster", provider.WebQuery{Keyword: "pizza", Device: "toaster"}.Check(), false},
		{"place id", provider.CheckPlaceID("ChIJ9Sto4ahZwokRXpWiQYiOOOo"), true},
		{"no place id", provider.CheckPlaceID(""), false},
		{"place id with a line break", provider.CheckPlaceID("a\nb"), false},
	} {
		if (c.err == nil) != c.ok || (!c.ok && provider.KindOf(c.err) != provider.BadQuery) {
			t.Errorf("%s: %v", c.name, c.err)
		}
	}
}

func TestLimits(t *testing.T) {
	t.Parallel()
	if n := (provider.MapQuery{}).Limit(); n != 20 {
		t.Errorf("a map search looks at %d results", n)
	}
	if n := (provider.WebQuery{}).Limit(); n != 10 {
		t.Errorf("a web search looks at %d results", n)
	}
	if n := (provider.WebQuery{Depth: 100}).Limit(); n != 100 {
		t.Errorf("a depth of 100 is %d", n)
	}
}

func TestSettingsHaveVariables(t *testing.T) {
	t.Parallel()
	d := provider.Descriptor{Name: "serper"}
	if got := d.Env("api_key"); got != "TRIGPOINT_SERPER_API_KEY" {
		t.Error(got)
	}
}
