package webindex

import (
	"bufio"
	"bytes"
	"compress/flate"
	"compress/zlib"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/http/httputil"
	"net/textproto"
	"strconv"
	"strings"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"
	"golang.org/x/net/html/charset"

	"github.com/trigpoint/trigpoint/internal/textfile"
)

// readAnswer takes the page out of an HTTP answer, or says why there is none. net/http would read it by the
// letter, but archives keep answers as servers and crawlers wrote them: with lengths of -1, and with headers
// of an encoding that the crawler has undone already.
func readAnswer(record textproto.MIMEHeader, block io.Reader) (Page, string) {
	url := strings.Trim(record.Get("WARC-Target-URI"), "<>") // 1.0 writers disagree on the brackets
	in := bufio.NewReaderSize(io.LimitReader(block, maxAnswer), maxHead)
	status, head, err := answerHead(in)
	if err != nil {
		return Page{}, "not an HTTP answer: " + err.Error()
	}
	if status != http.StatusOK {
		return Page{}, fmt.Sprintf("%.100s answered %d", url, status)
	}
	contentType := head.Get("Content-Type")
	if media, _, _ := mime.ParseMediaType(contentType); media != "text/html" && media != "application/xhtml+xml" {
		return Page{}, fmt.Sprintf("%.100s is %.50q, not HTML", url, contentType)
	}
	body, err := decodeBody(in, head)
	if err != nil {
		return Page{}, fmt.Sprintf("%.100s cannot be unpacked: %v", url, err)
	}
	if start, _ := body.Peek(512); !strings.HasPrefix(http.DetectContentType(start), "text/") {
		return Page{}, fmt.Sprintf("%.100s is not text", url)
	}
	text, err := charset.NewReader(io.LimitReader(body, maxHTML), contentType)
	if err != nil {
		return Page{}, fmt.Sprintf("%.100s cannot be decoded: %v", url, err)
	}
	page, noindex, err := readHTML(text)
	if err != nil {
		return Page{}, fmt.Sprintf("%.100s cannot be read: %v", url, err)
	}
	if noindex || strings.Contains(strings.ToLower(strings.Join(head["X-Robots-Tag"], ",")), "noindex") {
		return Page{}, fmt.Sprintf("%.100s asks not to be indexed", url)
	}
	page.URL = url
	if page.Language == "" {
		page.Language, _, _ = strings.Cut(head.Get("Content-Language"), ",")
	}
	return page, ""
}

// answerHead reads the status line and the headers.
func answerHead(in *bufio.Reader) (status int, head textproto.MIMEHeader, err error) {
	line, err := in.ReadSlice('\n')
	if err != nil {
		return 0, nil, noEOF(err)
	}
	words := strings.Fields(string(line))
	if len(words) < 2 || !strings.HasPrefix(words[0], "HTTP/") {
		return 0, nil, fmt.Errorf("it begins with %.30q", line)
	}
	if status, err = strconv.Atoi(words[1]); err != nil {
		return 0, nil, fmt.Errorf("its status is %.10q", words[1])
	}
	head, err = fields(in)
	return status, head, err
}

// decodeBody undoes the encodings that the body still has. Packed pages are sent without a word about it,
// too.
func decodeBody(body *bufio.Reader, head textproto.MIMEHeader) (*bufio.Reader, error) {
	if strings.Contains(strings.ToLower(strings.Join(head["Transfer-Encoding"], ",")), "chunked") && isChunked(body) {
		body = bufio.NewReader(&beginning{r: httputil.NewChunkedReader(body)})
	}
	codings := strings.FieldsFunc(strings.ToLower(strings.Join(head["Content-Encoding"], ",")), func(r rune) bool { return r == ',' || r == ' ' })
	if len(codings) == 0 {
		codings = []string{"gzip"}
	}
	for i := len(codings) - 1; i >= 0 && !isMarkup(body); i-- { // the last one was put on last
		decoded, err := decode(codings[i], body)
		if err != nil {
			return nil, err
		}
		body = bufio.NewReader(&beginning{r: decoded})
	}
	return body, nil
}

func decode(coding string, body *bufio.Reader) (io.Reader, error) {
	switch coding {
	case "gzip", "x-gzip":
		return textfile.Unpack(body)
	case "deflate": // zlib by the standard, bare by habit
		if start, _ := body.Peek(2); len(start) == 2 && start[0]&0x0f == 8 && (int(start[0])<<8|int(start[1]))%31 == 0 {
			return zlib.NewReader(body)
		}
		return flate.NewReader(body), nil
	case "br":
		return brotli.NewReader(body), nil
	case "zstd":
		unpacked, err := zstd.NewReader(body, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(64<<20))
		if err != nil {
			return nil, err
		}
		return unpacked, nil
	case "identity", "none", "utf-8":
		return body, nil
	}
	return nil, fmt.Errorf("the encoding %.20q is unknown", coding)
}

// isChunked tells whether a body begins as chunks do: a length in hexadecimal on a line of its own.
func isChunked(body *bufio.Reader) bool {
	start, _ := body.Peek(20)
	line, _, whole := bytes.Cut(start, []byte("\n"))
	size, _, extended := bytes.Cut(bytes.TrimSpace(line), []byte(";"))
	_, err := strconv.ParseUint(string(bytes.TrimSpace(size)), 16, 32)
	return err == nil && (whole || extended)
}

// isMarkup tells whether a body begins as a page does: there is nothing left to undo.
func isMarkup(body *bufio.Reader) bool {
	start, _ := body.Peek(64)
	start = bytes.TrimLeft(bytes.TrimPrefix(start, []byte("\xef\xbb\xbf")), " \t\r\n")
	if len(start) < 2 || start[0] != '<' {
		return false
	}
	letter := start[1] | 0x20
	return start[1] == '!' || start[1] == '?' || letter >= 'a' && letter <= 'z'
}

// beginning takes a body that breaks off as what came before: crawlers store only the first part of a long
// answer. Of one that breaks at once there is nothing.
type beginning struct {
	r    io.Reader
	some bool
}

// Read implements io.Reader.
func (b *beginning) Read(p []byte) (int, error) {
	n, err := b.r.Read(p)
	b.some = b.some || n > 0
	if err != nil && err != io.EOF && b.some {
		err = io.EOF
	}
	return n, err
}
