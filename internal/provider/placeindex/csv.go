package placeindex

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/trigpoint/trigpoint/internal/textfile"
)

const (
	maxRow      = 64 << 10 // bytes
	maxRowLines = 50
	maxColumns  = 200
)

var (
	errQuote   = errors.New("text after a closing quote")
	errColumns = fmt.Errorf("more than %d columns", maxColumns)
)

// readCSV reads rows as RFC 4180 describes them. It is ours because encoding/csv cannot go on after a
// broken row, and reads to the end of the file when a quote is not closed.
func readCSV(r io.Reader, out *sink) error {
	in := textfile.NewLines(r, maxRow)
	head, err := in.Next()
	if errors.Is(err, io.EOF) {
		return errors.New("the file is empty")
	}
	if err != nil {
		return err
	}
	delimiter, header, err := readHeader(head.Text)
	if err != nil {
		return err
	}
	for {
		fields, at, end, problem, err := nextRow(in, delimiter)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if problem == nil && len(fields) > header.width {
			problem = fmt.Errorf("%d fields under %d columns", len(fields), header.width)
		}
		var p Place
		if problem == nil {
			row := header.row(fields)
			p, problem = row.place(out.options.Source)
		}
		if err := out.take(at, end, p, problem); err != nil {
			return err
		}
	}
}

// csvHeader tells which field is which column; -1 when there is none.
type csvHeader struct {
	width int
	at    [columns]int
}

func readHeader(text string) (delimiter byte, h csvHeader, err error) {
	delimiter = ','
	for _, d := range []byte{';', '\t'} {
		if strings.Count(text, string(d)) > strings.Count(text, string(delimiter)) {
			delimiter = d
		}
	}
	names, open, err := splitRow(text, delimiter)
	if err != nil || open {
		return 0, h, errors.New("the header row cannot be read")
	}
	position := map[string]int{}
	for i, name := range names {
		if _, again := position[columnKey(name)]; !again {
			position[columnKey(name)] = i
		}
	}
	h.width = len(names)
	for column, aliases := range columnNames {
		h.at[column] = -1
		for _, alias := range aliases {
			if i, ok := position[alias]; ok {
				h.at[column] = i
				break
			}
		}
	}
	for _, column := range []int{colName, colLat, colLng} {
		if h.at[column] < 0 {
			return 0, h, fmt.Errorf("the header row has no column %q", columnNames[column][0])
		}
	}
	return delimiter, h, nil
}

func (h *csvHeader) row(fields []string) (r row) {
	for column, i := range h.at {
		if i >= 0 && i < len(fields) {
			r[column] = fields[i]
		}
	}
	return r
}

// nextRow reads a row, over several lines if a quoted field goes on. A quote that is never closed spoils only
// the line it is on: reading goes on with the next one.
func nextRow(in *textfile.Lines, delimiter byte) (fields []string, at, end int64, problem, err error) {
	var read []textfile.Line
	text := ""
	for {
		l, err := in.Next()
		if err != nil && (!errors.Is(err, io.EOF) || len(read) == 0) {
			return nil, 0, 0, nil, err
		}
		if err == nil && len(read) == 0 && strings.TrimSpace(l.Text) == "" && !l.TooLong {
			continue
		}
		if err == nil {
			if len(read) > 0 {
				text += "\n"
			}
			read = append(read, l)
			text += l.Text
		}
		at, end = int64(read[0].Number), read[0].End
		var open bool
		fields, open, problem = splitRow(text, delimiter)
		switch {
		case read[0].TooLong:
			problem = fmt.Errorf("longer than %d bytes", maxRow)
		case open && (err != nil || len(read) == maxRowLines || len(text) > maxRow || l.TooLong):
			problem = errors.New("a quote is not closed")
		case open:
			continue
		default:
			return fields, at, read[len(read)-1].End, problem, nil
		}
		in.Unread(read[1:])
		return nil, at, end, problem, nil
	}
}

// splitRow cuts a row into fields. Quotes count only at the beginning of a field: 12" is text. It is open
// when the last field's quote is not closed.
func splitRow(text string, delimiter byte) (fields []string, open bool, err error) {
	for {
		if len(fields) == maxColumns {
			return nil, false, errColumns
		}
		if !strings.HasPrefix(text, `"`) {
			field, rest, more := strings.Cut(text, string(delimiter))
			fields = append(fields, field)
			if !more {
				return fields, false, nil
			}
			text = rest
			continue
		}
		field, rest, closed := cutQuoted(text[1:])
		fields = append(fields, field)
		switch {
		case !closed:
			return fields, true, nil
		case rest == "":
			return fields, false, nil
		case rest[0] != delimiter:
			return nil, false, errQuote
		}
		text = rest[1:]
	}
}

// cutQuoted reads to the closing quote; two quotes are one.
func cutQuoted(text string) (field, rest string, closed bool) {
	var b strings.Builder
	for {
		part, after, found := strings.Cut(text, `"`)
		b.WriteString(part)
		if !found {
			return b.String(), "", false
		}
		if !strings.HasPrefix(after, `"`) {
			return b.String(), after, true
		}
		b.WriteByte('"')
		text = after[1:]
	}
}
