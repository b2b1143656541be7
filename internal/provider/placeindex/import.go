package placeindex

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/trigpoint/trigpoint/internal/textfile"
)

// Format is that of a file of places.
type Format string

// The formats.
const (
	CSV      Format = "csv"      // with a header row; comma, semicolon or tab
	GeoJSON  Format = "geojson"  // a FeatureCollection, or a Feature on each line; also Overture's places
	PBF      Format = "pbf"      // an OpenStreetMap extract
	Overpass Format = "overpass" // the JSON that an Overpass API answers an OverpassQuery with
)

// FormatOf tells the format by the file's name, packed or not.
func FormatOf(file string) (Format, bool) {
	name := strings.ToLower(file)
	switch packing := filepath.Ext(name); packing {
	case ".gz", ".bz2", ".zst":
		name = strings.TrimSuffix(name, packing)
	}
	switch filepath.Ext(name) {
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
	// Categories finds the category of OpenStreetMap tags; nothing of OpenStreetMap can be read without.
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
	case CSV, GeoJSON:
		text, err := textfile.Text(r)
		if err != nil {
			return err
		}
		if f == CSV {
			return readCSV(text, out)
		}
		return readGeoJSON(text, out)
	case PBF:
		seeker, ok := r.(io.ReadSeeker)
		if !ok {
			return errors.New("a PBF file must be seekable")
		}
		if o.Categories == nil {
			return errors.New("a PBF file cannot be read without categories")
		}
		return readPBF(seeker, out)
	case Overpass:
		return readOverpass(r, out)
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
