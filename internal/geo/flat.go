package geo

import (
	"fmt"
	"math"
)

// Flat is points near each other as they are drawn: on a plane that touches the globe where the first of them is.
type Flat struct {
	Points        []Spot
	Centre        *Spot   // of what they lie around; nil when that is far away
	Width, Height float64 // in kilometres
}

// Spot is a place on the plane, in kilometres from its south-west corner.
type Spot struct{ East, North float64 }

const kmPerDegree = math.Pi * EarthRadiusKM / 180

// Flatten draws points, and what they lie around where that is near enough to be seen with them.
func Flatten(points []Point, centre Point) Flat {
	var f Flat
	if len(points) == 0 {
		return f
	}
	origin := points[0]
	project := func(p Point) Spot {
		east := math.Mod(p.Lng-origin.Lng+540, 360) - 180 // the short way round
		return Spot{east * kmPerDegree * math.Cos(radians(origin.Lat)), (p.Lat - origin.Lat) * kmPerDegree}
	}
	west, east, south, north := math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)
	stretch := func(s Spot) {
		west, east, south, north = min(west, s.East), max(east, s.East), min(south, s.North), max(north, s.North)
	}
	for _, p := range points {
		s := project(p)
		stretch(s)
		f.Points = append(f.Points, s)
	}
	c := project(centre)
	if reach := max(east-west, north-south, 0.1); c.East > west-reach && c.East < east+reach && c.North > south-reach && c.North < north+reach {
		stretch(c)
		f.Centre = &Spot{c.East - west, c.North - south}
	}
	for i := range f.Points {
		f.Points[i].East -= west
		f.Points[i].North -= south
	}
	f.Width, f.Height = east-west, north-south
	return f
}

// RoundLength is the longest of 1, 2 or 5 times a power of ten that is not above km, for the bar that tells a map's scale.
func RoundLength(km float64) float64 {
	power := math.Pow(10, math.Floor(math.Log10(km)))
	for _, n := range []float64{5, 2} {
		if n*power <= km {
			return n * power
		}
	}
	return power
}

// LengthLabel is how a length is written.
func LengthLabel(km float64) string {
	if km < 1 {
		return fmt.Sprintf("%.3g m", km*1000)
	}
	return fmt.Sprintf("%.3g km", km)
}
