package webindex

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/trigpoint/trigpoint/internal/textfile"
)

func packed(t testing.TB, parts ...string) string {
	t.Helper()
	var buf bytes.Buffer
	for _, part := range parts { // one member a part
		w := gzip.NewWriter(&buf)
		if _, err := io.WriteString(w, part); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return buf.String()
}

type reader func(io.Reader, func(Page) error, func(int, string)) error

func readAll(read reader, file string) (pages []Page, skipped []string, err error) {
	plain, err := textfile.Unpack(strings.NewReader(file))
	if err != nil {
		return nil, nil, err
	}
	err = read(plain, func(p Page) error {
		pages = append(pages, p)
		return nil
	}, func(n int, reason string) { skipped = append(skipped, fmt.Sprintf("%d: %s", n, reason)) })
	return pages, skipped, err
}

// starts tells whether each skipped entry begins as wanted.
func starts(skipped, want []string) bool {
	return slices.EqualFunc(skipped, want, strings.HasPrefix)
}

func TestReadJSONL(t *testing.T) {
	t.Parallel()
	file := strings.Join([]string{
		`{"url":"https://a.example/","title":"A","description":"d","body":"b","country":"US","language":"en","other":1}`,
		``,
		`{"url":"https://b.example/"`,
		`{"url":"","title":"B"}`,
		`{"url":"https://c.example/","body":"` + strings.Repeat("x", maxLine) + `"}`,
		`[1]`,
		`{"url":"https://d.example/","title":"D"}`,
	}, "\n")
	for name, content := range map[string]string{"plain": file, "gzip": packed(t, file), "CRLF": strings.ReplaceAll(file, "\n", "\r\n")} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			pages, skipped, err := readAll(ReadJSONL, content)
			want := []Page{{"https://a.example/", "A", "d", "b", "US", "en"}, {URL: "https://d.example/", Title: "D"}}
			if err != nil || !slices.Equal(pages, want) {
				t.Errorf("%+v, %v", pages, err)
			}
			if !starts(skipped, []string{"3: not a JSON", "4: there is no URL", "5: the line is longer", "6: not a JSON"}) {
				t.Errorf("skipped %q", skipped)
			}
		})
	}
	if _, _, err := readAll(ReadJSONL, packed(t, file)[:60]); err == nil {
		t.Error("a cut archive is no error")
	}
}

func response(url, headers, body string) string {
	return record("response", url, "HTTP/1.1 200 OK\r\n"+headers+"\r\n"+body)
}

func record(kind, url, block string) string {
	return fmt.Sprintf("WARC/1.0\r\nWARC-Type: %s\r\nWARC-Target-URI: %s\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", kind, url, len(block), block)
}

const sampleHTML = `<!doctype html><html lang="en-US"><head><title>Joe&#39;s Pizza</title>
<meta name="Description" content="Slices &amp; pies"><style>p{color:red}</style><script>var hidden = "secret"</script></head>
<body><h1>Hand<b>made</b> pizza</h1><p>In<br>Decatur</p><noscript>secret</noscript><svg><text>secret</text></svg></body></html>`

func TestReadWARC(t *testing.T) {
	t.Parallel()
	const htmlType = "Content-Type: text/html; charset=utf-8\r\n"
	records := []string{
		record("warcinfo", "", "software: test\r\n"),
		record("request", "https://joe.example/", "GET / HTTP/1.1\r\n\r\n"),
		response("https://joe.example/", htmlType, sampleHTML),
		response("https://pic.example/x.png", "Content-Type: image/png\r\n", "\x89PNG"),
		response("https://noindex.example/", htmlType, `<meta name="robots" content="NOINDEX, follow"><p>x`),
		response("https://header.example/", htmlType+"X-Robots-Tag: noindex\r\n", "<p>x"),
		record("response", "https://gone.example/", "HTTP/1.1 404 Not Found\r\n\r\n"),
		record("response", "https://rubbish.example/", "no HTTP at all"),
		response("<https://latin.example/>", "Content-Type: text/html; charset=iso-8859-1\r\n", "<title>Caf\xe9</title>"),
		response("https://chunked.example/", htmlType+"Transfer-Encoding: chunked\r\n", "8\r\n<p>dough\r\n0\r\n\r\n"),
		response("https://packed.example/", htmlType+"Content-Encoding: gzip\r\n", packed(t, "<p>packed dough")),
		response("https://empty.example/", htmlType, "<script>x</script>"),
		response("https://truncated.example/", htmlType+"Content-Length: 9999\r\n", "<p>half a page"),
	}
	for name, file := range map[string]string{
		"plain": strings.Join(records, ""), "one member a record": packed(t, records...), "one member": packed(t, strings.Join(records, "")),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			pages, skipped, err := readAll(ReadWARC, file)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, p := range pages {
				got = append(got, fmt.Sprintf("%s|%s|%s|%s|%s", p.URL, p.Title, p.Description, strings.Join(strings.Fields(p.Body), " "), p.Language))
			}
			want := []string{
				"https://joe.example/|Joe's Pizza|Slices & pies|Handmade pizza In Decatur|en-US",
				"https://latin.example/|Café|||",
				"https://chunked.example/|||dough|",
				"https://packed.example/|||packed dough|",
				"https://truncated.example/|||half a page|",
			}
			if !slices.Equal(got, want) {
				t.Errorf("got\n%q, want\n%q", got, want)
			}
			if !starts(skipped, []string{
				"4: https://pic.example/x.png is", "5: https://noindex.example/ asks", "6: https://header.example/ asks",
				"7: https://gone.example/ answered 404", "8: not an HTTP answer", "12: the page has no text",
			}) {
				t.Errorf("skipped %q", skipped)
			}
		})
	}
}

