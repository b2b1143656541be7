package db

import (
	"bytes"
	"strings"
)

// maxShape is how much of a statement is looked at; a longer one is a wide insert.
const maxShape = 4 << 10

// shape is a statement without its values: each is a ?, and so are lists of them, however long. Comments and layout are left
// out, too.
func shape(text string) string {
	text = text[:min(len(text), maxShape)]
	out := make([]byte, 0, min(len(text), 512))
	value := -1 // where out ended with the last value
	for i := 0; i < len(text); {
		switch c := text[i]; {
		case c <= ' ':
			i++
			if len(out) > 0 && out[len(out)-1] != ' ' {
				out = append(out, ' ')
			}
		case strings.HasPrefix(text[i:], "--"):
			i = after(text, i, func(c byte) bool { return c != '\n' })
		case c == '\'' || c == '$' || isDigit(c):
			if i = afterValue(text, i); value >= 0 && isListed(out[value:]) {
				out = out[:value]
				continue
			}
			out = append(out, '?')
			value = len(out)
		case isName(c):
			end := after(text, i, isName)
			out, i = append(out, text[i:end]...), end
		default:
			out, i = append(out, c), i+1
			if row := bytes.TrimSuffix(out, []byte("(?)")); c == ')' && len(row) < len(out) && bytes.HasSuffix(bytes.TrimRight(row, " ,"), []byte("(?)")) {
				out, value = bytes.TrimRight(row, " ,"), -1
			}
		}
	}
	return string(bytes.TrimSpace(out))
}

// after is where a run that begins at i ends.
func after(text string, i int, in func(byte) bool) int {
	for i < len(text) && in(text[i]) {
		i++
	}
	return i
}

// afterValue is where a bind, a number or a text that begins at i ends.
func afterValue(text string, i int) int {
	if text[i] != '\'' {
		return after(text, i+1, func(c byte) bool { return isDigit(c) || c == '.' })
	}
	for i++; i < len(text); i++ {
		if text[i] == '\'' {
			if i++; i == len(text) || text[i] != '\'' { // two of them are one within the text
				return i
			}
		}
	}
	return i
}

// isListed tells whether nothing but a comma stands between two values.
func isListed(between []byte) bool { return string(bytes.TrimSpace(between)) == "," }

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isName(c byte) bool {
	return isDigit(c) || c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

// summary is what a shape does, and to what: SELECT locations.
func summary(shape string) (name, verb string) {
	var table, before string
	with := false
	for word := range strings.FieldsFuncSeq(shape, func(r rune) bool { return r < 0x80 && !isName(byte(r)) }) {
		upper := strings.ToUpper(word)
		switch {
		case verb == "" && upper == "WITH":
			verb, with = "SELECT", true // unless something else follows
		case verb == "":
			verb = upper
		case with && before != "FOR" && (upper == "INSERT" || upper == "UPDATE" || upper == "DELETE"):
			verb, table, with = upper, "", false
		case table == "" && upper != "SELECT" && (before == "FROM" || before == "INTO" || before == "UPDATE"):
			table = word
		}
		before = upper
	}
	return strings.TrimSpace(verb + " " + table), verb
}
