package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/trigpoint/trigpoint/internal/app"
	"github.com/trigpoint/trigpoint/internal/geo"
	"github.com/trigpoint/trigpoint/internal/maprank"
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
	coordinates := make([]geo.Point, len(v.Positions))
	for i, p := range v.Positions {
		coordinates[i] = geo.Point(p.Point.Coordinates)
	}
	flat := geo.Flatten(coordinates, geo.Point(centre))
	for i, at := range flat.Points {
		p := rankPoint{x: at.East, y: at.North, position: v.Positions[i].Position}
		if m.side > 0 {
			p.row, p.column = m.side-1-v.Indexes[i]/m.side, v.Indexes[i]%m.side
		}
		m.points = append(m.points, p)
	}
	if flat.Centre != nil {
		m.centre = &[2]float64{flat.Centre.East, flat.Centre.North}
	}
	m.width, m.height = flat.Width, flat.Height
	return m
}

// shorten cuts text to a number of characters, the last of which then is an ellipsis.
func shorten(text string, most int) string {
	if runes := []rune(text); len(runes) > most {
		return strings.TrimRight(string(runes[:most-1]), " ") + "…"
	}
	return text
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
