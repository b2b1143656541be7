package maprank

import (
	"context"
	"reflect"
	"slices"

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
	before := c
	if share {
		if err := s.open(ctx, tx, &c, in.Shared.Value); err != nil {
			return Campaign{}, err
		}
	}
	keywords, err := keywordsOf(ctx, tx, c.id)
	if err != nil {
		return Campaign{}, err
	}
	keywordsBefore := keywords
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
	if c.differs(&before) || !slices.Equal(keywords, keywordsBefore) {
		if err := s.tell(ctx, tx, event.CampaignChanged, &c); err != nil {
			return Campaign{}, err
		}
	}
	dates, err := reportDates(ctx, tx, c.id)
	c.metrics = &OptionalMetrics{}
	return c.show(keywords, set, dates), err
}

// differs tells whether a request has changed anything that a campaign has, beside its keywords.
func (c *campaign) differs(before *campaign) bool {
	return c.name != before.name || c.shareToken != before.shareToken || c.pointsID != before.pointsID ||
		!reflect.DeepEqual(c.grid, before.grid) || !reflect.DeepEqual(c.frequency, before.frequency)
}

// updatePoints gives the campaign a new set of points where the draft has another one: reports of one set are compared.
func (s *Service) updatePoints(ctx context.Context, tx *db.Tx, c *campaign, d draft) (grid.PointSet, error) {
	held, err := getPointSet(ctx, tx, c.pointsID)
	if err != nil || d.points == nil {
		return held, err
	}
	if held.Covers(d.points) {
		c.grid = d.grid
		return held, nil
	}
	set, old := grid.NewPointSet(d.points), c.pointsID
	c.grid, c.pointsID, c.pointsNumber = d.grid, set.ID, len(set.Points)
	if err := insertPointSet(ctx, tx, c.id, set); err != nil {
		return set, err
	}
	return set, dropPointSet(ctx, tx, c.id, old)
}
