// Package foreign reads what other tools export: which columns their files have, and how they write numbers, dates and
// ranks. It makes plain records of them, and says of each row that it cannot take why not. What becomes of the records
// is not its concern.
package foreign

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"

	"github.com/trigpoint/trigpoint/internal/errs"
	"github.com/trigpoint/trigpoint/internal/spreadsheet"
)

// Bounds of a file.
const (
	maxBytes = 256 << 20 // unpacked
	maxRows  = 1_000_000
	maxParts = 50 // files of an archive
)

// File is an export: CSV in any usual form, an Excel workbook, or a ZIP archive of CSV files.
type File struct {
	Name string
	io.ReaderAt
	Size int64
}

// Row is where a row stands.
type Row struct {
	File string // of an archive; empty when the row is of the file itself
	Line int
}

// Skip is told of each row, or part of one, that was not taken.
type Skip func(at Row, reason string)

// rows gives one row after another with its line, and io.EOF after the last.
type rows func() (line int, cells []string, err error)

// part is a table of a file.
type part struct {
	name   string // that of the file itself, or of one in an archive
	within string // name, of one in an archive
	rows   rows
}

// parts calls fn with each table of the file.
func (f File) parts(fn func(part) error) error {
	start := make([]byte, 4)
	if n, err := f.ReadAt(start, 0); n < len(start) && err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if string(start) != "PK\x03\x04" {
		table, err := csvRows(bounded(io.NewSectionReader(f, 0, f.Size)))
		if err != nil {
			return err
		}
		return fn(part{name: f.Name, rows: table})
	}
	archive, err := zip.NewReader(f, f.Size)
	if err != nil {
		return fmt.Errorf("the archive is damaged: %w", err)
	}
	if sheet, err := spreadsheet.OpenXLSX(archive, maxBytes); err == nil {
		defer func() { _ = sheet.Close() }()
		return fn(part{name: f.Name, rows: sheet.Next})
	} else if !errors.Is(err, spreadsheet.ErrNoWorkbook) {
		return err
	}
	return eachCSV(archive, fn)
}

// eachCSV calls fn with each CSV file of an archive.
func eachCSV(archive *zip.Reader, fn func(part) error) error {
	if len(archive.File) > maxParts {
		return errs.New(errs.Invalid, "The archive has %d files; at most %d are read.", len(archive.File), maxParts)
	}
	found := false
	for _, member := range archive.File {
		name := path.Base(strings.ReplaceAll(member.Name, `\`, "/"))
		if !strings.HasSuffix(strings.ToLower(name), ".csv") || strings.HasPrefix(name, ".") {
			continue
		}
		found = true
		r, err := member.Open()
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		table, err := csvRows(bounded(r))
		if err == nil {
			err = fn(part{name, name, table})
		}
		if err = errors.Join(err, r.Close()); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	if !found {
		return errs.New(errs.Invalid, "The archive has no CSV file.")
	}
	return nil
}

// bounded fails when more is read than a file may have.
func bounded(r io.Reader) io.Reader { return &boundedReader{r, maxBytes} }

type boundedReader struct {
	io.Reader
	left int
}

// Read implements io.Reader.
func (b *boundedReader) Read(p []byte) (int, error) {
	n, err := b.Reader.Read(p)
	if b.left -= n; b.left < 0 {
		return n, errs.New(errs.Invalid, "The file has more than %d MB; split it.", maxBytes>>20)
	}
	return n, err
}
