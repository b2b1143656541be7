package location

import (
	"strings"
	"unicode/utf8"

	"github.com/trigpoint/trigpoint/internal/location/gazetteer"
)

// maxWords bounds the ways in which a query can be split; no place and its country need more.
const maxWords = 12

// query is what somebody typed: the folded words of the first part, which begins with the name, and
// of each further part between commas, which can only say where the place is.
type query struct {
	words  []string
	places [][]string
}

// parse reads a query and tells false when it is too short, too long or holds no word.
func parse(text string) (query, bool) {
	text = strings.TrimSpace(text)
	if n := utf8.RuneCountInString(text); n < MinQuery || n > MaxQuery {
		return query{}, false
	}
	var q query
	total := 0
	for _, part := range strings.FieldsFunc(text, isComma) {
		words := strings.Fields(gazetteer.Fold(part))
		switch total += len(words); {
		case len(words) == 0:
		case len(q.words) == 0:
			q.words = words
		default:
			q.places = append(q.places, words)
		}
	}
	return q, total > 0 && total <= maxWords
}

func isComma(r rune) bool { return strings.ContainsRune(",;|，、،", r) }

// whole is all of the query as one name: "Washington, D.C." has a comma of its own.
func (q query) whole() string {
	words := q.words
	for _, place := range q.places {
		words = append(words[:len(words):len(words)], place...)
	}
	return strings.Join(words, " ")
}

// split takes the first n words as the name; the others, and the parts behind a comma, say where it is.
func (q query) split(n int) (name string, where [][]string) {
	if n < len(q.words) {
		where = append(where, q.words[n:])
	}
	return strings.Join(q.words[:n], " "), append(where, q.places...)
}

// splitReversed takes the first n words as where the place is, too, and the others as its name.
func (q query) splitReversed(n int) (where [][]string, name string) {
	return append([][]string{q.words[:n]}, q.places...), strings.Join(q.words[n:], " ")
}
