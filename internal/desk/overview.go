package desk

import (
	"context"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/trigpoint/trigpoint/internal/local"
	"github.com/trigpoint/trigpoint/internal/maprank"
	"github.com/trigpoint/trigpoint/internal/rankwatch"
)

// Overview is what has changed in every area within a week.
type Overview struct {
	Since     time.Time       `json:"since"`
	Credits   MonthlyUse      `json:"credits"`
	Lookups   MonthlyUse      `json:"lookups"`
	Campaigns maprank.Changes `json:"campaigns"`
	Trackings Trackings       `json:"trackings"`
	Locations local.Attention `json:"locations"`
}

// Trackings is what is new about an account's trackings.
type Trackings struct {
	Total int64 `json:"total"`
	rankwatch.Movements
}

const week = 7 * 24 * time.Hour

// overview asks all areas side by side. The number of statements is the same however much an account holds.
func (d *Desk) overview(ctx context.Context, accountID string) (Overview, error) {
	o := Overview{Since: d.Clock.Now().UTC().Add(-week).Truncate(time.Second)}
	areas, ctx := errgroup.WithContext(ctx)
	areas.Go(func() error {
		u, err := d.usage(ctx, accountID)
		o.Credits, o.Lookups, o.Trackings.Total = u.Credits, u.Lookups, u.Used.Trackings
		return err
	})
	areas.Go(func() (err error) {
		o.Campaigns, err = d.MapRank.Changes(ctx, accountID, o.Since)
		return err
	})
	areas.Go(func() (err error) {
		o.Trackings.Movements, err = d.RankWatch.Movements(ctx, accountID)
		return err
	})
	areas.Go(func() (err error) {
		o.Locations, err = d.Local.Attention(ctx, accountID)
		return err
	})
	return o, areas.Wait()
}
