package cli

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/dustin/go-humanize"

	"github.com/trigpoint/trigpoint/client"
	"github.com/trigpoint/trigpoint/client/local"
	"github.com/trigpoint/trigpoint/internal/category"
	"github.com/trigpoint/trigpoint/internal/foreign"
)

// importLocationsCmd takes over locations through the API, so that a server elsewhere can have them.
type importLocationsCmd struct {
	Files    []string `arg:"" name:"file" help:"CSV, Excel workbook, or ZIP archive of CSV files." type:"existingfile"`
	Country  string   `help:"Country of rows that tell none, such as US." placeholder:"CODE"`
	Category string   `help:"Category of locations none of whose own is known here, such as shop.deli." placeholder:"ID"`
	DryRun   bool     `help:"Only say what would be made, and what is wrong."`
	remote
}

// Run makes a location of each row that there is none of yet.
func (cmd *importLocationsCmd) Run(e *env) error {
	c, err := cmd.client(e)
	if err != nil {
		return err
	}
	if _, ok := category.Get(cmd.Category); cmd.Category != "" && !ok {
		return fmt.Errorf("--category: there is no category %q", cmd.Category)
	}
	known := map[string]bool{}
	for l, err := range c.Locations.List(e.ctx, client.LocationFilter{}) {
		if err != nil {
			return err
		}
		known[sameLocation(l.Country, l.BusinessName, l.AddressLine1, l.Zip)] = true
	}
	made, there := 0, 0
	skipped, err := eachForeign(e, cmd.Files, "locations", func(f *foreignFile) error {
		all, err := foreign.ReadLocations(f.File, cmd.Country, f.bad)
		if err != nil {
			return err
		}
		for _, row := range all {
			location := cmd.location(row, f.bad)
			key := sameLocation(location.Country, location.BusinessName, location.AddressLine1, textOf(location.Zip))
			if known[key] {
				there++
				continue
			}
			refused := cmd.make(e, c, location)
			var refusal *client.Error
			switch {
			case refused == nil:
				made, known[key] = made+1, true
			case errors.As(refused, &refusal) && refusal.Status == http.StatusBadRequest:
				f.bad(row.Row, refusal.Error())
			default: // the plan is full, or the server is gone: no further row fares better
				return fmt.Errorf("line %d: %w", row.Row.Line, refused)
			}
		}
		return nil
	})
	fmt.Fprintf(e.out, "%s %sadded; %s %s there.\n", counted(made, "locations"), would(cmd.DryRun), humanize.Comma(int64(there)), were(there))
	return cmp.Or(err, sumUpImport(e, cmd.DryRun, skipped, made+there > 0))
}

func (cmd *importLocationsCmd) make(e *env, c *client.Client, location local.NewLocation) error {
	if cmd.DryRun {
		return c.Locations.Check(e.ctx, location)
	}
	_, err := c.Locations.Create(e.ctx, location)
	return err
}

// sameLocation is equal for rows that mean the same location.
func sameLocation(country, name, address, zip string) string {
	fold := func(s string) string { return strings.ToLower(strings.Join(strings.Fields(s), " ")) }
	return strings.Join([]string{fold(country), fold(name), fold(address), fold(zip)}, "\n")
}

func textOf(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// location is a row as the API takes it.
func (cmd *importLocationsCmd) location(row foreign.Location, skip foreign.Skip) local.NewLocation {
	l := local.NewLocation{
		BusinessName: row.Name, PhoneNumber: row.Phone, Country: row.Country, City: row.City, AddressLine1: row.Address1, CategoryIDs: cmd.categories(row, skip),
	}
	for to, text := range map[**string]string{
		&l.AddressLine2: row.Address2, &l.Region: row.Region, &l.Zip: row.Zip, &l.WebsiteURL: row.Website, &l.Description: row.Description, &l.PlaceID: row.PlaceID,
	} {
		if text != "" {
			*to = &text
		}
	}
	if row.Located {
		l.Coordinates = &local.Coordinates{Latitude: &row.Lat, Longitude: &row.Lng}
	}
	if !row.Opens {
		return l
	}
	var days [7][]local.Range
	for i, hours := range row.Hours {
		days[i] = ranges(hours)
	}
	l.BusinessHours = &local.Week{
		SundayHours: days[0], MondayHours: days[1], TuesdayHours: days[2], WednesdayHours: days[3], ThursdayHours: days[4], FridayHours: days[5], SaturdayHours: days[6],
	}
	var special []local.SpecialDay
	for _, day := range row.Special {
		kind := "RANGE"
		switch {
		case len(day.Hours) == 0:
			kind = "CLOSED"
		case slices.Equal(day.Hours, []foreign.OpenHours{{From: "00:00", To: "00:00"}}):
			kind, day.Hours = "OPENED_ALL_DAY", nil
		}
		special = append(special, local.SpecialDay{Day: day.Day, Type: kind, Times: ranges(day.Hours)})
	}
	if len(special) > 0 {
		l.SpecialHours = &special
	}
	return l
}

func ranges(hours []foreign.OpenHours) []local.Range {
	all := make([]local.Range, len(hours))
	for i, h := range hours {
		all[i] = local.Range{From: h.From, To: h.To}
	}
	return all
}

// maxCategories is how many a location may have.
const maxCategories = 10

// categories finds the row's categories in the catalogue of its country.
func (cmd *importLocationsCmd) categories(row foreign.Location, skip foreign.Skip) []string {
	ids := []string{}
	var unknown []string
	for _, name := range row.Categories {
		found := category.ByPhrase(name)
		if category.Exists(row.Country, name) {
			found = []string{name}
		}
		i := slices.IndexFunc(found, func(id string) bool { return category.Exists(row.Country, id) })
		switch {
		case i < 0:
			unknown = append(unknown, name)
		case !slices.Contains(ids, found[i]) && len(ids) < maxCategories:
			ids = append(ids, found[i])
		}
	}
	if len(ids) == 0 && cmd.Category != "" {
		ids = append(ids, cmd.Category)
	}
	if len(unknown) > 0 {
		hint := ""
		if len(ids) == 0 {
			hint = "; give --category for locations none of whose own is known"
		}
		skip(row.Row, fmt.Sprintf("the catalogue has no category %s%s", strings.Join(unknown, ", "), hint))
	}
	return ids
}
