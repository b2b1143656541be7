package placeindex

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

const (
	maxToken  = 48 // bytes; the rest of a longer word is cut off
	maxTokens = 64 // of one text
)

// tokens cuts text into folded, stemmed words, in order and with repeats.
func tokens(text string) []string { return appendTokens(nil, text) }

func appendTokens(dst []string, text string) []string {
	text = fold(text)
	limit := len(dst) + maxTokens
	start := -1
	for i, r := range text {
		switch {
		case isWordRune(r):
			if start < 0 {
				start = i
			}
		case start >= 0:
			dst = appendWord(dst, text[start:i])
			start = -1
		}
		if len(dst) >= limit {
			return dst[:limit]
		}
	}
	if start >= 0 {
		dst = appendWord(dst, text[start:])
	}
	return dst[:min(len(dst), limit)]
}

// appendWord adds one run of letters and digits. Scripts written without spaces become pairs of
// characters, so that a word is found inside a longer run.
func appendWord(dst []string, run string) []string {
	if first, _ := utf8.DecodeRuneInString(run); isUnspaced(first) {
		return appendPairs(dst, run)
	}
	return append(dst, stem(cut(run)))
}

func appendPairs(dst []string, run string) []string {
	runes := []rune(run)
	if len(runes) == 1 {
		return append(dst, run)
	}
	for i := range len(runes) - 1 {
		dst = append(dst, string(runes[i:i+2]))
	}
	return dst
}

// cut bounds a word without leaving half a character.
func cut(word string) string {
	if len(word) <= maxToken {
		return word
	}
	end := maxToken
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

// fold brings text to lower case without accents, and deals with apostrophes.
func fold(text string) string {
	var b strings.Builder
	b.Grow(len(text))
	if !isASCII(text) {
		text = norm.NFKD.String(text)
	}
	for i, r := range text {
		switch {
		case 'A' <= r && r <= 'Z':
			b.WriteByte(byte(r) + 'a' - 'A')
		case r == '\'', r == '’', r == 'ʼ', r == '`':
			if !joins(text, i, utf8.RuneLen(r)) {
				b.WriteByte(' ')
			}
		case r < utf8.RuneSelf:
			b.WriteByte(byte(r))
		case 0x0300 <= r && r <= 0x036f, r == utf8.RuneError: // accents that NFKD has split off
		default:
			writeFolded(&b, unicode.ToLower(r))
		}
	}
	return b.String()
}

// joins tells whether the apostrophe at i is part of a word: "Joe's", "O'Brien", but not "l'Étoile".
func joins(text string, i, width int) bool {
	before, after := text[:i], text[i+width:]
	if n := len(before); n > 0 && (before[n-1]|0x20) == 'o' && (n == 1 || before[n-2] == ' ') {
		return true
	}
	letter, n := utf8.DecodeRuneInString(after)
	next, _ := utf8.DecodeRuneInString(after[n:])
	return unicode.IsLetter(letter) && !isWordRune(unicode.ToLower(next))
}

// writeFolded writes a letter that has no decomposition the way it is typed without it.
func writeFolded(b *strings.Builder, r rune) {
	switch r {
	case 'ß':
		b.WriteString("ss")
	case 'æ':
		b.WriteString("ae")
	case 'œ':
		b.WriteString("oe")
	case 'þ':
		b.WriteString("th")
	case 'ø':
		b.WriteByte('o')
	case 'đ', 'ð':
		b.WriteByte('d')
	case 'ł':
		b.WriteByte('l')
	case 'ı':
		b.WriteByte('i')
	default:
		b.WriteRune(r)
	}
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// stem takes English plurals back to the singular, and nothing more: "bakeries" and "bakery" are one
// word, "plumbing" and "plumber" are left to the category tree.
func stem(w string) string {
	n := len(w)
	if n < 4 || w[n-1] != 's' || !isASCII(w) {
		return w
	}
	switch {
	case strings.HasSuffix(w, "ss"), strings.HasSuffix(w, "us"), strings.HasSuffix(w, "is"):
		return w
	case strings.HasSuffix(w, "ies") && n > 4:
		return w[:n-3] + "y"
	case strings.HasSuffix(w, "sses"), strings.HasSuffix(w, "shes"), strings.HasSuffix(w, "ches"),
		strings.HasSuffix(w, "xes"):
		return w[:n-2]
	}
	return w[:n-1]
}

// isFiller tells whether a word of a query says nothing about which place is meant. It is compared after
// stemming.
func isFiller(w string) bool {
	switch w {
	case "a", "an", "the", "and", "or", "of", "for", "in", "at", "on", "to", "by", "with", "from",
		"near", "nearby", "nearest", "close", "closest", "around", "me", "my", "here", "local",
		"best", "top", "good", "great", "cheap", "open", "now", "today", "find", "place", "s":
		return true
	}
	return false
}

// phrase is the form in which a category term, or a run of query words, is looked up.
func phrase(words []string) string { return strings.Join(words, " ") }

// meaningful drops the filler, unless there is nothing else.
func meaningful(words []string) []string {
	kept := make([]string, 0, len(words))
	for _, w := range words {
		if !isFiller(w) {
			kept = append(kept, w)
		}
	}
	if len(kept) == 0 {
		return words
	}
	return kept
}
