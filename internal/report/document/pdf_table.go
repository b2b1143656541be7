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
	cellText   = 9
	cellLines  = 2
	cellPad    = 6
)

// tableSize is how high the parts of a table are.
type tableSize struct {
	head float64 // with the title
	rows []float64
	note float64
}

func (p *pdf) measureTable(t *Table) (size tableSize) {
	if t.Title != "" {
		size.head += tableTitle
	}
	if len(t.Rows) > 0 {
		size.head += tableHead
	}
	for _, row := range t.Rows {
		size.rows = append(size.rows, rowHeight+float64(p.cells(t.Columns, row)-1)*lineHeight)
	}
	if t.Note != "" {
		size.note = noteGap + noteLine*float64(len(p.wrap(t.Note, noteText, false, p.width, noteLines)))
	}
	return size
}

// from is how high a row is with what follows it.
func (s *tableSize) from(row int) float64 {
	sum := s.note
	for _, height := range s.rows[row:] {
		sum += height
	}
	return sum
}

func (s tableSize) height() float64 { return s.head + s.from(0) }

// table writes a table. A short one stays on one page; of a long one at least a few rows stand on each.
func (p *pdf) table(t *Table) {
	const short, together = 240, 3
	size := p.measureTable(t)
	if whole := size.height(); whole <= short {
		p.room(whole)
	} else {
		p.room(size.head + together*rowHeight)
	}
	if t.Title != "" {
		p.text(margin, p.y+11, 10.5, textStyle{bold: true, colour: ink}, p.clip(t.Title, 10.5, true, p.width))
		p.y += tableTitle
	}
	if len(t.Rows) > 0 {
		p.tableHead(t.Columns)
	}
	for i, row := range t.Rows {
		need := size.rows[i]
		if i == max(len(t.Rows)-together, 0) {
			need = size.from(i)
		}
		if p.y+need > p.bottom {
			p.newPage()
			p.tableHead(t.Columns)
		}
		p.row(t.Columns, row)
		p.y += size.rows[i]
		p.line([]spot{{margin, p.y}, {margin + p.width, p.y}}, 0.5, hairline)
	}
	if t.Note != "" {
		p.y += noteGap
		p.paragraph(t.Note, noteText, noteLine, textStyle{colour: soft}, noteLines)
	}
	p.y += tableGap
}

// columns calls fn with each column's place.
func (p *pdf) columns(all []Column, fn func(i int, c Column, x, width float64)) {
	sum := 0.0
	for _, c := range all {
		sum += c.Share
	}
	x := float64(margin)
	for i, c := range all {
		width := p.width * c.Share / sum
		fn(i, c, x, width-cellPad)
		x += width
	}
}

func (p *pdf) tableHead(columns []Column) {
	p.columns(columns, func(_ int, c Column, x, width float64) {
		style := textStyle{bold: true, colour: soft}
		if c.Numbers {
			x, style.anchor = x+width, right
		}
		p.text(x, p.y+11, 8, style, p.clip(c.Name, 8, true, width))
	})
	p.y += tableHead
	p.line([]spot{{margin, p.y}, {margin + p.width, p.y}}, 0.8, "#8a9494")
}

// cells is how many lines a row needs.
func (p *pdf) cells(columns []Column, row []Cell) (lines int) {
	lines = 1
	p.columns(columns, func(i int, _ Column, _, width float64) {
		lines = max(lines, len(p.wrap(row[i].Text, cellText, row[i].Bold, width, cellLines)))
	})
	return lines
}

func (p *pdf) row(columns []Column, row []Cell) {
	p.columns(columns, func(i int, c Column, x, width float64) {
		style := textStyle{bold: row[i].Bold, colour: ink}
		if row[i].Way != 0 {
			style.colour = wayColour(row[i].Way)
		}
		if c.Numbers {
			x, style.anchor = x+width, right
		}
		for n, line := range p.wrap(row[i].Text, cellText, row[i].Bold, width, cellLines) {
			p.text(x, p.y+12+float64(n)*lineHeight, cellText, style, line)
		}
	})
}
