package planner

import (
	"math"
	"strconv"
	"strings"
	"unicode"
)

// maxSearches bounds a volume; no keyword has as many searches a month.
const maxSearches = 1_000_000_000_000

// competitionOf understands the planner's word.
func competitionOf(word string) Competition {
	switch strings.TrimSpace(plainWords(word)) {
	case "low", "niedrig", "gering", "faible", "baja", "bajo", "bassa", "basso", "baixa", "baixo", "laag", "низкая", "низкии", "低":
		return LowCompetition
	case "medium", "mittel", "moyenne", "moyen", "media", "medio", "gemiddeld", "middel", "средняя", "среднии", "中":
		return MediumCompetition
	case "high", "hoch", "elevee", "eleve", "forte", "alta", "alto", "hoog", "высокая", "высокии", "高":
		return HighCompetition
	}
	return ""
}

// parseVolume reads "1,000", "1K – 10K", "1 Tsd.–10 Tsd.", "1万～10万" or "<10". An empty cell or a lone dash is
// unknown: nil and true. A range counts as its middle.
func parseVolume(s string) (volume *int64, low, high int64, ok bool) {
	s = strings.TrimSpace(s)
	if strings.Trim(s, "-–—−") == "" || strings.EqualFold(s, "n/a") {
		return nil, 0, 0, true
	}
	if rest, below := strings.CutPrefix(s, "<"); below {
		s = "0-" + rest
	}
	from, to, ranged := cutRange(s)
	if !ranged {
		n, _, ok := parseQuantity(s)
		return &n, n, n, ok
	}
	high, unit, ok := parseQuantity(to)
	if !ok {
		return nil, 0, 0, false
	}
	low, lowUnit, ok := parseQuantity(from)
	if !ok {
		return nil, 0, 0, false
	}
	if lowUnit == 1 && unit > 1 && low*unit < high { // "1–10K" means 1K–10K
		low *= unit
	}
	if low > high {
		return nil, 0, 0, false
	}
	mean := middle(low, high)
	return &mean, low, high, true
}

// middle is the geometric mean of a range; an end of 0 counts as 1 in it.
func middle(low, high int64) int64 {
	return int64(math.Round(math.Sqrt(float64(max(low, 1)) * float64(max(high, 1)))))
}

// cutRange cuts at a dash of any kind, or at a word between two figures.
func cutRange(s string) (from, to string, ok bool) {
	for _, dash := range []string{"–", "—", "−", "-", "~", "～", "〜", " bis ", " to ", " à ", " a ", " tot ", " até "} {
		if from, to, ok := strings.Cut(s, dash); ok && strings.TrimSpace(from) != "" {
			return from, to, true
		}
	}
	return "", "", false
}

// parseQuantity reads a whole number with grouping and a unit, and tells the unit.
func parseQuantity(s string) (n, unit int64, ok bool) {
	s = strings.TrimSpace(s)
	end := strings.IndexFunc(s, unicode.IsLetter)
	if end < 0 {
		end = len(s)
	}
	unit, ok = unitOf(s[end:])
	if !ok {
		return 0, 0, false
	}
	value, ok := parseNumber(s[:end], unit > 1)
	value *= float64(unit)
	if !ok || value < 0 || value > maxSearches {
		return 0, 0, false
	}
	return int64(math.Round(value)), unit, true
}

func unitOf(s string) (int64, bool) {
	switch strings.ToLower(strings.Trim(s, " .\u00a0\u202f")) {
	case "":
		return 1, true
	case "万":
		return 10_000, true
	case "億":
		return 100_000_000, true
	case "k", "tsd", "tausend", "mil", "mille", "mila", "dzd", "duizend", "тыс", "тысяч", "千":
		return 1_000, true
	case "m", "mio", "mi", "mill", "mln", "million", "millions", "milhões", "millones", "milioni", "miljoen", "млн":
		return 1_000_000, true
	case "b", "mrd", "md", "mld", "млрд":
		return 1_000_000_000, true
	}
	return 0, false
}

// parseDecimal reads an amount with or without a currency sign.
func parseDecimal(s string) (float64, bool) {
	s = strings.TrimFunc(s, func(r rune) bool {
		return unicode.IsLetter(r) || unicode.IsSpace(r) || unicode.Is(unicode.Sc, r) || r == '%'
	})
	if s == "" {
		return 0, false
	}
	return parseNumber(s, true)
}

// parseNumber reads digits with either convention of grouping. A single separator followed by exactly
// three digits groups ("1,000", "1.000"), unless fractions are possible and it follows a lone zero;
// any other single separator is the decimal one, which a whole number must not have.
func parseNumber(s string, fraction bool) (float64, bool) {
	s = strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || r == '\'' || r == '’' {
			return -1
		}
		return r
	}, s)
	if len(s) > 32 {
		return 0, false
	}
	last := strings.LastIndexAny(s, ".,")
	if last < 0 {
		return digits(s)
	}
	whole, rest := s[:last], s[last+1:]
	mark, other := ".", ","
	if s[last] == ',' {
		mark, other = other, mark
	}
	groups := len(rest) == 3 && !strings.Contains(whole, other) && (!fraction || whole != "0")
	if groups || strings.Contains(whole, mark) {
		if !grouped(s, mark) {
			return 0, false
		}
		return digits(strings.ReplaceAll(s, mark, ""))
	}
	if !fraction || !grouped(whole, other) {
		return 0, false
	}
	return digits(strings.ReplaceAll(whole, other, "") + "." + rest)
}

// grouped tells whether every group but the first has three digits.
func grouped(s, mark string) bool {
	for i, group := range strings.Split(s, mark) {
		if i > 0 && len(group) != 3 || i == 0 && (group == "" || len(group) > 3 && strings.Contains(s, mark)) {
			return false
		}
	}
	return true
}

// digits parses plain digits with at most one point.
func digits(s string) (float64, bool) {
	if strings.Trim(s, "0123456789.") != "" {
		return 0, false
	}
	value, err := strconv.ParseFloat(s, 64)
	return value, err == nil
}
