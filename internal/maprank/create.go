package maprank

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/trigpoint/trigpoint/internal/account"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/errs"
	"github.com/trigpoint/trigpoint/internal/geo"
	"github.com/trigpoint/trigpoint/internal/id"
	"github.com/trigpoint/trigpoint/internal/maprank/grid"
	"github.com/trigpoint/trigpoint/internal/maprank/schedule"
	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/source"
)

// findTimeout bounds how long a request waits for the provider to know a place.
const findTimeout = 20 * time.Second

// find looks the business of a campaign up.
func (s *Service) find(ctx context.Context, accountID, placeID string) (b provider.Business, err error) {
	ctx, cancel := context.WithTimeout(source.WithPurpose(ctx, source.Purpose{AccountID: accountID}), findTimeout)
	defer cancel()
	var receipt *source.Receipt
	ask := func() (answered bool) {
		b, _, receipt, err = source.Ask(ctx, s.ledger, s.sources, func(p provider.Prices) provider.Money { return p.Place },
			func(ctx context.Context, maps MapProvider) (provider.Business, error) {
				return maps.FindPlace(ctx, placeID)
			})
		return err == nil || slices.Contains([]provider.Kind{provider.NotFound, provider.BadQuery}, provider.KindOf(err))
	}
	if s.sources.First().Describe().Account == "" { // it costs nobody anything
		ask()
	} else if refused := s.accounts.LookUp(ctx, accountID, ask); refused != nil {
		return b, refused
	}
	if fault := s.ledger.SettleNow(ctx, receipt); fault != nil { // it is paid for, whatever becomes of the campaign
		return b, fault
	}
	switch provider.KindOf(err) {
	case provider.NotFound, provider.BadQuery:
		return b, errs.With(errs.NotFound, errs.PlaceNotFound, "There is no place with the id %.255q.", placeID).Because(err)
	case provider.Unknown:
		if err != nil && ctx.Err() == nil {
			return b, fmt.Errorf("find place: %w", err)
		}
	}
	if err == nil {
		if at := (provider.Point{Lat: b.Lat, Lng: b.Lng}); !at.Valid() || at == (provider.Point{}) {
			err = errs.With(errs.NotFound, errs.PlaceNotFound, "It is not known where the place with the id %.255q is.", placeID)
		}
		return b, err
	}
	why := "Try again."
	if known := (*provider.Error)(nil); errors.As(err, &known) {
		why = known.Message
	}
	s.log.Warn("a place could not be looked up", "place", placeID, "error", err)
	return b, errs.New(errs.Dependency, "The business could not be looked up. %s", why).Because(err)
}

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
	return c.show(keywords, set, nil), nil
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
