package research

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"

	"github.com/trigpoint/trigpoint/internal/errs"
)

// decodeText makes UTF-8 of what a spreadsheet or a planner saves, and names what it cannot read.
func decodeText(r io.Reader) (io.Reader, error) {
	buffered := bufio.NewReaderSize(r, 32<<10)
	start, err := buffered.Peek(4 << 10)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("reading the keyword file: %w", err)
	}
	utf16 := func(order unicode.Endianness) io.Reader {
		return unicode.UTF16(order, unicode.UseBOM).NewDecoder().Reader(buffered)
	}
	switch {
	case bytes.HasPrefix(start, []byte{0xff, 0xfe, 0, 0}), bytes.HasPrefix(start, []byte{0, 0, 0xfe, 0xff}):
		return nil, errs.New(errs.Invalid, "The file is UTF-32; save it as UTF-8 or UTF-16.")
	case bytes.HasPrefix(start, []byte{0xff, 0xfe}), bytes.HasPrefix(start, []byte{0xfe, 0xff}):
		return utf16(unicode.LittleEndian), nil // the mark decides the order
	case bytes.HasPrefix(start, []byte("PK\x03\x04")):
		return nil, errs.New(errs.Invalid, "The file is a ZIP archive or an Excel workbook; export it as CSV.")
	case bytes.HasPrefix(start, []byte{0x1f, 0x8b}):
		return nil, errs.New(errs.Invalid, "The file is compressed with gzip; unpack it first.")
	case bytes.HasPrefix(start, []byte{0xef, 0xbb, 0xbf}):
		_, err := buffered.Discard(3)
		return transform.NewReader(buffered, encoding.UTF8Validator), err
	}
	if zeros := bytes.Count(start, []byte{0}); zeros > len(start)/4 {
		if order, ok := orderOf(start); ok {
			return unicode.UTF16(order, unicode.IgnoreBOM).NewDecoder().Reader(buffered), nil
		}
		return nil, errs.New(errs.Invalid, "The file is not text.")
	}
	return transform.NewReader(buffered, encoding.UTF8Validator), nil
}

// orderOf guesses the byte order of UTF-16 without a mark: mostly Latin text has its zeros on one side.
func orderOf(start []byte) (unicode.Endianness, bool) {
	var zeros [2]int
	for i, b := range start {
		if b == 0 {
			zeros[i%2]++
		}
	}
	order := unicode.LittleEndian
	if zeros[0] > zeros[1] {
		order = unicode.BigEndian
	}
	return order, max(zeros[0], zeros[1]) > 4*min(zeros[0], zeros[1])
}

// textLine is a line that is not blank; fault says why its text cannot be used.
type textLine struct {
	number int
	text   string
	fault  string
}

// lineReader splits text into lines and never holds more than one of bounded length.
type lineReader struct {
	r      *bufio.Reader
	limit  int
	number int
}

func newLineReader(r io.Reader, limit int) *lineReader {
	return &lineReader{r: bufio.NewReaderSize(r, limit), limit: limit}
}

// each visits the remaining lines until visit fails.
func (l *lineReader) each(visit func(textLine) error) error {
	for {
		raw, err := l.r.ReadSlice('\n')
		long := false
		for errors.Is(err, bufio.ErrBufferFull) {
			long = true
			_, err = l.r.ReadSlice('\n')
		}
		if errors.Is(err, encoding.ErrInvalidUTF8) {
			return errs.New(errs.Invalid, "The file is neither UTF-8 nor UTF-16: line %d cannot be read. "+
				"It is probably in an old encoding such as Windows-1252; save it as UTF-8.", l.number+1)
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return fmt.Errorf("reading the keyword file: %w", err)
		}
		end := err != nil
		if end && len(raw) == 0 && !long {
			return nil
		}
		if l.number++; l.number > plannerLines {
			return errs.New(errs.Invalid, "The file has more than %d lines; split it.", plannerLines)
		}
		line := textLine{number: l.number, text: strings.TrimRight(string(raw), "\r\n")}
		if long {
			line.text, line.fault = "", fmt.Sprintf("the line is longer than %d bytes", l.limit)
		}
		if long || strings.TrimSpace(line.text) != "" {
			if err := visit(line); err != nil {
				return err
			}
		}
		if end {
			return nil //nolint:nilerr // io.EOF is the end, not a fault
		}
	}
}

// splitLine cuts a line into cells. Quotes are doubled inside quoted cells; a stray one elsewhere
// stands for itself. A record is one line: the planner writes no line breaks into cells.
func splitLine(line string, separator rune) (cells []string, fault string) {
	var b strings.Builder
	for rest := line; ; {
		if len(cells) == plannerColumns {
			return nil, fmt.Sprintf("there are more than %d columns", plannerColumns)
		}
		trimmed := strings.TrimLeft(rest, " ")
		if !strings.HasPrefix(trimmed, `"`) {
			cell, after, more := strings.Cut(rest, string(separator))
			cells = append(cells, cell)
			if !more {
				return cells, ""
			}
			rest = after
			continue
		}
		b.Reset()
		rest = trimmed[1:]
		for {
			inside, after, closed := strings.Cut(rest, `"`)
			b.WriteString(inside)
			if !closed {
				return nil, "a quote is not closed"
			}
			if rest = after; !strings.HasPrefix(rest, `"`) {
				break
			}
			b.WriteByte('"')
			rest = rest[1:]
		}
		tail, after, more := strings.Cut(rest, string(separator))
		cells = append(cells, b.String()+tail)
		if !more {
			return cells, ""
		}
		rest = after
	}
}
