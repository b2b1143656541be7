package webindex

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/textproto"
	"strconv"
	"strings"
)

// Bounds of an archive, in bytes.
const (
	maxHead   = 64 << 10
	maxHTML   = 2 << 20 // what is read of a page; the rest is skipped
	maxAnswer = 4 << 20 // what is read of an answer, its headers included
)

// ReadWARC reads the HTML pages of a web archive (WARC 0.17 to 1.1), as wget, Heritrix and Common Crawl
// write them. It calls yield in file order and stops at its first error. Records other than answers are
// passed over; an answer that is no readable page is given to bad with the number of its record, from 1.
// An archive that is cut off, or whose framing is broken, is an error after its good pages.
func ReadWARC(r io.Reader, yield func(Page) error, bad func(record int, reason string)) error {
	archive := bufio.NewReaderSize(r, maxHead)
	for number := 1; ; number++ {
		head, size, err := recordHead(archive)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("record %d of the archive: %w", number, err)
		}
		block := &io.LimitedReader{R: archive, N: size}
		var page Page
		reason := ""
		answer := head.Get("WARC-Type") == "response"
		if answer {
			if page, reason = readAnswer(head, block); reason == "" {
				reason = page.check()
			}
		}
		if _, err := io.Copy(io.Discard, block); err != nil {
			return fmt.Errorf("record %d of the archive: %w", number, err)
		}
		switch {
		case block.N > 0: // what was read is half a page
			return fmt.Errorf("record %d of the archive: %w", number, io.ErrUnexpectedEOF)
		case !answer:
		case reason != "":
			report(bad, number, reason)
		default:
			if err := yield(page); err != nil {
				return err
			}
		}
	}
}

// recordHead reads the version line and the named fields, and tells the length of the block. io.EOF
// is the proper end of the archive.
func recordHead(archive *bufio.Reader) (textproto.MIMEHeader, int64, error) {
	var version string
	for version == "" { // blank lines end the record before
		line, err := archive.ReadSlice('\n')
		version = strings.TrimSpace(string(line))
		if err != nil && (version != "" || !errors.Is(err, io.EOF)) {
			return nil, 0, fmt.Errorf("no WARC record: %w", noEOF(err))
		}
		if err != nil {
			return nil, 0, err
		}
	}
	if !strings.HasPrefix(version, "WARC/1.") && version != "WARC/0.17" && version != "WARC/0.18" {
		return nil, 0, fmt.Errorf("begins with %.20q instead of WARC/1.0", version)
	}
	head, err := fields(archive)
	if err != nil {
		return nil, 0, err
	}
	size, err := strconv.ParseInt(head.Get("Content-Length"), 10, 64)
	if err != nil || size < 0 {
		return nil, 0, fmt.Errorf("has the length %.20q", head.Get("Content-Length"))
	}
	return head, size, nil
}

// fields reads bounded "Name: value" lines up to the blank one; lines that are none are passed over, as
// browsers do.
func fields(archive *bufio.Reader) (textproto.MIMEHeader, error) {
	head := textproto.MIMEHeader{}
	for left := maxHead; ; {
		line, err := archive.ReadSlice('\n')
		if err != nil {
			return nil, fmt.Errorf("its head: %w", noEOF(err))
		}
		if left -= len(line); left < 0 {
			return nil, errors.New("its head is too long")
		}
		line = bytes.TrimSpace(line)
		if len(line) == 0 {
			return head, nil
		}
		if name, value, ok := strings.Cut(string(line), ":"); ok {
			head.Add(strings.TrimSpace(name), strings.TrimSpace(value))
		}
	}
}

func noEOF(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}
