package cli

import (
	"context"
	"errors"
	"fmt"
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
				note = " (not finished, not seen; import it again to go on)"
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
	at := geo.Point{Lat: parseNumber(lat), Lng: parseNumber(lng)}
	if !at.Valid() {
		return at, fmt.Errorf("%q is not latitude,longitude, such as 33.7745,-84.2951", text)
	}
	return at, nil
}

// parseNumber reads a number, or NaN where there is none.
func parseNumber(s string) float64 {
	v, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
	if err != nil {
		return math.NaN()
	}
	return v
}

// rating is what people say of a place; unknown is not zero.
func rating(p placeindex.Place) string {
	if p.Rating == 0 {
		return "-"
	}
	return fmt.Sprintf("%.1f (%d)", p.Rating, p.Reviews)
}
