package app

import (
	"context"

	"github.com/trigpoint/trigpoint/internal/directory/maplisting"
	"github.com/trigpoint/trigpoint/internal/provider"
)

// mapListing watches locations on the map that campaigns are collected from.
func (a *App) mapListing() *maplisting.Listing {
	d := a.maps.Describe()
	caller := a.caller(a.maps, provider.CallerOptions{})
	return maplisting.New(maplisting.Options{
		Title: d.Title, Clock: a.Clock, Metered: d.Account != "",
		Find: func(ctx context.Context, _, placeID string) (provider.Business, error) {
			return provider.Call(ctx, caller, func(ctx context.Context) (provider.Business, error) { return a.maps.FindPlace(ctx, placeID) })
		},
		Page: func(b provider.Business) string {
			if d.Account == "" || b.CID == "" { // the built-in map has no pages
				return ""
			}
			return "https://maps.google.com/?cid=" + b.CID
		},
	})
}
