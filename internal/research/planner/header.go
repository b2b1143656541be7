package planner

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/trigpoint/trigpoint/internal/errs"
	"github.com/trigpoint/trigpoint/internal/words"
)

// opening is the first lines of a file.
type opening struct{ lines []textLine }

// layout says where each figure is; a column that the file lacks is -1.
type layout struct {
	separator          rune
	firstRow           int // index of the first line that is data
	keyword, volume    int
	least, most        int // ends of the range of searches, where the file has them apart
	currency           int
	competition, index int
	low, high          int
	months             []monthColumn // oldest first
}

type monthColumn struct {
	column int
	year   int
	month  time.Month
}

// layout finds the header by its words; where it is in a language not known here, the columns are
// found by the usual order and the look of their values.
func (f opening) layout() (layout, error) {
	separator := f.separator()
	var rows [][]string
	for _, l := range f.lines {
		cells, _ := splitLine(l.text, separator)
		rows = append(rows, cells)
	}
	for i, cells := range rows {
		if l, ok := readHeader(cells); ok {
			l.separator, l.firstRow = separator, i+1
			return l, nil
		}
	}
	widest := 0
	for i, cells := range rows {
		if len(cells) > len(rows[widest]) {
			widest = i
		}
	}
	for i := widest; i < len(rows); i++ {
		if l, ok := guessColumns(rows[i]); ok {
			l.separator, l.firstRow = separator, i
			return l, nil
		}
	}
	seen := strings.Join(rows[widest], " | ")
	if len(seen) > 200 {
		seen = strings.ToValidUTF8(seen[:200], "") + "…"
	}
	return layout{}, errs.New(errs.Invalid,
		"No column of keywords and monthly searches was found. The first line of the table should name them, as in Keyword, Avg. monthly searches; it reads: %s", seen)
}

// separator is the one that makes most cells of the first lines.
func (f opening) separator() rune {
	best, most := '\t', 0
	for _, candidate := range []rune{'\t', ';', ','} {
		for _, l := range f.lines {
			if cells, fault := splitLine(l.text, candidate); fault == "" && len(cells) > most {
				best, most = candidate, len(cells)
			}
		}
	}
	return best
}

// Stems of the words in headers, without accents, in nine languages.
var (
	keywordNames = []string{
		"keyword", "keywords", "search term", "query", "suchbegriff", "suchbegriffe", "mot cle", "mots cles", "palabra clave",
		"palabras clave", "parola chiave", "parole chiave", "palavra chave", "palavras chave", "zoekwoord", "zoekwoorden", "zoekterm",
		"ключевое слово", "ключевые слова", "поисковыи запрос", "キーワード", "検索キーワード",
	}
	volumeNames = []string{
		"volume", "search volume", "sv", "suchvolumen", "volume de recherche", "volumen de busqueda", "volumen de busquedas",
		"volume di ricerca", "volume de pesquisa", "volume de pesquisas", "zoekvolume", "検索ボリューム",
	}
	searchStems      = []string{"search", "suchanfrag", "recherch", "busqued", "ricerch", "pesquis", "zoekopdracht", "zoekvolume", "suchvolum", "запрос", "検索"}
	monthStems       = []string{"month", "monat", "mensuel", "mensual", "mensil", "mensai", "mensal", "maand", "месяц", "月間"}
	changeStems      = []string{"change", "yoy", "anderung", "veranderung", "evolution", "variation", "cambio", "variaz", "variac", "alterac", "wijziging", "verandering", "изменени", "推移", "前年比"}
	currencyStems    = []string{"currency", "wahrung", "devise", "monnaie", "moneda", "divisa", "valuta", "moeda", "валют", "通貨"}
	competitionStems = []string{"competition", "wettbewerb", "concurren", "competencia", "concorren", "competiti", "конкурен", "競合性"}
	indexStems       = []string{"index", "indiz", "indic", "geindex", "индекс", "インデックス"}
	bidStems         = []string{"bid", "gebot", "enchere", "puja", "oferta", "offerta", "lance", "bod", "ставк", "入札単価"}
	leastWords       = []string{"min", "minimum"}
	mostWords        = []string{"max", "maximum"}
)

// readHeader recognises a header that names the keyword and at least one figure.
func readHeader(cells []string) (layout, bool) {
	l := emptyLayout()
	for i, cell := range cells {
		named := strings.Fields(plainWords(cell))
		has := func(stems []string) bool { return hasStem(named, stems) }
		name := strings.Join(named, " ")
		year, month, dated := monthOf(cell)
		switch {
		case l.keyword < 0 && slices.Contains(keywordNames, name):
			l.keyword = i
		case has(changeStems):
		case dated && has(searchStems):
			l.months = append(l.months, monthColumn{i, year, month})
		case l.least < 0 && has(searchStems) && slices.Contains(leastWords, named[0]):
			l.least = i
		case l.most < 0 && has(searchStems) && slices.Contains(mostWords, named[0]):
			l.most = i
		case l.volume < 0 && (slices.Contains(volumeNames, name) || has(searchStems) && has(monthStems)):
			l.volume = i
		case l.currency < 0 && has(currencyStems):
			l.currency = i
		case l.index < 0 && has(competitionStems) && has(indexStems):
			l.index = i
		case l.competition < 0 && has(competitionStems):
			l.competition = i
		case l.low < 0 && has(bidStems): // the low end comes first in every language
			l.low = i
		case l.high < 0 && has(bidStems):
			l.high = i
		}
	}
	slices.SortFunc(l.months, func(a, b monthColumn) int { return (a.year-b.year)*12 + int(a.month-b.month) })
	figures := l.volume >= 0 || l.least >= 0 && l.most >= 0 || l.index >= 0 || l.low >= 0 || len(l.months) > 0
	return l, l.keyword >= 0 && figures
}

