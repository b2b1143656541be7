package placeindex

import (
	"iter"
	"slices"
	"strings"
	"sync"
)

// Categories is the category tree as this package needs it. Its answers must not change.
type Categories interface {
	// IDs lists every category.
	IDs() []string
	// Terms gives a category's name and then its synonyms; nil for an unknown id.
	Terms(id string) []string
	// Ancestors lists the ids above a category, nearest first.
	Ancestors(id string) []string
	// ByTags finds the category of an OpenStreetMap object; not ok when it is no place.
	ByTags(tags map[string]string) (id string, ok bool)
	// Translations yields categories and what they are called in other languages, all names before all synonyms.
	Translations() iter.Seq2[string, string]
	// TagKeys lists the keys of tags without one of which no object is a place.
	TagKeys() []string
}

// common is the number of categories from which on a word in their names ("store"), a synonym
// ("dinner") or a parent (restaurants) says little about which of them is meant.
const common = 12

// keyed is a word or phrase under which a place is found.
type keyed struct {
	key string
	in  field
}

// vocabulary turns categories into the words that people search with.
type vocabulary struct {
	cats Categories
	// byTerm resolves free words to the category of that name, or the only one with that synonym.
	byTerm   map[string]string
	names    map[string]bool // phrases that are the name of a category
	inNames  map[string]int  // in how many names a word is
	synonyms map[string]int  // how many categories have a synonym
	children map[string]int
	known    sync.Map // category id -> []keyed
	foreign  func() map[string]string
}

func newVocabulary(cats Categories) *vocabulary {
	v := &vocabulary{
		cats: cats, byTerm: map[string]string{}, names: map[string]bool{},
		inNames: map[string]int{}, synonyms: map[string]int{}, children: map[string]int{},
	}
	v.foreign = sync.OnceValue(v.translations)
	ids := slices.Sorted(slices.Values(cats.IDs()))
	for _, id := range ids {
		if up := cats.Ancestors(id); len(up) > 0 {
			v.children[up[0]]++
		}
		names, synonyms := v.terms(id)
		for _, words := range names {
			v.names[phrase(words)] = true
			if _, taken := v.byTerm[phrase(words)]; !taken {
				v.byTerm[phrase(words)] = id
			}
			for _, w := range words {
				v.inNames[w]++
			}
		}
		for _, words := range synonyms {
			v.synonyms[phrase(words)]++
		}
	}
	for _, id := range ids {
		_, synonyms := v.terms(id)
		for _, words := range synonyms {
			if key := phrase(words); v.synonyms[key] == 1 && !v.names[key] {
				v.byTerm[key] = id
			}
		}
	}
	return v
}

// translated lists the English names of the categories that a phrase of another language stands for. The first
// phrase that English does not explain pays for reading the translations.
func (v *vocabulary) translated(phrase string) []string {
	if names := v.foreign()[phrase]; names != "" {
		return strings.Split(names, nameBreak)
	}
	return nil
}

const (
	nameBreak = "\n"
	maxSenses = 4 // categories of one phrase; one that has more says little
)

// translations maps phrases of other languages to English names. A synonym counts where no name is the same.
func (v *vocabulary) translations() map[string]string {
	found, names := map[string]string{}, map[string]string{}
	for id, term := range v.cats.Translations() {
		words := meaningful(tokens(term))
		english, ok := names[id]
		if !ok {
			if list, _ := v.terms(id); len(list) > 0 {
				english = phrase(list[0])
			}
			names[id] = english
		}
		key := phrase(words)
		switch have := found[key]; {
		case len(words) == 0 || len(words) > maxPairs || english == "" || v.names[key]:
		case have == "":
			found[key] = english
		case !slices.Contains(strings.Split(have, nameBreak), english) && strings.Count(have, nameBreak) < maxSenses:
			found[key] = have + nameBreak + english
		}
	}
	for key, have := range found {
		if strings.Count(have, nameBreak) == maxSenses {
			delete(found, key)
		}
	}
	return found
}

