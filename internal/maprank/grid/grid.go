// Package grid owns the points that a campaign searches at: how they are laid out, checked and stored.
package grid

import (
	"strconv"
	"strings"

	"github.com/trigpoint/trigpoint/internal/errs"
	"github.com/trigpoint/trigpoint/internal/geo"
)

// Units of a grid's distance.
const (
	Kilometres = "KM"
	Miles      = "MI"
)

const (
	minGrid, maxGrid         = 3, 21
	minDistance, maxDistance = 0.05, 160
)

// Grid is how the points of a campaign are laid out.
type Grid struct {
	Template  string      `json:"template" doc:"NxN with N odd, 3 to 21, or 1x1."`
	Unit      string      `json:"unit" enum:"KM,MI" doc:"Of distance."`
	Distance  float64     `json:"distance" doc:"From basePoint to the outermost row or column, 0.05 to 160."`
	BasePoint Coordinates `json:"basePoint"`
}

// Default is what a campaign gets that asks for no tracking area.
func Default(center Coordinates) Grid {
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

// Points lays out a grid that has no problems, all points enabled.
func (g Grid) Points() []Point {
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

// Problems lists all that is wrong with a grid, each under its path inside field.
func (g Grid) Problems(field string) errs.Problems {
	var found errs.Problems
	if _, ok := g.side(); !ok {
		found.Add(field+".template", errs.GridInvalid, "template must be NxN with N odd from %d to %d, or 1x1; %.16q is not.", minGrid, maxGrid, g.Template)
	}
	if g.Unit != Kilometres && g.Unit != Miles {
		found.Add(field+".unit", errs.GridInvalid, "unit must be KM or MI, not %.16q.", g.Unit)
	}
	if !(g.Distance >= minDistance && g.Distance <= maxDistance) {
		found.Add(field+".distance", errs.GridInvalid, "distance must be from %g to %g, not %g.", minDistance, float64(maxDistance), g.Distance)
	}
	if !g.BasePoint.valid() {
		found.Add(field+".basePoint", errs.GridInvalid, "basePoint must have lat from -90 to 90 and lng from -180 to 180.")
	}
	return found
}
