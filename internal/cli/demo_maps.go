package cli

import (
	"context"
	"fmt"
	"net/url"
	"runtime"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/trigpoint/trigpoint/internal/app"
	"github.com/trigpoint/trigpoint/internal/geo"
	"github.com/trigpoint/trigpoint/internal/maprank"
	"github.com/trigpoint/trigpoint/internal/maprank/grid"
	"github.com/trigpoint/trigpoint/internal/maprank/schedule"
	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/provider/placeindex"
)

// The demo market and its history.
const (
	demoSeed   = 2026
	demoPlaces = 1_500
	demoWeeks  = 52
)

// demoCampaigns are tracked in the demo: a business that ranks somewhere for the first keyword.
var demoCampaigns = []struct {
	template string
	km       float64
	rank     int // of the business that is tracked, in the middle of the market
	keywords []string
}{
	{"7x7", 3, 3, []string{"pizza", "pizza delivery", "italian restaurant"}},
	{"5x5", 2, 1, []string{"coffee shop", "breakfast"}},
	{"5x5", 4, 6, []string{"dentist", "dental clinic"}},
}

// demoMaps makes an invented market and three campaigns with a year of weekly reports, once, and returns
// the path of a heatmap to try.
func demoMaps(ctx context.Context, a *app.App, accountID string) (heatmap string, err error) {
	known, err := a.MapRank.Campaigns(ctx, accountID, len(demoCampaigns))
	if err != nil {
		return "", err
	}
	if len(known) == 0 {
		if err := makeDemoMaps(ctx, a, accountID); err != nil {
			return "", err
		}
		if known, err = a.MapRank.Campaigns(ctx, accountID, len(demoCampaigns)); err != nil {
			return "", err
		}
	}
	first := known[len(known)-1] // the list is newest first
	view, err := a.MapRank.View(ctx, first.ID, "", "")
	if err != nil {
		return "", err
	}
	q := url.Values{"keywordId": {view.Keyword.ID}, "reportDate": {view.Date.String()}, "cid": {view.Business.CID}}
	return fmt.Sprintf("%s/campaigns/%s/heatmap?%s", maprank.Prefix, first.ID, q.Encode()), nil
}

func makeDemoMaps(ctx context.Context, a *app.App, accountID string) error {
	market := placeindex.NewMarket(demoSeed, demoPlaces)
	if err := a.Places.Save(ctx, market.Drift(demoWeeks-1)); err != nil {
		return err
	}
	index, err := a.Places.Index(ctx)
	if err != nil {
		return err
	}
	var campaigns []maprank.Campaign
	for i, c := range demoCampaigns {
		frequency := schedule.Frequency{Frequency: schedule.Weekly, Interval: 1, Positions: []int{1}, Time: "06:00", Enable: i == 0}
		hits := index.Search(c.keywords[0], placeindex.MarketCenter(), c.rank)
		if len(hits) == 0 {
			return fmt.Errorf("the demo market has no %s", c.keywords[0])
		}
		tracked := hits[len(hits)-1].Place
		made, err := a.MapRank.Create(ctx, maprank.Draft{
			AccountID: accountID, Name: tracked.Name + " (demo)", PlaceID: tracked.ID, Keywords: c.keywords, Frequency: &frequency,
			Grid: &grid.Grid{Template: c.template, Unit: grid.Kilometres, Distance: c.km, BasePoint: grid.Coordinates(tracked.At())},
		})
		if err != nil {
			return err
		}
		campaigns = append(campaigns, made)
	}
	return recordYear(ctx, a, market, campaigns)
}

// recordYear makes the weekly reports, each over the market as it was in its week.
func recordYear(ctx context.Context, a *app.App, market *placeindex.Market, campaigns []maprank.Campaign) error {
	last := a.Clock.Now().Truncate(time.Hour)
	weeks, ctx := errgroup.WithContext(ctx)
	weeks.SetLimit(runtime.GOMAXPROCS(0))
	empty := placeindex.New(app.Categories{})
	for week := range demoWeeks {
		weeks.Go(func() error {
			index := empty.Empty()
			if err := index.Put(market.Drift(week)...); err != nil {
				return err
			}
			maps := placeindex.NewProvider(index)
			at := last.AddDate(0, 0, -7*(demoWeeks-1-week))
			for _, c := range campaigns {
				err := a.MapRank.ImportReport(ctx, c.ID, at, func(keyword string, at grid.Coordinates) []provider.Business {
					found, err := maps.SearchMap(ctx, provider.MapQuery{Keyword: keyword, At: provider.Point(geo.Point(at))})
					if err != nil {
						return nil
					}
					return slices.Clip(found)
				})
				if err != nil {
					return err
				}
			}
			return nil
		})
	}
	return weeks.Wait()
}
