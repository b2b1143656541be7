package category

import (
	_ "embed"
	"fmt"
	"iter"
	"strings"
)

// The translations are tab-separated text: category, names joined by |, synonyms joined by |.
//
//go:embed translations.tsv.gz
var packedTranslations []byte

// Translations yields what each category is called in other languages than English, lower case: all names of all
// categories, then the synonyms. Some are those of several categories. They are unpacked for each call.
func Translations() iter.Seq2[string, string] {
	return func(yield func(id, term string) bool) {
		for _, column := range []int{translatedName, translatedSynonym} {
			for id, term := range translations(column) {
				if !yield(id, term) {
					return
				}
			}
		}
	}
}

// The columns of the translations.
const (
	translatedName    = 1
	translatedSynonym = 2
)

func translations(column int) iter.Seq2[string, string] {
	return func(yield func(id, term string) bool) {
		text, err := unzip(packedTranslations)
		if err != nil {
			panic(fmt.Errorf("category translations: %w", err)) // part of the program, so damage is a bug
		}
		for line := range strings.Lines(text) {
			fields := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
			if strings.HasPrefix(line, "#") || len(fields) != 3 || fields[column] == "" {
				continue
			}
			for term := range strings.SplitSeq(fields[column], "|") {
				if !yield(fields[0], term) {
					return
				}
			}
		}
	}
}
