package main

import (
	"fmt"
	"slices"
	"strings"
)

// minNames is how many categories a language must name: what is hardly begun is left out.
const minNames = 200

// translation is what a category is called in other languages than English.
type translation struct {
	id              string
	names, synonyms []string
}

// translations gathers over the languages names, and the synonyms that tell one category from all others.
func translations(s *schema, categories []category) []translation {
	list := make([]translation, len(categories))
	for _, language := range sortedKeys(s.languages) {
		texts := s.languages[language]
		named := 0
		isName, having := map[string]bool{}, map[string]int{}
		for _, c := range categories {
			t := texts[c.path]
			for _, name := range namesOf(t) {
				isName[name] = true
			}
			for _, term := range distinct(lowered(t.Terms...)) {
				having[term]++
			}
			if t.Name != "" {
				named++
			}
		}
		if named < minNames || language == "en" || strings.HasPrefix(language, "en-") {
			continue
		}
		for i, c := range categories {
			t := texts[c.path]
			list[i].id = c.id
			list[i].names = append(list[i].names, namesOf(t)...)
			for _, term := range lowered(t.Terms...) {
				if having[term] == 1 && !isName[term] {
					list[i].synonyms = append(list[i].synonyms, term)
				}
			}
		}
	}
	for i := range list {
		list[i].names, list[i].synonyms = distinct(list[i].names), distinct(list[i].synonyms)
		list[i].synonyms = slices.DeleteFunc(list[i].synonyms, func(s string) bool {
			_, named := slices.BinarySearch(list[i].names, s)
			return named || slices.Contains(categories[i].terms, s)
		})
	}
	return list
}

func namesOf(t text) []string { return lowered(append([]string{t.Name}, t.Aliases...)...) }

func distinct(words []string) []string {
	words = slices.DeleteFunc(slices.Clone(words), func(w string) bool { return strings.ContainsAny(w, "|\t\n") })
	slices.Sort(words)
	return slices.Compact(words)
}

// encodeTranslations writes a line per category: id, names, synonyms.
func encodeTranslations(list []translation) ([]byte, error) {
	var text strings.Builder
	text.WriteString("# Made from @openstreetmap/id-tagging-schema (ISC, see NOTICE) by internal/tools/gencategories; do not edit.\n")
	for _, t := range list {
		if len(t.names)+len(t.synonyms) > 0 {
			fmt.Fprintf(&text, "%s\t%s\t%s\n", t.id, strings.Join(t.names, "|"), strings.Join(t.synonyms, "|"))
		}
	}
	return zipped(text.String())
}
