package cli

import (
	"bytes"
	"image/png"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/trigpoint/trigpoint/internal/geo"
	"github.com/trigpoint/trigpoint/internal/maprank"
	"github.com/trigpoint/trigpoint/internal/maprank/grid"
	"github.com/trigpoint/trigpoint/internal/maprank/result"
)

const kmPerDegree = math.Pi * geo.EarthRadiusKM / 180

// ownPoints is a view of points a kilometre, and three kilometres, east and north of the business.
func ownPoints(keyword string) maprank.View {
	centre := grid.Coordinates{Lat: 60, Lng: 179.99} // where a degree of longitude is half as long, by the date line
	v := maprank.View{Business: result.Business{Name: "Café Ωμέγα", Coordinates: centre}}
	v.Keyword = maprank.Keyword{Name: keyword}
	v.Date = maprank.Instant{Time: time.Date(2026, 11, 8, 0, 0, 0, 0, time.UTC)}
	for i, km := range [][2]float64{{0, 0}, {1, 0}, {3, 0}, {0, 1}, {0, 3}, {3, 3}} {
		at := grid.Coordinates{Lat: centre.Lat + km[1]/kmPerDegree, Lng: centre.Lng + km[0]/kmPerDegree*2}
		if at.Lng > 180 {
			at.Lng -= 360
		}
		v.Positions = append(v.Positions, maprank.HeatmapPosition{Point: maprank.HeatmapPoint{Coordinates: at}, Position: 1 + 4*i})
	}
	return v
}

func TestOwnPointsAreDrawnToScale(t *testing.T) {
	t.Parallel()
	m := layOut(ownPoints("pizza"))
	if math.Abs(m.width-3) > 0.01 || math.Abs(m.height-3) > 0.01 {
		t.Errorf("the map is %.3f x %.3f km, want 3 x 3", m.width, m.height)
	}
	for i, want := range [][2]float64{{0, 0}, {1, 0}, {3, 0}, {0, 1}, {0, 3}, {3, 3}} {
		if p := m.points[i]; math.Abs(p.x-want[0]) > 0.01 || math.Abs(p.y-want[1]) > 0.01 {
			t.Errorf("point %d is at %.3f, %.3f, want %v", i, p.x, p.y, want)
		}
	}
	if m.centre == nil || *m.centre != [2]float64{0, 0} {
		t.Errorf("the centre is at %v", m.centre)
	}
	var text, picture bytes.Buffer
	if err := m.print(&text, false); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(text.String(), "\n")
	row := func(rank string) (int, int) {
		for i, line := range lines[2:] {
			if at := strings.Index(" "+line+" ", " "+rank+" "); at >= 0 {
				return i, len([]rune(line[:at]))
			}
		}
		t.Fatalf("no %s in\n%s", rank, text.String())
		return 0, 0
	}
	south, west := row("[1]")
	_, near := row("5")
	_, far := row("9")
	north, _ := row("17")
	if near-west <= 0 || math.Abs(float64(far-west)/float64(near-west)-3) > 0.7 || math.Abs(float64(far-west)/float64(south-north)-2) > 0.4 {
		t.Errorf("not to scale:\n%s", text.String())
	}
	if !strings.Contains(text.String(), "┤ 2 km") {
		t.Errorf("no scale:\n%s", text.String())
	}
	if err := m.writePNG(&picture); err != nil {
		t.Fatal(err)
	}
	if img, err := png.Decode(&picture); err != nil || img.Bounds().Dx() != pictureWidth || img.Bounds().Dy() < 600 {
		t.Errorf("the picture: %v, %v", img.Bounds(), err)
	}
}

func TestShorten(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("long keyword ", 40)
	if got := shorten(long, 20); len([]rune(got)) > 20 || !strings.HasSuffix(got, "…") {
		t.Errorf("shortened to %q", got)
	}
}

// The extremes of what a map may be: none, one, all in one place, far from the business.
func TestMapsOfFewPoints(t *testing.T) {
	t.Parallel()
	far := ownPoints("pizza")
	far.Business.Coordinates = grid.Coordinates{Lat: -60, Lng: 0}
	for name, v := range map[string]maprank.View{
		"none": {}, "one": {Heatmap: maprank.Heatmap{Positions: far.Positions[:1]}},
		"one place": {Heatmap: maprank.Heatmap{Positions: append(far.Positions[:1:1], far.Positions[0])}}, "far": far,
	} {
		m := layOut(v)
		var text, picture bytes.Buffer
		if err := m.print(&text, true); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if err := m.writePNG(&picture); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if name == "far" && m.centre != nil {
			t.Errorf("a centre 13,000 km away is drawn")
		}
	}
}
