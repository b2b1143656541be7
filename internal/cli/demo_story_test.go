package cli

import (
	"slices"
	"testing"

	"github.com/trigpoint/trigpoint/internal/app"
	"github.com/trigpoint/trigpoint/internal/provider/placeindex"
)

// The deli climbs, its rival falls, and the newcomer is not there before it opens.
func TestDemoTellsItsStory(t *testing.T) {
	t.Parallel()
	market := placeindex.NewMarket(demoSeed, demoTownSize)
	deli, rival, newcomer := demoDelis[0], demoRivals[0], demoRivals[1]
	ranks := func(week int) (of func(demoShop) int) {
		index := placeindex.New(app.Categories{})
		if err := index.Put(demoPlaces(market, week)...); err != nil {
			t.Fatal(err)
		}
		hits := index.Search("deli", placeindex.MarketCenter(), 20)
		return func(s demoShop) int {
			return 1 + slices.IndexFunc(hits, func(h placeindex.Hit) bool { return h.Place.Name == s.name })
		}
	}
	first, last := ranks(0), ranks(demoWeeks-1)
	if first(deli) < 2 || last(deli) != 1 {
		t.Errorf("%s goes from rank %d to %d", deli.name, first(deli), last(deli))
	}
	if first(rival) != 1 || last(rival) < 2 {
		t.Errorf("%s goes from rank %d to %d", rival.name, first(rival), last(rival))
	}
	if first(newcomer) != 0 || last(newcomer) == 0 {
		t.Errorf("%s goes from rank %d to %d", newcomer.name, first(newcomer), last(newcomer))
	}
}

func TestDemoTracksMoreThanAHundredKeywords(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, k := range deliKeywords() {
		if seen[k.text] || k.volume < 10 || k.tag == "" {
			t.Errorf("%+v", k)
		}
		seen[k.text] = true
	}
	if len(seen) < 100 {
		t.Errorf("%d keywords", len(seen))
	}
}
