package providertest

import (
	"cmp"
	"context"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"github.com/trigpoint/trigpoint/internal/provider"
)

// Market invents n businesses on a spiral around a point, nearest first, 100 m further out each.
// The same arguments give the same market; ids are well formed.
func Market(at provider.Point, n int) []provider.Business {
	market := make([]provider.Business, n)
	for i := range market {
		angle, metres := float64(i)*2.4, 100*float64(i)
		lat := at.Lat + metres*math.Cos(angle)/111_195
		lng := at.Lng + metres*math.Sin(angle)/(111_195*math.Cos(at.Lat*math.Pi/180))
		cid := 1<<63 + uint64(i)*7_919 + 1 // beyond int64, as half of the real ones are
		market[i] = provider.Business{
			PlaceID: PlaceID(uint64(i)+1, cid),
			CID:     fmt.Sprint(cid),
			Name:    fmt.Sprintf("Invented Business %d", i+1),
			Address: fmt.Sprintf("%d Test Street, Decatur, GA 30030", i+1),
			Lat:     lat, Lng: lng,
			Rating:     3 + float64(i%20)/10,
			Reviews:    10 * (i + 1),
			Categories: []string{"Pizza restaurant", "Restaurant"},
			Phone:      fmt.Sprintf("+1 404-555-%04d", i%10_000),
			Website:    fmt.Sprintf("https://business-%d.example/", i+1),
		}
	}
	return market
}

// PlaceID makes the "ChIJ…" place id of a feature.
func PlaceID(cell, cid uint64) string {
	raw := []byte{0x0a, 0x12, 0x09}
	raw = binary.LittleEndian.AppendUint64(raw, cell)
	raw = append(raw, 0x11)
	raw = binary.LittleEndian.AppendUint64(raw, cid)
	return base64.RawURLEncoding.EncodeToString(raw)
}

// NearestFirst ranks a market by distance alone, whatever the keyword.
func NearestFirst(market []provider.Business) func(context.Context, provider.MapQuery) ([]provider.Business, error) {
	return func(ctx context.Context, q provider.MapQuery) ([]provider.Business, error) {
		if err := q.Check(); err != nil {
			return nil, err
		}
		found := slices.Clone(market)
		far := func(b provider.Business) float64 {
			return math.Hypot(b.Lat-q.At.Lat, (b.Lng-q.At.Lng)*math.Cos(q.At.Lat*math.Pi/180))
		}
		slices.SortStableFunc(found, func(a, b provider.Business) int { return cmp.Compare(far(a), far(b)) })
		return found[:min(len(found), q.Limit())], ctx.Err()
	}
}

// Known finds the places of a market by place id or cid.
func Known(market []provider.Business) func(context.Context, string) (provider.Business, error) {
	return func(ctx context.Context, id string) (provider.Business, error) {
		if err := provider.CheckPlaceID(id); err != nil {
			return provider.Business{}, err
		}
		for _, b := range market {
			if b.PlaceID == id || b.CID == id {
				return b, ctx.Err()
			}
		}
		return provider.Business{}, provider.Errorf(provider.NotFound, "Scripted", "There is no place with the id %s.", id)
	}
}
