package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/dustin/go-humanize"

	"github.com/trigpoint/trigpoint/internal/app"
	"github.com/trigpoint/trigpoint/internal/geo"
	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/provider/placeindex"
)

// liveTime is how long a person waits for a provider.
const liveTime = time.Minute

type placesCmd struct {
	Import placesImportCmd `cmd:"" help:"Import places for the built-in map search, in the stead of what their source had before."`
	List   placesListCmd   `cmd:"" help:"List the sources of places, with how many places each has and since when."`
	Remove placesRemoveCmd `cmd:"" help:"Remove the places of a source."`
	Search placesSearchCmd `cmd:"" help:"Search places as the built-in map search does, within 50 km, or as the configured provider does, and show their place ids."`
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
		_, err = fmt.Fprintf(e.out, "%s removed.\n", counted(n, "places"))
		return err
	})
}

type placesSearchCmd struct {
	Words []string `arg:"" help:"What to search for, such as pizza."`
	Near  string   `required:"" help:"Where to search from: latitude,longitude."`
	Limit int      `help:"Most places to show, up to 100; with --live up to 20." default:"20"`
	Live  bool     `help:"Ask the configured map provider, which may cost money, in place of the places imported here."`
}

// foundPlace is a place that a search found.
type foundPlace struct {
	id, name, address string
	km                float64 // NaN where nobody knows
	rating            float64
	reviews           int
}

// Run prints the places found, best first.
func (cmd *placesSearchCmd) Run(e *env) error {
	at, err := parsePoint(cmd.Near)
	if err != nil {
		return err
	}
	words := strings.Join(cmd.Words, " ")
	if !cmd.Live {
		return withStore(e, func(ctx context.Context, a *app.App) error {
			found, err := cmd.searchImported(ctx, a, words, at)
			if err != nil {
				return err
			}
			return printPlaces(e, found)
		})
	}
	if slices.Equal(e.config.MapProvider, []string{"placeindex"}) {
		return errors.New("--live asks the map-provider, which is placeindex, the places imported here: set another one, or leave --live out")
	}
	return withNewStore(e, func(ctx context.Context, a *app.App) error { // it keeps what the search costs
		found, err := cmd.searchLive(ctx, e, a, words, at)
		if err != nil {
			return err
		}
		return printPlaces(e, found)
	})
}

func (cmd *placesSearchCmd) searchImported(ctx context.Context, a *app.App, words string, at geo.Point) ([]foundPlace, error) {
	index, err := a.Places.Index(ctx)
	if err != nil {
		return nil, err
	}
	hits := index.Search(words, at, cmd.Limit)
	if index.Len() == 0 {
		return nil, errors.New("there are no places yet: trigpoint places import FILE brings some")
	}
	if len(hits) == 0 {
		return nil, fmt.Errorf("none of %s places matches %q within %d km; nothing farther away is searched",
			humanize.Comma(int64(index.Len())), words, placeindex.MaxKm)
	}
	var found []foundPlace
	for _, h := range hits {
		found = append(found, foundPlace{h.Place.ID, h.Place.Name, h.Place.Address, h.Km, h.Place.Rating, h.Place.Reviews})
	}
	return found, nil
}

func (cmd *placesSearchCmd) searchLive(ctx context.Context, e *env, a *app.App, words string, at geo.Point) ([]foundPlace, error) {
	ctx, cancel := context.WithTimeout(ctx, liveTime)
	defer cancel()
	depth := min(max(cmd.Limit, 1), provider.MaxMapResults)
	businesses, by, err := a.SearchMap(ctx, provider.MapQuery{Keyword: words, At: provider.Point(at), Depth: depth})
	if err != nil {
		return nil, err
	}
	if len(businesses) == 0 {
		return nil, fmt.Errorf("%s finds nothing for %q there", by.Title, words)
	}
	fmt.Fprintf(e.err, "%s answers:\n", by.Title)
	var found []foundPlace
	for _, b := range businesses[:min(len(businesses), depth)] {
		p := foundPlace{cmp.Or(b.PlaceID, b.CID, "-"), b.Name, b.Address, math.NaN(), b.Rating, b.Reviews}
		if is := (geo.Point{Lat: b.Lat, Lng: b.Lng}); is != (geo.Point{}) {
			p.km = geo.Distance(at, is)
		}
		found = append(found, p)
	}
	return found, nil
}

func printPlaces(e *env, found []foundPlace) error {
	t := tabwriter.NewWriter(e.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "RANK\tPLACE ID\tKM\tRATING\tNAME\tADDRESS")
	for i, p := range found {
		fmt.Fprintf(t, "%d\t%s\t%s\t%s\t%s\t%s\n", i+1, p.id, p.distance(), p.stars(), p.name, p.address)
	}
	return t.Flush()
}

func (p foundPlace) distance() string {
	if math.IsNaN(p.km) {
		return "-"
	}
	return fmt.Sprintf("%.2f", p.km)
}

// stars is what people say of a place; unknown is not zero.
func (p foundPlace) stars() string {
	if p.rating == 0 {
		return "-"
	}
	return fmt.Sprintf("%.1f (%d)", p.rating, p.reviews)
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
