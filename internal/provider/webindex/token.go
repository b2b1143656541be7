package webindex

import (
	"bytes"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// maxToken bounds a word, in bytes; the rest of a longer one is cut off.
const maxToken = 40

// tokens calls yield for each folded word of text. The slice is only good during the call. Scripts
// written without spaces give pairs of characters, so that a word is found inside a longer run.
func tokens(text string, yield func(word []byte)) {
	if !isASCII(text) {
		text = norm.NFKD.String(text)
	}
	var space [maxToken + utf8.UTFMax]byte
	word := space[:0]
	var before rune // the last character of a run without spaces
	flush := func() {
		if len(word) > 0 {
			yield(stem(word))
			word = word[:0]
		}
	}
	for _, r := range text {
		switch {
		case 'a' <= r && r <= 'z' || '0' <= r && r <= '9':
			before = 0
		case 'A' <= r && r <= 'Z':
			r, before = r+'a'-'A', 0
		case r == '\'' || r == '’': // joe's is joes
			continue
		case r < utf8.RuneSelf:
			flush()
			before = 0
			continue
		case unicode.Is(unicode.Mn, r): // an accent that NFKD has split off
			continue
		case isUnspaced(r):
			flush()
			if before != 0 {
				yield(utf8.AppendRune(utf8.AppendRune(space[:0], before), r))
			}
			before = r
			continue
		case unicode.IsLetter(r) || unicode.IsNumber(r):
			r, before = unicode.ToLower(r), 0
		default:
			flush()
			before = 0
			continue
		}
		if len(word)+utf8.RuneLen(r) <= maxToken {
			word = utf8.AppendRune(word, r)
		}
	}
	flush()
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

func isUnspaced(r rune) bool {
	return r >= 0x0e00 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai)
}

// stem takes English plurals back to the singular and nothing more.
func stem(w []byte) []byte {
	n := len(w)
	if n < 4 || w[n-1] != 's' {
		return w
	}
	has := func(suffix string) bool { return bytes.HasSuffix(w, []byte(suffix)) }
	switch {
	case has("ss"), has("us"), has("is"):
		return w
	case has("ies") && n > 4:
		w[n-3] = 'y'
		return w[:n-2]
	case has("shes"), has("ches"), has("sses"), has("xes"):
		return w[:n-2]
	}
	return w[:n-1]
}

// queryWords are the distinct words of a query without those that say where the searcher is or
// nothing at all, unless it has no others.
func queryWords(query string) []string {
	var all, telling []string
	seen := map[string]bool{}
	tokens(query, func(w []byte) {
		word := string(w)
		if seen[word] || len(all) == maxQueryWords {
			return
		}
		seen[word] = true
		all = append(all, word)
		if !isFiller(word) {
			telling = append(telling, word)
		}
	})
	if len(telling) > 0 {
		return telling
	}
	return all
}

func isFiller(word string) bool {
	switch word {
	case "a", "an", "the", "and", "or", "of", "for", "in", "at", "on", "to", "by", "with",
		"near", "nearby", "nearest", "closest", "me", "my":
		return true
	}
	return false
}
