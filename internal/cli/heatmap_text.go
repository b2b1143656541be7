package cli

import (
	"fmt"
	"math"
	"strings"

	"github.com/trigpoint/trigpoint/internal/geo"
	"github.com/trigpoint/trigpoint/internal/rankscale"
)

// Fields of a map in characters. A line is about twice as high as a character is wide.
const (
	fieldWidth    = 5
	fieldAspect   = fieldWidth / 2.0 // width of a field in heights of a line
	screenColumns = 16
	screenRows    = 24
)

// screen is a map in characters, one field a point.
type screen struct {
	rows, columns int
	points        map[[2]int]int // positions by row and column
	centre        *[2]int
	empty         string // what stands in a field without a point
	scale         string
}

// screen lays a grid out by its rows and columns; points of one's own go where they are, or beside when another
// is there already.
func (m *rankMap) screen() screen {
	s := screen{points: map[[2]int]int{}, empty: "     "}
	if m.side > 0 {
		s.rows, s.columns, s.centre, s.empty = m.side, m.side, &[2]int{m.side / 2, m.side / 2}, "  ·  "
		for _, p := range m.points {
			s.points[[2]int{p.row, p.column}] = p.position
		}
		if m.side > 1 {
			s.scale = scaleBar(fieldWidth*(m.side-1), m.width)
		}
		return s
	}
	line := max(m.height/(screenRows-1), m.width/(fieldAspect*(screenColumns-1)), 0.001) // kilometres
	s.rows, s.columns = int(math.Round(m.height/line))+1, int(math.Round(m.width/(fieldAspect*line)))+1
	at := func(x, y float64) [2]int {
		return [2]int{s.rows - 1 - int(math.Round(y/line)), int(math.Round(x / (fieldAspect * line)))}
	}
	for _, p := range m.points {
		s.points[s.nearestFree(at(p.x, p.y))] = p.position
	}
	if m.centre != nil {
		field := at(m.centre[0], m.centre[1])
		s.centre = &field
	}
	if length := geo.RoundLength(line * fieldAspect * float64(max(s.columns-1, 2))); m.width+m.height > 0 {
		s.scale = scaleBar(max(1, int(math.Round(length/line*2))), length)
	}
	return s
}

// scaleBar is a scale bar of so many characters.
func scaleBar(characters int, km float64) string {
	return "├" + strings.Repeat("─", max(characters-1, 0)) + "┤ " + geo.LengthLabel(km)
}

func (s *screen) nearestFree(wanted [2]int) [2]int {
	best, distance := wanted, math.MaxFloat64
	for r := range s.rows {
		for c := range s.columns {
			if _, taken := s.points[[2]int{r, c}]; taken {
				continue
			}
			if d := math.Hypot(float64(r-wanted[0]), fieldAspect*float64(c-wanted[1])); d < distance {
				best, distance = [2]int{r, c}, d
			}
		}
	}
	return best
}

// field is what stands in a place: a rank, in brackets in the centre; a cross for a centre without a point.
func (s *screen) field(at [2]int, colour bool) string {
	position, ok := s.points[at]
	centre := s.centre != nil && *s.centre == at
	switch {
	case !ok && centre:
		return "  +  "
	case !ok:
		return s.empty
	}
	text := rankscale.Label(position)
	if centre {
		text = "[" + text + "]"
	}
	text = strings.Repeat(" ", (fieldWidth-len(text)+1)/2) + text + strings.Repeat(" ", (fieldWidth-len(text))/2)
	if colour {
		s := shade(position)
		text = fmt.Sprintf("\x1b[48;2;%d;%d;%dm\x1b[38;2;%d;%d;%dm%s\x1b[0m", s.Fill.R, s.Fill.G, s.Fill.B, s.Ink.R, s.Ink.G, s.Ink.B, text)
	}
	return text
}
