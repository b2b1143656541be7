package placeindex

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
)

// Format is that of a file of places.
type Format string

// The formats.
const (
	CSV     Format = "csv"     // with a header row; comma, semicolon or tab
	GeoJSON Format = "geojson" // a FeatureCollection, or a Feature on each line; also Overture's places
	PBF     Format = "pbf"     // an OpenStreetMap extract
)

// FormatOf tells the format by the file's name.
func FormatOf(file string) (Format, bool) {
	switch strings.ToLower(filepath.Ext(file)) {
	case ".csv", ".tsv":
		return CSV, true
	case ".geojson", ".json", ".geojsonl", ".geojsons", ".geojsonseq", ".ndjson", ".jsonl":
		return GeoJSON, true
	case ".pbf":
		return PBF, true
	}
	return "", false
}

// Options say how to read a file of places.
type Options struct {
	// Categories finds the category of OpenStreetMap tags; a PBF file cannot be read without.
	Categories Categories
	// Source is said of each place, and tells apart rows of different files that have the same id.
	Source string
	// Skip is the number of records that a former run has dealt with.
	Skip int64
	// MinConfidence leaves out Overture places that are less likely to exist, 0..1.
	MinConfidence float64
}

// Progress tells how far a read has come. Record counts good and bad records alike, so a run that is
// continued with Skip = Record misses and repeats nothing.
type Progress struct {
	Record int64
	Bytes  int64 // of the file; for PBF, of its last pass
}

// Read yields the places of a file in the order of the file. A record that is no place is told to bad, with
// its line (OpenStreetMap: the object's id), and skipped. An error means that the rest of the file cannot be
// read, or is what yield returned. Of OpenStreetMap, only named objects that the catalogue knows as places are
// read; all others are passed over without a word. PBF needs an io.ReadSeeker, because it is read several times.
func Read(
	r io.Reader, f Format, o Options,
	yield func(Place, Progress) error, bad func(at int64, reason string),
) error {
	out := &sink{options: o, yield: yield, bad: bad}
	switch f {
	case CSV:
		return readCSV(r, out)
	case GeoJSON:
		return readGeoJSON(r, out)
	case PBF:
		seeker, ok := r.(io.ReadSeeker)
		if !ok {
			return errors.New("a PBF file must be seekable")
		}
		if o.Categories == nil {
			return errors.New("a PBF file cannot be read without categories")
		}
		return readPBF(seeker, out)
	}
	return fmt.Errorf("%q is no format of places", f)
}

// sink takes the records of a file.
type sink struct {
	options Options
	yield   func(Place, Progress) error
	bad     func(int64, string)
	record  int64
	extract bool // the file is one of OpenStreetMap
}

// take deals with the next record, which ends at the given byte: a place, or the problem it has.
// The error it returns is that of yield.
func (s *sink) take(at, end int64, p Place, problem error) error {
	if errors.Is(problem, errNoPlace) {
		return nil
	}
	s.record++
	if s.record <= s.options.Skip {
		return nil
	}
	if problem == nil {
		problem = p.Check()
	}
	if problem != nil {
		s.bad(at, strings.ReplaceAll(problem.Error(), "\n", "; "))
		return nil
	}
	return s.yield(p, Progress{Record: s.record, Bytes: end})
}

// lines reads text by lines of bounded length.
type lines struct {
	r      *bufio.Reader
	number int64
	offset int64
	back   []line // unread, the next one first
}

// line is without its line break. A line over the bound is cut, and marked.
type line struct {
	text        string
	number, end int64
	tooLong     bool
}

func newLines(r io.Reader) *lines { return &lines{r: bufio.NewReaderSize(r, 64<<10)} }

// next returns io.EOF after the last line.
func (l *lines) next(limit int) (line, error) {
	if len(l.back) > 0 {
		first := l.back[0]
		l.back = l.back[1:]
		return first, nil
	}
	out := line{number: l.number + 1}
	var text []byte
	for {
		part, err := l.r.ReadSlice('\n')
		l.offset += int64(len(part))
		if room := limit + 2 - len(text); len(part) > room {
			part, out.tooLong = part[:room], true
		}
		text = append(text, part...)
		if err == io.EOF && len(text) == 0 {
			return line{}, io.EOF
		}
		if err == nil || err == io.EOF {
			break
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line{}, fmt.Errorf("read line %d: %w", out.number, err)
		}
	}
	l.number = out.number
	text = bytes.TrimSuffix(bytes.TrimSuffix(text, []byte("\n")), []byte("\r"))
	out.tooLong = out.tooLong || len(text) > limit
	out.text, out.end = string(text), l.offset
	return out, nil
}

// unread puts lines back in front.
func (l *lines) unread(list []line) { l.back = append(list[:len(list):len(list)], l.back...) }
