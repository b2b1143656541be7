package provider

import (
	"fmt"
	"slices"
	"strings"
)

// Abilities names what a vendor can be asked for.
func (v Vendor) Abilities() []string {
	var can []string
	for _, ability := range []struct {
		name string
		has  bool
	}{
		{"places", Can[PlaceFinder](v)},
		{"map", Can[MapSearcher](v)},
		{"web", Can[WebSearcher](v)},
		{"figures", Can[KeywordSource](v)},
		{"ideas", Can[KeywordIdeas](v)},
		{"domains", Can[DomainSource](v)},
		{"competitors", Can[CompetitorSource](v)},
		{"links", Can[LinkSource](v)},
	} {
		if ability.has {
			can = append(can, ability.name)
		}
	}
	return can
}

// Price is what one question of a sort costs at most.
type Price struct {
	Question string
	Most     Money
}

// List names what costs something.
func (p Prices) List() []Price {
	all := []Price{{"place", p.Place}, {"map", p.Map}, {"web page", p.WebPage}, {"keywords", p.Keywords}, {"domain", p.Domain}, {"links", p.Links}}
	return slices.DeleteFunc(all, func(price Price) bool { return price.Most == 0 })
}

// String is such as "map $0.003, web page $0.001".
func (p Prices) String() string {
	var priced []string
	for _, price := range p.List() {
		priced = append(priced, price.Question+" "+price.Most.String())
	}
	if len(priced) == 0 {
		return "nothing"
	}
	return strings.Join(priced, ", ")
}

// String says how hard a provider may be asked, such as "50 at once, 10 a second".
func (p Pace) String() string {
	text := fmt.Sprintf("%d at once", max(p.Concurrent, 1))
	if p.PerSecond > 0 {
		text += fmt.Sprintf(", %g a second", p.PerSecond)
	}
	return text
}
