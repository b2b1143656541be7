package app

import (
	"context"
	"errors"
	"iter"

	"github.com/trigpoint/trigpoint/internal/category"
	"github.com/trigpoint/trigpoint/internal/directory"
	"github.com/trigpoint/trigpoint/internal/maprank"
	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/provider/placeindex"
	"github.com/trigpoint/trigpoint/internal/source"
)

// MapOptions are what a test may put in place of the configured map provider and its pace.
type MapOptions struct {
	Provider maprank.MapProvider
	Others   []maprank.MapProvider // that take over from it
	Caller   provider.CallerOptions
	Pace     maprank.Pace
}

// addMapRank wires area B.
func (a *App) addMapRank(o MapOptions) error {
	a.Places = placeindex.NewLibrary(a.DB, Categories{}, &placeindex.Source{Changes: a.changedLocations})
	if o.Provider != nil {
		a.mapsNow = chainOf(a, o.Caller, append([]maprank.MapProvider{o.Provider}, o.Others...)...)
		a.maps = a.mapsNow
	} else {
		var err error
		if a.mapsNow, err = openChain[maprank.MapProvider](a, a.Config.MapProvider, a.Places, o.Caller); err != nil {
			return err
		}
		a.maps = a.laterMaps(a.mapsNow)
	}
	a.MapRank = maprank.New(maprank.Options{
		DB: a.DB, Accounts: a.Accounts, Clock: a.Clock, Log: a.Log, Jobs: a.Jobs, Sources: a.maps, Ledger: a.Ledger, Brand: a.Accounts.Brand, Pace: o.Pace,
	})
	return nil
}

// MapProvider is what campaigns are collected from, as long as it answers.
func (a *App) MapProvider() maprank.MapProvider { return a.maps[0].Provider }

// SearchMap asks the configured map providers now, for no account, and tells who answered. What it costs is recorded.
func (a *App) SearchMap(ctx context.Context, q provider.MapQuery) ([]provider.Business, provider.Descriptor, error) {
	found, by, receipt, err := source.Ask(ctx, a.Ledger, a.mapsNow, func(p provider.Prices) provider.Money { return p.Map },
		func(ctx context.Context, maps maprank.MapProvider) ([]provider.Business, error) {
			return maps.SearchMap(ctx, q)
		})
	return found, by, errors.Join(err, a.Ledger.SettleNow(ctx, receipt))
}

// Categories is the catalogue as the built-in map search needs it.
type Categories struct{}

// IDs lists every category.
func (Categories) IDs() []string { return category.IDs() }

// Terms gives a category's name and synonyms.
func (Categories) Terms(id string) []string { return category.Terms(id) }

// Ancestors lists the ids above a category, nearest first.
func (Categories) Ancestors(id string) []string {
	var above []string
	for c, ok := category.Get(id); ok && c.ParentID != ""; c, ok = category.Get(c.ParentID) {
		above = append(above, c.ParentID)
	}
	return above
}

// ByTags finds the category of an OpenStreetMap object.
func (Categories) ByTags(tags map[string]string) (string, bool) { return category.ByTags(tags) }

// Translations yields what each category is called in other languages, names first.
func (Categories) Translations() iter.Seq2[string, string] { return category.Translations() }

// TagKeys lists the keys of tags that may make an object a place.
func (Categories) TagKeys() []string { return category.TagKeys() }

// changedLocations makes places of the public locations that have coordinates and show their address. One that names
// its place on the map is that place already.
func (a *App) changedLocations(ctx context.Context, after int64, each func(string, *placeindex.Place) error) (revision int64, whole bool, err error) {
	return a.Local.Changes(ctx, after, func(locationID string, p *directory.Profile) error {
		placeID, cid := placeindex.Identify("location:" + locationID)
		if p == nil || p.Coordinates == nil || p.SuppressAddress || p.PlaceID != "" {
			return each(placeID, nil)
		}
		return each(placeID, &placeindex.Place{
			ID: placeID, CID: cid, Name: p.BusinessName, Address: address(p), Lat: *p.Coordinates.Latitude, Lng: *p.Coordinates.Longitude,
			Categories: p.CategoryIDs, CountryCode: p.Country, Phone: p.PhoneNumber, Website: p.WebsiteURL, Source: "location",
		})
	})
}

func address(p *directory.Profile) string {
	line := ""
	for _, part := range []string{p.AddressLine1, p.AddressLine2, p.City, p.Region + " " + p.Zip} {
		switch {
		case part == "" || part == " ":
		case line == "":
			line = part
		default:
			line += ", " + part
		}
	}
	return line
}
