package maprank

import (
	"context"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/event"
	"github.com/trigpoint/trigpoint/internal/maprank/grid"
)

// update changes what was sent.
func (s *Service) update(ctx context.Context, tx *db.Tx, accountID, given string, in *UpdateInput) (Campaign, error) {
	c, err := editable(ctx, tx, accountID, given)
	if err != nil {
		return Campaign{}, err
	}
	d := draft{name: c.name, grid: c.grid, frequency: c.frequency}
	ps := in.apply(&d, c.business.Coordinates)
	share := in.Shared.Given(&ps, "shared")
	if err := ps.Err(); err != nil {
		return Campaign{}, err
	}
	if share {
		if err := s.open(ctx, tx, &c, in.Shared.Value); err != nil {
			return Campaign{}, err
		}
	}
	keywords, err := keywordsOf(ctx, tx, c.id)
	if err != nil {
		return Campaign{}, err
	}
	if d.keywords != nil {
		keywords = nameKeywords(keywords, d.keywords)
		c.keywordsNumber = len(keywords)
		if err := replaceKeywords(ctx, tx, c.id, keywords); err != nil {
			return Campaign{}, err
		}
	}
	set, err := s.updatePoints(ctx, tx, &c, d)
	if err != nil {
		return Campaign{}, err
	}
	c.name = d.name
	if sent(&in.CollectingFrequency) {
		now := stamp(s.clock.Now())
		c.frequency, c.frequencyAt = d.frequency, now
		c.reckon(now)
	}
	if err := updateCampaign(ctx, tx, &c); err != nil {
		return Campaign{}, err
	}
	if err := s.tell(ctx, tx, event.CampaignChanged, &c); err != nil {
		return Campaign{}, err
	}
	dates, err := reportDates(ctx, tx, c.id)
	c.metrics = &OptionalMetrics{}
	return c.show(keywords, set, dates), err
}

// updatePoints gives the campaign a new set of points where the draft has one.
func (s *Service) updatePoints(ctx context.Context, tx *db.Tx, c *campaign, d draft) (grid.PointSet, error) {
	if d.points == nil {
		return getPointSet(ctx, tx, c.pointsID)
	}
	set, old := grid.NewPointSet(d.points), c.pointsID
	c.grid, c.pointsID, c.pointsNumber = d.grid, set.ID, len(set.Points)
	if err := insertPointSet(ctx, tx, c.id, set); err != nil {
		return set, err
	}
	return set, dropPointSet(ctx, tx, c.id, old)
}
