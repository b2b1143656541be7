// Package spreadsheet writes tables for people who open them in a spreadsheet and for programs that read its files: CSV
// and XLSX. A table is written row by row, and no more than a row of it is held. All cells are text.
package spreadsheet

import (
	"encoding/csv"
	"io"
	"strings"
	"unicode/utf8"
)

// Format is that of a file.
type Format string

// The formats.
const (
	CSV  Format = "csv"
	XLSX Format = "xlsx"
)

// MediaType is the format's name in HTTP.
func (f Format) MediaType() string {
	if f == XLSX {
		return "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
	}
	return "text/csv"
}

// Writer writes a table. The file is whole once Close has returned nil.
type Writer interface {
	Write(row []string) error
	Close() error
}

// New begins a file.
func New(w io.Writer, f Format) Writer {
	if f == XLSX {
		return &xlsxWriter{archive: w}
	}
	return &csvWriter{csv.NewWriter(w)}
}

type csvWriter struct{ file *csv.Writer }

// Write implements Writer. The cells of a CSV file have no type, so that those which would run say that they are text.
func (c *csvWriter) Write(row []string) error {
	plain := make([]string, len(row))
	for i, cell := range row {
		plain[i] = plainCell(cell)
	}
	return c.file.Write(plain)
}

// Close implements Writer.
func (c *csvWriter) Close() error {
	c.file.Flush()
	return c.file.Error()
}

// plainCell keeps a spreadsheet from reading a text as a formula; phone numbers and coordinates stay.
// Spreadsheets read the full-width forms of the marks as the marks.
func plainCell(s string) string {
	first, _ := utf8.DecodeRuneInString(s)
	if s == "" || !strings.ContainsRune("=+-@\t\r\n＝＋－＠", first) || strings.Trim(s, "+-0123456789 ().") == "" {
		return s
	}
	return "'" + s
}
