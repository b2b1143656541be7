package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/dustin/go-humanize"

	"github.com/trigpoint/trigpoint/internal/app"
	"github.com/trigpoint/trigpoint/internal/geo"
	"github.com/trigpoint/trigpoint/internal/provider/placeindex"
)

type placesCmd struct {
	Import placesImportCmd `cmd:"" help:"Import places for the built-in map search, in the stead of what their source had before."`
	List   placesListCmd   `cmd:"" help:"List the sources of places, with how many places each has and since when."`
	Remove placesRemoveCmd `cmd:"" help:"Remove the places of a source."`
	Search placesSearchCmd `cmd:"" help:"Search places as the built-in map search does, within 50 km, and show their place ids."`
}

type placesImportCmd struct {
	File          string  `arg:"" help:"CSV with a header or GeoJSON (also by lines, also Overture), packed with gzip, bzip2 or zstd or not, or an OpenStreetMap extract (.osm.pbf)." type:"existingfile"`
	Format        string  `help:"csv, geojson or pbf; by the file's name when empty." enum:",csv,geojson,pbf" default:""`
	Source        string  `help:"Where the places are from; the file's name when empty. An import takes the stead of all that its source had before."`
	MinConfidence float64 `help:"Leave out Overture places that are less likely to exist, 0 to 1." default:"0"`
}

// Run imports places. An import that was stopped goes on where it was.
func (cmd *placesImportCmd) Run(e *env) error {
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
		done, err := cmd.run(ctx, a, f, format)
		f.finish()
		switch {
		case errors.Is(err, placeindex.ErrNothing):
			return fmt.Errorf("%w; what there was of this source is kept. A place has a name and coordinates; of OpenStreetMap, a kind that the category catalogue knows",
				f.sumUp(e.out, 0, done.Bad))
		case err != nil && done.Kept > 0 && !errors.Is(err, placeindex.ErrOvertaken):
			return fmt.Errorf("%w; nothing has changed yet: run the command again to go on after %s places", err, humanize.Comma(done.Kept))
		case err != nil:
			return err
		}
		if done.Resumed > 0 {
			fmt.Fprintf(e.out, "Went on after %s records of a former run.\n", humanize.Comma(done.Resumed))
		}
		return f.sumUp(e.out, done.Kept, done.Bad)
	})
}

func (cmd *placesImportCmd) run(ctx context.Context, a *app.App, f *importedFile, format placeindex.Format) (placeindex.Imported, error) {
	source := cmd.Source
	if source == "" {
		source = baseName(cmd.File)
	}
	fingerprint, err := placeindex.Fingerprint(f.File, f.size, format)
	if err != nil {
		return placeindex.Imported{}, err
	}
	var content io.Reader = f // a PBF file is read several times
	if format != placeindex.PBF {
		if content, err = f.unpacked(); err != nil {
			return placeindex.Imported{}, err
		}
	}
	return a.Places.Import(ctx, placeindex.File{
		Reader: content, Format: format, Fingerprint: fmt.Sprint(fingerprint, " ", cmd.MinConfidence),
		Options:  placeindex.Options{Categories: app.Categories{}, Source: source, MinConfidence: cmd.MinConfidence},
		Progress: func(i placeindex.Imported) { f.kept(int(i.Kept)) },
		Skipped:  func(at int64, reason string) { f.bad(int(at), reason) },
	})
}

func baseName(file string) string {
	return file[strings.LastIndexAny(file, `/\`)+1:]
}

type placesListCmd struct{}

// Run lists the sources.
func (*placesListCmd) Run(e *env) error {
	return withStore(e, func(ctx context.Context, a *app.App) error {
		list, err := a.Places.Sources(ctx)
		if err != nil {
			return err
		}
		t := tabwriter.NewWriter(e.out, 0, 0, 2, ' ', 0)
		fmt.Fprintln(t, "PLACES\tIMPORTED\tSOURCE")
		for _, h := range list {
			note := ""
			if h.Running {
				note = " (not finished, not seen; import the file again to go on)"
			}
			when := "before it was noted"
			if h.At.Unix() > 0 {
				when = h.At.Format(time.DateTime)
			}
			fmt.Fprintf(t, "%d\t%s\t%s%s\n", h.Places, when, h.Source, note)
		}
		return t.Flush()
	})
}

type placesRemoveCmd struct {
	Source string `required:"" help:"The source, as places list shows it."`
}

// Run removes the places of a source.
func (cmd *placesRemoveCmd) Run(e *env) error {
	return withStore(e, func(ctx context.Context, a *app.App) error {
		n, err := a.Places.Remove(ctx, cmd.Source)
		if err != nil {
			return fmt.Errorf("%q: %w; places list shows those that there are", cmd.Source, err)
		}
		_, err = fmt.Fprintf(e.out, "%s places removed.\n", humanize.Comma(n))
		return err
	})
}

type placesSearchCmd struct {
	Words []string `arg:"" help:"What to search for, such as pizza."`
	Near  string   `required:"" help:"Where to search from: latitude,longitude."`
	Limit int      `help:"Most places to show, up to 100." default:"20"`
}

// Run prints the places found, best first.
func (cmd *placesSearchCmd) Run(e *env) error {
	at, err := parsePoint(cmd.Near)
	if err != nil {
		return err
	}
	return withStore(e, func(ctx context.Context, a *app.App) error {
		index, err := a.Places.Index(ctx)
		if err != nil {
			return err
		}
		words := strings.Join(cmd.Words, " ")
		hits := index.Search(words, at, cmd.Limit)
		if index.Len() == 0 {
			return errors.New("there are no places yet: trigpoint places import FILE brings some")
		}
		if len(hits) == 0 {
			return fmt.Errorf("none of %s places matches %q within %d km; nothing farther away is searched",
				humanize.Comma(int64(index.Len())), words, placeindex.MaxKm)
		}
		t := tabwriter.NewWriter(e.out, 0, 0, 2, ' ', 0)
		fmt.Fprintln(t, "RANK\tPLACE ID\tKM\tRATING\tNAME\tADDRESS")
		for i, h := range hits {
			fmt.Fprintf(t, "%d\t%s\t%.2f\t%s\t%s\t%s\n", i+1, h.Place.ID, h.Km, rating(h.Place), h.Place.Name, h.Place.Address)
		}
		return t.Flush()
	})
}

func parsePoint(text string) (geo.Point, error) {
	lat, lng, _ := strings.Cut(text, ",")
	degrees := func(s string) float64 {
		v, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
		if err != nil {
			return math.NaN()
		}
		return v
	}
	at := geo.Point{Lat: degrees(lat), Lng: degrees(lng)}
	if !at.Valid() {
		return at, fmt.Errorf("%q is not latitude,longitude, such as 33.7745,-84.2951", text)
	}
	return at, nil
}

// rating is what people say of a place; unknown is not zero.
func rating(p placeindex.Place) string {
	if p.Rating == 0 {
		return "-"
	}
	return fmt.Sprintf("%.1f (%d)", p.Rating, p.Reviews)
}
