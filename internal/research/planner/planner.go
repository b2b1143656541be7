// Package planner reads the exports of the keyword planner: searches a month, competition and bids by keyword. It
// keeps nothing.
package planner

import (
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/trigpoint/trigpoint/internal/errs"
	"github.com/trigpoint/trigpoint/internal/textfile"
)

// Bounds of a keyword-planner file.
const (
	maxLines   = 1_000_000
	maxLine    = 64 << 10 // bytes of UTF-8
	maxColumns = 200
	maxOpening = 12 // lines in which the header must appear

	maxChars = 80
	maxWords = 10
)

// Competition is how many advertisers bid on a keyword; "" is unknown.
type Competition string

// The planner's three steps.
const (
	LowCompetition    Competition = "LOW"
	MediumCompetition Competition = "MEDIUM"
	HighCompetition   Competition = "HIGH"
)

// Row is one keyword of a keyword-planner export. What the file does not say is nil.
type Row struct {
	Line    int
	Keyword string

	// Volume is searches a month. Accounts that spend little get ranges such as "1K – 10K"; then it
	// is the geometric mean of the ends, rounded, because the ranges are decades: 3,162.
	Volume               *int64
	VolumeMin, VolumeMax int64 // the ends of the range; both are Volume when it is exact

	Competition Competition
	PPC         *float64 // competition index, 0..100
	Bid         *float64 // the mean of the low and high top-of-page bids, in Currency
	CPC         *float64 // the same, when Currency is USD
	Currency    string   // of the file's bids, three letters; "" when it does not say
	Months      []MonthVolume
}

// MonthVolume is the searches of one month.
type MonthVolume struct {
	Year   int
	Month  time.Month
	Volume int64
}

// Read reads a keyword-planner export: UTF-16 or UTF-8, separated by tabs, commas or
// semicolons, with or without the lines above the header, headers in English, German, French,
// Spanish, Italian, Portuguese, Dutch, Russian or Japanese; other languages are recognised by the
// usual order of the columns. It calls yield for each keyword in file order and stops at its first error. A line that
// cannot be read is given to bad with its number, from 1, and skipped. A file of which nothing can
// be read is an *errs.Error of code Invalid that says what is wrong with it. After an error the rows
// already yielded are part of a broken file and should be dropped.
func Read(r io.Reader, yield func(Row) error, bad func(line int, reason string)) error {
	text, err := textfile.Text(r)
	if err != nil {
		return err
	}
	lines := textfile.NewLines(text, maxLine)
	first, err := readOpening(lines)
	if err != nil {
		return err
	}
	layout, err := first.layout()
	if err != nil {
		return err
	}
	good, skipped := 0, 0
	each := func(l textLine) error {
		row, reason := readRow(l, layout)
		if reason != "" {
			skipped++
			if bad != nil {
				bad(l.number, reason)
			}
			return nil
		}
		good++
		return yield(row)
	}
	for _, l := range first.lines[layout.firstRow:] {
		if err := each(l); err != nil {
			return err
		}
	}
	if err := eachLine(lines, each); err != nil {
		return err
	}
	if good == 0 && skipped > 0 {
		return errs.New(errs.Invalid, "None of the %d lines below the header could be read as a keyword.", skipped)
	}
	return nil
}

// readOpening reads the first lines, from which separator and columns are found.
func readOpening(lines *textfile.Lines) (opening, error) {
	var first opening
	err := eachLine(lines, func(l textLine) error {
		first.lines = append(first.lines, l)
		if len(first.lines) == maxOpening {
			return errEnough
		}
		return nil
	})
	if err != nil && !errors.Is(err, errEnough) {
		return first, err
	}
	if len(first.lines) == 0 {
		return first, errs.New(errs.Invalid, "The file is empty.")
	}
	return first, nil
}

var errEnough = errors.New("enough lines")

// readRow turns a line into a row, or says why it cannot.
func readRow(l textLine, layout layout) (Row, string) {
	if l.fault != "" {
		return Row{}, l.fault
	}
	cells, reason := splitLine(l.text, layout.separator)
	if reason != "" {
		return Row{}, reason
	}
	cell := func(column int) string {
		if column < 0 || column >= len(cells) {
			return ""
		}
		return strings.TrimSpace(cells[column])
	}
	row := Row{Line: l.number, Keyword: strings.Join(strings.Fields(cell(layout.keyword)), " ")}
	if reason := KeywordFault(row.Keyword); reason != "" {
		return Row{}, reason
	}
	var ok bool
	if row.Volume, row.VolumeMin, row.VolumeMax, ok = parseVolume(cell(layout.volume)); !ok {
		return Row{}, fmt.Sprintf("%.40q is no number of searches", cell(layout.volume))
	}
	if row.Volume == nil {
		row.setRange(cell(layout.least), cell(layout.most))
	}
	row.setCompetition(cell(layout.competition), cell(layout.index))
	row.setBids(cell(layout.currency), cell(layout.low), cell(layout.high))
	for _, m := range layout.months {
		volume, _, _, ok := parseVolume(cell(m.column))
		if !ok {
			return Row{}, fmt.Sprintf("%.40q is no number of searches in %s %d", cell(m.column), m.month, m.year)
		}
		if volume != nil {
			row.Months = append(row.Months, MonthVolume{Year: m.year, Month: m.month, Volume: *volume})
		}
	}
	return row, ""
}

// KeywordFault says why the planner could not have such a keyword; "" when it could.
func KeywordFault(keyword string) string {
	switch {
	case keyword == "":
		return "there is no keyword"
	case strings.ContainsRune(keyword, utf8.RuneError) || strings.ContainsRune(keyword, 0):
		return "the keyword contains broken characters"
	case utf8.RuneCountInString(keyword) > maxChars:
		return fmt.Sprintf("the keyword is longer than %d characters", maxChars)
	case strings.Count(keyword, " ") >= maxWords:
		return fmt.Sprintf("the keyword has more than %d words", maxWords)
	}
	return ""
}

// setRange takes the ends of a range that stand in columns of their own.
func (row *Row) setRange(least, most string) {
	low, _, _, ok := parseVolume(least)
	high, _, _, fine := parseVolume(most)
	if ok && fine && low != nil && high != nil && *low <= *high {
		mean := middle(*low, *high)
		row.Volume, row.VolumeMin, row.VolumeMax = &mean, *low, *high
	}
}

// setCompetition takes the index; older exports have it, as 0..1, in place of the word.
func (row *Row) setCompetition(word, index string) {
	row.Competition = competitionOf(word)
	value, ok := parseDecimal(index)
	if !ok {
		if value, ok = parseDecimal(word); !ok || value > 1 {
			return
		}
		value *= 100
	}
	if value >= 0 && value <= 100 {
		row.PPC = &value
	}
}

// setBids takes the mean of the bids; one without a currency says nothing.
func (row *Row) setBids(currency, low, high string) {
	if len(currency) == 3 {
		row.Currency = strings.ToUpper(currency)
	}
	var sum float64
	n := 0
	for _, bid := range []string{low, high} {
		if value, ok := parseDecimal(bid); ok && value >= 0 {
			sum, n = sum+value, n+1
		}
	}
	if n == 0 || row.Currency == "" {
		return
	}
	mean := math.Round(sum/float64(n)*1e4) / 1e4
	row.Bid = &mean
	if row.Currency == "USD" {
		row.CPC = &mean
	}
}
