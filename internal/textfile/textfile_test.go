package textfile_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"golang.org/x/text/encoding/unicode"

	"github.com/trigpoint/trigpoint/internal/errs"
	"github.com/trigpoint/trigpoint/internal/textfile"
)

func pack(t *testing.T, members ...string) string {
	t.Helper()
	var b bytes.Buffer
	for _, text := range members {
		w := gzip.NewWriter(&b)
		if _, err := io.WriteString(w, text); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return b.String()
}

func utf16(t *testing.T, order unicode.Endianness, mark unicode.BOMPolicy, text string) string {
	t.Helper()
	encoded, err := unicode.UTF16(order, mark).NewEncoder().String(text)
	if err != nil {
		t.Fatal(err)
	}
	return encoded
}

func read(file string, limit int) (lines []textfile.Line, err error) {
	unpacked, err := textfile.Unpack(strings.NewReader(file))
	if err != nil {
		return nil, err
	}
	text, err := textfile.Text(unpacked)
	if err != nil {
		return nil, err
	}
	in := textfile.NewLines(text, limit)
	for {
		line, err := in.Next()
		if errors.Is(err, io.EOF) {
			return lines, nil
		}
		if err != nil {
			return lines, err
		}
		lines = append(lines, line)
	}
}

// bzipped is the text of TestTextIsReadHoweverItWasSaved; the standard library does not pack.
const bzipped = "\x42\x5a\x68\x39\x31\x41\x59\x26\x53\x59\x28\x92\x3b\x76\x00\x00\x0a\x51\xdc\x00\x10\x00\x04\x2f\x27\x0c\x20\x20\x00\x00\x20\x08\x10\x0a\x00\x20\x00\x22\x8d\x0c\x9a\x34\xc2\x68\x53\x09\xa6\x80\xd3\x12\x14\x09\x5f\x4b\xd1\x38\x6c\xa0\x91\x16\x36\xc0\xe0\x93\x34\xb7\xa4\xe7\xe2\xee\x48\xa7\x0a\x12\x05\x12\x47\x6e\xc0"

func zstdPacker(t *testing.T) *zstd.Encoder {
	t.Helper()
	w, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func TestTextIsReadHoweverItWasSaved(t *testing.T) {
	t.Parallel()
	const text = "name,city\ncafé,Łódź\n\nlast,line"
	for name, file := range map[string]string{
		"UTF-8":                      text,
		"UTF-8 with a mark":          "\ufeff" + text,
		"Windows line ends":          strings.ReplaceAll(text, "\n", "\r\n"),
		"old Macintosh line ends":    strings.ReplaceAll(text, "\n", "\r"),
		"UTF-16":                     utf16(t, unicode.LittleEndian, unicode.UseBOM, text),
		"UTF-16, big end first":      utf16(t, unicode.BigEndian, unicode.UseBOM, text),
		"UTF-16 without a mark":      utf16(t, unicode.LittleEndian, unicode.IgnoreBOM, text),
		"UTF-16, old Macintosh ends": utf16(t, unicode.LittleEndian, unicode.UseBOM, strings.ReplaceAll(text, "\n", "\r")),
		"gzip":                       pack(t, text),
		"gzip of many members":       pack(t, text[:7], text[7:]),
		"gzip of UTF-16 with CR LF":  pack(t, utf16(t, unicode.BigEndian, unicode.UseBOM, strings.ReplaceAll(text, "\n", "\r\n"))),
		"zstd":                       string(zstdPacker(t).EncodeAll([]byte(text), nil)),
		"bzip2":                      bzipped,
		"an empty line more at end":  text + "\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			lines, err := read(file, 100)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for i, l := range lines {
				if got = append(got, l.Text); l.Number != i+1 || l.TooLong {
					t.Errorf("line %d is %+v", i+1, l)
				}
			}
			if want := strings.Split(text, "\n"); !slices.Equal(got, want) {
				t.Errorf("%q", got)
			}
		})
	}
}

func TestLinesAreBoundedAndCounted(t *testing.T) {
	t.Parallel()
	in := textfile.NewLines(strings.NewReader("12345\r\n123456\n"+strings.Repeat("x", 200_000)+"\nend"), 5)
	var got []textfile.Line
	for range 4 {
		line, err := in.Next()
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, line)
	}
	want := []textfile.Line{{"12345", 1, 7, false}, {"12345", 2, 14, true}, {"xxxxx", 3, 200_015, true}, {"end", 4, 200_018, false}}
	if !slices.Equal(got, want) {
		t.Errorf("%+v", got)
	}
	in.Unread(got[1:3])
	for _, line := range got[1:3] {
		if again, err := in.Next(); err != nil || again != line {
			t.Errorf("%+v, %v", again, err)
		}
	}
	if _, err := in.Next(); !errors.Is(err, io.EOF) {
		t.Errorf("after the last line: %v", err)
	}
}

func TestWhatIsNoTextIsNamed(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ file, says string }{
		"UTF-32":       {"\xff\xfe\x00\x00a\x00\x00\x00", "UTF-32"},
		"workbook":     {"PK\x03\x04rest", "Excel"},
		"binary":       {strings.Repeat("\x00\x00\x01", 100), "not text"},
		"gzip of gzip": {pack(t, pack(t, "x")), "unpack it"},
	} {
		if _, err := read(c.file, 100); errs.CodeOf(err) != errs.Invalid || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", name, err)
		}
	}
	whole := pack(t, strings.Repeat("some text\n", 1000))
	for name, file := range map[string]string{"cut": whole[:len(whole)-9], "head only": whole[:5]} {
		lines, err := read(file, 100)
		if !errors.Is(err, io.ErrUnexpectedEOF) || !strings.Contains(err.Error(), "cut off") {
			t.Errorf("%s: %v", name, err)
		}
		if name == "cut" && len(lines) < 900 {
			t.Errorf("only %d lines came before the cut", len(lines))
		}
	}
}
