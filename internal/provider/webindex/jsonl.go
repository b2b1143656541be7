package webindex

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// maxLine bounds a line of JSON, in bytes.
const maxLine = 1 << 20

// ReadJSONL reads pages, one JSON object a line with url, title, description, body, country and
// language, plain or compressed with gzip; other members are ignored. It calls yield in file order and
// stops at its first error. A line that is no page is given to bad with its number, from 1, and skipped.
func ReadJSONL(r io.Reader, yield func(Page) error, bad func(line int, reason string)) error {
	plain, err := decompress(r)
	if err != nil {
		return err
	}
	lines := bufio.NewReaderSize(plain, maxLine)
	for number := 1; ; number++ {
		line, err := lines.ReadSlice('\n')
		long := false
		for errors.Is(err, bufio.ErrBufferFull) {
			long = true
			_, err = lines.ReadSlice('\n')
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return fmt.Errorf("reading line %d of the pages: %w", number, err)
		}
		end := err != nil
		if line = bytes.TrimSpace(line); long || len(line) > 0 {
			page, reason := readLine(line, long)
			if reason != "" {
				report(bad, number, reason)
			} else if err := yield(page); err != nil {
				return err
			}
		}
		if end {
			return nil //nolint:nilerr // io.EOF is the end, not a fault
		}
	}
}

func readLine(line []byte, long bool) (Page, string) {
	if long {
		return Page{}, fmt.Sprintf("the line is longer than %d bytes", maxLine)
	}
	var p Page
	if err := json.Unmarshal(line, &p); err != nil {
		return Page{}, "not a JSON object with url, title, description, body, country and language: " + err.Error()
	}
	return p, p.check()
}

func report(bad func(int, string), number int, reason string) {
	if bad != nil {
		bad(number, reason)
	}
}

// decompress unpacks gzip, of one member or many, and passes anything else on.
func decompress(r io.Reader) (io.Reader, error) {
	buffered := bufio.NewReader(r)
	start, err := buffered.Peek(2)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("reading the pages: %w", err)
	}
	if !bytes.Equal(start, []byte{0x1f, 0x8b}) {
		return buffered, nil
	}
	unpacked, err := gzip.NewReader(buffered)
	if err != nil {
		return nil, fmt.Errorf("unpacking the pages: %w", err)
	}
	return unpacked, nil
}
