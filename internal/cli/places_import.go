package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/trigpoint/trigpoint/internal/app"
	"github.com/trigpoint/trigpoint/internal/geo"
	"github.com/trigpoint/trigpoint/internal/provider/overpass"
	"github.com/trigpoint/trigpoint/internal/provider/placeindex"
)

type placesImportCmd struct {
	File          string  `arg:"" optional:"" help:"CSV with a header or GeoJSON (also by lines, also Overture), packed with gzip, bzip2 or zstd or not, or an OpenStreetMap extract (.osm.pbf)." type:"existingfile"`
	Format        string  `help:"csv, geojson or pbf; by the file's name when empty." enum:",csv,geojson,pbf" default:""`
	Source        string  `help:"Where the places are from; the file's name, or what Overpass was asked for, when empty. An import takes the stead of all that its source had before."`
	MinConfidence float64 `help:"Leave out Overture places that are less likely to exist, 0 to 1." default:"0"`
	Overpass      string  `help:"Ask an Overpass API in place of a file: the URL of its interpreter, such as https://overpass-api.de/api/interpreter. Nobody is asked unless it is given." placeholder:"URL"`
	Around        string  `help:"What to ask the Overpass API for: latitude,longitude,kilometres." placeholder:"LAT,LNG,KM"`
}

// openStreetMapNotice is what the licence of the data wants to be said of it.
const openStreetMapNotice = "Places © OpenStreetMap contributors, available under the Open Database License: https://www.openstreetmap.org/copyright"

// Validate finds all that is wrong with how the command was typed.
func (cmd *placesImportCmd) Validate() error {
	var problems []string
	add := func(problem string) { problems = append(problems, problem) }
	if cmd.MinConfidence < 0 || cmd.MinConfidence > 1 {
		add("--min-confidence must be 0 to 1")
	}
	if cmd.Overpass == "" {
		if cmd.File == "" {
			add("give a FILE, or --overpass URL")
		}
		if cmd.Around != "" {
			add("--around needs --overpass URL, which has no default")
		}
		return joinProblems(problems)
	}
	if cmd.File != "" {
		add("a FILE and --overpass exclude each other")
	}
	if cmd.Format != "" || cmd.MinConfidence != 0 {
		add("--format and --min-confidence are for files")
	}
	if err := overpass.CheckURL(cmd.Overpass); err != nil {
		add("--overpass: " + err.Error())
	}
	if _, err := parseArea(cmd.Around); err != nil {
		add("--around: " + err.Error())
	}
	return joinProblems(problems)
}

func joinProblems(problems []string) error {
	if len(problems) == 0 {
		return nil
	}
	return errors.New(strings.Join(problems, "; "))
}

// Run imports places. An import of a file that was stopped goes on where it was.
func (cmd *placesImportCmd) Run(e *env) error {
	if cmd.Overpass != "" {
		return cmd.importOverpass(e)
	}
	return cmd.importFile(e)
}

func (cmd *placesImportCmd) importFile(e *env) error {
	format, known := placeindex.Format(cmd.Format), true
	if cmd.Format == "" {
		format, known = placeindex.FormatOf(cmd.File)
	}
	if !known {
		return fmt.Errorf("the name of %s does not tell its format; give --format csv, geojson or pbf", cmd.File)
	}
	return withNewStore(e, func(ctx context.Context, a *app.App) error {
		f, err := openImport(cmd.File, "places", e.err)
		if err != nil {
			return err
		}
		defer func() { _ = f.Close() }()
		content, err := cmd.content(f, format)
		if err != nil {
			return err
		}
		done, err := importPlaces(ctx, a, content, f.importProgress)
		if err != nil && done.Kept > 0 && !errors.Is(err, placeindex.ErrOvertaken) && !errors.Is(err, placeindex.ErrNothing) {
			return fmt.Errorf("%w; nothing has changed yet: run the command again to go on after %s", err, counted(done.Kept, "places"))
		}
		if err == nil && done.Resumed > 0 {
			fmt.Fprintf(e.out, "Went on after %s of a former run.\n", counted(done.Resumed, "records"))
		}
		return sumUpPlaces(e.out, f.importProgress, format, done, err)
	})
}

