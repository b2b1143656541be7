package maprank

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/trigpoint/trigpoint/internal/errs"
	"github.com/trigpoint/trigpoint/internal/geo"
	"github.com/trigpoint/trigpoint/internal/id"
)

// Units of a grid's distance.
const (
	Kilometres = "KM"
	Miles      = "MI"
)

const (
	minGrid, maxGrid         = 3, 21
	minDistance, maxDistance = 0.05, 160
	maxPointIndex            = 1_000_000
)

// Grid is how the points of a campaign are laid out.
type Grid struct {
	Template  string      `json:"template" doc:"NxN with N odd, 3 to 21, or 1x1."`
	Unit      string      `json:"unit" enum:"KM,MI" doc:"Of distance."`
	Distance  float64     `json:"distance" doc:"From basePoint to the outermost row or column, 0.05 to 160."`
	BasePoint Coordinates `json:"basePoint"`
}

// defaultGrid is what a campaign gets that asks for no tracking area.
func defaultGrid(center Coordinates) Grid {
	return Grid{Template: "5x5", Unit: Kilometres, Distance: 1.5, BasePoint: center}
}

// side is N of a template NxN.
func (g Grid) side() (n int, ok bool) {
	rows, columns, _ := strings.Cut(g.Template, "x")
	n, err := strconv.Atoi(rows)
	if err != nil || rows != columns || strconv.Itoa(n) != rows {
		return 0, false
	}
	return n, n == 1 || n >= minGrid && n <= maxGrid && n%2 == 1
}

// points lays the grid out; the grid has been checked.
func (g Grid) points() []Point {
	n, _ := g.side()
	km := g.Distance
	if g.Unit == Miles {
		km *= geo.KMPerMile
	}
	laid := geo.Grid(geo.Point(g.BasePoint), n, km)
	points := make([]Point, len(laid))
	for i, at := range laid {
		points[i] = Point{Index: i, IsEnabled: true, Coordinates: Coordinates(at)}
	}
	return points
}

func (ps *problems) checkGrid(g Grid) {
	if _, ok := g.side(); !ok {
		ps.add("gridSettings.template", errs.GridInvalid, "template must be NxN with N odd from %d to %d, or 1x1; %.16q is not.", minGrid, maxGrid, g.Template)
	}
	if g.Unit != Kilometres && g.Unit != Miles {
		ps.add("gridSettings.unit", errs.GridInvalid, "unit must be KM or MI, not %.16q.", g.Unit)
	}
	if !(g.Distance >= minDistance && g.Distance <= maxDistance) {
		ps.add("gridSettings.distance", errs.GridInvalid, "distance must be from %g to %g, not %g.", minDistance, float64(maxDistance), g.Distance)
	}
	if !g.BasePoint.valid() {
		ps.add("gridSettings.basePoint", errs.GridInvalid, "basePoint must have lat from -90 to 90 and lng from -180 to 180.")
	}
}

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

func (ps *problems) checkPoints(points []Point) {
	switch {
	case len(points) == 0:
		ps.add("points", errs.PointsInvalid, "points must have 1 to %d items.", MaxPoints)
		return
	case len(points) > MaxPoints:
		ps.add("points", errs.TooMany, "points has %d items; at most %d are allowed.", len(points), MaxPoints)
		return
	}
	enabled, seen := false, map[int]bool{}
	for i, p := range points {
		enabled = enabled || p.IsEnabled
		at := indexed("points", i)
		switch {
		case p.Index < 0 || p.Index > maxPointIndex:
			ps.add(at+".index", errs.PointsInvalid, "index must be from 0 to %d, not %d.", maxPointIndex, p.Index)
		case seen[p.Index]:
			ps.add(at+".index", errs.Duplicate, "index %d is given twice.", p.Index)
		}
		seen[p.Index] = true
		if !p.Coordinates.valid() {
			ps.add(at+".coordinates", errs.PointsInvalid, "coordinates must have lat from -90 to 90 and lng from -180 to 180.")
		}
	}
	if !enabled {
		ps.add("points", errs.PointsInvalid, "At least one point must be enabled.")
	}
}

// PointSet is an unchanging set of points; a point's id follows from the set's.
type PointSet struct {
	ID     string
	Points []Point
}

func newPointSet(points []Point) PointSet {
	set := PointSet{ID: id.New(), Points: points}
	set.nameAll()
	return set
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

func (s PointSet) encode() []byte {
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

var errCorruptPoints = errors.New("corrupt set of points")

func decodePointSet(id string, data []byte) (PointSet, error) {
	if len(data)%pointBytes != 0 || len(data) > MaxPoints*pointBytes {
		return PointSet{}, fmt.Errorf("%w %s: %d bytes", errCorruptPoints, id, len(data))
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
