package local

import (
	"context"
	"encoding/json"
	"fmt"
	"math"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/directory"
	"github.com/trigpoint/trigpoint/internal/geo"
)

// Bounds of the locations that a hosted page names beside its own.
const (
	nearLocations = 6
	kmPerDegree   = math.Pi * geo.EarthRadiusKM / 180
)

// nearKm is how far is looked, step by step until there are enough: strangers open these pages, and of 10,000 locations
// in one city only those next door are read.
var nearKm = []float64{3, 20, 100}

// near finds the nearest other locations of an account whose pages are to be seen.
func (s *Service) near(ctx context.Context, l *Location) (found []directory.Neighbour, err error) {
	latitude, longitude := position(&l.Profile)
	if latitude == nil {
		return nil, nil
	}
	for _, km := range nearKm {
		found, err = s.within(ctx, l, geo.Point{Lat: *latitude, Lng: *longitude}, km)
		if err != nil || len(found) == nearLocations {
			break
		}
	}
	return found, err
}

// within finds the nearest others up to a distance. The index gives those of the band of latitude; the rest is
// arithmetic that both engines know, on a plane that is true enough for this reach.
func (s *Service) within(ctx context.Context, l *Location, at geo.Point, km float64) ([]directory.Neighbour, error) {
	reach := km / kmPerDegree
	shrink := max(math.Cos(at.Lat*math.Pi/180), 0.01) // a degree of longitude, in degrees of latitude
	found, err := db.All(ctx, s.db, func(row db.Scanner) (n directory.Neighbour, err error) {
		var stored []byte
		if err := row.Scan(&n.LocationID, &n.At.Lat, &n.At.Lng, &stored); err != nil {
			return n, err
		}
		var profile directory.Profile
		if err := json.Unmarshal(stored, &profile); err != nil {
			return n, fmt.Errorf("profile of location %s: %w", n.LocationID, err)
		}
		n.Name, n.Km = profile.BusinessName, geo.Distance(at, n.At)
		return n, nil
	}, `SELECT o.id, o.latitude, o.longitude, o.profile FROM locations o JOIN listings l ON l.location_id = o.id
		WHERE o.account_id = $1 AND o.latitude BETWEEN $2 AND $3 AND o.longitude BETWEEN $4 AND $5 AND o.id <> $6 AND`+connected+`
		ORDER BY (o.latitude - $7) * (o.latitude - $7) + (o.longitude - $8) * (o.longitude - $8) * $9, o.id LIMIT $10`,
		l.accountID, at.Lat-reach, at.Lat+reach, at.Lng-reach/shrink, at.Lng+reach/shrink, l.ID, at.Lat, at.Lng, shrink*shrink, nearLocations)
	if err != nil {
		return nil, err
	}
	within := found[:0]
	for _, n := range found {
		if n.Km <= km {
			within = append(within, n)
		}
	}
	return within, nil
}
