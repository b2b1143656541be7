package webindex

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/textproto"
	"strconv"
	"strings"

	"golang.org/x/net/html/charset"

	"github.com/trigpoint/trigpoint/internal/textfile"
)

// Bounds of an archive, in bytes.
const (
	maxRecordHead = 64 << 10
	maxHTML       = 2 << 20 // what is read of a page; the rest is skipped
	maxAnswer     = 4 << 20 // what is read of an answer, its headers included
)

// ReadWARC reads the HTML pages of a web archive (WARC 1.0 and 1.1). It calls yield in file order and stops at its first
// error. Records other than answers are passed over; an answer that is no readable page is given to
// bad with the number of its record, from 1. An archive whose framing is broken cannot be read on, and
// is an error.
func ReadWARC(r io.Reader, yield func(Page) error, bad func(record int, reason string)) error {
	archive := bufio.NewReaderSize(r, maxRecordHead)
	for number := 1; ; number++ {
		head, size, err := recordHead(archive)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("record %d of the archive: %w", number, err)
		}
		block := &io.LimitedReader{R: archive, N: size}
		if head.Get("WARC-Type") == "response" {
			page, reason := readResponse(head, block)
			if reason == "" {
				reason = page.check()
			}
			if reason != "" {
				report(bad, number, reason)
			} else if err := yield(page); err != nil {
				return err
			}
		}
		if _, err := io.Copy(io.Discard, block); err != nil {
			return fmt.Errorf("record %d of the archive: %w", number, err)
		}
		if block.N > 0 {
			return fmt.Errorf("record %d of the archive: %w", number, io.ErrUnexpectedEOF)
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
	if !strings.HasPrefix(version, "WARC/1.") {
		return nil, 0, fmt.Errorf("begins with %.20q instead of WARC/1.0", version)
	}
	head, err := recordFields(archive)
	if err != nil {
		return nil, 0, err
	}
	size, err := strconv.ParseInt(head.Get("Content-Length"), 10, 64)
	if err != nil || size < 0 {
		return nil, 0, fmt.Errorf("has the length %.20q", head.Get("Content-Length"))
	}
	return head, size, nil
}

// recordFields reads bounded "Name: value" lines up to the blank one.
func recordFields(archive *bufio.Reader) (textproto.MIMEHeader, error) {
	head := textproto.MIMEHeader{}
	for left := maxRecordHead; ; {
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
		name, value, _ := strings.Cut(string(line), ":")
		head.Set(strings.TrimSpace(name), strings.TrimSpace(value))
	}
}

func noEOF(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

// readResponse takes the page out of an HTTP answer, or says why there is none.
func readResponse(head textproto.MIMEHeader, block io.Reader) (Page, string) {
	url := strings.Trim(head.Get("WARC-Target-URI"), "<>") // 1.0 writers disagree on the brackets
	response, err := http.ReadResponse(bufio.NewReader(io.LimitReader(block, maxAnswer)), nil)
	if err != nil {
		return Page{}, "not an HTTP answer: " + err.Error()
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode != http.StatusOK {
		return Page{}, fmt.Sprintf("%.100s answered %d", url, response.StatusCode)
	}
	contentType := response.Header.Get("Content-Type")
	if media, _, _ := mime.ParseMediaType(contentType); media != "text/html" && media != "application/xhtml+xml" {
		return Page{}, fmt.Sprintf("%.100s is %.50q, not HTML", url, contentType)
	}
	body, err := textfile.Unpack(response.Body)
	if err != nil {
		return Page{}, err.Error()
	}
	text, err := charset.NewReader(io.LimitReader(body, maxHTML), contentType)
	if err != nil {
		return Page{}, fmt.Sprintf("%.100s cannot be decoded: %v", url, err)
	}
	page, noindex, err := readHTML(text)
	if err != nil {
		return Page{}, fmt.Sprintf("%.100s cannot be read: %v", url, err)
	}
	if noindex || strings.Contains(strings.ToLower(response.Header.Get("X-Robots-Tag")), "noindex") {
		return Page{}, fmt.Sprintf("%.100s asks not to be indexed", url)
	}
	page.URL = url
	if page.Language == "" {
		page.Language, _, _ = strings.Cut(response.Header.Get("Content-Language"), ",")
	}
	return page, ""
}
