package maprank

import (
	"context"
	"time"

	"github.com/trigpoint/trigpoint/internal/account"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/errs"
	"github.com/trigpoint/trigpoint/internal/id"
	"github.com/trigpoint/trigpoint/internal/provider"
)

// What the command line does with campaigns, on behalf of their owners.

// Collect starts a collection now and returns the report's instant.
func (s *Service) Collect(ctx context.Context, campaignID string) (at time.Time, err error) {
	err = s.db.Tx(ctx, func(tx *db.Tx) error {
		c, err := ownedCampaign(ctx, tx, campaignID, locking(tx, campaignRow))
		if err != nil {
			return err
		}
		r, err := s.collect(ctx, tx, c.accountID, c.id, nil, nil)
		at = r.at
		return err
	})
	return at, err
}

// View is a heatmap with what is needed to draw it.
type View struct {
	Heatmap
	Campaign string
	Business Business
	Grid     *Grid
	Indexes  []int // of the positions' points
}

// View reads the heatmap of the campaign's own business: of a keyword by name or id, in the report of an
// instant or, when at is nil, in the last one.
func (s *Service) View(ctx context.Context, campaignID, keyword string, at *time.Time) (View, error) {
	var v View
	c, err := ownedCampaign(ctx, s.db, campaignID, "")
	if err != nil {
		return v, err
	}
	if at == nil {
		if at = c.last; at == nil {
			return v, errs.New(errs.NotFound, "The campaign has no report yet.")
		}
	}
	r, err := reportAt(ctx, s.db, c.id, *at)
	if db.IsNoRow(err) {
		return v, errs.New(errs.NotFound, "The campaign has no report of %s.", Instant{*at})
	}
	if err != nil {
		return v, err
	}
	keywords, err := reportKeywords(ctx, s.db, r.id)
	if err != nil {
		return v, err
	}
	for _, k := range keywords {
		if keyword != "" && !k.shown().is(keyword) {
			continue
		}
		return s.view(ctx, &c, &r, k.Keyword)
	}
	return v, errs.New(errs.NotFound, "The report has no keyword %.64q.", keyword)
}

func (s *Service) view(ctx context.Context, c *campaign, r *report, k Keyword) (v View, err error) {
	v.Campaign, v.Business = c.name, c.business
	if v.Heatmap, err = s.heatmap(ctx, c, k.ID, r.at, c.business.identity()); err != nil {
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

// Search answers a map search that was made before.
type Search func(keyword string, at Coordinates) []provider.Business

// Record makes a report of an instant out of known results. It costs no credits: it is for demonstrations
// and measurements, which need a history at once.
func (s *Service) Record(ctx context.Context, campaignID string, at time.Time, search Search) error {
	own, err := ownedCampaign(ctx, s.db, campaignID, "")
	if err != nil {
		return err
	}
	set, err := getPointSet(ctx, s.db, own.pointsID)
	if err != nil {
		return err
	}
	keywords, err := keywordsOf(ctx, s.db, own.id)
	if err != nil {
		return err
	}
	points := set.Enabled()
	words := newDictionary(nil)
	words.ordinal(&own.business)
	results := make([][]PointResult, len(keywords))
	for i, k := range keywords {
		results[i] = make([]PointResult, len(points))
		for j, p := range points {
			for _, b := range search(k.Name, p.Coordinates) {
				business := newBusiness(b)
				results[i][j].Ordinals = append(results[i][j].Ordinals, words.ordinal(&business))
			}
		}
	}
	r := report{
		id: id.New(), campaignID: own.id, accountID: own.accountID, at: at.UTC().Truncate(time.Microsecond), startAt: at,
		status: Collecting, pointsID: set.ID, points: len(points), keywords: len(keywords),
	}
	return s.db.Tx(ctx, func(tx *db.Tx) error {
		if err := insertReport(ctx, tx, &r); err != nil {
			return err
		}
		if _, err := copyKeywords(ctx, tx, &r); err != nil {
			return err
		}
		for i, k := range keywords {
			if err := savePoints(ctx, tx, &r, k, results[i]); err != nil {
				return err
			}
		}
		if err := words.save(ctx, tx, r.id); err != nil {
			return err
		}
		return s.close(ctx, tx, &r)
	})
}

// Draft is a campaign that the program makes by itself.
type Draft struct {
	AccountID, Name, PlaceID string
	Keywords                 []string
	Grid                     *Grid
	Frequency                *Frequency
}

// Create makes a campaign as its owner's request would, and returns it.
func (s *Service) Create(ctx context.Context, in Draft) (Campaign, error) {
	var shown Campaign
	acc, err := s.accounts.Find(ctx, in.AccountID)
	if err != nil {
		return shown, err
	}
	found, err := s.find(ctx, in.PlaceID)
	if err != nil {
		return shown, err
	}
	var ps problems
	d := draft{name: in.Name, keywords: ps.checkKeywords(in.Keywords), grid: in.Grid, frequency: in.Frequency}
	if d.grid != nil {
		if ps.checkGrid(*d.grid); len(ps) == 0 {
			d.points = d.grid.points()
		}
	}
	if d.frequency != nil {
		ps = append(ps, d.frequency.Problems("collectingFrequency")...)
	}
	if err := errs.Problems(ps); err != nil {
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
