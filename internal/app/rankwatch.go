package app

import (
	"context"

	"github.com/trigpoint/trigpoint/internal/rankwatch"
	"github.com/trigpoint/trigpoint/internal/research"
	"github.com/trigpoint/trigpoint/internal/research/location"
)

// rankResearch is research as rank tracking sees it.
type rankResearch struct{ *research.Service }

// Location implements rankwatch.Locations.
func (rankResearch) Location(id int) (rankwatch.Location, bool) {
	l, ok := location.Get(id)
	place := rankwatch.Location{ID: l.ID, Label: l.Label, Country: l.CountryCode, GoogleDomain: l.GoogleDomain}
	if l.Type == location.Region || l.Type == location.City {
		place.CanonicalName = l.CanonicalName
	}
	return place, ok
}

// KeywordID implements rankwatch.Keywords.
func (rankResearch) KeywordID(kw string, locationID int) string {
	return research.KeywordID(kw, locationID, 0)
}

// Figures implements rankwatch.Keywords.
func (r rankResearch) Figures(ctx context.Context, accountID string, keywords []rankwatch.KeywordAt) ([]rankwatch.Figures, error) {
	wanted := make([]research.KeywordAt, len(keywords))
	for i, k := range keywords {
		wanted[i] = research.KeywordAt(k)
	}
	known, err := r.Service.Figures(ctx, accountID, wanted)
	figures := make([]rankwatch.Figures, len(known))
	for i, k := range known {
		figures[i].Volume = k.Volume
		for _, m := range k.Months {
			figures[i].Months = append(figures[i].Months, m)
		}
	}
	return figures, err
}
