package placeindex

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/trigpoint/trigpoint/internal/provider/overpass/overpasstest"
)

var update = flag.Bool("update", false, "write the golden files anew")

// readAll prints what Read makes of a file: places and problems, in order.
func readAll(r io.Reader, f Format, o Options) (places []Place, problems []string, err error) {
	var last Progress
	err = Read(r, f, o, func(p Place, at Progress) error {
		if at.Record <= last.Record || at.Bytes < last.Bytes {
			return fmt.Errorf("progress went from %+v to %+v", last, at)
		}
		last = at
		places = append(places, p)
		return nil
	}, func(at int64, reason string) { problems = append(problems, fmt.Sprintf("%d: %s", at, reason)) })
	return places, problems, err
}

func testOptions() Options {
	return Options{Categories: testCategories(), Source: "test", MinConfidence: 0.5}
}

func TestReadGoldenFiles(t *testing.T) {
	t.Parallel()
	for _, file := range []string{"places.csv", "places.geojson", "overture.geojson"} {
		t.Run(file, func(t *testing.T) {
			t.Parallel()
			format, _ := FormatOf(file)
			raw, err := os.ReadFile(filepath.Join("testdata", file))
			if err != nil {
				t.Fatal(err)
			}
			places, problems, err := readAll(bytes.NewReader(raw), format, testOptions())
			if err != nil {
				t.Fatal(err)
			}
			golden(t, file+".golden", places, problems)

			again, _, err := readAll(iotest.OneByteReader(bytes.NewReader(raw)), format, testOptions())
			if err != nil || !slices.EqualFunc(again, places, equalPlaces) {
				t.Errorf("read byte by byte it has other places: %v", err)
			}
		})
	}
}

func golden(t *testing.T, file string, places []Place, problems []string) {
	t.Helper()
	var b strings.Builder
	for _, p := range places {
		fmt.Fprintf(&b, "%+v\n", p)
	}
	for _, p := range problems {
		fmt.Fprintf(&b, "bad %s\n", p)
	}
	path := filepath.Join("testdata", file)
	if *update {
		if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if b.String() != string(want) {
		t.Errorf("got:\n%s\nwant:\n%s", b.String(), want)
	}
}

func TestReadCSV(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, file string
		want       string // names of places
		bad        string // parts of the problems
		fails      string // part of the error
	}{
		{"tabs", "name\tlat\tlng\nTarnley\t33.7\t-84.2\n", "Tarnley", "", ""},
		{"semicolons and decimal commas", "name;lat;lon\nTarnley;33,7;-84,2\n", "Tarnley", "", ""},
		{"byte order mark and CRLF", "\ufeffTitle,LATITUDE,Long\r\nTarnley,33.7,-84.2\r\n", "Tarnley", "", ""},
		{"no line break at the end", "name,lat,lng\nTarnley,33.7,-84.2", "Tarnley", "", ""},
		{"short rows", "name,lat,lng,phone,website\nTarnley,33.7,-84.2", "Tarnley", "", ""},
		{"a quote in the middle is text", "name,lat,lng\n12\" Pipe,33.7,-84.2\n", `12" Pipe`, "", ""},
		{"only a header", "name,lat,lng\n", "", "", ""},
		{"empty", "", "", "", "empty"},
		{"no coordinates", "name,address\nTarnley,here\n", "", "", `no column "lat"`},
		{"UTF-16", "\xff\xfen\x00", "", "", "no column"},
		{"latin 1", "name,lat,lng\nCaf\xe9,33.7,-84.2\nTarnley,33.7,-84.2\n", "Tarnley", "2: not UTF-8", ""},
		{"null island", "name,lat,lng\nTarnley,0,0\n", "", "2: coordinates are 0,0", ""},
		{"not a number", "name,lat,lng\nTarnley,NaN,1e999\n", "", `latitude "NaN"`, ""},
		{
			"an open quote spoils one line", "name,lat,lng\n\"Tarnley,33.7,-84.2\nMarlford,33.7,-84.2\nRuskdell,33.7,-84.2\n",
			"Marlford Ruskdell", "2: a quote is not closed", "",
		},
		{
			"an open quote far from the end", "name,lat,lng\n\"Tarnley,33.7,-84.2\n" + strings.Repeat("Marlford,33.7,-84.2\n", 60),
			strings.TrimSpace(strings.Repeat("Marlford ", 60)), "2: a quote is not closed", "",
		},
		{
			"text after a quote", "name,lat,lng\n\"Tarnley\"x,33.7,-84.2\nMarlford,33.7,-84.2\n",
			"Marlford", "2: text after a closing quote", "",
		},
		{
			"a line too long", "name,lat,lng\n" + strings.Repeat("x", maxRow+1) + ",33.7,-84.2\nMarlford,33.7,-84.2\n",
			"Marlford", "2: longer than", "",
		},
		{
			"a name too long", "name,lat,lng\n" + strings.Repeat("x", maxName+1) + ",33.7,-84.2\nMarlford,33.7,-84.2\n",
			"Marlford", "2: name has 301 bytes", "",
		},
		{"control characters", "name,lat,lng\nTarn\x00ley\x07,33.7,-84.2\n", "Tarn ley", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			places, problems, err := readAll(strings.NewReader(c.file), CSV, testOptions())
			if c.fails == "" && err != nil || c.fails != "" && (err == nil || !strings.Contains(err.Error(), c.fails)) {
				t.Errorf("err = %v, want %q", err, c.fails)
			}
			if got := names(places); got != c.want {
				t.Errorf("places %q, want %q", got, c.want)
			}
			if got := strings.Join(problems, "\n"); (c.bad == "") != (got == "") || !strings.Contains(got, c.bad) {
				t.Errorf("problems %q, want %q", got, c.bad)
			}
		})
	}
}

