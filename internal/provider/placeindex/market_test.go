package placeindex

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/trigpoint/trigpoint/internal/geo"
)

func TestMarketIsTheSameForTheSameSeed(t *testing.T) {
	t.Parallel()
	a, b, other := NewMarket(1, 200).Drift(10), NewMarket(1, 200).Drift(10), NewMarket(2, 200).Drift(10)
	if !slices.EqualFunc(a, b, equalPlaces) {
		t.Error("two markets of one seed differ")
	}
	if slices.EqualFunc(a, other, equalPlaces) || a[0].ID == other[0].ID {
		t.Error("markets of two seeds are the same")
	}
}

func TestMarketPlaces(t *testing.T) {
	t.Parallel()
	places := NewMarket(1, 2000).Drift(0)
	names, kinds := map[string]bool{}, map[string]int{}
	near := 0
	for _, p := range places {
		if err := p.Check(); err != nil {
			t.Fatalf("%+v: %v", p, err)
		}
		km := geo.Distance(p.At(), MarketCenter())
		if km > marketRadiusKm+0.001 {
			t.Errorf("%s is %v km away", p.Name, km)
		}
		if km < marketRadiusKm/2 {
			near++
		}
		if names[p.Name] {
			t.Errorf("two places are called %s", p.Name)
		}
		names[p.Name] = true
		kinds[p.Categories[0]]++
		if p.Source != MarketSource || !strings.Contains(p.Source, "invented") {
			t.Errorf("%s does not say that it is invented", p.Name)
		}
		if !strings.Contains(p.Phone, "-555-01") || !strings.HasSuffix(p.Website, ".example") {
			t.Errorf("%s may reach somebody: %s %s", p.Name, p.Phone, p.Website)
		}
	}
	// An even spread would have a quarter in the inner half.
	if share := float64(near) / float64(len(places)); share < 0.4 || share > 0.9 {
		t.Errorf("%.0f%% lie in the inner half", share*100)
	}
	if len(kinds) != len(marketKinds()) || kinds["Pizza Restaurant"] < 50 {
		t.Errorf("kinds: %v", kinds)
	}
}

func TestMarketDrifts(t *testing.T) {
	t.Parallel()
	market := NewMarket(1, 1000)
	last := map[string]Place{}
	opened, closed, changed := 0, 0, 0
	for week := range yearWeeks + 1 {
		now := map[string]Place{}
		for _, p := range market.Drift(week) {
			now[p.ID] = p
			if err := p.Check(); err != nil {
				t.Fatal(err)
			}
			before, ok := last[p.ID]
			if !ok {
				opened += min(1, week)
				continue
			}
			if p.Reviews < before.Reviews {
				t.Fatalf("week %d: %s lost reviews", week, p.Name)
			}
			if before.Reviews > 0 && math.Abs(p.Rating-before.Rating) > 0.5 {
				t.Fatalf("week %d: %s went from %v to %v", week, p.Name, before.Rating, p.Rating)
			}
			if p.Rating != before.Rating {
				changed++
			}
		}
		for id := range last {
			if _, ok := now[id]; !ok {
				closed++
			}
		}
		last = now
	}
	if opened < 20 || opened > 120 || closed < 10 || closed > 100 || changed < 500 {
		t.Errorf("in a year %d opened, %d closed and ratings changed %d times", opened, closed, changed)
	}
}

func TestMarketRanksMoveButNotWildly(t *testing.T) {
	t.Parallel()
	market := NewMarket(1, 1000)
	top := func(week int) []string {
		return strings.Fields(ids(indexOf(t, market.Drift(week)...).Search("coffee shop", MarketCenter(), 20)))
	}
	kept := func(a, b []string) (n int) {
		for _, id := range a {
			if slices.Contains(b, id) {
				n++
			}
		}
		return n
	}
	first := top(0)
	if n := kept(first, top(1)); n < 17 {
		t.Errorf("a week later %d of 20 are left", n)
	}
	year := top(yearWeeks)
	if n := kept(first, year); n < 8 || slices.Equal(first, year) {
		t.Errorf("a year later %d of 20 are left", n)
	}
}
