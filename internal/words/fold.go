package words

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Fold brings text to lower case without accents, Hebrew points and Arabic vowels, which people leave out. The
// vowel signs of Indic scripts and the voicing marks of kana make other words, and stay. The apostrophe of "Joe's"
// goes, that of "l'Étoile" becomes a space; all other signs stay.
func Fold(text string) string {
	folded := FoldForID(text)
	if isASCII(folded) {
		return folded
	}
	return strings.Map(func(r rune) rune {
		switch {
		case 0x0591 <= r && r <= 0x06ed && unicode.Is(unicode.Mn, r):
			return -1
		case r == 'ħ':
			return 'h'
		case r == 'ŧ':
			return 't'
		}
		return r
	}, folded)
}

// FoldForID is Fold for text that an id is made of. It leaves Hebrew points, Arabic vowels, ħ and ŧ as they are, and
// must never change: places imported by earlier versions have such ids, and would be doubled by their next import.
func FoldForID(text string) string {
	var b strings.Builder
	b.Grow(len(text))
	if !isASCII(text) {
		text = norm.NFKD.String(text)
	}
	for i, r := range text {
		switch {
		case 'A' <= r && r <= 'Z':
			b.WriteByte(byte(r) + 'a' - 'A')
		case r < utf8.RuneSelf && r != '\'' && r != '`':
			b.WriteByte(byte(r))
		case r == '\'', r == '`', r == '’', r == 'ʼ':
			if !joins(text, i, utf8.RuneLen(r)) {
				b.WriteByte(' ')
			}
		case r == utf8.RuneError, 0x0300 <= r && r <= 0x036f: // accents that NFKD has split off
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
