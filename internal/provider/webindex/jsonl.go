package webindex

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/trigpoint/trigpoint/internal/textfile"
)

// maxLine bounds a line of JSON, in bytes.
const maxLine = 1 << 20

// ReadJSONL reads pages, one JSON object a line with url, title, description, body, country and
// language; other members are ignored. It calls yield in file order and stops at its first error. A line
// that is no page is given to bad with its number, from 1, and skipped.
func ReadJSONL(r io.Reader, yield func(Page) error, bad func(line int, reason string)) error {
	text, err := textfile.Text(r)
	if err != nil {
		return err
	}
	for lines := textfile.NewLines(text, maxLine); ; {
		line, err := lines.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if strings.TrimSpace(line.Text) == "" {
			continue
		}
		page, reason := readLine(line)
		if reason != "" {
			report(bad, line.Number, reason)
		} else if err := yield(page); err != nil {
			return err
		}
	}
}

func readLine(line textfile.Line) (Page, string) {
	if line.TooLong {
		return Page{}, fmt.Sprintf("the line is longer than %d bytes", maxLine)
	}
	var p Page
	if err := json.Unmarshal([]byte(line.Text), &p); err != nil {
		return Page{}, "not a JSON object with url, title, description, body, country and language: " + err.Error()
	}
	return p, p.check()
}

func report(bad func(int, string), number int, reason string) {
	if bad != nil {
		bad(number, reason)
	}
}
