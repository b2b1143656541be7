package maprank

import (
	"context"
	"time"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/id"
	"github.com/trigpoint/trigpoint/internal/maprank/grid"
	"github.com/trigpoint/trigpoint/internal/maprank/result"
	"github.com/trigpoint/trigpoint/internal/provider"
)

// Search answers a map search that was made before.
type Search func(keyword string, at grid.Coordinates) []provider.Business

// ImportReport makes a report of an instant out of known results. It costs no credits: it is for demonstrations
// and measurements, which need a history at once.
func (s *Service) ImportReport(ctx context.Context, campaignID string, at time.Time, search Search) error {
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
	dictionary := result.NewDictionary(nil)
	dictionary.Ordinal(&own.business)
	results := make([][]result.AtPoint, len(keywords))
	for i, k := range keywords {
		results[i] = make([]result.AtPoint, len(points))
		for j, p := range points {
			for _, b := range search(k.Name, p.Coordinates) {
				business := newBusiness(b)
				results[i][j].Ordinals = append(results[i][j].Ordinals, dictionary.Ordinal(&business))
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
		if _, err := copyKeywords(ctx, tx, &r, ""); err != nil {
			return err
		}
		for i, k := range keywords {
			if err := savePoints(ctx, tx, &r, k, results[i]); err != nil {
				return err
			}
		}
		if err := saveDictionary(ctx, tx, r.id, dictionary); err != nil {
			return err
		}
		return s.close(ctx, tx, &r)
	})
}
