package grid

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/trigpoint/trigpoint/internal/errs"
	"github.com/trigpoint/trigpoint/internal/geo"
	"github.com/trigpoint/trigpoint/internal/id"
)

// MaxPoints is how many points a campaign may have (21 x 21).
const MaxPoints = 441

const maxIndex = 1_000_000

// Coordinates is a place on the globe.
type Coordinates geo.Point

func (c Coordinates) valid() bool { return geo.Point(c).Valid() }

// Point is where a campaign searches.
type Point struct {
	ID          string      `json:"id"`
	Index       int         `json:"index"`
	IsEnabled   bool        `json:"isEnabled"`
	Coordinates Coordinates `json:"coordinates"`
}

// PointProblems lists all that is wrong with points of the user's own, each under its path inside field.
func PointProblems(field string, points []Point) errs.Problems {
	var found errs.Problems
	switch {
	case len(points) == 0:
		found.Add(field, errs.PointsInvalid, "points must have 1 to %d items.", MaxPoints)
		return found
	case len(points) > MaxPoints:
		found.Add(field, errs.TooMany, "points has %d items; at most %d are allowed.", len(points), MaxPoints)
		return found
	}
	enabled, seen := false, map[int]bool{}
	for i, p := range points {
		enabled = enabled || p.IsEnabled
		at := fmt.Sprintf("%s[%d]", field, i)
		switch {
		case p.Index < 0 || p.Index > maxIndex:
			found.Add(at+".index", errs.PointsInvalid, "index must be from 0 to %d, not %d.", maxIndex, p.Index)
		case seen[p.Index]:
			found.Add(at+".index", errs.Duplicate, "index %d is given twice.", p.Index)
		}
		seen[p.Index] = true
		if !p.Coordinates.valid() {
			found.Add(at+".coordinates", errs.PointsInvalid, "coordinates must have lat from -90 to 90 and lng from -180 to 180.")
		}
	}
	if !enabled {
		found.Add(field, errs.PointsInvalid, "At least one point must be enabled.")
	}
	return found
}

// PointSet is an unchanging set of points; a point's id follows from the set's.
type PointSet struct {
	ID     string
	Points []Point
}

// NewPointSet names the points.
func NewPointSet(points []Point) PointSet {
	set := PointSet{ID: id.New(), Points: points}
	set.nameAll()
	return set
}

// Covers tells whether the set has just these points, whatever their ids.
func (s PointSet) Covers(points []Point) bool {
	return slices.EqualFunc(s.Points, points, func(a, b Point) bool {
		a.ID, b.ID = "", ""
		return a == b
	})
}

// nameAll derives the points' ids: the set's own, in whose last two bytes the point is counted.
func (s PointSet) nameAll() {
	raw, err := hex.DecodeString(s.ID)
	if err != nil || len(raw) != 16 {
		return
	}
	last := binary.BigEndian.Uint16(raw[14:])
	for i := range s.Points {
		binary.BigEndian.PutUint16(raw[14:], last+uint16(i))
		s.Points[i].ID = id.Dashed(hex.EncodeToString(raw))
	}
}

// Enabled are the points that are searched, in the order in which results name them.
func (s PointSet) Enabled() []Point {
	enabled := make([]Point, 0, len(s.Points))
	for _, p := range s.Points {
		if p.IsEnabled {
			enabled = append(enabled, p)
		}
	}
	return enabled
}

// pointBytes is what a stored point takes: index and whether it is enabled, latitude, longitude.
const pointBytes = 4 + 8 + 8

// Encode packs the set for the store.
func (s PointSet) Encode() []byte {
	data := make([]byte, 0, len(s.Points)*pointBytes)
	for _, p := range s.Points {
		head := uint32(p.Index) << 1
		if p.IsEnabled {
			head |= 1
		}
		data = binary.LittleEndian.AppendUint32(data, head)
		data = binary.LittleEndian.AppendUint64(data, math.Float64bits(p.Coordinates.Lat))
		data = binary.LittleEndian.AppendUint64(data, math.Float64bits(p.Coordinates.Lng))
	}
	return data
}

// ErrCorrupt says that a stored set is damaged, or not the one that it should be.
var ErrCorrupt = errors.New("corrupt set of points")

// DecodePointSet reads what Encode wrote.
func DecodePointSet(id string, data []byte) (PointSet, error) {
	if len(data)%pointBytes != 0 || len(data) > MaxPoints*pointBytes {
		return PointSet{}, fmt.Errorf("%w %s: %d bytes", ErrCorrupt, id, len(data))
	}
	set := PointSet{ID: id, Points: make([]Point, len(data)/pointBytes)}
	for i := range set.Points {
		raw := data[i*pointBytes:][:pointBytes]
		head := binary.LittleEndian.Uint32(raw)
		set.Points[i] = Point{Index: int(head >> 1), IsEnabled: head&1 == 1, Coordinates: Coordinates{
			Lat: math.Float64frombits(binary.LittleEndian.Uint64(raw[4:])),
			Lng: math.Float64frombits(binary.LittleEndian.Uint64(raw[12:])),
		}}
	}
	set.nameAll()
	return set, nil
}
