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
	found, err := s.find(ctx, acc.ID, in.PlaceID)
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