func emptyLayout() layout {
	return layout{keyword: -1, volume: -1, least: -1, most: -1, currency: -1, competition: -1, index: -1, low: -1, high: -1}
}

var currencyCode = regexp.MustCompile(`^[A-Z]{3}$`)

// guessColumns reads a line of data: the keyword first, then perhaps a currency, then the volume. The
// columns after it are used only when they look as the planner orders them: two changes, competition
// in a word, its index, two bids.
func guessColumns(cells []string) (layout, bool) {
	l := emptyLayout()
	if len(cells) < 2 || strings.TrimSpace(cells[0]) == "" {
		return l, false
	}
	l.keyword = 0
	for i, cell := range cells[1:] {
		cell = strings.TrimSpace(cell)
		if l.currency < 0 && currencyCode.MatchString(cell) {
			l.currency = i + 1
		} else if volume, _, _, ok := parseVolume(cell); ok && volume != nil {
			l.volume = i + 1
			break
		} else if strings.ContainsAny(cell, "0123456789") {
			return l, false // a figure of another kind: not the planner's order
		}
	}
	if l.volume < 0 {
		return l, false
	}
	if v := l.volume; v+6 < len(cells) && isChange(cells[v+1]) && isChange(cells[v+2]) && isWord(cells[v+3]) && isFigure(cells[v+4]) &&
		isFigure(cells[v+5]) && isFigure(cells[v+6]) {
		l.competition, l.index, l.low, l.high = v+3, v+4, v+5, v+6
	}
	return l, true
}

func isChange(s string) bool {
	s = strings.TrimSpace(s)
	return s == "" || s == "∞" || strings.Contains(s, "%")
}

func isWord(s string) bool {
	_, number := parseDecimal(s)
	return !number
}

func isFigure(s string) bool {
	_, number := parseDecimal(s)
	return number || strings.TrimSpace(s) == ""
}

// months by their first letters, without accents; French needs four for June and July.
var monthStarts = map[string]time.Month{
	"jan": 1, "ene": 1, "gen": 1, "feb": 2, "fev": 2, "mar": 3, "mrz": 3, "mrt": 3, "maa": 3, "mae": 3, "apr": 4, "avr": 4, "abr": 4,
	"may": 5, "mai": 5, "mag": 5, "mei": 5, "jun": 6, "juin": 6, "giu": 6, "jul": 7, "juil": 7, "lug": 7, "aug": 8, "aou": 8, "ago": 8,
	"sep": 9, "set": 9, "oct": 10, "okt": 10, "ott": 10, "out": 10, "nov": 11, "dec": 12, "dez": 12, "dic": 12,
	"янв": 1, "фев": 2, "мар": 3, "апр": 4, "маи": 5, "мая": 5, "июн": 6, "июл": 7, "авг": 8, "сен": 9, "окт": 10, "ноя": 11, "дек": 12,
}

var (
	fourDigits = regexp.MustCompile(`\b(20\d\d)\b`)
	isoMonth   = regexp.MustCompile(`\b(20\d\d)(?:[-/.](0[1-9]|1[0-2])\b|年 ?(1[0-2]|0?[1-9])月)`)
)

// monthOf finds a month and a year in a header such as "Searches: Jan 2025".
func monthOf(header string) (int, time.Month, bool) {
	if m := isoMonth.FindStringSubmatch(header); m != nil {
		year, _ := strconv.Atoi(m[1])
		month, _ := strconv.Atoi(m[2] + m[3])
		return year, time.Month(month), true
	}
	found := fourDigits.FindString(header)
	if found == "" {
		return 0, 0, false
	}
	year, _ := strconv.Atoi(found)
	for _, word := range strings.Fields(plainWords(header)) {
		letters := []rune(word)
		for _, n := range []int{4, 3} {
			if month, ok := monthStarts[string(letters[:min(n, len(letters))])]; ok {
				return year, month, true
			}
		}
	}
	return 0, 0, false
}

func hasStem(words, stems []string) bool {
	for _, word := range words {
		for _, stem := range stems {
			if strings.HasPrefix(word, stem) && (len(stem) > 3 || len(word) <= len(stem)+1) || stem >= "\u3000" && strings.Contains(word, stem) {
				return true // Japanese puts no space between words
			}
		}
	}
	return false
}

// plainWords folds letters and turns everything else but digits into spaces.
func plainWords(s string) string {
	letters := strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) {
			return r
		}
		return ' '
	}, words.Fold(s))
	return norm.NFC.String(letters) // the marks of kana back on their letters
}
