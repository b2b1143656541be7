package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"image/color"
	"io"
	"math"
	"os"
	"strings"
	"time"

	"github.com/trigpoint/trigpoint/internal/app"
	"github.com/trigpoint/trigpoint/internal/maprank"
)

type heatmapCmd struct {
	Campaign string `arg:"" help:"Id of the campaign."`
	Keyword  string `help:"Keyword, by name or id; the first when empty."`
	Date     string `help:"Date and time of the report; the last one when empty."`
	PNG      string `help:"Write a picture to this file, too." name:"png" placeholder:"FILE"`
	Color    string `help:"When to use colour: auto, always or never." enum:"auto,always,never" default:"auto"`
}

// Run draws where the campaign's business ranks.
func (cmd *heatmapCmd) Run(e *env) error {
	var at *time.Time
	if cmd.Date != "" {
		t, err := time.Parse(time.RFC3339, cmd.Date)
		if err != nil {
			return fmt.Errorf("%q is not a date and time such as 2026-03-03T11:44:43Z", cmd.Date)
		}
		at = &t
	}
	return withStore(e, func(ctx context.Context, a *app.App) error {
		view, err := a.MapRank.View(ctx, cmd.Campaign, cmd.Keyword, at)
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

// rankMap is a heatmap laid out on rows and columns, north up.
type rankMap struct {
	title, subtitle, figures string
	rows, columns            int
	cells                    map[[2]int]maprank.HeatmapPosition // by row and column
}

// layOut puts the points of a grid where they are. Points of one's own go to the nearest free cell.
func layOut(v maprank.View) rankMap {
	m := rankMap{
		title:    fmt.Sprintf("%q", v.Keyword.Name),
		subtitle: fmt.Sprintf("%s · %s", v.Business.Name, v.Date),
		cells:    map[[2]int]maprank.HeatmapPosition{},
	}
	var tally maprank.Tally
	for _, p := range v.Positions {
		tally.Add(p.Position)
	}
	m.figures = fmt.Sprintf("average position %.2f · share of voice %.2f%% · found at %d of %d points", tally.AveragePosition(), tally.ShareOfVoice(), tally.Found, tally.Points)
	if v.Grid != nil {
		n := 0
		_, _ = fmt.Sscanf(v.Grid.Template, "%dx", &n)
		m.rows, m.columns = n, n
		for i, p := range v.Positions {
			m.cells[[2]int{n - 1 - v.Indexes[i]/n, v.Indexes[i] % n}] = p
		}
		return m
	}
	m.scatter(v.Positions)
	return m
}

func (m *rankMap) scatter(positions []maprank.HeatmapPosition) {
	side := max(1, 2*int(math.Ceil(math.Sqrt(float64(len(positions))))))
	m.rows, m.columns = side, side
	south, north, west, east := math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)
	for _, p := range positions {
		c := p.Point.Coordinates
		south, north, west, east = min(south, c.Lat), max(north, c.Lat), min(west, c.Lng), max(east, c.Lng)
	}
	place := func(v, from, to float64) int {
		if to <= from {
			return side / 2
		}
		return int(math.Round((v - from) / (to - from) * float64(side-1)))
	}
	for _, p := range positions {
		row, column := side-1-place(p.Point.Coordinates.Lat, south, north), place(p.Point.Coordinates.Lng, west, east)
		m.cells[m.nearestFree(row, column)] = p
	}
}

func (m *rankMap) nearestFree(row, column int) [2]int {
	best, distance := [2]int{row, column}, math.MaxInt
	for r := range m.rows {
		for c := range m.columns {
			if _, taken := m.cells[[2]int{r, c}]; !taken {
				if d := (r-row)*(r-row) + (c-column)*(c-column); d < distance {
					best, distance = [2]int{r, c}, d
				}
			}
		}
	}
	return best
}

// label is how a position is written: ranks beyond the twentieth are not told apart.
func label(position int) string {
	if position > maprank.MaxRank {
		return "20+"
	}
	return fmt.Sprint(position)
}

// rankColor goes from green through yellow to red; unranked is a dark red.
func rankColor(position int) color.RGBA {
	if position > maprank.MaxRank {
		return color.RGBA{0x8e, 0x24, 0x2c, 0xff}
	}
	stops := []struct {
		rank    float64
		r, g, b float64
	}{{1, 0x1f, 0x9d, 0x55}, {3, 0x6c, 0xbf, 0x4a}, {7, 0xf2, 0xc0, 0x37}, {12, 0xf0, 0x8a, 0x3c}, {20, 0xd6, 0x45, 0x41}}
	rank := float64(cmp.Or(position, 1))
	for i := 1; i < len(stops); i++ {
		a, b := stops[i-1], stops[i]
		if rank <= b.rank {
			t := (rank - a.rank) / (b.rank - a.rank)
			mix := func(x, y float64) uint8 { return uint8(math.Round(x + t*(y-x))) }
			return color.RGBA{mix(a.r, b.r), mix(a.g, b.g), mix(a.b, b.b), 0xff}
		}
	}
	return color.RGBA{0xd6, 0x45, 0x41, 0xff}
}

// inkOn is the colour of text that can be read on another.
func inkOn(c color.RGBA) color.RGBA {
	if 299*int(c.R)+587*int(c.G)+114*int(c.B) < 128_000 {
		return color.RGBA{0xff, 0xff, 0xff, 0xff}
	}
	return color.RGBA{0x16, 0x1c, 0x22, 0xff}
}

// print draws the map with one field a point.
func (m *rankMap) print(out io.Writer, colour bool) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s  %s\n\n", m.title, m.subtitle)
	for row := range m.rows {
		for column := range m.columns {
			p, ok := m.cells[[2]int{row, column}]
			switch text := label(p.Position); {
			case !ok:
				b.WriteString("  ·  ")
			default:
				text = strings.Repeat(" ", (5-len(text)+1)/2) + text + strings.Repeat(" ", (5-len(text))/2)
				if colour {
					c := rankColor(p.Position)
					ink := inkOn(c)
					text = fmt.Sprintf("\x1b[48;2;%d;%d;%dm\x1b[38;2;%d;%d;%dm%s\x1b[0m", c.R, c.G, c.B, ink.R, ink.G, ink.B, text)
				}
				b.WriteString(text)
			}
		}
		b.WriteByte('\n')
	}
	fmt.Fprintf(&b, "\n%s\n", m.figures)
	_, err := io.WriteString(out, b.String())
	return err
}
