package webindex

import (
	"bytes"
	"compress/flate"
	"compress/zlib"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"
)

// written is what a compressor makes of a text.
func written(t *testing.T, open func(io.Writer) (io.WriteCloser, error), text string) string {
	t.Helper()
	var b bytes.Buffer
	w, err := open(&b)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(w, text); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func chunked(text string) string {
	return fmt.Sprintf("%x\r\n%s\r\n%x;last=1\r\n%s\r\n0\r\n\r\n", 5, text[:5], len(text)-5, text[5:])
}

// What servers send and crawlers keep of it: the header need not be true of the body.
func TestAnswersAreReadAsTheyWereKept(t *testing.T) {
	t.Parallel()
	const page = "<!doctype html><title>Dough</title><p>handmade pizza in Decatur</p>"
	brotlied := written(t, func(w io.Writer) (io.WriteCloser, error) { return brotli.NewWriter(w), nil }, page)
	zipped := packed(t, page)
	bare := written(t, func(w io.Writer) (io.WriteCloser, error) { return flate.NewWriter(w, 6) }, page)
	for name, c := range map[string]struct{ headers, body string }{
		"length of -1":                 {"Content-Length: -1\r\n", page},
		"two lengths":                  {"Content-Length: 5\r\nContent-Length: 99999\r\n", page},
		"header that is none":          {"what a header\r\n: nor this\r\n", page},
		"chunked":                      {"Transfer-Encoding: chunked\r\n", chunked(page)},
		"chunks put together":          {"Transfer-Encoding: chunked\r\n", page},
		"gzip":                         {"Content-Encoding: gzip\r\n", zipped},
		"gzip, undone":                 {"Content-Encoding: gzip\r\n", page},
		"gzip, cut":                    {"Content-Encoding: gzip\r\n", zipped[:len(zipped)-8]},
		"gzip in chunks":               {"Transfer-Encoding: chunked\r\nContent-Encoding: x-gzip\r\n", chunked(zipped)},
		"gzip, chunks put together":    {"Transfer-Encoding: chunked\r\nContent-Encoding: gzip\r\n", zipped},
		"gzip, not said":               {"", zipped},
		"br":                           {"Content-Encoding: br\r\n", brotlied},
		"br in chunks":                 {"Transfer-Encoding: chunked\r\nContent-Encoding: br\r\n", chunked(brotlied)},
		"br, undone":                   {"Content-Encoding: br\r\n", "\ufeff\n" + page},
		"deflate":                      {"Content-Encoding: deflate\r\n", written(t, func(w io.Writer) (io.WriteCloser, error) { return zlib.NewWriter(w), nil }, page)},
		"deflate without its envelope": {"Content-Encoding: deflate\r\n", bare},
		"zstd":                         {"Content-Encoding: zstd\r\n", written(t, func(w io.Writer) (io.WriteCloser, error) { return zstd.NewWriter(w) }, page)},
		"twice":                        {"Content-Encoding: gzip, br\r\n", written(t, func(w io.Writer) (io.WriteCloser, error) { return brotli.NewWriter(w), nil }, zipped)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			pages, skipped, err := readAll(ReadWARC, response("https://a.example/", "Content-Type: text/html; charset=utf-8\r\n"+c.headers, c.body))
			if err != nil || len(skipped) > 0 || len(pages) != 1 {
				t.Fatalf("%+v, skipped %q: %v", pages, skipped, err)
			}
			if p := pages[0]; p.Title != "Dough" || strings.TrimSpace(p.Body) != "handmade pizza in Decatur" {
				t.Errorf("%+v", p)
			}
		})
	}
	for name, c := range map[string]struct{ headers, body, says string }{
		"unknown encoding": {"Content-Encoding: rot13\r\n", "Uryyb", "1: https://a.example/ cannot be unpacked"},
		"binary":           {"", bare, "1: https://a.example/ is not text"},
		"no br at all":     {"Content-Encoding: br\r\n", "\xff\xff\xff\xff\xff", "1: https://a.example/ "},
	} {
		pages, skipped, err := readAll(ReadWARC, response("https://a.example/", "Content-Type: text/html\r\n"+c.headers, c.body))
		if err != nil || len(pages) > 0 || !starts(skipped, []string{c.says}) {
			t.Errorf("%s: %+v, skipped %q: %v", name, pages, skipped, err)
		}
	}
}

// warcRecord writes a record as a crawler does, in its order and spelling of fields.
func warcRecord(version, fields, block string) string {
	return version + "\r\n" + strings.ReplaceAll(strings.TrimSpace(fields), "\n", "\r\n") + fmt.Sprintf("\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", len(block), block)
}