func names(places []Place) string {
	list := make([]string, len(places))
	for i, p := range places {
		list[i] = p.Name
	}
	return strings.Join(list, " ")
}

func TestReadGeoJSON(t *testing.T) {
	t.Parallel()
	feature := func(name string) string {
		return `{"type":"Feature","geometry":{"type":"Point","coordinates":[-84.3,33.7]},"properties":{"name":"` + name + `"}}`
	}
	for _, c := range []struct{ name, file, want, bad, fails string }{
		{"lines", feature("A") + "\n" + feature("B") + "\n", "A B", "", ""},
		{"lines with separators", "\x1e" + feature("A") + "\n\x1e" + feature("B") + "\n", "A B", "", ""},
		{"a broken first line", "{\"type\":\n" + feature("B") + "\n", "B", "1: not a GeoJSON feature", ""},
		{"a line too long", strings.Repeat("x", maxFeature+1) + "\n" + feature("B"), "B", "1: longer than", ""},
		{"one line", `{"features":[` + feature("A") + "," + feature("B") + `],"type":"FeatureCollection"}`, "A B", "", ""},
		{"braces in text", `{"features":[` + feature(`A}]\"{`) + "," + feature("B") + `]}`, `A}]"{ B`, "", ""},
		{"no features", `{"features":[]}`, "", "", ""},
		{"a member of the same name deeper", `{"meta":{"features":[1]},"features":[` + feature("A") + `]}`, "A", "", ""},
		{"not objects", `{"features":[1,"a,]",[{}],` + feature("A") + `]}`, "A", "1: not an object", ""},
		{
			"an element too long", "{\"features\":[{\"x\":\"" + strings.Repeat("x", maxFeature) + "\"},\n" + feature("B") + "]}",
			"B", "1: longer than", "",
		},
		{"cut off", `{"features":[` + feature("A") + `,{"type":`, "A", "", "ends in the middle"},
		{"empty", "  \n", "", "", "empty"},
		{"no geometry", `{"type":"Feature","properties":{"name":"A"}}`, "", "geometry has no coordinates", ""},
		{"no properties", `{"type":"Feature","geometry":{"type":"Point","coordinates":[1,2]}}`, "", "no properties", ""},
		{"wrong coordinates", `{"type":"Feature","geometry":{"type":"Point","coordinates":["a",{}]},"properties":{"name":"A"}}`, "", "no coordinates", ""},
		{
			"nested as text", `{"type":"Feature","geometry":{"type":"Point","coordinates":[1,2]},"properties":{"names":"{\"primary\":\"A\"}"}}`,
			"A", "", "",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			places, problems, err := readAll(strings.NewReader(c.file), GeoJSON, testOptions())
			if c.fails == "" && err != nil || c.fails != "" && (err == nil || !strings.Contains(err.Error(), c.fails)) {
				t.Errorf("err = %v, want %q", err, c.fails)
			}
			if got := names(places); got != c.want {
				t.Errorf("places %q, want %q", got, c.want)
			}
			if got := strings.Join(problems, "\n"); (c.bad == "") != (got == "") || !strings.Contains(got, c.bad) {
				t.Errorf("problems %q, want %q", got, c.bad)
			}
		})
	}
}

func TestIdentityOfRows(t *testing.T) {
	t.Parallel()
	read := func(source, row string) Place {
		o := testOptions()
		o.Source = source
		places, problems, err := readAll(strings.NewReader("name,lat,lng,id,cid,place_id\n"+row), CSV, o)
		if err != nil || len(places) != 1 {
			t.Fatalf("%q: %v %v", row, problems, err)
		}
		return places[0]
	}
	content := read("a", "Tarnley,33.7,-84.2")
	if again := read("b", "TARNLEY,33.70,-84.2,,,"); again.ID != content.ID || again.CID != content.CID {
		t.Errorf("the same row in another file is %s, not %s", again.ID, content.ID)
	}
	if other := read("a", "Tarnley,33.8,-84.2"); other.ID == content.ID {
		t.Error("another row has the same id")
	}
	if a, b := read("a", "Tarnley,33.7,-84.2,1"), read("b", "Tarnley,33.7,-84.2,1"); a.ID == b.ID {
		t.Error("id 1 of two sources is one place")
	}
	if a, b := read("a", "Tarnley,33.7,-84.2,1"), read("a", "Renamed,33.9,-84.9,1"); a.ID != b.ID {
		t.Error("a row that changed is another place, in spite of its id")
	}
	if p := read("a", "Tarnley,33.7,-84.2,1,-1"); p.CID != "18446744073709551615" {
		t.Errorf("cid -1 became %s", p.CID)
	}
	if p := read("a", "Tarnley,33.7,-84.2,1,5,ChIJCQEAAAAAAAARAgAAAAAAAAA"); p.ID != "ChIJCQEAAAAAAAARAgAAAAAAAAA" || p.CID != "2" {
		t.Errorf("place id %s with cid %s, want the cid that it carries", p.ID, p.CID)
	}
	if p := read("a", "Tarnley,33.7,-84.2,,5,other"); p.ID != "other" || p.CID != "5" {
		t.Errorf("place id %s with cid %s", p.ID, p.CID)
	}
}