// terms cuts a category's names and synonyms into words. "Gym / Fitness Center" is two names.
func (v *vocabulary) terms(id string) (names, synonyms [][]string) {
	terms := v.cats.Terms(id)
	if len(terms) == 0 {
		return nil, nil
	}
	for name := range strings.SplitSeq(terms[0], "/") {
		names = appendTerm(names, name)
	}
	for _, s := range terms[1:] {
		synonyms = appendTerm(synonyms, s)
	}
	return names, synonyms
}

func appendTerm(terms [][]string, term string) [][]string {
	words := meaningful(tokens(term))
	if len(words) == 0 || slices.ContainsFunc(terms, func(t []string) bool { return slices.Equal(t, words) }) {
		return terms
	}
	return append(terms, words)
}

// of lists what a place is found by because it has the category, each key once.
func (v *vocabulary) of(category string) []keyed {
	if v.cats.Terms(category) != nil {
		return v.ofKnown(category)
	}
	words := meaningful(tokens(category))
	if len(words) == 0 {
		return nil
	}
	found := keyFields{}
	v.addName(found, words)
	if id, ok := v.byTerm[phrase(words)]; ok {
		for _, k := range v.ofKnown(id) {
			found[k.key] |= k.in
		}
	} else if id, ok := v.headNoun(words); ok {
		for _, parent := range append([]string{id}, v.cats.Ancestors(id)...) {
			v.addParent(found, parent)
		}
	}
	return found.list()
}

// headNoun finds the category that free words narrow down: a "vegan restaurant" is a restaurant.
func (v *vocabulary) headNoun(words []string) (id string, ok bool) {
	for i := 1; i < len(words); i++ {
		if key := phrase(words[i:]); v.names[key] {
			return v.byTerm[key], true
		}
	}
	return "", false
}

func (v *vocabulary) ofKnown(id string) []keyed {
	if list, ok := v.known.Load(id); ok {
		return list.([]keyed)
	}
	found := keyFields{}
	names, synonyms := v.terms(id)
	for _, words := range names {
		v.addName(found, words)
	}
	for _, words := range synonyms {
		found.add(words, v.synonymField(phrase(words), inTerm, inWord), inWord)
	}
	for _, parent := range v.cats.Ancestors(id) {
		v.addParent(found, parent)
	}
	list := found.list()
	v.known.Store(id, list)
	return list
}

// addParent adds what a category lends to those below it. A broad one lends only its name.
func (v *vocabulary) addParent(found keyFields, parent string) {
	names, synonyms := v.terms(parent)
	for _, words := range names {
		found.add(words, inParentTerm, inParentWord)
	}
	asTerm := inParentTerm
	if v.children[parent] > common {
		asTerm = inParentWord
	}
	for _, words := range synonyms {
		found.add(words, v.synonymField(phrase(words), asTerm, inParentWord), inParentWord)
	}
}

// addName adds a name; its words stand for it unless they are common.
func (v *vocabulary) addName(found keyFields, words []string) {
	found[phrase(words)] |= inTitle
	for _, w := range words {
		if v.inNames[w] > common {
			found[w] |= inWord
		} else {
			found[w] |= inTerm
		}
	}
}

// synonymField demotes a synonym that many categories have, or that is the name of another one: a
// restaurant may have the synonym "bar", but whoever says bar means a bar.
func (v *vocabulary) synonymField(key string, term, word field) field {
	if v.names[key] || v.synonyms[key] > common {
		return word
	}
	return term
}

// title is the category as people read it.
func (v *vocabulary) title(category string) string {
	if terms := v.cats.Terms(category); len(terms) > 0 {
		return terms[0]
	}
	return strings.ReplaceAll(category, "_", " ")
}

// keyFields collects keys and the fields they are found in.
type keyFields map[string]field

func (f keyFields) add(words []string, whole, part field) {
	f[phrase(words)] |= whole
	for _, w := range words {
		f[w] |= part
	}
}

func (f keyFields) list() []keyed {
	keys := make([]keyed, 0, len(f))
	for key, in := range f {
		keys = append(keys, keyed{key, in})
	}
	return keys
}
