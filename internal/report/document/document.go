// Package document is what a report tells its reader, and how that looks: as one web page and as a PDF, drawn alike. It knows
// no store and no area.
package document

import (
	"strings"
	"time"
)

// Report is a whole report.
type Report struct {
	Title    string // whom it is about
	Kind     string // what it tells, in a few words
	Subtitle string
	Brand    Brand
	From, To time.Time // the last day is included
	Made     time.Time
	Sections []Section
}

// Brand is who hands the report over. The zero Brand is this program.
type Brand struct {
	Name   string
	Accent string // #rrggbb, as text of it can be read on white
	Logo   []byte // PNG or JPEG; nil without one
}

// Section is a part of a report with a heading. Its parts follow in the order of the fields.
type Section struct {
	Title   string
	NewPage bool
	Lead    string // what it comes to, in a sentence
	Figures []Figure
	Maps    []Map // two stand side by side
	Charts  []Chart
	Tables  []Table
}

// Figure is a number that the reader should take home.
type Figure struct {
	Name   string
	Value  string
	Change Change
	Means  string // its definition
}

// Change is how a figure moved; the zero Change is shown as nothing.
type Change struct {
	Text string // without a sign
	Way  int    // 1 is better, -1 worse, 0 as before
}

// String is the change with its arrow.
func (c Change) String() string {
	switch {
	case c.Text == "":
		return ""
	case c.Way > 0:
		return "▲ " + c.Text
	case c.Way < 0:
		return "▼ " + c.Text
	}
	return "as before"
}

// Map is where a business ranks at the points of a grid.
type Map struct {
	Title  string
	Note   string
	Points []Point
	Centre *Point // Rank has no meaning
	Width  float64
	Height float64 // in kilometres
}

// Point is a point of a map, in kilometres from its south-west corner. Rank 0 is a point that could not be searched.
type Point struct {
	East, North float64
	Rank        int
}

// Chart is a figure over time.
type Chart struct {
	Title  string
	Unit   string // behind the numbers
	Down   bool   // the axis runs downwards from 1, as ranks do
	Whole  bool   // of counts, between which there is nothing
	Points []Dated
}

// Dated is a value of a chart; NaN is a gap.
type Dated struct {
	At    time.Time
	Value float64
}

// Table is lines of cells. Long ones say how many lines they leave out.
type Table struct {
	Title   string
	Columns []Column
	Rows    [][]Cell
	Note    string
}

// Column is a column of a table; its share of the width is relative to the others'.
type Column struct {
	Name    string
	Share   float64
	Numbers bool
}

// Cell is a text, in bold where it is the reader's own, coloured by a change.
type Cell struct {
	Text string
	Way  int
	Bold bool
}

// Plain is a cell of text.
func Plain(text string) Cell { return Cell{Text: text} }

// Changed is a cell of a change.
func Changed(c Change) Cell { return Cell{Text: c.String(), Way: c.Way} }

// Period is the days that the report is about, in words.
func (r *Report) Period() string {
	from, to := r.From.Format("2 January 2006"), r.To.Format("2 January 2006")
	switch {
	case from == to:
		return to
	case r.From.Year() != r.To.Year():
		return from + " – " + to
	case r.From.Month() != r.To.Month():
		return r.From.Format("2 January") + " – " + to
	}
	return r.From.Format("2") + " – " + to
}

// By is who hands the report over.
func (r *Report) By() string {
	if r.Brand.Name != "" {
		return r.Brand.Name
	}
	return "Trigpoint"
}

// FileName is what the report is saved as, without an extension.
func (r *Report) FileName() string {
	name := strings.Map(func(c rune) rune {
		if c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '-' {
			return c
		}
		if c >= 'A' && c <= 'Z' {
			return c + 'a' - 'A'
		}
		return '-'
	}, r.Title)
	words := strings.FieldsFunc(name, func(c rune) bool { return c == '-' })
	return strings.Join(append(words, r.To.Format(time.DateOnly)), "-")
}
