package directory

import (
	"testing"

	"github.com/trigpoint/trigpoint/internal/geo"
)

func TestMapShowsNeighboursWhereTheyAre(t *testing.T) {
	t.Parallel()
	at := geo.Point{Lat: 33.77, Lng: 179.99}
	var near []Neighbour
	for _, n := range []struct {
		name    string
		bearing float64
		km      float64
	}{{"east", 1.5708, 0.5}, {"north", 0, 0.9}, {"too far", 0, 3}} {
		to := geo.Destination(at, n.bearing, n.km)
		near = append(near, Neighbour{Name: n.name, At: to, Km: n.km})
	}
	d := drawMap(at, near)
	if d.Bar != "250 m" || len(d.Dots) != 1 || d.Dots[0].Name != "east" {
		t.Fatalf("%+v", d)
	}
	if x := d.Dots[0].X; x < drawingWidth/2+drawingReach-2 || x > drawingWidth/2+drawingReach+2 || d.Dots[0].Y != drawingHeight/2 {
		t.Errorf("east stands at %d, %d", x, d.Dots[0].Y)
	}
	if empty := drawMap(at, nil); empty.Bar != "500 m" {
		t.Errorf("alone: %+v", empty)
	}
}
