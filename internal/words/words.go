// Package words cuts text into the words that people search with: in lower case, without accents, in the
// singular. Whatever is stored under words of this package is found by any spelling of them. It does no I/O.
package words

import (
	"iter"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// MaxBytes bounds a word; the rest of a longer one is cut off.
const MaxBytes = 48

// Of yields the words of a text in order, with repeats. A word may share the memory of the text. Scripts
// written without spaces give pairs of characters, so that a word is found inside a longer run.
func Of(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		text := Fold(text)
		start, paired := -1, false // the run of letters being read, and whether it is cut into pairs
		for i, r := range text {
			inWord := isWordRune(r)
			if start >= 0 && inWord && (isUnspaced(r) == paired || unicode.IsMark(r)) {
				continue
			}
			if start >= 0 && !yieldRun(text[start:i], paired, yield) {
				return
			}
			if start = -1; inWord {
				start, paired = i, isUnspaced(r)
			}
		}
		if start >= 0 {
			yieldRun(text[start:], paired, yield)
		}
	}
}

// Distinct lists the words of a text, each once.
func Distinct(text string) []string {
	var list []string
	seen := map[string]bool{}
	for word := range Of(text) {
		if !seen[word] {
			seen[word] = true
			list = append(list, word)
		}
	}
	return list
}

// Telling drops the words that are filler, unless there are no others.
func Telling(list []string, isFiller func(word string) bool) []string {
	if telling := slices.DeleteFunc(slices.Clone(list), isFiller); len(telling) > 0 {
		return telling
	}
	return list
}

// IsFiller tells whether a word of a query says nothing about what is searched for.
func IsFiller(word string) bool {
	switch word {
	case "a", "an", "the", "and", "or", "of", "for", "in", "at", "on", "to", "by", "with", "from", "is", "what", "how",
		"near", "nearby", "nearest", "closest", "me", "my":
		return true
	}
	return false
}

// IsMapFiller tells whether a word of a query says nothing about which place is meant: on a map, that includes
// how good it should be and when it is open.
func IsMapFiller(word string) bool {
	switch word {
	case "close", "around", "here", "local", "best", "top", "good", "great", "cheap", "open", "now", "today", "find", "place", "s":
		return true
	}
	return IsFiller(word)
}

// IsPair tells whether a word is of a script written without spaces, and so perhaps only a part of a word.
func IsPair(word string) bool {
	first, _ := utf8.DecodeRuneInString(word)
	return isUnspaced(first)
}

func yieldRun(run string, paired bool, yield func(string) bool) bool {
	if !paired {
		return yield(singular(cut(run)))
	}
	_, first := utf8.DecodeRuneInString(run)
	if first == len(run) {
		return yield(run)
	}
	for first < len(run) {
		_, second := utf8.DecodeRuneInString(run[first:])
		if !yield(run[:first+second]) {
			return false
		}
		run, first = run[first:], second
	}
	return true
}

// cut bounds a word without leaving half a character.
func cut(word string) string {
	if len(word) <= MaxBytes {
		return word
	}
	end := MaxBytes
	for !utf8.RuneStart(word[end]) {
		end--
	}
	return word[:end]
}

func isWordRune(r rune) bool {
	if r < utf8.RuneSelf {
		return 'a' <= r && r <= 'z' || '0' <= r && r <= '9'
	}
	return unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r)
}

func isUnspaced(r rune) bool {
	return r >= 0x0e00 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai)
}

// singular takes English plurals back, and nothing more: "bakeries" and "bakery" are one word, "plumbing"
// and "plumber" are two.
func singular(w string) string {
	n := len(w)
	if n < 4 || w[n-1] != 's' || !isASCII(w) {
		return w
	}
	switch {
	case strings.HasSuffix(w, "ss"), strings.HasSuffix(w, "us"), strings.HasSuffix(w, "is"):
		return w
	case strings.HasSuffix(w, "ies") && n > 4:
		return w[:n-3] + "y"
	case strings.HasSuffix(w, "sses"), strings.HasSuffix(w, "shes"), strings.HasSuffix(w, "ches"), strings.HasSuffix(w, "xes"):
		return w[:n-2]
	}
	return w[:n-1]
}
