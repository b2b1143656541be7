package maprank

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/trigpoint/trigpoint/internal/errs"
	"github.com/trigpoint/trigpoint/internal/id"
)

const (
	maxKeywords       = 100
	maxKeywordLetters = 255
)

// Keyword is what a campaign searches for.
type Keyword struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// shown is the keyword with its id as the API prints it.
func (k Keyword) shown() Keyword { return Keyword{id.Dashed(k.ID), k.Name} }

// sameKeyword is equal for spellings that differ only in case.
func sameKeyword(name string) string { return strings.ToLower(name) }

// oneLine trims text and makes one space of those inside.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// checkKeywords trims each and collapses the space inside, and reports what is wrong with them.
func checkKeywords(ps *errs.Problems, given []string) []string {
	if len(given) == 0 {
		ps.Add("keywords", errs.NotSpecified, "keywords must have 1 to %d items.", maxKeywords)
		return nil
	}
	if len(given) > maxKeywords {
		ps.Add("keywords", errs.TooMany, "keywords has %d items; at most %d are allowed.", len(given), maxKeywords)
		return nil
	}
	names, seen := make([]string, len(given)), map[string]int{}
	for i, name := range given {
		name = oneLine(name)
		names[i] = name
		at := indexed("keywords", i)
		switch first, again := seen[sameKeyword(name)]; {
		case name == "":
			ps.Add(at, errs.KeywordInvalid, "A keyword must not be empty.")
			continue
		case utf8.RuneCountInString(name) > maxKeywordLetters:
			ps.Add(at, errs.TooLong, "A keyword has at most %d characters, not %d.", maxKeywordLetters, utf8.RuneCountInString(name))
		case strings.ContainsFunc(name, unicode.IsControl):
			ps.Add(at, errs.InvalidCharacters, "A keyword must not have control characters.")
		case again:
			ps.Add(at, errs.Duplicate, "%.64q is the same keyword as keywords[%d].", name, first)
		}
		if _, again := seen[sameKeyword(name)]; !again {
			seen[sameKeyword(name)] = i
		}
	}
	return names
}

// nameKeywords gives the names ids; one that is in the old list keeps its own, and so its history.
func nameKeywords(old []Keyword, names []string) []Keyword {
	known := map[string]string{}
	for _, k := range old {
		known[sameKeyword(k.Name)] = k.ID
	}
	all := make([]Keyword, len(names))
	for i, name := range names {
		all[i] = Keyword{ID: known[sameKeyword(name)], Name: name}
		if all[i].ID == "" {
			all[i].ID = id.New()
		}
	}
	return all
}
