package textfile

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
)

// Line is a line without its end.
type Line struct {
	Text    string
	Number  int   // from 1
	End     int64 // bytes of text up to and with its end
	TooLong bool  // it is over the bound, and Text is only its beginning
}

// Lines reads text line by line and never holds more than the bound of one.
type Lines struct {
	r      *bufio.Reader
	limit  int
	number int
	offset int64
	back   []Line // unread, the next one first
}

// NewLines reads lines of at most limit bytes.
func NewLines(r io.Reader, limit int) *Lines {
	return &Lines{r: bufio.NewReaderSize(r, min(max(limit, 4<<10), 64<<10)), limit: limit}
}

// Next returns the next line, or io.EOF after the last.
func (l *Lines) Next() (Line, error) {
	if len(l.back) > 0 {
		first := l.back[0]
		l.back = l.back[1:]
		return first, nil
	}
	line := Line{Number: l.number + 1}
	var text []byte
	for {
		part, err := l.r.ReadSlice('\n')
		l.offset += int64(len(part))
		if room := l.limit + len("\r\n") - len(text); len(part) > room {
			part, line.TooLong = part[:room], true
		}
		text = append(text, part...)
		if err == io.EOF && len(text) == 0 {
			return Line{}, io.EOF
		}
		if err == nil || err == io.EOF {
			break
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return Line{}, fmt.Errorf("read line %d: %w", line.Number, err)
		}
	}
	l.number = line.Number
	if !line.TooLong {
		text = bytes.TrimSuffix(bytes.TrimSuffix(text, []byte("\n")), []byte("\r"))
		line.TooLong = len(text) > l.limit
	}
	line.Text, line.End = string(text[:min(len(text), l.limit)]), l.offset
	return line, nil
}

// Unread puts lines back in front.
func (l *Lines) Unread(lines []Line) { l.back = append(lines[:len(lines):len(lines)], l.back...) }
