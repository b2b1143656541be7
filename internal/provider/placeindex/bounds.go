package placeindex

import (
	"errors"
	"math"
)

// bounds is the smallest box around positions; its centre is where an area is said to be. East may go beyond
// 180 degrees, so that an area over the date line has its centre there.
type bounds struct {
	south, west, north, east float64
	known                    bool
}

func (b *bounds) add(lat, lng float64) {
	if !b.known {
		*b = bounds{lat, lng, lat, lng, true}
		return
	}
	switch {
	case lng-b.west > 180:
		lng -= 360
	case b.west-lng > 180:
		lng += 360
	}
	b.south, b.north = min(b.south, lat), max(b.north, lat)
	b.west, b.east = min(b.west, lng), max(b.east, lng)
}

func (b *bounds) center() (lat, lng float64, err error) {
	if !b.known {
		return 0, 0, errors.New("geometry has no coordinates")
	}
	return (b.south + b.north) / 2, math.Remainder((b.west+b.east)/2, 360), nil
}
