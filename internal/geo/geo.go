// Package geo owns points on the globe: distances, campaign grids, and the time zone and country a
// point lies in. It knows nothing of addresses, businesses or the store.
package geo

import "math"

const (
	// EarthRadiusKM is the radius of the sphere that all distances are measured on.
	EarthRadiusKM = 6371.0
	// KMPerMile converts international miles.
	KMPerMile = 1.609344
)

// Point is a position in degrees, north and east positive.
type Point struct {
	Lat float64 `json:"lat" doc:"Latitude in degrees, -90 to 90."`
	Lng float64 `json:"lng" doc:"Longitude in degrees, -180 to 180."`
}

// Valid tells whether both coordinates are numbers in range.
func (p Point) Valid() bool {
	return p.Lat >= -90 && p.Lat <= 90 && p.Lng >= -180 && p.Lng <= 180
}

// Distance is the great-circle distance in kilometres (haversine, which stays exact for near points).
func Distance(a, b Point) float64 {
	lat1, lat2 := radians(a.Lat), radians(b.Lat)
	sinLat := math.Sin((lat2 - lat1) / 2)
	sinLng := math.Sin(radians(b.Lng-a.Lng) / 2)
	h := sinLat*sinLat + math.Cos(lat1)*math.Cos(lat2)*sinLng*sinLng
	return 2 * EarthRadiusKM * math.Asin(math.Sqrt(min(1, h)))
}

// Destination is the point reached from p after km kilometres along the great circle that leaves at
// the given bearing, in radians clockwise from north. Its longitude is in [-180, 180].
func Destination(p Point, bearing, km float64) Point {
	if km == 0 {
		return Point{Lat: p.Lat, Lng: normalLng(p.Lng)}
	}
	sinLat, cosLat := math.Sincos(radians(p.Lat))
	sinArc, cosArc := math.Sincos(km / EarthRadiusKM)
	sinBearing, cosBearing := math.Sincos(bearing)

	// The destination as a vector in the frame of p's meridian. Unlike asin of up alone, the two
	// atan2 lose no precision near the poles.
	toward := cosLat*cosArc - sinLat*sinArc*cosBearing
	east := sinArc * sinBearing
	up := sinLat*cosArc + cosLat*sinArc*cosBearing
	return Point{
		Lat: degrees(math.Atan2(up, math.Hypot(toward, east))),
		Lng: normalLng(p.Lng + degrees(math.Atan2(east, toward))),
	}
}

// normalLng brings a longitude into [-180, 180]; one already there is returned unchanged.
func normalLng(lng float64) float64 {
	if lng >= -180 && lng <= 180 {
		return lng
	}
	return math.Remainder(lng, 360)
}

func radians(deg float64) float64 { return deg * math.Pi / 180 }

func degrees(rad float64) float64 { return rad * 180 / math.Pi }
