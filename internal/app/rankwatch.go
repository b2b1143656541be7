package app

import (
	"context"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/rankwatch"
	"github.com/trigpoint/trigpoint/internal/research"
	"github.com/trigpoint/trigpoint/internal/research/location"
	"github.com/trigpoint/trigpoint/internal/serp"
)

// rankResearch is research as rank tracking sees it.
type rankResearch struct {
	*research.Service
	serps *serp.Store
}

// Location implements rankwatch.Locations.
func (rankResearch) Location(id int) (rankwatch.Location, bool) {
	l, ok := location.Get(id)
	place := rankwatch.Location{ID: l.ID, Label: l.Label, Country: l.CountryCode, GoogleDomain: l.GoogleDomain}
	if l.Type != "anywhere" && l.Type != "country" {
		place.CanonicalName = l.CanonicalName
	}
	return place, ok
}

// KeywordID implements rankwatch.Keywords.
func (rankResearch) KeywordID(kw string, locationID int) string {
	return research.KeywordID(kw, locationID, 0)
}

// Figures implements rankwatch.Keywords.
func (r rankResearch) Figures(ctx context.Context, accountID string, locationID int, keywords []string) ([]rankwatch.Figures, error) {
	known, err := r.Service.Figures(ctx, accountID, locationID, keywords)
	figures := make([]rankwatch.Figures, len(known))
	for i, k := range known {
		figures[i].Volume = k.Volume
		for _, m := range k.Months {
			figures[i].Months = append(figures[i].Months, m)
		}
	}
	return figures, err
}

// Pack implements rankwatch.Serps.
func (r rankResearch) Pack(s rankwatch.Serp) (any, error) {
	key := serp.Key{AccountID: s.AccountID, Keyword: s.Keyword, LocationID: s.LocationID, PlatformID: s.PlatformID}
	return r.serps.Pack(serp.Fetched{Key: key, At: s.FetchedAt, Page: s.Page, Whole: s.Whole})
}

// Keep implements rankwatch.Serps.
func (r rankResearch) Keep(ctx context.Context, tx *db.Tx, packed []any) error {
	pages := make([]serp.Packed, len(packed))
	for i, p := range packed {
		pages[i] = p.(serp.Packed)
	}
	return r.serps.Keep(ctx, tx, pages)
}
