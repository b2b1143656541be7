package app

import (
	"context"
	"errors"

	"github.com/trigpoint/trigpoint/internal/directory/maplisting"
	"github.com/trigpoint/trigpoint/internal/maprank"
	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/source"
)

// mapListing watches locations on the map that campaigns are collected from.
func (a *App) mapListing() *maplisting.Listing {
	d := a.maps[0].Describe()
	title := d.Title
	if d.Google {
		title = "Google Maps" // whoever shows it
	}
	return maplisting.New(maplisting.Options{
		Title: title, Clock: a.Clock, Metered: d.Account != "",
		Find: func(ctx context.Context, accountID, placeID string) (provider.Business, error) {
			ctx = source.WithPurpose(ctx, source.Purpose{AccountID: accountID})
			b, _, receipt, err := source.Ask(ctx, a.Ledger, a.maps, func(p provider.Prices) provider.Money { return p.Place },
				func(ctx context.Context, maps maprank.MapProvider) (provider.Business, error) {
					return maps.FindPlace(ctx, placeID)
				})
			return b, errors.Join(err, a.Ledger.SettleNow(ctx, receipt))
		},
		Page: func(b provider.Business) string {
			if !d.Google || b.CID == "" { // other maps number places in their own way
				return ""
			}
			return "https://maps.google.com/?cid=" + b.CID
		},
	})
}
