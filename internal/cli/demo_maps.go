package cli

import (
	"context"
	"fmt"
	"net/url"
	"runtime"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/trigpoint/trigpoint/internal/account"
	"github.com/trigpoint/trigpoint/internal/app"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/geo"
	"github.com/trigpoint/trigpoint/internal/maprank"
	"github.com/trigpoint/trigpoint/internal/maprank/grid"
	"github.com/trigpoint/trigpoint/internal/maprank/schedule"
	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/provider/placeindex"
)

// The demo market and its history.
const (
	demoSeed     = 2026
	demoTownSize = 1_500
	demoWeeks    = 52
)

// demoCampaign is tracked in the demo: a shop of the story, or the business that has a rank for the first
// keyword in the middle of the market.
type demoCampaign struct {
	name     string
	template string
	km       float64
	weeks    int
	shop     *demoShop
	rank     int
	keywords []string
}

var demoCampaigns = []demoCampaign{
	{name: "Benchmark Deli", template: "9x9", km: 2.4, weeks: demoWeeks, shop: &demoDelis[0], keywords: []string{"deli", "sandwiches", "coffee", "lunch"}},
	{name: "Benchmark Deli Oakhurst", template: "5x5", km: 1.5, weeks: 26, shop: &demoDelis[1], keywords: []string{"deli", "sandwiches"}},
	{template: "7x7", km: 3, weeks: demoWeeks, rank: 3, keywords: []string{"pizza", "pizza delivery", "restaurant"}},
	{template: "5x5", km: 4, weeks: 26, rank: 6, keywords: []string{"dentist", "dental clinic"}},
	{name: "Benchmark Deli, the whole county", template: "21x21", km: 10, weeks: 12, shop: &demoDelis[0], keywords: []string{"deli", "lunch catering"}},
}

// demoMaps makes an invented market and campaigns with weekly reports of up to a year, once, and returns the path
// of a heatmap to try.
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
	first := known[0] // the list is newest first
	view, err := a.MapRank.View(ctx, first.ID, "", "")
	if err != nil {
		return "", err
	}
	q := url.Values{"keywordId": {view.Keyword.ID}, "reportDate": {view.Date.String()}, "cid": {view.Business.CID}}
	return fmt.Sprintf("%s/campaigns/%s/heatmap?%s", maprank.Prefix, first.ID, q.Encode()), nil
}

func makeDemoMaps(ctx context.Context, a *app.App, accountID string) error {
	market := placeindex.NewMarket(demoSeed, demoTownSize)
	if err := a.Places.Save(ctx, demoPlaces(market, demoWeeks-1)); err != nil {
		return err
	}
	index, err := a.Places.Index(ctx)
	if err != nil {
		return err
	}
	made := make([]maprank.Campaign, len(demoCampaigns))
	for i, c := range slices.Backward(demoCampaigns) { // lists show the newest first
		if made[i], err = c.make(ctx, a, accountID, index); err != nil {
			return err
		}
	}
	if err := recordWeeks(ctx, a, market, made); err != nil {
		return err
	}
	return chargeMonth(ctx, a, accountID)
}

func (c demoCampaign) make(ctx context.Context, a *app.App, accountID string, index *placeindex.Index) (maprank.Campaign, error) {
	var tracked placeindex.Place
	if c.shop != nil {
		tracked = c.shop.in(demoWeeks - 1)
	} else {
		hits := index.Search(c.keywords[0], placeindex.MarketCenter(), c.rank)
		if len(hits) == 0 {
			return maprank.Campaign{}, fmt.Errorf("the demo market has no %s", c.keywords[0])
		}
		tracked = hits[len(hits)-1].Place
	}
	return a.MapRank.Create(ctx, maprank.Draft{
		AccountID: accountID, Name: c.name, PlaceID: tracked.ID, Keywords: c.keywords,
		Frequency: &schedule.Frequency{Frequency: schedule.Weekly, Interval: 1, Positions: []int{1}, Time: "06:00", Enable: c.weeks == demoWeeks},
		Grid:      &grid.Grid{Template: c.template, Unit: grid.Kilometres, Distance: c.km, BasePoint: grid.Coordinates(tracked.At())},
	})
}

// demoReportAt is when the report of a week was made.
func demoReportAt(a *app.App, week int) time.Time {
	return a.Clock.Now().Truncate(time.Hour).AddDate(0, 0, -7*(demoWeeks-1-week))
}

// recordWeeks makes the weekly reports, each over the market as it was in its week.
func recordWeeks(ctx context.Context, a *app.App, market *placeindex.Market, campaigns []maprank.Campaign) error {
	weeks, ctx := errgroup.WithContext(ctx)
	weeks.SetLimit(runtime.GOMAXPROCS(0))
	empty := placeindex.New(app.Categories{})
	for week := range demoWeeks {
		weeks.Go(func() error {
			index := empty.Empty()
			if err := index.Put(demoPlaces(market, week)...); err != nil {
				return err
			}
			maps := placeindex.NewProvider(index)
			for i, c := range campaigns {
				if week < demoWeeks-demoCampaigns[i].weeks {
					continue
				}
				err := a.MapRank.ImportReport(ctx, c.ID, demoReportAt(a, week), func(keyword string, at grid.Coordinates) []provider.Business {
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

// chargeMonth takes the credits that this month's reports would have cost, so that the account looks used.
func chargeMonth(ctx context.Context, a *app.App, accountID string) error {
	var spent int64
	for week := range demoWeeks {
		if account.Month(demoReportAt(a, week)) != account.Month(a.Clock.Now()) {
			continue
		}
		for _, c := range demoCampaigns {
			if week >= demoWeeks-c.weeks {
				g := grid.Grid{Template: c.template, Unit: grid.Kilometres, Distance: c.km}
				spent += int64(len(g.Points()) * len(c.keywords))
			}
		}
	}
	return a.DB.Tx(ctx, func(tx *db.Tx) error {
		_, err := a.Accounts.Take(ctx, tx, accountID, account.Credits, spent)
		return err
	})
}
