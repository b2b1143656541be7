package placeindex

import (
	"fmt"
	"testing"
)

// broadCategories is a catalogue with a parent of many children, whose names and synonyms repeat words.
func broadCategories() fakeCategories {
	c := fakeCategories{
		"food":           {"Food", "meal", "coffee"},
		"food/kind-0":    {"Zero Eatery", "supper", "snack"},
		"cafe":           {"Cafe", "coffee", "tea"},
		"cafe/roastery":  {"Coffee Roastery", "beans"},
		"gym":            {"Gym / Fitness Center", "workout"},
		"bar":            {"Bar", "pub"},
		"food/gastropub": {"Gastro Eatery", "bar", "supper"},
	}
	for i := range common + 1 {
		c[fmt.Sprintf("food/more-%d", i)] = []string{fmt.Sprintf("Number%d Eatery", i), "supper"}
	}
	return c
}

func TestVocabulary(t *testing.T) {
	t.Parallel()
	v := newVocabulary(broadCategories())
	for _, c := range []struct {
		why, category, key string
		want               field
	}{
		{"the name", "cafe/roastery", "coffee roastery", inTitle},
		{"a telling word of the name", "cafe/roastery", "roastery", inTerm},
		{"a word that many names have", "food/kind-0", "eatery", inWord},
		{"both halves of a double name", "gym", "fitness center", inTitle},
		{"a synonym", "food/kind-0", "snack", inTerm | inWord},
		{"a synonym that many have", "food/kind-0", "supper", inWord},
		{"a synonym that is another's name", "food/gastropub", "bar", inWord},
		{"the parent's name", "food/kind-0", "food", inParentTerm | inParentWord},
		{"a synonym of a parent with few children", "cafe/roastery", "tea", inParentTerm | inParentWord},
		{"a synonym of a parent with many", "food/kind-0", "coffee", inParentWord},
		{"free words that are a name", "CAFE", "tea", inTerm | inWord},
		{"free words that are the only such synonym", "beans", "coffee roastery", inTitle},
		{"free words that are an ambiguous synonym", "coffee", "tea", 0},
		{"free words themselves", "space_elevator", "space elevator", inTitle},
		{"a word of free words", "space_elevator", "elevator", inTerm},
		{"a common word of free words", "space eatery", "eatery", inWord},
		{"free words that narrow a name down", "jazz bar", "bar", inTerm | inParentTerm | inParentWord},
		{"nothing at all", "--", "", 0},
	} {
		got := field(0)
		for _, k := range v.of(c.category) {
			if k.key == c.key {
				got |= k.in
			}
		}
		if got != c.want {
			t.Errorf("%s: %q of %q is in %07b, want %07b", c.why, c.key, c.category, got, c.want)
		}
	}
}
