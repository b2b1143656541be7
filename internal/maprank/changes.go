package maprank

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/id"
)

// Changes is what is new about the campaigns that an account sees.
type Changes struct {
	Total      int64             `json:"total"`
	Items      []ChangedCampaign `json:"items" nullable:"false"`
	Winners    []MovedCampaign   `json:"winners" nullable:"false"`
	Losers     []MovedCampaign   `json:"losers" nullable:"false"`
	Collecting int64             `json:"collecting"`
}

// MovedCampaign is a campaign with its average position and how far it moved since a time. Positive differences are better.
type MovedCampaign struct {
	ID           string   `json:"id"`
	Name         string   `json:"name"`
	Business     string   `json:"business"`
	Position     *float64 `json:"averagePosition"`
	PositionDiff *float64 `json:"averagePositionDiff"`
}

// ChangedCampaign is a campaign with all that has changed since a time.
type ChangedCampaign struct {
	MovedCampaign
	Share          *float64  `json:"averageShareOfVoice"`
	ShareDiff      *float64  `json:"averageShareOfVoiceDiff"`
	LastReportDate *Instant  `json:"lastReportDate,omitempty"`
	Trend          []float64 `json:"trend" nullable:"false"`
}

const (
	changesShown   = 8
	moversShown    = 5
	changesWeighed = 32 // whose last report moved them most: only of these is it reckoned what stood before
	trendReports   = 12
)

// Changes finds the campaigns that changed most since a time, then the newest; and which of them won and lost most.
func (s *Service) Changes(ctx context.Context, accountID string, since time.Time) (Changes, error) {
	found := Changes{Items: []ChangedCampaign{}, Winners: []MovedCampaign{}, Losers: []MovedCampaign{}}
	_, err := db.One(ctx, s.db, func(row db.Scanner) (struct{}, error) { return struct{}{}, row.Scan(&found.Total, &found.Collecting) },
		`SELECT coalesce((SELECT seen FROM campaign_counts WHERE account_id = $1), 0),
			(SELECT count(*) FROM reports WHERE account_id = $1 AND status = 'COLLECTING')`, accountID)
	if err != nil {
		return found, err
	}
	all, err := changedCampaigns(ctx, s.db, accountID, since)
	if err != nil {
		return found, err
	}
	slices.SortStableFunc(all, func(a, b ChangedCampaign) int { return cmp.Compare(math.Abs(b.won()), math.Abs(a.won())) })
	found.Items = append(found.Items, all[:min(len(all), changesShown)]...)
	for _, c := range all {
		switch way := cmp.Compare(c.won(), 0); {
		case way > 0 && len(found.Winners) < moversShown:
			found.Winners = append(found.Winners, c.MovedCampaign)
		case way < 0 && len(found.Losers) < moversShown:
			found.Losers = append(found.Losers, c.MovedCampaign)
		}
	}
	return found, addTrends(ctx, s.db, found.Items)
}

// won is how many places the campaign climbed; less than 0 when it fell.
func (c *MovedCampaign) won() float64 {
	if c.PositionDiff == nil {
		return 0
	}
	return *c.PositionDiff
}

// changedCampaigns are those reported since a time that moved most with their last report, and the newest, newest first. CROSS JOIN
// makes SQLite begin with the few that are picked; it would begin with all that the account sees.
func changedCampaigns(ctx context.Context, q db.Queryer, accountID string, since time.Time) ([]ChangedCampaign, error) {
	all, err := db.All(ctx, q, func(row db.Scanner) (c ChangedCampaign, err error) {
		var last *int64
		var formerPosition, formerShare *float64
		err = row.Scan(&c.ID, &c.Name, &c.Business, &last, &c.Position, &c.Share, &formerPosition, &formerShare)
		c.ID, c.LastReportDate, c.Trend = id.Dashed(c.ID), instantOrNil(db.TimeOrNil(last)), []float64{}
		c.PositionDiff, c.ShareDiff = difference(formerPosition, c.Position), difference(c.Share, formerShare)
		return c, err
	}, `SELECT c.id, c.name, x.business_name, c.last_report_at, l.average_position, l.share_of_voice, w.average_position, w.share_of_voice
		FROM (SELECT campaign_id FROM (SELECT campaign_id FROM campaign_access WHERE account_id = $1 AND last_report_at >= $2 ORDER BY moved DESC, campaign_id DESC LIMIT $3) changed
			UNION SELECT campaign_id FROM (SELECT campaign_id FROM campaign_access WHERE account_id = $1 ORDER BY created_at DESC, campaign_id DESC LIMIT $4) newest) picked
		CROSS JOIN campaign_access x CROSS JOIN campaigns c
		LEFT JOIN reports l ON l.campaign_id = c.id AND l.at = c.last_report_at
		LEFT JOIN reports w ON w.campaign_id = c.id AND w.at = (SELECT max(r.at) FROM reports r WHERE r.campaign_id = c.id AND r.status = 'COLLECTED' AND r.at <= $2)
		WHERE x.account_id = $1 AND x.campaign_id = picked.campaign_id AND c.id = picked.campaign_id
		ORDER BY x.created_at DESC, c.id DESC`, accountID, db.Micros(since), changesWeighed, changesShown)
	return all, err
}

// difference is nil where there is nothing to compare.
func difference(a, b *float64) *float64 {
	if a == nil || b == nil {
		return nil
	}
	d := *a - *b
	return &d
}

// addTrends adds the average positions of the last reports, oldest first.
func addTrends(ctx context.Context, q db.Queryer, campaigns []ChangedCampaign) error {
	if len(campaigns) == 0 {
		return nil
	}
	var p db.Params
	parts := make([]string, changesShown) // one text for any number of campaigns: what is missing repeats the last
	byID := map[string]*ChangedCampaign{}
	for i := range parts {
		c := &campaigns[min(i, len(campaigns)-1)]
		stored, _ := id.Parse(c.ID)
		byID[stored] = c
		parts[i] = "SELECT * FROM (SELECT campaign_id, at, average_position FROM reports WHERE campaign_id = " + p.Add(stored) +
			" AND status = 'COLLECTED' AND average_position IS NOT NULL ORDER BY at DESC LIMIT " + p.Add(trendReports) + ") t"
	}
	return db.Each(ctx, q, func(row db.Scanner) error {
		var campaignID string
		var at int64
		var position float64
		err := row.Scan(&campaignID, &at, &position)
		c := byID[campaignID]
		c.Trend = append(c.Trend, position)
		return err
	}, strings.Join(parts, " UNION ")+" ORDER BY at", p.Args...)
}