// Archives as three crawlers write them.
func crawls(t *testing.T) map[string][]string {
	const page = "<html lang=en><title>Joe's Pizza</title><body>Slices in Decatur</body></html>"
	date := "WARC-Date: 2026-03-01T10:00:00Z\nWARC-Record-ID: <urn:uuid:1fa5f2c5-8d0d-4f2a-8a7d-0c1f1a1e4f00>\n"
	return map[string][]string{
		"wget": {
			warcRecord("WARC/1.0", "WARC-Type: warcinfo\nContent-Type: application/warc-fields\n"+date+"WARC-Filename: joe.warc.gz", "software: Wget/1.21.3 (linux-gnu)\r\nformat: WARC File Format 1.0\r\nrobots: classic\r\n"),
			warcRecord("WARC/1.0", "WARC-Type: request\nWARC-Target-URI: <https://joe.example/>\nContent-Type: application/http;msgtype=request\n"+date, "GET / HTTP/1.1\r\nHost: joe.example\r\n\r\n"),
			warcRecord("WARC/1.0", "WARC-Type: response\n"+date+"WARC-Target-URI: <https://joe.example/>\nWARC-IP-Address: 192.0.2.1\nWARC-Block-Digest: sha1:QA2EHKUDPHMCXMVHFU3MXQ5QAQHJWLDA\nContent-Type: application/http;msgtype=response",
				"HTTP/1.1 200 OK\r\nServer: nginx\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\nConnection: keep-alive\r\n\r\n"+chunked(page)),
			warcRecord("WARC/1.0", "WARC-Type: metadata\nWARC-Target-URI: <metadata://gnu.org/software/wget/warc/MANIFEST.txt>\n"+date+"Content-Type: text/plain", "<urn:uuid:1>\r\n"),
			warcRecord("WARC/1.0", "WARC-Type: resource\nWARC-Target-URI: <metadata://gnu.org/software/wget/warc/wget.log>\n"+date+"Content-Type: text/plain", "Opening WARC file\r\n"),
		},
		"Heritrix, WARC 0.17": {
			warcRecord("WARC/0.17", "WARC-Type: warcinfo\n"+date+"Content-Type: application/warc-fields", "software: Heritrix/2.0.2 http://crawler.archive.org\r\n"),
			warcRecord("WARC/0.17", "WARC-Type: response\nWARC-Target-URI: https://joe.example/\n"+date+"WARC-Payload-Digest: sha1:UGUSRHJXDUZOLWPTVTJXNQXGQZUAGY7F\nWARC-IP-Address: 192.0.2.1\nContent-Type: application/http; msgtype=response",
				"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: -1\r\nConnection: close\r\n\r\n"+page),
			warcRecord("WARC/0.17", "WARC-Type: request\nWARC-Target-URI: https://joe.example/\n"+date+"WARC-Concurrent-To: <urn:uuid:1>\nContent-Type: application/http; msgtype=request", "GET / HTTP/1.0\r\n\r\n"),
		},
		"Heritrix, WARC 0.18": {
			warcRecord("WARC/0.18", "WARC-Type: response\nWARC-Target-URI: https://joe.example/\n"+date+"Content-Type: application/http; msgtype=response",
				"HTTP/1.0 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: gzip\r\n\r\n"+packed(t, page)),
			warcRecord("WARC/0.18", "WARC-Type: metadata\nWARC-Target-URI: https://joe.example/\n"+date+"Content-Type: application/warc-fields", "via: https://seed.example/\r\nfetchTimeMs: 54\r\n"),
		},
		"Common Crawl": {
			warcRecord("WARC/1.0", "WARC-Type: warcinfo\n"+date+"Content-Type: application/warc-fields", "isPartOf: CC-MAIN-2026-10\r\nsoftware: Apache Nutch 1.20\r\n"),
			warcRecord("WARC/1.0", "WARC-Type: request\n"+date+"Content-Type: application/http; msgtype=request\nWARC-Target-URI: https://joe.example/", "GET / HTTP/1.1\r\nAccept-Encoding: br,gzip\r\n\r\n"),
			warcRecord("WARC/1.0", "WARC-Type: response\n"+date+"Content-Type: application/http; msgtype=response\nWARC-Target-URI: https://joe.example/\nWARC-Identified-Payload-Type: text/html",
				"HTTP/1.1 200 \r\nContent-Type: text/html; charset=utf-8\r\nX-Crawler-Transfer-Encoding: chunked\r\nX-Crawler-Content-Encoding: br\r\nContent-Length: "+fmt.Sprint(len(page))+"\r\n\r\n"+page),
			warcRecord("WARC/1.0", "WARC-Type: metadata\n"+date+"WARC-Target-URI: https://joe.example/\nContent-Type: application/warc-fields", "fetchTimeMs: 112\r\ncharset-detected: UTF-8\r\n"),
		},
	}
}

func TestArchivesOfWellKnownCrawlers(t *testing.T) {
	t.Parallel()
	for name, records := range crawls(t) {
		for form, file := range map[string]string{"plain": strings.Join(records, ""), "a member a record": packed(t, records...)} {
			t.Run(name+", "+form, func(t *testing.T) {
				t.Parallel()
				pages, skipped, err := readAll(ReadWARC, file)
				want := []Page{{URL: "https://joe.example/", Title: "Joe's Pizza", Body: " Slices in Decatur ", Language: "en"}}
				for i := range pages {
					pages[i].Body = " " + strings.TrimSpace(pages[i].Body) + " "
				}
				if err != nil || len(skipped) > 0 || !slices.Equal(pages, want) {
					t.Errorf("%+v, skipped %q: %v", pages, skipped, err)
				}
			})
		}
	}
}

// The pages before the cut are kept, and the one that was cut is not taken for whole.
func TestCutArchiveKeepsItsGoodPages(t *testing.T) {
	t.Parallel()
	var records []string
	for i := range 3 {
		records = append(records, response(fmt.Sprintf("https://a.example/%d", i), "Content-Type: text/html\r\n", "<title>Page</title>"+strings.Repeat("<p>dough", 200)))
	}
	plain, zipped := strings.Join(records, ""), packed(t, records...)
	for name, file := range map[string]string{"plain": plain[:len(plain)-300], "gzip": zipped[:len(zipped)-30]} {
		pages, _, err := readAll(ReadWARC, file)
		if !errors.Is(err, io.ErrUnexpectedEOF) || len(pages) != 2 {
			t.Errorf("%s: %d pages: %v", name, len(pages), err)
		}
	}
}
