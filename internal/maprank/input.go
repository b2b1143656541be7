package maprank

import (
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/trigpoint/trigpoint/internal/errs"
	"github.com/trigpoint/trigpoint/internal/httpapi"
	"github.com/trigpoint/trigpoint/internal/maprank/grid"
	"github.com/trigpoint/trigpoint/internal/maprank/schedule"
)

const (
	maxName    = 255
	maxPlaceID = 255
)

func indexed(field string, i int) string { return fmt.Sprintf("%s[%d]", field, i) }

// Settings is what both a create and an update may set: each field knows whether it was sent.
type Settings struct {
	Keywords            httpapi.Field[[]string]       `json:"keywords" required:"false" doc:"1 to 100, each at most 255 characters. On an update they replace the whole list; a keyword that stays keeps its id and history."`
	Name                httpapi.Field[string]         `json:"name" required:"false" doc:"At most 255 characters; the name of the business by default."`
	GridSettings        httpapi.Field[GridInput]      `json:"gridSettings" required:"false" doc:"Lays out a grid of points. Not together with points."`
	Points              httpapi.Field[[]PointInput]   `json:"points" required:"false" doc:"1 to 441 points of your own. Not together with gridSettings."`
	CollectingFrequency httpapi.Field[FrequencyInput] `json:"collectingFrequency" required:"false" doc:"When to collect by itself; by hand only when absent. With enable false the schedule rests."`
}

// CreateInput is the body of a create.
type CreateInput struct {
	PlaceID httpapi.Field[string] `json:"placeId" required:"false" doc:"Place id of the business. Required."`
	Settings
}

// UpdateInput is the body of an update.
type UpdateInput struct {
	Settings
	Shared httpapi.Field[bool] `json:"shared" required:"false" doc:"true opens the campaign to whoever has its share token, false withdraws the token for good; a later true makes another one. For the owner only."`
}

// GridInput is a Grid of which parts may be left out: 5x5, 1.5 KM, around the business.
type GridInput struct {
	Template  *string           `json:"template,omitempty" doc:"NxN with N odd, 3 to 21, or 1x1."`
	Unit      *string           `json:"unit,omitempty" doc:"KM or MI."`
	Distance  *float64          `json:"distance,omitempty" doc:"From basePoint to the outermost row or column, 0.05 to 160."`
	BasePoint *CoordinatesInput `json:"basePoint,omitempty"`
}

// CoordinatesInput is a place on the globe, both parts of which are needed.
type CoordinatesInput struct {
	Lat *float64 `json:"lat,omitempty" required:"true"`
	Lng *float64 `json:"lng,omitempty" required:"true"`
}

// PointInput is one point of your own.
type PointInput struct {
	Index       *int              `json:"index,omitempty" doc:"Distinct, 0 or more; its place in the list by default."`
	IsEnabled   *bool             `json:"isEnabled,omitempty" doc:"true by default."`
	Coordinates *CoordinatesInput `json:"coordinates,omitempty" required:"true"`
}

// FrequencyInput is a Frequency of which parts may be left out.
type FrequencyInput struct {
	Frequency string  `json:"frequency,omitempty" doc:"DAILY, WEEKLY or MONTHLY."`
	Interval  *int    `json:"interval,omitempty" doc:"In every how many periods; 1 by default."`
	Positions []int   `json:"positions,omitempty" doc:"WEEKLY: 1 is Monday, 7 Sunday. MONTHLY: day of the month. [1] by default."`
	Time      *string `json:"time,omitempty" doc:"HH:MM on the clock of the business; 00:00 by default."`
	Enable    *bool   `json:"enable,omitempty" doc:"true by default."`
}

// problems lists all that is wrong with a create.
func (in *CreateInput) problems() errs.Problems {
	var ps errs.Problems
	switch {
	case in.PlaceID.Mistyped(&ps, "placeId"):
	case in.PlaceID.Value == "":
		ps.Add("placeId", errs.NotSpecified, "placeId is not specified.")
	case len(in.PlaceID.Value) > maxPlaceID:
		ps.Add("placeId", errs.TooLong, "placeId has more than %d characters.", maxPlaceID)
	}
	if !sent(&in.Keywords) {
		checkKeywords(&ps, nil)
	}
	var d draft
	return append(ps, in.apply(&d, grid.Coordinates{})...)
}

// sent tells whether a field has a value; null is as if it were not there.
func sent[T any](f *httpapi.Field[T]) bool { return f.Set && !f.Null }

// draft is a campaign as it would be after the request.
type draft struct {
	name      string
	keywords  []string // nil: unchanged
	grid      *grid.Grid
	points    []grid.Point // nil: unchanged
	frequency *schedule.Frequency
}

