package maprank

import (
	"context"

	"github.com/trigpoint/trigpoint/internal/account"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/errs"
	"github.com/trigpoint/trigpoint/internal/event"
	"github.com/trigpoint/trigpoint/internal/geo"
	"github.com/trigpoint/trigpoint/internal/id"
	"github.com/trigpoint/trigpoint/internal/maprank/grid"
	"github.com/trigpoint/trigpoint/internal/maprank/schedule"
	"github.com/trigpoint/trigpoint/internal/provider"
)

// prepare makes a campaign of a checked draft and its business; nothing is stored yet.
func (s *Service) prepare(who account.Principal, d draft, found provider.Business) (campaign, grid.PointSet) {
	now := stamp(s.clock.Now())
	c := campaign{
		id: id.New(), accountID: who.AccountID, name: d.name, status: Created, statusAt: now, createdAt: now,
		country: found.CountryCode, business: newBusiness(found), frequency: d.frequency, frequencyAt: now,
		access: Owner, ownerEmail: who.Email, metrics: &OptionalMetrics{},
	}
	if c.name == "" {
		c.name = cut(c.business.Name, maxName)
	}
	center := c.business.Coordinates
	if country, ok := geo.CountryAt(geo.Point(center)); ok {
		c.country = country
	}
	_, c.zone = geo.ZoneAt(geo.Point(center))
	if c.grid = d.grid; d.points == nil {
		around := grid.Default(center)
		c.grid, d.points = &around, around.Points()
	}
	set := grid.NewPointSet(d.points)
	c.pointsID, c.pointsNumber, c.keywordsNumber = set.ID, len(set.Points), len(d.keywords)
	c.reckon(now)
	return c, set
}

// create stores a campaign.
func (s *Service) create(ctx context.Context, tx *db.Tx, c campaign, set grid.PointSet, names []string) (Campaign, error) {
	if _, err := s.accounts.Take(ctx, tx, c.accountID, account.Campaigns, 1); err != nil {
		return Campaign{}, err
	}
	keywords := nameKeywords(nil, names)
	if err := insertCampaign(ctx, tx, &c); err != nil {
		return Campaign{}, err
	}
	if err := insertPointSet(ctx, tx, c.id, set); err != nil {
		return Campaign{}, err
	}
	if err := insertKeywords(ctx, tx, c.id, keywords); err != nil {
		return Campaign{}, err
	}
	return c.show(keywords, set, nil), s.tell(ctx, tx, event.CampaignCreated, &c)
}

// Draft is a campaign that the program makes by itself.
type Draft struct {
	AccountID, Name, PlaceID string
	Keywords                 []string
	Grid                     *grid.Grid
	Frequency                *schedule.Frequency
}

// Create makes a campaign as its owner's request would, and returns it.
func (s *Service) Create(ctx context.Context, in Draft) (Campaign, error) {
	var shown Campaign
	acc, err := s.accounts.Find(ctx, in.AccountID)
	if err != nil {
		return shown, err
	}
	found, err := s.find(ctx, acc.ID, in.PlaceID)
	if err != nil {
		return shown, err
	}
	var ps errs.Problems
	d := draft{name: in.Name, keywords: checkKeywords(&ps, in.Keywords), grid: in.Grid, frequency: in.Frequency}
	if d.grid != nil {
		if ps = append(ps, d.grid.Problems("gridSettings")...); len(ps) == 0 {
			d.points = d.grid.Points()
		}
	}
	if d.frequency != nil {
		ps = append(ps, d.frequency.Problems("collectingFrequency")...)
	}
	if err := ps.Err(); err != nil {
		return shown, err
	}
	who := account.Principal{AccountID: acc.ID, Email: acc.Email, PlanName: acc.Plan, Plan: s.accounts.Plan(acc.Plan)}
	c, set := s.prepare(who, d, found)
	err = s.db.Tx(ctx, func(tx *db.Tx) error {
		shown, err = s.create(ctx, tx, c, set, d.keywords)
		return err
	})
	return shown, err
}
