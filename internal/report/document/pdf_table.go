package document

const (
	tableTitle = 20
	tableHead  = 16
	tableGap   = 12 // below
	rowHeight  = 17
	lineHeight = 11 // of a further line in a row
	noteText   = 8.5
	noteLine   = 12
	noteLines  = 4
	noteGap    = 5 // above
	headText   = 8
	cellText   = 9
	cellLines  = 2
	cellPad    = 6
)

const (
	shortTable = 240 // stays on one page
	together   = 3   // rows of a longer one, at least, on each
)

// tableSize is how wide the columns of a table are, and how high its parts.
type tableSize struct {
	columns []float64
	head    float64 // with the title
	rows    []float64
	note    float64
}

func (p *pdf) measureTable(t *Table) *tableSize {
	size := &tableSize{columns: p.columns(t)}
	if t.Title != "" {
		size.head += tableTitle
	}
	if len(t.Rows) > 0 {
		size.head += tableHead
	}
	for _, row := range t.Rows {
		lines := 1
		for i, cell := range row {
			lines = max(lines, len(p.wrap(cell.Text, cellText, cell.Bold, size.columns[i]-cellPad, cellLines)))
		}
		size.rows = append(size.rows, rowHeight+float64(lines-1)*lineHeight)
	}
	if t.Note != "" {
		size.note = noteGap + noteLine*float64(len(p.wrap(t.Note, noteText, false, p.width, noteLines)))
	}
	return size
}

// columns are the widths of a table's columns: their shares of it, but those that need less lend to those that need more.
func (p *pdf) columns(t *Table) []float64 {
	sum := 0.0
	for _, c := range t.Columns {
		sum += c.Share
	}
	widths, spare := make([]float64, len(t.Columns)), make([]float64, len(t.Columns))
	lent, wanted := 0.0, 0.0
	for i, c := range t.Columns {
		need := p.measure(c.Name, headText, true)
		for _, row := range t.Rows {
			need = max(need, p.measure(row[i].Text, cellText, row[i].Bold))
		}
		widths[i] = p.width * c.Share / sum
		spare[i] = widths[i] - need - cellPad - rounding
		lent, wanted = lent+max(spare[i], 0), wanted+max(-spare[i], 0)
	}
	moved := min(lent, wanted)
	for i := range widths {
		if spare[i] > 0 {
			widths[i] -= moved * spare[i] / lent
		} else if wanted > 0 {
			widths[i] -= moved * spare[i] / wanted
		}
	}
	return widths
}

// from is how high a row is with what follows it.
func (s *tableSize) from(row int) float64 {
	sum := s.note
	for _, height := range s.rows[row:] {
		sum += height
	}
	return sum
}

func (s *tableSize) height() float64 { return s.head + s.from(0) }

// least is how much of a table must stand where it begins.
func (s *tableSize) least() float64 {
	if s.height() <= shortTable || len(s.rows) <= together {
		return s.height()
	}
	return s.height() - s.from(together)
}

// table writes a table. A short one stays on one page; of a long one at least a few rows stand on each.
func (p *pdf) table(t *Table) {
	size := p.measureTable(t)
	p.room(size.least())
	if t.Title != "" {
		p.text(margin, p.y+11, 10.5, textStyle{bold: true, colour: ink}, p.clip(t.Title, 10.5, true, p.width))
		p.y += tableTitle
	}
	if len(t.Rows) > 0 {
		p.tableHead(t.Columns, size.columns)
	}
	for i, row := range t.Rows {
		need := size.rows[i]
		if i == max(len(t.Rows)-together, 0) {
			need = size.from(i)
		}
		if p.y+need > p.bottom {
			p.newPage()
			p.tableHead(t.Columns, size.columns)
		}
		p.row(t.Columns, size.columns, row)
		p.y += size.rows[i]
		p.line([]spot{{margin, p.y}, {margin + p.width, p.y}}, 0.5, hairline)
	}
	if t.Note != "" {
		p.y += noteGap
		p.paragraph(t.Note, noteText, noteLine, textStyle{colour: soft}, noteLines)
	}
	p.y += tableGap
}

func (p *pdf) tableHead(columns []Column, widths []float64) {
	x := float64(margin)
	for i, c := range columns {
		p.cell(c, x, p.y+11, headText, textStyle{bold: true, colour: soft}, widths[i], p.clip(c.Name, headText, true, widths[i]-cellPad))
		x += widths[i]
	}
	p.y += tableHead
	p.line([]spot{{margin, p.y}, {margin + p.width, p.y}}, 0.8, "#8a9494")
}

func (p *pdf) row(columns []Column, widths []float64, row []Cell) {
	x := float64(margin)
	for i, c := range columns {
		style := textStyle{bold: row[i].Bold, colour: ink}
		if row[i].Way != 0 {
			style.colour = wayColour(row[i].Way)
		}
		for n, line := range p.wrap(row[i].Text, cellText, row[i].Bold, widths[i]-cellPad, cellLines) {
			p.cell(c, x, p.y+12+float64(n)*lineHeight, cellText, style, widths[i], line)
		}
		x += widths[i]
	}
}

// cell writes a line of a column that begins at x.
func (p *pdf) cell(c Column, x, y, size float64, style textStyle, width float64, line string) {
	if c.Numbers {
		x, style.anchor = x+width-cellPad, right
	}
	p.text(x, y, size, style, line)
}
