package main

import (
	"slices"
	"strings"

	"github.com/trigpoint/trigpoint/internal/location/gazetteer"
)

// maxKey bounds a key in bytes; longer texts are descriptions, not names.
const maxKey = 80

// names makes the keys of a place: its own names, each of them from every later word on, and its other
// names. An other name that only shortens an own one ("New York" for New York City) counts as own; three
// capitals are the code of a country or of an airport.
func names(place int, own, others []string) []gazetteer.Key {
	var keys []gazetteer.Key
	add := func(text string, form gazetteer.Form) {
		if text != "" && len(text) <= maxKey {
			keys = append(keys, gazetteer.Key{Text: text, Place: place, Form: form})
		}
	}
	var folded []string
	for _, name := range own {
		text := gazetteer.Fold(name)
		folded = append(folded, text)
		add(text, gazetteer.Name)
		for i := range len(text) {
			if text[i] == ' ' {
				add(text[i+1:], gazetteer.Word)
			}
		}
	}
	for _, other := range others {
		text := gazetteer.Fold(other)
		shortens := func(name string) bool {
			return strings.HasPrefix(name+" ", text+" ") || saint(name) == saint(text)
		}
		switch {
		case slices.ContainsFunc(folded, shortens):
			add(text, gazetteer.Name)
		case len(other) == 3 && letters(other):
			add(text, gazetteer.Code)
		default:
			add(text, gazetteer.Alias)
		}
	}
	return keys
}

// saint writes the one word of names that is as often shortened as not.
func saint(folded string) string {
	if rest, ok := strings.CutPrefix(folded, "st "); ok {
		return "saint " + rest
	}
	return folded
}

// letters tells whether a code is one that people would type: "OR", not "07".
func letters(code string) bool {
	for _, r := range code {
		if r < 'A' || r > 'Z' {
			return false
		}
	}
	return len(code) > 1
}
