package placeindex

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/trigpoint/trigpoint/internal/words"
)

// minMended is how many letters a word has that is taken for a slip of the pen; shorter ones have too many neighbours.
const minMended = 5

// mend replaces the words that nothing knows with the nearest one that places know, if it is one slip away: a letter
// too many, too few, another, or two in the wrong order.
func mend(query []string, runs []wordRun, known lexicon) ([]string, bool) {
	mended := slices.Clone(query)
	at, any := 0, false
	for _, r := range runs {
		if r.unknown() {
			if w, ok := nearest(r.words[0], known); ok {
				mended[at], any = w, true
			}
		}
		at += len(r.words)
	}
	return mended, any
}

// nearest is the neighbour of a word that most places have, one that names a kind of place before others.
func nearest(word string, known lexicon) (string, bool) {
	best, bestCounts := "", counts{}
	if utf8.RuneCountInString(word) < minMended || len(word) == words.MaxBytes {
		return "", false
	}
	for w := range neighbours([]rune(word)) {
		c := known.count(w)
		if c.what+c.where > 0 && better(c, bestCounts, w, best) {
			best, bestCounts = w, c
		}
	}
	return best, best != ""
}

func better(a, b counts, word, than string) bool {
	for _, by := range [...][2]int{{a.kind, b.kind}, {a.what, b.what}, {a.where, b.where}} {
		if by[0] != by[1] {
			return by[0] > by[1]
		}
	}
	return word < than
}

// alphabets are the letters that may be missing or wrong, folded.
var alphabets = []string{
	"abcdefghijklmnopqrstuvwxyz",
	"абвгґдђеєжзиіјклљмнњопрстћуфхцчџшщъыьэюя",
	"αβγδεζηθικλμνξοπρσςτυφχψω",
	"אבגדהוזחטיכךלמםנןסעפףצץקרשת",
	"ابةتثجحخدذرزسشصضطظعغفقكلمنهويىپچژکگی",
}

// neighbours yields the words that are one slip away.
func neighbours(word []rune) func(yield func(string) bool) {
	letters := []rune("")
	for _, alphabet := range alphabets {
		if strings.ContainsRune(alphabet, word[0]) {
			letters = []rune(alphabet)
		}
	}
	return func(yield func(string) bool) {
		buffer := make([]rune, 0, len(word)+1)
		join := func(parts ...[]rune) string {
			buffer = buffer[:0]
			for _, p := range parts {
				buffer = append(buffer, p...)
			}
			return string(buffer)
		}
		for i := range len(word) + 1 {
			before, after := word[:i], word[i:]
			if len(after) > 0 && !yield(join(before, after[1:])) {
				return
			}
			if len(after) > 1 && !yield(join(before, []rune{after[1], after[0]}, after[2:])) {
				return
			}
			for _, l := range letters {
				if len(after) > 0 && !yield(join(before, []rune{l}, after[1:])) || !yield(join(before, []rune{l}, after)) {
					return
				}
			}
		}
	}
}
