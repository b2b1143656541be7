package mcp

import (
	"math"

	"github.com/trigpoint/trigpoint/client/maprank"
)

var compass = []string{"north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west"}

const (
	kmPerDegree = math.Pi * 6371 / 180
	nearKm      = 0.05
)

// from tells how far away a point is from the centre, and in which direction. A map of ranks is small enough for a plane.
func from(centre, point maprank.Coordinates) (km float64, direction string) {
	around := math.Mod(point.Lng-centre.Lng+540, 360) - 180 // the short way round
	east := around * kmPerDegree * math.Cos(centre.Lat*math.Pi/180)
	north := (point.Lat - centre.Lat) * kmPerDegree
	km = math.Hypot(east, north)
	if km < nearKm {
		return 0, "at the centre"
	}
	eighth := int(math.Round(math.Atan2(east, north)/(math.Pi/4)) + 8)
	return one(km), compass[eighth%8]
}
