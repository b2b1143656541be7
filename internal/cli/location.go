package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"os"

	"github.com/trigpoint/trigpoint/client"
	"github.com/trigpoint/trigpoint/client/local"
)

type locationCmd struct {
	List     locationListCmd     `cmd:"" help:"List locations."`
	Get      locationGetCmd      `cmd:"" help:"Show all of a location."`
	Create   locationCreateCmd   `cmd:"" help:"Make a location from a JSON file."`
	Update   locationUpdateCmd   `cmd:"" help:"Change the fields of a location that a JSON file has."`
	Delete   locationDeleteCmd   `cmd:"" help:"Remove a location for good."`
	Listings locationListingsCmd `cmd:"" help:"Show where a location is published."`
}

const locationHead = "ID NAME CITY COUNTRY STATUS"

func locationRow(l local.Location) []any {
	return []any{l.LocationID, l.BusinessName, l.City, l.Country, l.LocationStatus}
}

type locationListCmd struct {
	listed
	Query string `help:"Words of the name, address or phone number."`
}

// Run lists locations, newest first.
func (cmd *locationListCmd) Run(e *env) error {
	c, err := cmd.client(e)
	if err != nil {
		return err
	}
	return many(e, cmd.listed, c.Locations.List(e.ctx, client.LocationFilter{Query: cmd.Query}), locationHead, locationRow)
}

type locationGetCmd struct {
	shown
	ID string `arg:"" help:"Id of the location."`
}

// Run shows all of a location.
func (cmd *locationGetCmd) Run(e *env) error {
	c, err := cmd.client(e)
	if err != nil {
		return err
	}
	found, err := c.Locations.Get(e.ctx, cmd.ID)
	if err != nil {
		return err
	}
	return whole(e, cmd.shown, found)
}

type locationCreateCmd struct {
	shown
	File  string `arg:"" help:"JSON with the fields of a location, as the API has them; - reads standard input." type:"existingfile"`
	Check bool   `help:"Only say what is wrong with it."`
}

// Run makes a location.
func (cmd *locationCreateCmd) Run(e *env) error {
	var location local.NewLocation
	c, err := cmd.client(e)
	if err == nil {
		err = readJSON(cmd.File, &location)
	}
	if err != nil {
		return err
	}
	if cmd.Check {
		if err := c.Locations.Check(e.ctx, location); err != nil {
			return err
		}
		fmt.Fprintln(e.out, "Nothing is wrong with it.")
		return nil
	}
	made, err := c.Locations.Create(e.ctx, location)
	if err != nil {
		return err
	}
	return one(e, cmd.shown, made, locationHead, locationRow)
}

type locationUpdateCmd struct {
	shown
	ID   string `arg:"" help:"Id of the location."`
	File string `arg:"" help:"JSON with the fields to change; an empty value removes one." type:"existingfile"`
}

// Run changes a location.
func (cmd *locationUpdateCmd) Run(e *env) error {
	var change local.LocationChange
	c, err := cmd.client(e)
	if err == nil {
		err = readJSON(cmd.File, &change)
	}
	if err != nil {
		return err
	}
	changed, err := c.Locations.Update(e.ctx, cmd.ID, change)
	if err != nil {
		return err
	}
	return one(e, cmd.shown, changed, locationHead, locationRow)
}

type locationDeleteCmd struct {
	remote
	ID string `arg:"" help:"Id of the location."`
}

// Run removes a location.
func (cmd *locationDeleteCmd) Run(e *env) error {
	c, err := cmd.client(e)
	if err != nil {
		return err
	}
	if err := c.Locations.Delete(e.ctx, cmd.ID); err != nil {
		return err
	}
	fmt.Fprintln(e.out, "Removed.")
	return nil
}

type locationListingsCmd struct {
	listed
	ID string `arg:"" help:"Id of the location."`
}

// Run shows the listings of a location.
func (cmd *locationListingsCmd) Run(e *env) error {
	c, err := cmd.client(e)
	if err != nil {
		return err
	}
	return many(e, cmd.listed, each(c.Locations.Listings(e.ctx, cmd.ID)), "DIRECTORY STATUS URL REASON", func(l local.Listing) []any {
		return []any{l.Name, l.Status, l.URL, l.StatusDetail}
	})
}

// readFileOrInput reads a file, or standard input when that is called -.
func readFileOrInput(file string) ([]byte, error) {
	if file == "-" {
		return io.ReadAll(os.Stdin)
	}
	return os.ReadFile(file)
}

// readJSON reads a file that somebody wrote.
func readJSON(file string, into any) error {
	text, err := readFileOrInput(file)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(text, into); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	return nil
}