// Rows without an id were imported under these ids by earlier versions: another one would double the place.
func TestRowsKeepTheIDsOfEarlierVersions(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"Joe's Café":    "ChIJo-6MB5jU0XoREiVsniBpVm0",
		"Ħamrun Bakery": "ChIJx1A5EYI7HlcRfTSgNoxtnRw",
		"قهوةُ الصباحِ": "ChIJZIjb8E7HkVcR9MXrb2mYrT0",
	} {
		file := "name,latitude,longitude,address\n" + name + ",35.9,14.5,Ŧriq 1\n"
		places, problems, err := readAll(strings.NewReader(file), CSV, testOptions())
		if err != nil || len(places) != 1 {
			t.Fatalf("%s: %d places, problems %q: %v", name, len(places), problems, err)
		}
		if places[0].ID != want {
			t.Errorf("%s has the id %s, want %s", name, places[0].ID, want)
		}
	}
}

func TestReadStopsWhenYieldFails(t *testing.T) {
	t.Parallel()
	full := errors.New("disk is full")
	for format, file := range sampleFiles(t) {
		calls := 0
		err := Read(bytes.NewReader(file), format, testOptions(),
			func(Place, Progress) error { calls++; return full }, func(int64, string) {})
		if !errors.Is(err, full) || calls != 1 {
			t.Errorf("%s: %v after %d calls", format, err, calls)
		}
	}
}

func TestReadContinuesWhereItStopped(t *testing.T) {
	t.Parallel()
	for format, file := range sampleFiles(t) {
		if err := resumes(file, format); err != nil {
			t.Errorf("%s: %v", format, err)
		}
	}
}

// resumes reads a file whole, and then from each record on: together nothing may be missed or repeated.
func resumes(file []byte, f Format) error {
	whole, _, wholeErr := readAll(bytes.NewReader(file), f, testOptions())
	seen := 0
	return Read(bytes.NewReader(file), f, testOptions(), func(p Place, at Progress) error {
		seen++
		if err := p.Check(); err != nil {
			return fmt.Errorf("yielded %+v: %w", p, err)
		}
		if seen > 20 {
			return nil
		}
		o := testOptions()
		o.Skip = at.Record
		rest, _, err := readAll(bytes.NewReader(file), f, o)
		if !slices.EqualFunc(rest, whole[seen:], equalPlaces) || (err == nil) != (wholeErr == nil) {
			return fmt.Errorf("after record %d: %d places, want %d (%w)", at.Record, len(rest), len(whole)-seen, err)
		}
		return nil
	}, func(int64, string) {})
}

func sampleFiles(t testing.TB) map[Format][]byte {
	t.Helper()
	files := map[Format][]byte{PBF: samplePBF().file(), Overpass: []byte(overpasstest.Interpreter)}
	for format, name := range map[Format]string{CSV: "places.csv", GeoJSON: "places.geojson"} {
		raw, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		files[format] = raw
	}
	return files
}

func TestReadRefuses(t *testing.T) {
	t.Parallel()
	pipe := iotest.OneByteReader(strings.NewReader("x"))
	for name, err := range map[string]error{
		"unknown format":     Read(pipe, "xls", testOptions(), nil, nil),
		"PBF from a pipe":    Read(pipe, PBF, testOptions(), nil, nil),
		"PBF, no categories": Read(strings.NewReader("x"), PBF, Options{}, nil, nil),
		"a failing disk":     Read(iotest.ErrReader(errors.New("bad sector")), CSV, testOptions(), nil, nil),
	} {
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestFormatOf(t *testing.T) {
	t.Parallel()
	for file, want := range map[string]Format{
		"a.csv": CSV, "a/B.TSV": CSV, "x.geojson": GeoJSON, "x.ndjson": GeoJSON, "georgia.osm.pbf": PBF, "x.xls": "", "csv": "",
	} {
		if got, ok := FormatOf(file); got != want || ok != (want != "") {
			t.Errorf("FormatOf(%q) = %q, %v", file, got, ok)
		}
	}
}
