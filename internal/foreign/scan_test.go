package foreign_test

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/text/encoding/unicode"

	"github.com/trigpoint/trigpoint/internal/foreign"
	"github.com/trigpoint/trigpoint/internal/spreadsheet"
)

const deli = "ChIJa147K9HX3IAR-lwiGIQv9i4"

func file(name string, content []byte) foreign.File {
	return foreign.File{Name: name, ReaderAt: bytes.NewReader(content), Size: int64(len(content))}
}

func open(t testing.TB, name string) []byte {
	t.Helper()
	content, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

// skips notes what is left out.
type skips []string

func (s *skips) skip(at foreign.Row, reason string) {
	*s = append(*s, strings.TrimPrefix(fmt.Sprintf("%s:%d: %s", at.File, at.Line, reason), ":"))
}

// utf16 saves a text as Excel saves "Unicode text": tabs, UTF-16, a byte order mark.
func utf16(t *testing.T, table []byte) []byte {
	t.Helper()
	rows := readCSV(t, table)
	var tabbed bytes.Buffer
	w := csv.NewWriter(&tabbed)
	w.Comma = '\t'
	if err := w.WriteAll(rows); err != nil {
		t.Fatal(err)
	}
	encoded, err := unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewEncoder().Bytes(tabbed.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	return encoded
}

func readCSV(t *testing.T, table []byte) [][]string {
	t.Helper()
	rows, err := csv.NewReader(bytes.NewReader(table)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

func workbook(t *testing.T, rows [][]string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := spreadsheet.New(&b, spreadsheet.XLSX)
	for _, row := range rows {
		if err := w.Write(row); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// However a scan was saved, it is the same scan.
func TestScansInEveryForm(t *testing.T) {
	t.Parallel()
	plain := open(t, "localfalcon.csv")
	want := []foreign.Scan{{
		Place:   foreign.Place{PlaceID: deli, Name: "Benchmark Deli\nof Decatur", Address: "112 Example Square, Decatur, GA", Rating: 4.8, Reviews: 1240},
		Keyword: "deli near me", At: time.Date(2026, 2, 2, 9, 30, 0, 0, time.UTC),
		Points: []foreign.ScanPoint{{Lat: 33.77, Lng: -84.3, Rank: 1}, {Lat: 33.77, Lng: -84.29, Rank: 3}, {Lat: 33.78, Lng: -84.3}, {Lat: 33.78, Lng: -84.29, Rank: 5}},
	}}
	for name, content := range map[string][]byte{
		"comma":                       plain,
		"byte order mark":             append([]byte("\ufeff"), plain...),
		"Windows line ends":           bytes.ReplaceAll(plain, []byte("\n"), []byte("\r\n")),
		"semicolons, decimal commas":  open(t, "localfalcon-semicolons.csv"),
		"UTF-16 with tabs":            utf16(t, plain),
		"workbook":                    workbook(t, readCSV(t, plain)),
		"Excel's hint of a separator": append([]byte("sep=,\n"), plain...),
		"rows in another order":       reversed(t, plain),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var left skips
			got, err := foreign.ReadScans(file("scan.csv", content), foreign.ScanOptions{}, left.skip)
			if name == "Windows line ends" && len(got) > 0 {
				got[0].Place.Name = strings.ReplaceAll(got[0].Place.Name, "\r\n", "\n")
			}
			if err != nil || len(left) > 0 || !reflect.DeepEqual(got, want) {
				t.Errorf("got  %+v\nwant %+v\n%v, %v", got, want, left, err)
			}
		})
	}
}

func reversed(t *testing.T, table []byte) []byte {
	t.Helper()
	rows := readCSV(t, table)
	slices.Reverse(rows[1:])
	var b bytes.Buffer
	if err := csv.NewWriter(&b).WriteAll(rows); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// Each row that cannot be taken is named with its line and all that is wrong with it; the others are taken.
func TestRowsOfScansThatAreLeftOut(t *testing.T) {
	t.Parallel()
	var left skips
	got, err := foreign.ReadScans(file("scan.csv", open(t, "localfalcon-awkward.csv")), foreign.ScanOptions{}, left.skip)
	if err != nil {
		t.Fatal(err)
	}
	want := skips{
		`3: the rank "x" is no whole number`,
		`4: "north", "-84.29" is no latitude and longitude; it has no keyword`,
		`5: "31/3/2026" is no date; where the day comes before the month, give --day-first; it has no place id`,
		`7: the rank of this point for "Pizza" at 2026-03-01T00:00:00Z is told twice; the first counts`,
	}
	if !slices.Equal(left, want) {
		t.Errorf("got  %q\nwant %q", left, want)
	}
	if len(got) != 1 || len(got[0].Points) != 2 || got[0].Points[0].Rank != 2 || got[0].Points[1].Rank != 12 {
		t.Errorf("%+v", got)
	}
}

// With a place id, the other businesses of a file are rivals; without, each is scanned itself.
func TestRivalsOfScans(t *testing.T) {
	t.Parallel()
	grid := file("grid.csv", open(t, "brightlocal-grid.csv"))
	var left skips
	scans, err := foreign.ReadScans(grid, foreign.ScanOptions{PlaceID: deli, Name: "Our Deli"}, left.skip)
	if err != nil || len(left) > 0 || len(scans) != 1 {
		t.Fatal(scans, left, err)
	}
	rival := foreign.Rival{Rank: 1, Place: foreign.Place{PlaceID: "ChIJ_____rival", Name: "Osterwick Deli"}}
	want := []foreign.ScanPoint{{Lat: 33.77, Lng: -84.3, Rank: 2, Rivals: []foreign.Rival{rival}}, {Lat: 33.77, Lng: -84.29, Rivals: []foreign.Rival{rival}}}
	if !reflect.DeepEqual(scans[0].Points, want) || scans[0].Place.Name != "Our Deli" {
		t.Errorf("%+v", scans[0])
	}
	if scans, err = foreign.ReadScans(grid, foreign.ScanOptions{}, left.skip); err != nil || len(scans) != 2 {
		t.Errorf("%d scans, %v", len(scans), err)
	}
}

// What a file does not tell is asked for, all at once.
func TestScansThatTellTooLittle(t *testing.T) {
	t.Parallel()
	for content, says := range map[string]string{
		"lat,lng,rank\n1,2,3\n":                   "no column for the place id; give --place-id, and no column for the keyword; give --keyword, and no column for the date; give --date",
		"report key,arp,atrp,solv\nx,1,2,3\n":     `no header with the column "rank"`,
		"keyword,rank,date\npizza,1,2026-01-01\n": "export the points of a scan",
		"PK\x03\x04damaged":                       "archive is damaged",
	} {
		if _, err := foreign.ReadScans(file("x.csv", []byte(content)), foreign.ScanOptions{}, nil); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v", content, err)
		}
	}
}

func TestDates(t *testing.T) {
	t.Parallel()
	first := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	afternoon := first.Add(15*time.Hour + 4*time.Minute)
	for text, want := range map[string]time.Time{
		"2026-03-01": first, "3/1/2026": first, "01.03.2026": first, "Mar 1, 2026": first, "1 March 2026": first, "2026-3-1": first, "20260301": first,
		"2026-03-01T15:04:00Z": afternoon, "3/1/2026 3:04 PM": afternoon, "01.03.2026 15:04": afternoon, "2026-03-01 15:04 UTC": afternoon,
		"Mar 1, 2026, 3:04 PM": afternoon, "1772377440": afternoon, "1772377440000": afternoon, "2026-03-01T16:04:00+01:00": afternoon,
	} {
		if got, err := foreign.Time(text, false); err != nil || !got.Equal(want) {
			t.Errorf("%s is %v, %v", text, got, err)
		}
	}
	if got, err := foreign.Time("1/3/2026", true); err != nil || !got.Equal(first) {
		t.Errorf("day first: %v, %v", got, err)
	}
	for _, text := range []string{"", "yesterday", "2026-02-30", "13/13/2026"} {
		if got, err := foreign.Time(text, false); err == nil {
			t.Errorf("%q is %v", text, got)
		}
	}
}

func FuzzReadScans(f *testing.F) {
	for _, name := range []string{"localfalcon.csv", "localfalcon-semicolons.csv", "localfalcon-awkward.csv", "brightlocal-grid.csv"} {
		f.Add(open(f, name))
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		scans, err := foreign.ReadScans(file("x", content), foreign.ScanOptions{PlaceID: deli, Keyword: "k", At: time.Unix(1e9, 0)}, func(foreign.Row, string) {})
		for _, s := range scans {
			if err != nil || len(s.Points) == 0 || s.Keyword == "" {
				t.Errorf("%+v, %v", s, err)
			}
		}
	})
}
