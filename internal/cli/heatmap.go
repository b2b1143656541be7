package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"strings"

	"github.com/trigpoint/trigpoint/internal/app"
	"github.com/trigpoint/trigpoint/internal/maprank"
	"github.com/trigpoint/trigpoint/internal/maprank/grid"
	"github.com/trigpoint/trigpoint/internal/maprank/result"
	"github.com/trigpoint/trigpoint/internal/rankscale"
)

type heatmapCmd struct {
	Campaign string `arg:"" help:"Id of the campaign."`
	Keyword  string `help:"Keyword, by name or id; the first when empty."`
	Date     string `help:"Day (2026-11-08) or date and time of the report; the last one when empty."`
	PNG      string `help:"Write a picture to this file, too." name:"png" placeholder:"FILE"`
	Color    string `help:"When to use colour: auto, always or never." enum:"auto,always,never" default:"auto"`
}

// Run draws where the campaign's business ranks.
func (cmd *heatmapCmd) Run(e *env) error {
	return withStore(e, func(ctx context.Context, a *app.App) error {
		view, err := a.MapRank.View(ctx, cmd.Campaign, cmd.Keyword, cmd.Date)
		if err != nil {
			return err
		}
		m := layOut(view)
		colour := cmd.Color == "always" || cmd.Color == "auto" && isTerminal(e.out) && os.Getenv("NO_COLOR") == ""
		if err := m.print(e.out, colour); err != nil || cmd.PNG == "" {
			return err
		}
		f, err := os.Create(cmd.PNG)
		if err != nil {
			return err
		}
		if err := errors.Join(m.writePNG(f), f.Close()); err != nil {
			return err
		}
		fmt.Fprintf(e.out, "Wrote %s.\n", cmd.PNG)
		return nil
	})
}

// rankMap is a heatmap on a plane: kilometres from the south-west corner, east and north.
type rankMap struct {
	title, subtitle, figures string
	points                   []rankPoint
	centre                   *[2]float64 // of the grid, or the business; nil when it is far away
	width, height            float64
	side                     int // of a grid; 0 when the points are one's own
}

type rankPoint struct {
	x, y        float64
	row, column int // on a grid, from the north-west
	position    int
}

const kmPerDegree = math.Pi * 6371 / 180

// layOut puts the points where they are, on a plane that touches the globe in their midst.
func layOut(v maprank.View) rankMap {
	m := rankMap{title: fmt.Sprintf("%q", v.Keyword.Name), subtitle: fmt.Sprintf("%s · %s", v.Business.Name, v.Date)}
	var tally result.Tally
	for _, p := range v.Positions {
		tally.Add(p.Position)
	}
	m.figures = fmt.Sprintf("average position %.2f · share of voice %.2f%% · found at %d of %d points", tally.AveragePosition(), tally.ShareOfVoice(), tally.Found, tally.Points)
	centre := v.Business.Coordinates
	if v.Grid != nil {
		centre = v.Grid.BasePoint
		_, _ = fmt.Sscanf(v.Grid.Template, "%dx", &m.side)
	}
	if len(v.Positions) == 0 {
		return m
	}
	origin := v.Positions[0].Point.Coordinates
	project := func(c grid.Coordinates) (x, y float64) {
		east := math.Mod(c.Lng-origin.Lng+540, 360) - 180 // the short way round
		return east * kmPerDegree * math.Cos(origin.Lat*math.Pi/180), (c.Lat - origin.Lat) * kmPerDegree
	}
	west, east, south, north := math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)
	stretch := func(x, y float64) {
		west, east, south, north = min(west, x), max(east, x), min(south, y), max(north, y)
	}
	for i, p := range v.Positions {
		at := rankPoint{position: p.Position}
		at.x, at.y = project(p.Point.Coordinates)
		if m.side > 0 {
			at.row, at.column = m.side-1-v.Indexes[i]/m.side, v.Indexes[i]%m.side
		}
		stretch(at.x, at.y)
		m.points = append(m.points, at)
	}
	x, y := project(centre)
	if reach := max(east-west, north-south, 0.1); x > west-reach && x < east+reach && y > south-reach && y < north+reach {
		stretch(x, y)
		m.centre = &[2]float64{x - west, y - south}
	}
	for i := range m.points {
		m.points[i].x -= west
		m.points[i].y -= south
	}
	m.width, m.height = east-west, north-south
	return m
}

// shorten cuts text to a number of characters, the last of which then is an ellipsis.
func shorten(text string, most int) string {
	if runes := []rune(text); len(runes) > most {
		return strings.TrimRight(string(runes[:most-1]), " ") + "…"
	}
	return text
}

// roundLength is the longest of 1, 2 or 5 times a power of ten that is not above km.
func roundLength(km float64) float64 {
	power := math.Pow(10, math.Floor(math.Log10(km)))
	for _, n := range []float64{5, 2} {
		if n*power <= km {
			return n * power
		}
	}
	return power
}

func lengthLabel(km float64) string {
	if km < 1 {
		return fmt.Sprintf("%.3g m", km*1000)
	}
	return fmt.Sprintf("%.3g km", km)
}

// label is how a position is written: ranks beyond the twentieth are not told apart.
func label(position int) string {
	if position > result.MaxRank {
		return "20+"
	}
	return fmt.Sprint(position)
}

// shade is how a rank is coloured.
func shade(position int) rankscale.Band { return rankscale.Of(rankscale.Default, position) }

// print draws the map in characters.
func (m *rankMap) print(out io.Writer, colour bool) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s  %s\n\n", shorten(m.title, 60), shorten(m.subtitle, 100))
	s := m.screen()
	for row := range s.rows {
		for column := range s.columns {
			b.WriteString(s.field([2]int{row, column}, colour))
		}
		b.WriteByte('\n')
	}
	fmt.Fprintf(&b, "\n%s\n%s\n", s.scale, m.figures)
	_, err := io.WriteString(out, b.String())
	return err
}
