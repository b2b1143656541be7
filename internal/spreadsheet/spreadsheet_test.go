package spreadsheet

import (
	"archive/zip"
	"bytes"
	"encoding/csv"
	"encoding/xml"
	"errors"
	"io"
	"reflect"
	"strings"
	"testing"
)

func TestCellsThatASpreadsheetWouldRun(t *testing.T) {
	t.Parallel()
	for cell, want := range map[string]string{
		"": "", "Deli": "Deli", "+1 404-555-0123": "+1 404-555-0123", "-84.29": "-84.29",
		"=1+1": "'=1+1", "@SUM(A1)": "'@SUM(A1)", "+cmd|x": "'+cmd|x", "-2+cmd": "'-2+cmd", "\tx": "'\tx",
		"＝1+1": "'＝1+1", "＋cmd": "'＋cmd", "－2+cmd": "'－2+cmd", "＠SUM(A1)": "'＠SUM(A1)",
	} {
		if got := plainCell(cell); got != want {
			t.Errorf("%q became %q, want %q", cell, got, want)
		}
	}
}

var table = [][]string{
	{"Name", "", "Phone"},
	{"Café <Łódź> & \"Söhne\"", " spaces kept ", "+1 404-555-0123"},
	{"=SUM(A1:A9)", "two\nlines", "@here"},
	{"", "", ""},
}

func write(t *testing.T, f Format, rows [][]string) []byte {
	t.Helper()
	var file bytes.Buffer
	w := New(&file, f)
	for _, row := range rows {
		if err := w.Write(row); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

func TestCSV(t *testing.T) {
	t.Parallel()
	got, err := csv.NewReader(bytes.NewReader(write(t, CSV, table))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	want := [][]string{table[0], table[1], {"'=SUM(A1:A9)", "two\nlines", "'@here"}, table[3]}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

// sheet is what a reader finds in a workbook's sheet.
type sheet struct {
	Rows []struct {
		Cells []struct {
			At   string `xml:"r,attr"`
			Type string `xml:"t,attr"`
			Text string `xml:"is>t"`
		} `xml:"c"`
	} `xml:"sheetData>row"`
}

func readSheet(t *testing.T, file []byte) (s sheet) {
	t.Helper()
	archive, err := zip.NewReader(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range archive.File {
		r, err := part.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		var any struct{}
		if err := xml.Unmarshal(text, &any); err != nil {
			t.Errorf("%s: %v", part.Name, err)
		}
		if part.Name == "xl/worksheets/sheet1.xml" {
			if err := xml.Unmarshal(text, &s); err != nil {
				t.Error(err)
			}
		}
	}
	return s
}

// Every cell of a workbook is text, so that none runs and none needs a mark.
func TestXLSX(t *testing.T) {
	t.Parallel()
	s := readSheet(t, write(t, XLSX, table))
	if len(s.Rows) != len(table) {
		t.Fatalf("%d rows", len(s.Rows))
	}
	got := map[string]string{}
	for _, row := range s.Rows {
		for _, c := range row.Cells {
			if c.Type != "inlineStr" {
				t.Errorf("%s is of type %q", c.At, c.Type)
			}
			got[c.At] = c.Text
		}
	}
	want := map[string]string{
		"A1": "Name", "C1": "Phone", "A2": table[1][0], "B2": " spaces kept ", "C2": "+1 404-555-0123",
		"A3": "=SUM(A1:A9)", "B3": "two\nlines", "C3": "@here",
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

func TestXLSXWithoutRows(t *testing.T) {
	t.Parallel()
	if s := readSheet(t, write(t, XLSX, nil)); len(s.Rows) != 0 {
		t.Errorf("%d rows", len(s.Rows))
	}
}

func TestColumnLetters(t *testing.T) {
	t.Parallel()
	for i, want := range map[int]string{0: "A", 25: "Z", 26: "AA", 51: "AZ", 52: "BA", 701: "ZZ", 702: "AAA"} {
		if got := columnLetters(i); got != want {
			t.Errorf("column %d is %s, want %s", i, got, want)
		}
	}
}

func TestXLSXRefusesWhatNoSheetHolds(t *testing.T) {
	t.Parallel()
	if err := New(io.Discard, XLSX).Write([]string{strings.Repeat("ß", maxCellText+1)}); err == nil {
		t.Error("a cell that is too long is written")
	}
	x := &xlsxWriter{archive: io.Discard, rows: maxRows}
	if err := x.Write([]string{"x"}); err == nil {
		t.Error("a row too many is written")
	}
}

// full is a disk without room.
type full struct{}

var errFull = errors.New("no room")

func (full) Write([]byte) (int, error) { return 0, errFull }

func TestFailuresOfTheFileAreTold(t *testing.T) {
	t.Parallel()
	for _, f := range []Format{CSV, XLSX} {
		w := New(full{}, f)
		if err := errors.Join(w.Write([]string{"x"}), w.Close()); !errors.Is(err, errFull) {
			t.Errorf("%s: %v", f, err)
		}
	}
}