// apply puts what was sent into the draft. center is what an absent basePoint means.
func (in *Settings) apply(d *draft, center grid.Coordinates) errs.Problems {
	var ps errs.Problems
	if in.Name.Given(&ps, "name") {
		d.name = oneLine(in.Name.Value)
		checkName(&ps, d.name)
	}
	if in.Keywords.Given(&ps, "keywords") {
		d.keywords = checkKeywords(&ps, in.Keywords.Value)
	}
	if sent(&in.GridSettings) && sent(&in.Points) {
		ps.Add("points", errs.GridAndPoints, "Send gridSettings or points, not both.")
	}
	if in.GridSettings.Given(&ps, "gridSettings") {
		laid := in.GridSettings.Value.grid(&ps, d.grid, center)
		d.grid = &laid
		if ps = append(ps, laid.Problems("gridSettings")...); len(ps) == 0 {
			d.points = laid.Points()
		}
	}
	if in.Points.Given(&ps, "points") {
		d.grid, d.points = nil, pointsOf(&ps, in.Points.Value)
	}
	if in.CollectingFrequency.Given(&ps, "collectingFrequency") {
		f := in.CollectingFrequency.Value.frequency()
		wrong := f.Problems("collectingFrequency")
		if ps = append(ps, wrong...); len(wrong) == 0 {
			f = f.WithDefaults()
		}
		d.frequency = &f
	}
	return ps
}

func checkName(ps *errs.Problems, name string) {
	switch n := utf8.RuneCountInString(name); {
	case n == 0:
		ps.Add("name", errs.NotSpecified, "name must not be empty.")
	case n > maxName:
		ps.Add("name", errs.TooLong, "name has %d characters; at most %d are allowed.", n, maxName)
	case strings.ContainsFunc(name, unicode.IsControl):
		ps.Add("name", errs.InvalidCharacters, "name must not have control characters.")
	}
}

// grid fills what was left out from the grid there is, or the default one.
func (in GridInput) grid(ps *errs.Problems, now *grid.Grid, center grid.Coordinates) grid.Grid {
	g := grid.Default(center)
	if now != nil {
		g = *now
	}
	if in.Template != nil {
		g.Template = strings.ToLower(*in.Template)
	}
	if in.Unit != nil {
		g.Unit = strings.ToUpper(*in.Unit)
		if g.Unit == "MILES" {
			g.Unit = grid.Miles
		}
	}
	if in.Distance != nil {
		g.Distance = *in.Distance
	}
	if in.BasePoint != nil {
		g.BasePoint = in.BasePoint.point(ps, "gridSettings.basePoint")
	}
	return g
}

func (in *CoordinatesInput) point(ps *errs.Problems, field string) grid.Coordinates {
	if in == nil || in.Lat == nil || in.Lng == nil {
		ps.Add(field, errs.NotSpecified, "%s needs both lat and lng.", field)
		return grid.Coordinates{}
	}
	return grid.Coordinates{Lat: *in.Lat, Lng: *in.Lng}
}

func pointsOf(ps *errs.Problems, given []PointInput) []grid.Point {
	if len(given) > grid.MaxPoints {
		*ps = append(*ps, grid.PointProblems("points", make([]grid.Point, len(given)))...)
		return nil
	}
	points := make([]grid.Point, len(given))
	for i, in := range given {
		points[i] = grid.Point{Index: i, IsEnabled: in.IsEnabled == nil || *in.IsEnabled}
		if in.Index != nil {
			points[i].Index = *in.Index
		}
		points[i].Coordinates = in.Coordinates.point(ps, indexed("points", i)+".coordinates")
	}
	*ps = append(*ps, grid.PointProblems("points", points)...)
	return points
}

func (in FrequencyInput) frequency() schedule.Frequency {
	f := schedule.Frequency{Frequency: strings.ToUpper(in.Frequency), Interval: 1, Positions: in.Positions, Time: "00:00", Enable: true}
	if in.Interval != nil {
		f.Interval = *in.Interval
	}
	if in.Time != nil {
		f.Time = *in.Time
	}
	if in.Enable != nil {
		f.Enable = *in.Enable
	}
	if len(f.Positions) == 0 || f.Frequency == schedule.Daily {
		f.Positions = []int{1}
	}
	return f
}

func readInstant(ps *errs.Problems, field, text string) time.Time {
	t, ok := parseInstant(text)
	if !ok {
		ps.Add(field, errs.InvalidParameter, "%s must be a date and time such as 2026-03-03T11:44:43.190Z.", field)
	}
	return t
}

// readOptionalInstant is nil for a parameter that was not sent.
func readOptionalInstant(ps *errs.Problems, field, text string) *time.Time {
	if text == "" {
		return nil
	}
	t := readInstant(ps, field, text)
	return &t
}
