package photon

import (
	"slices"
	"strings"

	"github.com/trigpoint/trigpoint/internal/category"
	"github.com/trigpoint/trigpoint/internal/words"
)

// question is a keyword as Photon understands it: words are looked for in names and addresses, and what a place is by
// its tag.
type question struct {
	words   string
	include []string // Photon's names of tags, any of which will do
}

// maxRun is the most words that the name of a category is looked for in.
const maxRun = 6

// understand finds the kind of place in a keyword: of "zahnarzt berlin" those are dentists, whose address has Berlin.
// A kind that no single tag tells, as a pizzeria from other restaurants, is looked for by its name among those.
func understand(keyword string) question {
	all := telling(strings.Fields(keyword))
	var among []string
	for size := min(len(all), maxRun); size > 0; size-- {
		for at := len(all) - size; at >= 0; at-- { // from the end, where English has what a thing is
			ids := category.ByPhrase(strings.Join(all[at:at+size], " "))
			if whole := included(ids, true); len(whole) > 0 {
				rest := slices.Concat(all[:at], all[at+size:])
				return question{words: strings.Join(rest, " "), include: whole}
			}
			if size == len(all) {
				among = included(ids, false)
			}
		}
	}
	if among == nil {
		among = anyPlace()
	}
	return question{words: strings.Join(all, " "), include: among}
}

// telling leaves out filler such as "near me", unless there is nothing else.
func telling(list []string) []string {
	return words.Telling(list, func(word string) bool { return words.IsMapFiller(words.Fold(word)) })
}

// included writes the tags of categories as Photon does; whole leaves out those that need further tags.
func included(ids []string, whole bool) []string {
	var names []string
	for _, id := range ids {
		for _, tag := range category.Tags(id) {
			if name, ok := photonName(tag.Key, tag.Value); ok && (tag.Whole || !whole) && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

// anyPlace is every key whose objects may be places.
func anyPlace() []string {
	var names []string
	for _, key := range category.TagKeys() {
		if name, ok := photonName(key, "*"); ok {
			names = append(names, name)
		}
	}
	return names
}

// photonName is "osm.amenity.cafe", or "osm.shop" for any value. Keys and values of other characters have none.
func photonName(key, value string) (string, bool) {
	labels := []string{"osm", key}
	if value != "*" {
		labels = append(labels, value)
	}
	odd := func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '_' && r != '-'
	}
	for _, label := range labels {
		if label == "" || strings.ContainsFunc(label, odd) {
			return "", false
		}
	}
	return strings.Join(labels, "."), true
}
