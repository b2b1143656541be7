package maprank

import (
	"context"
	"time"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/errs"
	"github.com/trigpoint/trigpoint/internal/maprank/grid"
	"github.com/trigpoint/trigpoint/internal/maprank/result"
)

// View is a heatmap with what is needed to draw it.
type View struct {
	Heatmap
	Campaign string
	Business result.Business
	Grid     *grid.Grid
	Indexes  []int // of the positions' points
}

// View reads the heatmap of the campaign's own business: of a keyword by name or id, in the report of an
// instant or of a day (2026-11-08, the last of that UTC day), or in the last one when date is empty.
func (s *Service) View(ctx context.Context, campaignID, keyword, date string) (View, error) {
	var v View
	c, err := ownedCampaign(ctx, s.db, campaignID, "")
	if err != nil {
		return v, err
	}
	r, err := collectedOn(ctx, s.db, &c, date)
	if err != nil {
		return v, err
	}
	keywords, err := reportKeywords(ctx, s.db, r.id)
	if err != nil {
		return v, err
	}
	for _, k := range keywords {
		if keyword == "" || k.shown().is(keyword) {
			return s.view(ctx, &c, &r, k.Keyword)
		}
	}
	return v, errs.New(errs.NotFound, "The report has no keyword %.64q.", keyword)
}

// collectedOn finds the report that a person means by a date.
func collectedOn(ctx context.Context, q db.Queryer, c *campaign, date string) (report, error) {
	from, until := time.UnixMicro(0), time.UnixMicro(1<<62)
	if day, err := time.Parse(time.DateOnly, date); err == nil {
		from, until = day, day.AddDate(0, 0, 1)
	} else if at, ok := parseInstant(date); ok {
		from, until = at, at.Add(time.Microsecond)
	} else if date != "" {
		return report{}, errs.New(errs.Invalid, "%.64q is neither a day such as 2026-03-03 nor a date and time such as 2026-03-03T11:44:43Z.", date)
	}
	r, err := db.One(ctx, q, scanReport, "SELECT "+reportColumns+` FROM reports
		WHERE campaign_id = $1 AND at >= $2 AND at < $3 AND status = 'COLLECTED' ORDER BY at DESC LIMIT 1`, c.id, db.Micros(from), db.Micros(until))
	if db.IsNoRow(err) {
		if date == "" {
			date = "any day yet"
		}
		err = errs.New(errs.NotFound, "The campaign has no report of %s.", date)
	}
	return r, err
}

func (s *Service) view(ctx context.Context, c *campaign, r *report, k Keyword) (v View, err error) {
	v.Campaign, v.Business = c.name, c.business
	if v.Heatmap, err = s.heatmap(ctx, c, k.ID, r.at, c.business.Identity()); err != nil {
		return v, err
	}
	if r.pointsID == c.pointsID { // else the campaign has another grid by now
		v.Grid = c.grid
	}
	set, err := getPointSet(ctx, s.db, r.pointsID)
	if err != nil {
		return v, err
	}
	indexes := map[string]int{}
	for _, p := range set.Points {
		indexes[p.ID] = p.Index
	}
	for _, p := range v.Positions {
		v.Indexes = append(v.Indexes, indexes[p.Point.ID])
	}
	return v, nil
}
