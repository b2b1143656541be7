package gazetteer

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Fold brings a name to the form it is searched by: lower case, without accents, apostrophes and
// full stops, every run of other signs a single space. "Saint-Étienne" and "saint etienne" fold to the
// same text, and so do "Washington, D.C." and "washington dc". Folding twice changes nothing.
func Fold(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	gap := false
	for _, r := range norm.NFKD.String(s) {
		for _, r := range norm.NFKD.String(string(unicode.ToLower(r))) { // İ has its dot apart only in lower case
			switch {
			case unicode.Is(unicode.Mn, r) || silent(r):
			case unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.Is(unicode.Mc, r):
				if gap && b.Len() > 0 {
					b.WriteByte(' ')
				}
				gap = false
				if plain := unaccented(r); plain != "" {
					b.WriteString(plain)
				} else {
					b.WriteRune(r)
				}
			default:
				gap = true
			}
		}
	}
	return norm.NFC.String(b.String()) // Hangul syllables whole again
}

// silent are signs that people leave out, not replace by a space.
func silent(r rune) bool {
	return strings.ContainsRune(".'’‘`´′ʹʻʼʽʾʿˈ", r) || unicode.Is(unicode.Cf, r)
}

// unaccented spells the letters whose stroke or ligature is not an accent to Unicode.
func unaccented(r rune) string {
	switch r {
	case 'ß':
		return "ss"
	case 'æ':
		return "ae"
	case 'œ':
		return "oe"
	case 'ø':
		return "o"
	case 'đ', 'ð':
		return "d"
	case 'ł':
		return "l"
	case 'ħ':
		return "h"
	case 'ı':
		return "i"
	case 'ŧ':
		return "t"
	case 'þ':
		return "th"
	default:
		return ""
	}
}
