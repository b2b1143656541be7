package provider

import (
	"fmt"
	"math"
	"strconv"
)

// Viewport is the point as the URLs of Google's maps have it, at street zoom, where the ranking is that of a person who
// stands there. All vendors that look at Google's maps are asked with it, so that their ranks compare.
func (p Point) Viewport() string {
	// Seven decimals are a centimetre; more only makes two spellings of one point.
	degrees := func(f float64) string { return strconv.FormatFloat(f, 'f', 7, 64) }
	return "@" + degrees(p.Lat) + "," + degrees(p.Lng) + ",15z"
}

// SameViewport tells whether two texts name one viewport, however many decimals they have.
func SameViewport(a, b string) bool {
	var ofA, ofB struct {
		Point
		zoom float64
	}
	_, errA := fmt.Sscanf(a, "@%f,%f,%fz", &ofA.Lat, &ofA.Lng, &ofA.zoom)
	_, errB := fmt.Sscanf(b, "@%f,%f,%fz", &ofB.Lat, &ofB.Lng, &ofB.zoom)
	const apart = 1e-5 // a metre
	return errA == nil && errB == nil && ofA.zoom == ofB.zoom && math.Abs(ofA.Lat-ofB.Lat) < apart && math.Abs(ofA.Lng-ofB.Lng) < apart
}
