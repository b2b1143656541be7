package foreign

import (
	"bufio"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"

	"github.com/trigpoint/trigpoint/internal/errs"
	"github.com/trigpoint/trigpoint/internal/textfile"
)

const (
	maxPreamble = 60 // rows before the header
	maxColumns  = 1_000
	peeked      = 16 << 10 // of a text, to see what separates its cells
)

// csvRows reads separated text: UTF-8 or UTF-16, with or without a byte order mark, with commas, semicolons, tabs or bars.
func csvRows(r io.Reader) (rows, error) {
	text, err := textfile.Text(r)
	if err != nil {
		return nil, err
	}
	buffered := bufio.NewReaderSize(text, peeked)
	start, err := buffered.Peek(peeked)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	before := 0
	comma := separator(string(start))
	if said, ok := strings.CutPrefix(string(start), "sep="); ok && said != "" { // Excel's own hint
		comma, before = rune(said[0]), 1
		if _, err := buffered.ReadString('\n'); err != nil {
			return nil, err
		}
	}
	table := csv.NewReader(buffered)
	table.Comma, table.FieldsPerRecord, table.LazyQuotes = comma, -1, true
	table.TrimLeadingSpace = comma != '\t' // a tab is space too, and an empty cell none to lose
	count := 0
	return func() (int, []string, error) {
		cells, err := table.Read()
		if err != nil {
			return 0, nil, err
		}
		if count++; count > maxRows {
			return 0, nil, errs.New(errs.Invalid, "The file has more than %d rows; split it.", maxRows)
		}
		line, _ := table.FieldPos(0)
		return line + before, cells, nil
	}, nil
}

// separator is what the first lines of a text have most of, outside quotes. A comma between digits may stand before
// decimals, and counts for nothing: the header has others.
func separator(start string) rune {
	counts := map[byte]int{}
	quoted := false
	for i := range len(start) {
		switch c := start[i]; {
		case c == '"':
			quoted = !quoted
		case quoted, c == ',' && i > 0 && i+1 < len(start) && isDigit(start[i-1]) && isDigit(start[i+1]):
		default:
			counts[c]++
		}
	}
	best := byte(',')
	for _, c := range []byte(";\t|") {
		if counts[c] > counts[best] {
			best = c
		}
	}
	return rune(best)
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// columns are those that a table may have: what they are called here, and what tools call them.
type columns map[string][]string

// find is the column that a header means; "" is none.
func (c columns) find(header string) string {
	wanted := plain(header)
	if wanted == "" {
		return ""
	}
	for name, others := range c {
		if plain(name) == wanted || slices.ContainsFunc(others, func(other string) bool { return plain(other) == wanted }) {
			return name
		}
	}
	return ""
}

// plain leaves letters and digits, in lower case: "Place ID", "place_id" and "PlaceId:" are the same.
func plain(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, s)
}

// table is a table whose header has been found.
type table struct {
	part
	at    map[string]int
	facts map[string]string // what the lines before the header say: "Keyword: pizza"
}

// openTable reads up to the header: the first row that has all of the needed columns. Without one, the table has its facts only.
func openTable(p part, known columns, needed ...string) (*table, error) {
	t := &table{part: p, facts: map[string]string{}}
	for range maxPreamble {
		_, cells, err := p.rows()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		if len(cells) > maxColumns {
			return nil, errs.New(errs.Invalid, "The file has %d columns; at most %d are read.", len(cells), maxColumns)
		}
		t.at = map[string]int{}
		for i, cell := range cells {
			name := known.find(cell)
			if _, twice := t.at[name]; name != "" && !twice {
				t.at[name] = i
			}
		}
		if t.has(needed...) {
			return t, nil
		}
		t.note(known, cells)
	}
	return t, noHeader{needed}
}

// noHeader tells a file of another kind from one that cannot be read.
type noHeader struct{ needed []string }

func (e noHeader) Error() string {
	if len(e.needed) == 1 {
		return fmt.Sprintf("the file has no header with the column %q", e.needed[0])
	}
	return fmt.Sprintf("the file has no header with the columns %q", e.needed)
}

func (t *table) has(names ...string) bool {
	return !slices.ContainsFunc(names, func(name string) bool { _, ok := t.at[name]; return !ok })
}

// note keeps what a line before the header says.
func (t *table) note(known columns, cells []string) {
	name, value, _ := strings.Cut(cells[0], ":")
	if len(cells) > 1 && strings.TrimSpace(value) == "" {
		value = cells[1]
	}
	if column, value := known.find(name), strings.TrimSpace(value); column != "" && value != "" && t.facts[column] == "" {
		t.facts[column] = value
	}
}

// row is a row of a table.
type row struct {
	Row
	cells []string
	*table
}

// get is what a row says of a column, or what the lines before the header say of all rows.
func (r row) get(name string) string {
	if i, ok := r.at[name]; ok && i < len(r.cells) {
		if cell := strings.TrimSpace(strings.TrimPrefix(r.cells[i], "'")); cell != "" { // a spreadsheet's mark of text
			return cell
		}
	}
	return r.facts[name]
}

// each calls fn with every row that is not empty.
func (t *table) each(fn func(row)) error {
	for {
		line, cells, err := t.rows()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("after line %d: %w", line, err)
		}
		if slices.ContainsFunc(cells, func(cell string) bool { return strings.TrimSpace(cell) != "" }) {
			fn(row{Row{t.within, line}, cells, t})
		}
	}
}