func TestBrokenArchivesAreErrors(t *testing.T) {
	t.Parallel()
	whole := response("https://joe.example/", "Content-Type: text/html\r\n", sampleHTML)
	for name, file := range map[string]string{
		"not an archive": "hello there\nfriend\n",
		"version 9":      "WARC/9.0\r\n\r\n",
		"no length":      "WARC/1.0\r\nWARC-Type: response\r\n\r\n",
		"bad length":     "WARC/1.0\r\nContent-Length: -5\r\n\r\n",
		"head cut":       whole[:40],
		"block cut":      whole[:len(whole)-30],
		"version 0.9":    strings.Replace(whole, "WARC/1.0", "WARC/0.9", 1),
		"endless head":   "WARC/1.0\r\n" + strings.Repeat("X-Field: value\r\n", 10_000),
		"endless line":   "WARC/1.0\r\nX: " + strings.Repeat("v", 200_000),
		"gzip cut":       packed(t, whole)[:50],
	} {
		if _, _, err := readAll(ReadWARC, file); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if pages, skipped, err := readAll(ReadWARC, ""); err != nil || len(pages)+len(skipped) != 0 {
		t.Errorf("an empty file: %v, %v, %v", pages, skipped, err)
	}
}

func TestReadersStopWhenToldTo(t *testing.T) {
	t.Parallel()
	stop := errors.New("enough")
	whole := response("https://joe.example/", "Content-Type: text/html\r\n", sampleHTML)
	for name, c := range map[string]struct {
		read reader
		file string
	}{
		"JSONL": {ReadJSONL, `{"url":"https://a.example/","title":"A"}`}, "WARC": {ReadWARC, whole + whole},
	} {
		n := 0
		if err := c.read(strings.NewReader(c.file), func(Page) error { n++; return stop }, nil); !errors.Is(err, stop) || n != 1 {
			t.Errorf("%s: %v after %d pages", name, err, n)
		}
	}
}

func TestLongPagesAreCut(t *testing.T) {
	t.Parallel()
	page, _, err := readHTML(strings.NewReader("<title>" + strings.Repeat("t", 5000) + "</title><p>" + strings.Repeat("wörd ", maxBody)))
	if err != nil || len(page.Title) > maxTitle || len(page.Body) > maxBody {
		t.Errorf("title of %d, body of %d bytes, %v", len(page.Title), len(page.Body), err)
	}
}

func FuzzReadJSONL(f *testing.F) {
	f.Add(`{"url":"https://a.example/","title":"A"}` + "\n{")
	f.Add("\x1f\x8b")
	f.Fuzz(func(t *testing.T, file string) { fuzzReader(t, ReadJSONL, file) })
}

func FuzzReadWARC(f *testing.F) {
	f.Add(response("https://joe.example/", "Content-Type: text/html\r\n", sampleHTML))
	f.Add("WARC/1.1\nContent-Length: 3\n\nabc\n\n")
	f.Fuzz(func(t *testing.T, file string) { fuzzReader(t, ReadWARC, file) })
}

// fuzzReader checks that whatever is read can be indexed.
func fuzzReader(t *testing.T, read reader, file string) {
	b := NewBuilder()
	_ = read(strings.NewReader(file), func(p Page) error {
		if err := b.Add(p); err != nil {
			t.Fatal(err)
		}
		return nil
	}, func(n int, reason string) {
		if n < 1 || reason == "" {
			t.Fatalf("%d: %q", n, reason)
		}
	})
	b.Build(nil).Search(Query{Words: "joe pizza"})
}
