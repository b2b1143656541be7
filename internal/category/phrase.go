package category

import (
	"slices"
	"strings"
	"sync"

	"github.com/trigpoint/trigpoint/internal/words"
)

// maxSenses is how many categories a phrase may stand for; one that has more says little.
const maxSenses = 4

// ByPhrase finds the categories that people call so, in any language: "dentist", "Zahnärzte", "coffee shop". Case, accents
// and English plurals make no difference. nil when the phrase names none.
func ByPhrase(phrase string) []string { return slices.Clone(phrases()[key(phrase)]) }

func key(phrase string) string {
	return strings.Join(slices.Collect(words.Of(phrase)), " ")
}

// phrases are names in English, then synonyms, then names in other languages, whose synonyms are too broad to be told
// from other words. A phrase that is a better sort of word for one category is no worse one of another.
var phrases = sync.OnceValue(func() map[string][]string {
	found := map[string][]string{}
	add := func(all func(yield func(id, phrase string))) {
		these := map[string][]string{}
		all(func(id, phrase string) {
			if k := key(phrase); k != "" && found[k] == nil && !slices.Contains(these[k], id) {
				these[k] = append(these[k], id)
			}
		})
		for k, ids := range these {
			if len(ids) <= maxSenses {
				found[k] = ids
			}
		}
	}
	add(func(yield func(id, phrase string)) {
		for _, id := range IDs() {
			for name := range strings.SplitSeq(Name(id), "/") { // "Gym / Fitness Center" is two names
				yield(id, name)
			}
		}
	})
	add(func(yield func(id, phrase string)) {
		for _, id := range IDs() {
			for _, synonym := range Terms(id)[1:] {
				yield(id, synonym)
			}
		}
	})
	add(func(yield func(id, phrase string)) {
		for id, phrase := range translations(translatedName) {
			yield(id, phrase)
		}
	})
	return found
})

// Tag is an OpenStreetMap tag of a category's objects.
type Tag struct {
	Key   string
	Value string // "*" is any
	Whole bool   // every object with it is of the category; otherwise further tags decide, such as the cuisine
}

// Tags lists the leading tags of a category's objects, in order.
func Tags(id string) []Tag { return slices.Clone(tagsByID()[id]) }

var tagsByID = sync.OnceValue(func() map[string][]Tag {
	byID := map[string][]Tag{}
	for tag, rules := range load().tags {
		for _, rule := range rules {
			name, value, _ := strings.Cut(tag, "=")
			if t := (Tag{name, value, len(rule.needs) == 0}); rule.id != noPlace && !slices.Contains(byID[rule.id], t) {
				byID[rule.id] = append(byID[rule.id], t)
			}
		}
	}
	for _, tags := range byID {
		slices.SortFunc(tags, func(a, b Tag) int { return strings.Compare(a.Key+"="+a.Value, b.Key+"="+b.Value) })
	}
	return byID
})
