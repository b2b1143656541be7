package spreadsheet

import (
	"archive/zip"
	"bufio"
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"
)

// Bounds that the format itself sets.
const (
	maxRows     = 1 << 20
	maxCellText = 32_767 // characters
)

// xlsxParts are the parts of a workbook with one sheet, without the sheet.
var xlsxParts = [][2]string{
	{"[Content_Types].xml", `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">` +
		`<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
		`<Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/>` +
		`<Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/></Types>`},
	{"_rels/.rels", `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">` +
		`<Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>`},
	{"xl/workbook.xml", `<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships">` +
		`<sheets><sheet name="Sheet1" sheetId="1" r:id="rId1"/></sheets></workbook>`},
	{"xl/_rels/workbook.xml.rels", `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">` +
		`<Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`},
}

// xlsxWriter writes the sheet as the last part of the archive, so that its rows can follow as they come.
type xlsxWriter struct {
	archive io.Writer
	zip     *zip.Writer
	sheet   *bufio.Writer
	rows    int
}

// Write implements Writer.
func (x *xlsxWriter) Write(row []string) error {
	if err := x.begin(); err != nil {
		return err
	}
	if x.rows++; x.rows > maxRows {
		return fmt.Errorf("a sheet has at most %d rows", maxRows)
	}
	fmt.Fprintf(x.sheet, `<row r="%d">`, x.rows)
	for i, cell := range row {
		if cell == "" {
			continue
		}
		if utf8.RuneCountInString(cell) > maxCellText {
			return fmt.Errorf("row %d: a cell has at most %d characters", x.rows, maxCellText)
		}
		var text bytes.Buffer
		_ = xml.EscapeText(&text, []byte(cell)) // a buffer takes all
		fmt.Fprintf(x.sheet, `<c r="%s%d" t="inlineStr"><is><t xml:space="preserve">%s</t></is></c>`, columnLetters(i), x.rows, text.Bytes())
	}
	_, err := x.sheet.WriteString("</row>\n")
	return err
}

// begin writes all that comes before the first row.
func (x *xlsxWriter) begin() error {
	if x.zip != nil {
		return nil
	}
	x.zip = zip.NewWriter(x.archive)
	for _, part := range xlsxParts {
		w, err := x.zip.Create(part[0])
		if err != nil {
			return err
		}
		if _, err := io.WriteString(w, xml.Header+part[1]); err != nil {
			return err
		}
	}
	w, err := x.zip.Create("xl/worksheets/sheet1.xml")
	if err != nil {
		return err
	}
	x.sheet = bufio.NewWriter(w)
	_, err = x.sheet.WriteString(xml.Header + `<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>` + "\n")
	return err
}

// Close implements Writer.
func (x *xlsxWriter) Close() error {
	if err := x.begin(); err != nil {
		return err
	}
	_, err := x.sheet.WriteString("</sheetData></worksheet>\n")
	return errors.Join(err, x.sheet.Flush(), x.zip.Close())
}

// columnLetters names a column, counted from 0: A to Z, then AA.
func columnLetters(i int) string {
	if i < 26 {
		return string(rune('A' + i))
	}
	return columnLetters(i/26-1) + string(rune('A'+i%26))
}