// content is what a file holds.
func (cmd *placesImportCmd) content(f *importedFile, format placeindex.Format) (placeindex.File, error) {
	source := cmd.Source
	if source == "" {
		source = baseName(cmd.File)
	}
	fingerprint, err := placeindex.Fingerprint(f.File, f.size, format)
	if err != nil {
		return placeindex.File{}, err
	}
	var content io.Reader = f // a PBF file is read several times
	if format != placeindex.PBF {
		if content, err = f.unpacked(); err != nil {
			return placeindex.File{}, err
		}
	}
	return placeindex.File{
		Reader: content, Format: format, Fingerprint: fmt.Sprint(fingerprint, " ", cmd.MinConfidence),
		Options: placeindex.Options{Source: source, MinConfidence: cmd.MinConfidence},
	}, nil
}

func baseName(file string) string {
	return file[strings.LastIndexAny(file, `/\`)+1:]
}

// importOverpass imports what an Overpass API answers. Its data changes by the minute, so that there is no going on
// where an import was stopped.
func (cmd *placesImportCmd) importOverpass(e *env) error {
	area, err := parseArea(cmd.Around)
	if err != nil {
		return err
	}
	client := overpass.Client{URL: cmd.Overpass, Waiting: func(reason error, pause time.Duration) {
		fmt.Fprintf(e.err, "%v. Trying again in %s.\n", reason, pause)
	}}
	answer, err := client.Ask(e.ctx, placeindex.OverpassQuery(app.Categories{}, area.center, area.km))
	if err != nil {
		return err
	}
	defer func() { _ = answer.Close() }()
	source := cmd.Source
	if source == "" {
		source = fmt.Sprintf("overpass %v,%v,%v", area.center.Lat, area.center.Lng, area.km)
	}
	return withNewStore(e, func(ctx context.Context, a *app.App) error {
		progress := newImportProgress("Overpass", "places", 0, e.err)
		done, err := importPlaces(ctx, a, placeindex.File{
			Reader: countingReader{answer, progress}, Format: placeindex.Overpass, Options: placeindex.Options{Source: source},
		}, progress)
		if err != nil && !errors.Is(err, placeindex.ErrNothing) {
			return fmt.Errorf("%w; nothing has changed", err)
		}
		return sumUpPlaces(e.out, progress, placeindex.Overpass, done, err)
	})
}

// countingReader tells a progress what is read.
type countingReader struct {
	io.Reader
	progress *importProgress
}

// Read implements io.Reader.
func (r countingReader) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	r.progress.hasRead(n)
	return n, err
}

func importPlaces(ctx context.Context, a *app.App, f placeindex.File, p *importProgress) (placeindex.Imported, error) {
	f.Categories = app.Categories{}
	f.Progress = func(i placeindex.Imported) { p.kept(int(i.Kept)) }
	f.Skipped = func(at int64, reason string) { p.bad(int(at), reason) }
	defer p.finish()
	return a.Places.Import(ctx, f)
}

// sumUpPlaces says what came of an import, and whose data it is.
func sumUpPlaces(out io.Writer, p *importProgress, format placeindex.Format, done placeindex.Imported, err error) error {
	if errors.Is(err, placeindex.ErrNothing) {
		return fmt.Errorf("%w; what there was of this source is kept. A place has a name and coordinates; of OpenStreetMap, a kind that the category catalogue knows",
			p.sumUp(out, 0, done.Bad))
	}
	if err != nil {
		return err
	}
	if err := p.sumUp(out, done.Kept, done.Bad); err != nil {
		return err
	}
	if format == placeindex.PBF || format == placeindex.Overpass {
		fmt.Fprintln(out, openStreetMapNotice)
	}
	return nil
}

// placesArea is a circle on the map.
type placesArea struct {
	center geo.Point
	km     float64
}

// Radii that an Overpass API is asked for: a street, and what it can just about answer.
const (
	minAreaKm = 0.1
	maxAreaKm = 100
)

// parseArea reads latitude,longitude,kilometres, and tells everything that is wrong with them.
func parseArea(text string) (area placesArea, err error) {
	parts := strings.Split(text, ",")
	if len(parts) != 3 {
		return area, fmt.Errorf("%q is not latitude,longitude,kilometres, such as 33.7745,-84.2951,5", text)
	}
	area = placesArea{geo.Point{Lat: parseNumber(parts[0]), Lng: parseNumber(parts[1])}, parseNumber(parts[2])}
	var problems []string
	for _, c := range []struct {
		name     string
		value    float64
		min, max float64
	}{
		{"latitude", area.center.Lat, -90, 90},
		{"longitude", area.center.Lng, -180, 180},
		{"number of kilometres", area.km, minAreaKm, maxAreaKm},
	} {
		if !(c.value >= c.min && c.value <= c.max) { // also NaN
			problems = append(problems, fmt.Sprintf("the %s must be %v to %v", c.name, c.min, c.max))
		}
	}
	return area, joinProblems(problems)
}
