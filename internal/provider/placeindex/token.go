package placeindex

import (
	"strings"

	"github.com/trigpoint/trigpoint/internal/words"
)

// maxTokens bounds the words of one text.
const maxTokens = 64

// tokens cuts text into words, in order and with repeats.
func tokens(text string) []string { return appendTokens(nil, text) }

func appendTokens(dst []string, text string) []string {
	limit := len(dst) + maxTokens
	for word := range words.Of(text) {
		if len(dst) == limit {
			break
		}
		dst = append(dst, word)
	}
	return dst
}

// phrase is the form in which a category term, or a run of query words, is looked up.
func phrase(words []string) string { return strings.Join(words, " ") }

// meaningful drops the filler, unless there is nothing else.
func meaningful(list []string) []string { return words.Telling(list, words.IsMapFiller) }
