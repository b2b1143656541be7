package spreadsheet

import (
	"archive/zip"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// ErrNoWorkbook says that an archive is no Excel workbook.
var ErrNoWorkbook = errors.New("no Excel workbook")

// Sheet reads the first sheet of a workbook row by row. All cells are text; numbers are as the file writes them.
type Sheet struct {
	file    io.ReadCloser
	xml     *xml.Decoder
	strings []string
}

// OpenXLSX opens the first sheet of a workbook of which at most limit bytes are unpacked.
func OpenXLSX(archive *zip.Reader, limit int64) (*Sheet, error) {
	parts := map[string]*zip.File{}
	for _, f := range archive.File {
		parts[f.Name] = f
	}
	if parts["xl/workbook.xml"] == nil {
		return nil, ErrNoWorkbook
	}
	first := firstSheet(parts)
	if first == nil {
		return nil, errors.New("the workbook has no sheet")
	}
	s := &Sheet{}
	if shared := parts["xl/sharedStrings.xml"]; shared != nil {
		var err error
		if s.strings, err = sharedStrings(shared, limit); err != nil {
			return nil, err
		}
	}
	file, err := first.Open()
	if err != nil {
		return nil, err
	}
	s.file, s.xml = file, xml.NewDecoder(io.LimitReader(file, limit))
	return s, nil
}

// firstSheet follows the workbook to the sheet that it shows first.
func firstSheet(parts map[string]*zip.File) *zip.File {
	var book struct {
		Sheets []struct {
			ID string `xml:"http://schemas.openxmlformats.org/officeDocument/2006/relationships id,attr"`
		} `xml:"sheets>sheet"`
	}
	var links struct {
		All []struct {
			ID     string `xml:"Id,attr"`
			Target string `xml:"Target,attr"`
		} `xml:"Relationship"`
	}
	if readXML(parts["xl/workbook.xml"], &book) == nil && readXML(parts["xl/_rels/workbook.xml.rels"], &links) == nil && len(book.Sheets) > 0 {
		for _, link := range links.All {
			if link.ID == book.Sheets[0].ID {
				return parts["xl/"+strings.TrimPrefix(strings.TrimPrefix(link.Target, "/"), "xl/")]
			}
		}
	}
	return parts["xl/worksheets/sheet1.xml"]
}

// maxBookPart bounds the small parts of a workbook.
const maxBookPart = 4 << 20

func readXML(part *zip.File, into any) error {
	if part == nil {
		return ErrNoWorkbook
	}
	r, err := part.Open()
	if err != nil {
		return err
	}
	return errors.Join(xml.NewDecoder(io.LimitReader(r, maxBookPart)).Decode(into), r.Close())
}

// richText is a text in one piece or in several of different looks.
type richText struct {
	Text string   `xml:"t"`
	Runs []string `xml:"r>t"`
}

func (t richText) String() string { return t.Text + strings.Join(t.Runs, "") }

func sharedStrings(part *zip.File, limit int64) (all []string, err error) {
	r, err := part.Open()
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	decoder := xml.NewDecoder(io.LimitReader(r, limit))
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			return all, nil
		}
		if err != nil {
			return nil, fmt.Errorf("the workbook's texts are damaged or too many: %w", err)
		}
		if start, ok := token.(xml.StartElement); ok && start.Name.Local == "si" {
			var text richText
			if err := decoder.DecodeElement(&text, &start); err != nil {
				return nil, err
			}
			all = append(all, text.String())
		}
	}
}

// Next returns the next row with its number, and io.EOF after the last.
func (s *Sheet) Next() (number int, cells []string, err error) {
	for {
		token, err := s.xml.Token()
		if errors.Is(err, io.EOF) {
			return 0, nil, io.EOF
		}
		if err != nil {
			return 0, nil, fmt.Errorf("the sheet is damaged or too large: %w", err)
		}
		start, ok := token.(xml.StartElement)
		if !ok || start.Name.Local != "row" {
			continue
		}
		var row struct {
			Number int `xml:"r,attr"`
			Cells  []struct {
				At     string   `xml:"r,attr"`
				Type   string   `xml:"t,attr"`
				Value  string   `xml:"v"`
				Inline richText `xml:"is"`
			} `xml:"c"`
		}
		if err := s.xml.DecodeElement(&row, &start); err != nil {
			return 0, nil, fmt.Errorf("the sheet is damaged: %w", err)
		}
		for _, c := range row.Cells {
			at := columnNumber(c.At)
			if at < 0 {
				at = len(cells)
			}
			for len(cells) <= at {
				cells = append(cells, "")
			}
			cells[at] = c.Value
			switch c.Type {
			case "s":
				if i, err := strconv.Atoi(c.Value); err == nil && i >= 0 && i < len(s.strings) {
					cells[at] = s.strings[i]
				}
			case "inlineStr":
				cells[at] = c.Inline.String()
			}
		}
		return row.Number, cells, nil
	}
}

// Close ends the reading.
func (s *Sheet) Close() error { return s.file.Close() }

// maxColumn is the last column of a sheet, XFD.
const maxColumn = 16_384

// columnNumber is the column of a cell such as AB12, from 0; -1 is that it does not say.
func columnNumber(cell string) int {
	n := 0
	for _, r := range cell {
		if r < 'A' || r > 'Z' {
			break
		}
		if n = 26*n + int(r-'A') + 1; n > maxColumn {
			return -1
		}
	}
	return n - 1
}
