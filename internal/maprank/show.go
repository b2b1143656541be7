package maprank

import (
	"context"
	"time"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/id"
)

// show makes the API's form of a campaign.
func (c *campaign) show(keywords []Keyword, set PointSet, dates []Instant) Campaign {
	shown := Campaign{
		ID: id.Dashed(c.id), UserID: id.Dashed(c.accountID), Name: c.name,
		Status: c.status, StatusUpdatedAt: Instant{c.statusAt}, StatusDetail: c.statusDetail, CreatedAt: Instant{c.createdAt},
		CountryCode:   c.country,
		SharingStatus: Sharing{AccessType: c.access, OwnerEmail: c.ownerEmail, SharesCount: c.shares},
		Keywords:      make([]Keyword, len(keywords)), GridSettings: c.grid, Points: set.Points,
		LastReportDate: instantOrNil(c.last), NextReportDate: instantOrNil(c.next), MarkedForRemovalAt: instantOrNil(c.removeAt),
		ReportDates: dates, Business: c.business, ProjectMetrics: c.metrics,
	}
	if shown.ReportDates == nil {
		shown.ReportDates = []Instant{}
	}
	for i, k := range keywords {
		shown.Keywords[i] = k.shown()
	}
	if f := c.frequency; f != nil {
		shown.CollectingFrequency = &ShownFrequency{f.Frequency, f.Positions, f.Enable}
	}
	return shown
}

func (c *campaign) item() CampaignItem {
	return CampaignItem{
		ID: id.Dashed(c.id), UserID: id.Dashed(c.accountID), KeywordsNumber: c.keywordsNumber, PointsNumber: c.pointsNumber,
		GridSettings: c.grid, CountryCode: c.country, Business: c.business, ProjectMetrics: c.metrics, Name: c.name,
		LastReportDate: instantOrNil(c.last), NextReportDate: instantOrNil(c.next), MarkedForRemovalAt: instantOrNil(c.removeAt),
		Status: c.status, CreatedAt: Instant{c.createdAt},
	}
}

func instantOrNil(t *time.Time) *Instant {
	if t == nil {
		return nil
	}
	return &Instant{*t}
}

// read loads what a shown campaign has beside its own row.
func read(ctx context.Context, q db.Queryer, c *campaign) (Campaign, error) {
	keywords, err := keywordsOf(ctx, q, c.id)
	if err != nil {
		return Campaign{}, err
	}
	set, err := getPointSet(ctx, q, c.pointsID)
	if err != nil {
		return Campaign{}, err
	}
	dates, err := reportDates(ctx, q, c.id)
	return c.show(keywords, set, dates), err
}
