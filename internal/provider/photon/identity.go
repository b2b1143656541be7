package photon

import (
	"math"
	"strconv"

	"github.com/trigpoint/trigpoint/internal/placeid"
	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/provider/placeindex"
)

// The cid of an object is the one that it has when it is imported into the built-in places, so that a campaign may
// move between the two. The place id carries it, and where the built-in places have a feature id, the position, so
// that the object is found again.

// identify makes the ids of an OpenStreetMap object; both are "" for what Photon has from elsewhere.
func identify(osmType string, osmID float64, at provider.Point) (placeID, cid string) {
	kind := map[string]string{"N": "node", "W": "way", "R": "relation"}[osmType]
	if kind == "" || osmID < 1 || osmID > 1<<53 {
		return "", ""
	}
	_, cid = placeindex.Identify("osm:" + kind + "/" + strconv.FormatInt(int64(osmID), 10))
	number, _ := strconv.ParseUint(cid, 10, 64) // always a number
	return placeid.New(position(at), number), cid
}

// A position is packed as a mark, 13 bits, by which it is told from the feature ids of others, and degrees in steps of
// a metre, 25 bits of latitude and 26 of longitude.
const (
	mark           = 0x1a5e
	markAt         = 51
	latAt          = 26
	stepsPerDegree = 1e5
)

func position(at provider.Point) uint64 {
	steps := func(degrees float64) uint64 { return uint64(math.Round(degrees * stepsPerDegree)) }
	return mark<<markAt | steps(at.Lat+90)<<latAt | steps(at.Lng+180)
}

// parseID is the inverse: where the object with this cid was. It is not ok for a place id that carries no position.
func parseID(placeID string) (at provider.Point, cid string, ok bool) {
	packed, number, ok := placeid.Parse(placeID)
	at = provider.Point{
		Lat: float64(packed>>latAt&(1<<(markAt-latAt)-1))/stepsPerDegree - 90,
		Lng: float64(packed&(1<<latAt-1))/stepsPerDegree - 180,
	}
	return at, strconv.FormatUint(number, 10), ok && packed>>markAt == mark && at.Valid()
}
