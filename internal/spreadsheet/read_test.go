package spreadsheet

import (
	"archive/zip"
	"bytes"
	"errors"
	"io"
	"reflect"
	"testing"
)

func openParts(t *testing.T, parts map[string]string) (*Sheet, error) {
	t.Helper()
	var file bytes.Buffer
	w := zip.NewWriter(&file)
	for name, text := range parts {
		part, err := w.Create(name)
		if err == nil {
			_, err = io.WriteString(part, text)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	archive, err := zip.NewReader(bytes.NewReader(file.Bytes()), int64(file.Len()))
	if err != nil {
		t.Fatal(err)
	}
	return OpenXLSX(archive, 1<<20)
}

// A workbook as Excel saves it: texts shared and in pieces, cells and rows left out, the first sheet not the first file.
func TestWorkbookOfExcelIsRead(t *testing.T) {
	t.Parallel()
	const relations = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
	sheet, err := openParts(t, map[string]string{
		"xl/workbook.xml":            `<workbook xmlns:r="` + relations + `"><sheets><sheet name="Mine" sheetId="7" r:id="rId9"/><sheet name="Other" sheetId="1" r:id="rId1"/></sheets></workbook>`,
		"xl/_rels/workbook.xml.rels": `<Relationships><Relationship Id="rId1" Target="worksheets/sheet1.xml"/><Relationship Id="rId9" Target="/xl/worksheets/sheet2.xml"/></Relationships>`,
		"xl/sharedStrings.xml":       `<sst><si><t>Store code</t></si><si><r><t>Busi</t></r><r><t>ness</t></r></si></sst>`,
		"xl/worksheets/sheet1.xml":   `<worksheet><sheetData><row r="1"><c r="A1"><v>wrong sheet</v></c></row></sheetData></worksheet>`,
		"xl/worksheets/sheet2.xml": `<worksheet><sheetData><row r="1"><c r="A1" t="s"><v>0</v></c><c r="C1" t="s"><v>1</v></c></row>` +
			`<row r="3"><c r="B3"><v>30030</v></c><c r="AA3" t="str"><v>far</v></c></row></sheetData></worksheet>`,
	})
	if err != nil {
		t.Fatal(err)
	}
	far := make([]string, 27)
	far[1], far[26] = "30030", "far"
	for _, want := range []struct {
		number int
		cells  []string
	}{{1, []string{"Store code", "", "Business"}}, {3, far}} {
		if number, cells, err := sheet.Next(); err != nil || number != want.number || !reflect.DeepEqual(cells, want.cells) {
			t.Errorf("row %d is %q, %v", number, cells, err)
		}
	}
	if _, _, err := sheet.Next(); !errors.Is(err, io.EOF) {
		t.Errorf("after the last row: %v", err)
	}
	if err := sheet.Close(); err != nil {
		t.Error(err)
	}
	if _, err := openParts(t, map[string]string{"Queries.csv": "a,b"}); !errors.Is(err, ErrNoWorkbook) {
		t.Errorf("an archive of other files: %v", err)
	}
}
