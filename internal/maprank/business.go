package maprank

import (
	"strings"

	"github.com/trigpoint/trigpoint/internal/maprank/grid"
	"github.com/trigpoint/trigpoint/internal/maprank/result"
	"github.com/trigpoint/trigpoint/internal/placeid"
	"github.com/trigpoint/trigpoint/internal/provider"
)

// Bounds of what a provider says, in bytes.
const (
	maxBusinessName    = 300
	maxBusinessAddress = 500
)

// newBusiness takes what a provider knows of a business; its place id may tell the cid.
func newBusiness(b provider.Business) result.Business {
	own := result.Business{
		CID: b.CID, PlaceIDs: []string{}, Name: cut(b.Name, maxBusinessName), Address: cut(b.Address, maxBusinessAddress),
		Rating: b.Rating, ReviewNumber: max(0, b.Reviews), Coordinates: grid.Coordinates{Lat: b.Lat, Lng: b.Lng},
	}
	if b.PlaceID != "" && len(b.PlaceID) <= maxPlaceID {
		own.PlaceIDs = append(own.PlaceIDs, b.PlaceID)
		if own.CID == "" {
			own.CID, _ = placeid.CID(b.PlaceID)
		}
	}
	return own
}

func cut(s string, most int) string {
	s = strings.ToValidUTF8(strings.ReplaceAll(s, "\x00", ""), "?")
	if len(s) > most {
		s = strings.ToValidUTF8(s[:most], "")
	}
	return s
}
