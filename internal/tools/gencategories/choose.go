package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/trigpoint/trigpoint/internal/geo"
)

type category struct {
	path      string // of the preset
	id        string
	parent    string // id, "" at the top
	name      string
	countries countrySet
	terms     []string
}

// categoryID is the preset's path with dots, so that it needs no escaping in a URL. It depends on
// nothing else and must never change.
func categoryID(path string) string { return strings.ReplaceAll(path, "/", ".") }

// choose keeps the presets of places that people go to: in one of the groups, drawable as a point,
// and with a telephone, which benches and waste baskets lack; then the exceptions by hand.
func choose(s *schema) ([]category, error) {
	kept := map[string]bool{}
	for path, p := range s.presets {
		kept[path] = isPlace(path, p)
	}
	for path := range adopted {
		kept[path] = true
	}

	var categories []category
	for _, path := range sortedKeys(kept) {
		if !kept[path] {
			continue
		}
		p, ok := s.presets[path]
		if !ok {
			return nil, fmt.Errorf("the schema has no preset %s any more", path)
		}
		texts := s.texts[path]
		c := category{path: path, id: categoryID(path), name: cmp.Or(renamed[path], texts.Name), terms: terms(path, texts)}
		if c.name == "" {
			return nil, fmt.Errorf("%s has no English name", path)
		}
		if above := parentOf(path, kept); above != "" {
			c.parent = categoryID(above)
		}
		var err error
		if c.countries, err = countriesOf(p.LocationSet); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		categories = append(categories, c)
	}
	return categories, nil
}

func isPlace(path string, p preset) bool {
	group, _, deeper := strings.Cut(path, "/")
	if !slices.Contains(groups, group) || excluded[path] {
		return false
	}
	if !deeper || included[path] {
		return true
	}
	return p.current() && p.staffed() && slices.Contains(p.Geometry, "point")
}

// parentOf is the nearest ancestor that is kept too; a level may be missing in the schema itself.
func parentOf(path string, kept map[string]bool) string {
	if above, ok := adopted[path]; ok {
		return above
	}
	for above := parentPath(path); above != ""; above = parentPath(above) {
		if kept[above] {
			return above
		}
	}
	return ""
}

// terms are what people call it, its name first, lower case, each once.
func terms(path string, t text) []string {
	all := lowered(t.Name)
	for _, term := range lowered(slices.Concat(t.Aliases, t.Terms, addedTerms[path])...) {
		if !slices.Contains(all, term) && !slices.Contains(droppedTerms[path], term) {
			all = append(all, term)
		}
	}
	return all
}

// lowered is without what is empty.
func lowered(terms ...string) []string {
	var list []string
	for _, term := range terms {
		if term = strings.ToLower(strings.TrimSpace(term)); term != "" {
			list = append(list, term)
		}
	}
	return list
}

// countrySet is where a category is offered: only in some countries, or in all but some.
type countrySet struct {
	only, not []string
}

func (s countrySet) String() string {
	switch {
	case len(s.only) > 0:
		return "+" + strings.Join(s.only, ",")
	case len(s.not) > 0:
		return "-" + strings.Join(s.not, ",")
	default:
		return ""
	}
}

// countriesOf reads a location set. A region that is no country stops the generator: guessing would
// offer a category where it does not belong.
func countriesOf(set *locationSet) (countrySet, error) {
	var s countrySet
	if set == nil {
		return s, nil
	}
	everywhere := len(set.Include) == 0
	for _, region := range set.Include {
		if region == "Planet" || region == "001" {
			everywhere = true
			continue
		}
		code, err := countryCode(region)
		if err != nil {
			return s, err
		}
		s.only = append(s.only, code)
	}
	for _, region := range set.Exclude {
		code, err := countryCode(region)
		if err != nil {
			return s, err
		}
		s.not = append(s.not, code)
	}
	if everywhere {
		s.only = nil
	}
	s.only = slices.DeleteFunc(s.only, func(code string) bool { return slices.Contains(s.not, code) })
	slices.Sort(s.only)
	slices.Sort(s.not)
	return s, nil
}

func countryCode(region string) (string, error) {
	code := strings.ToUpper(region)
	if code == "FX" { // metropolitan France
		code = "FR"
	}
	if _, ok := geo.CountryName(code); !ok {
		return "", fmt.Errorf("region %q is not a country; teach countriesOf what it holds", region)
	}
	return code, nil
}
