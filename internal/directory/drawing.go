package directory

import (
	"fmt"
	"math"

	"github.com/trigpoint/trigpoint/internal/geo"
)

// mapDrawing is a small map without tiles: the business in the middle, others of its owner around it, distances
// as rings. All but the captions is in pixels of a box of drawingWidth x drawingHeight.
type mapDrawing struct {
	Rings []ring
	Dots  []dot
	Bar   string // what the scale bar, which is as long as the first ring is wide, stands for
}

type ring struct{ Radius int }

type dot struct {
	X, Y int
	Name string
}

const (
	drawingWidth, drawingHeight = 320, 200
	drawingReach                = 84 // pixels from the middle that show the reach
)

// reaches are what a drawing may show, in km from its middle.
var reaches = []float64{0.5, 1, 2, 5, 10, 20, 50, 100}

// drawMap shows the nearest neighbours; without any, the nearest kilometre.
func drawMap(at geo.Point, near []Neighbour) mapDrawing {
	reach := 1.0
	if len(near) > 0 {
		for _, reach = range reaches {
			if reach >= near[0].Km {
				break
			}
		}
	}
	d := mapDrawing{Bar: distanceWords(reach / 2)}
	for _, share := range []float64{0.5, 1, 1.5} {
		d.Rings = append(d.Rings, ring{int(share * drawingReach)})
	}
	pixels := drawingReach / reach
	for _, n := range near {
		north := geo.Distance(at, geo.Point{Lat: n.At.Lat, Lng: at.Lng})
		east := geo.Distance(geo.Point{Lat: n.At.Lat, Lng: at.Lng}, n.At)
		x := drawingWidth/2 + math.Copysign(east, math.Remainder(n.At.Lng-at.Lng, 360))*pixels
		y := drawingHeight/2 - math.Copysign(north, n.At.Lat-at.Lat)*pixels
		const margin = 8
		if x > margin && x < drawingWidth-margin && y > margin && y < drawingHeight-margin {
			d.Dots = append(d.Dots, dot{int(x), int(y), n.Name})
		}
	}
	return d
}

// distanceWords says a distance as people do.
func distanceWords(km float64) string {
	switch {
	case km < 0.95:
		return fmt.Sprintf("%.0f m", math.Max(50, math.Round(km*20)*50))
	case km < 10:
		return fmt.Sprintf("%.3g km", math.Round(km*10)/10)
	}
	return fmt.Sprintf("%.0f km", km)
}
