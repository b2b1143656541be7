package planner

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/trigpoint/trigpoint/internal/errs"
	"github.com/trigpoint/trigpoint/internal/textfile"
)

// textLine is a line that is not blank; fault says why its text cannot be used.
type textLine struct {
	number int
	text   string
	fault  string
}

// eachLine visits the remaining lines that are not blank until visit fails.
func eachLine(lines *textfile.Lines, visit func(textLine) error) error {
	for {
		l, err := lines.Next()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		case l.Number > maxLines:
			return errs.New(errs.Invalid, "The file has more than %d lines; split it.", maxLines)
		case !l.TooLong && !utf8.ValidString(l.Text):
			return errs.New(errs.Invalid, "The file is neither UTF-8 nor UTF-16: line %d cannot be read. "+
				"It is probably in an old encoding such as Windows-1252; save it as UTF-8.", l.Number)
		}
		line := textLine{number: l.Number, text: l.Text}
		if l.TooLong {
			line.text, line.fault = "", fmt.Sprintf("the line is longer than %d bytes", maxLine)
		}
		if l.TooLong || strings.TrimSpace(line.text) != "" {
			if err := visit(line); err != nil {
				return err
			}
		}
	}
}

// splitLine cuts a line into cells. Quotes are doubled inside quoted cells; a stray one elsewhere
// stands for itself. A record is one line: the planner writes no line breaks into cells.
func splitLine(line string, separator rune) (cells []string, fault string) {
	var b strings.Builder
	for rest := line; ; {
		if len(cells) == maxColumns {
			return nil, fmt.Sprintf("there are more than %d columns", maxColumns)
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
