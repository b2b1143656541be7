package maprank

import (
	"context"
	"time"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/id"
)

// CampaignTrend is how a campaign fared within some time, in short.
type CampaignTrend struct {
	ID, Name, Business string
	Now                *time.Time // of the last report; nil without one
	Position, Share    *float64   // of it; nil where nothing was observed
	FormerPosition     *float64   // when the time began; nil when there is nothing to compare with
	FormerShare        *float64
}

// Trends are those of the campaigns that an account sees, newest first, up to a limit.
func (s *Service) Trends(ctx context.Context, accountID string, from, to time.Time, limit int) ([]CampaignTrend, error) {
	const collected = " FROM reports r WHERE r.campaign_id = c.id AND r.status = 'COLLECTED' AND r.at "
	return db.All(ctx, s.db, func(row db.Scanner) (c CampaignTrend, err error) {
		var now *int64
		err = row.Scan(&c.ID, &c.Name, &c.Business, &now, &c.Position, &c.Share, &c.FormerPosition, &c.FormerShare)
		c.ID, c.Now = id.Dashed(c.ID), db.TimeOrNil(now)
		return c, err
	}, `SELECT c.id, c.name, x.business_name, n.at, n.average_position, n.share_of_voice, t.average_position, t.share_of_voice
		FROM (SELECT campaign_id, business_name, created_at FROM campaign_access WHERE account_id = $1 ORDER BY created_at DESC, campaign_id DESC LIMIT $4) x
		JOIN campaigns c ON c.id = x.campaign_id
		LEFT JOIN reports n ON n.campaign_id = c.id AND n.at = (SELECT max(r.at)`+collected+`< $3)
		LEFT JOIN reports t ON t.campaign_id = c.id AND t.at < n.at AND t.at = coalesce((SELECT max(r.at)`+collected+`< $2), (SELECT min(r.at)`+collected+`>= $2))
		ORDER BY x.created_at DESC, c.id DESC`, accountID, db.Micros(from), db.Micros(to), limit)
}

// NewestReport is when a campaign that an account sees was last collected, or all of them where campaignID is empty; zero before the first.
func (s *Service) NewestReport(ctx context.Context, accountID, campaignID string) (time.Time, error) {
	p := db.Params{Args: []any{accountID}}
	where := "account_id = $1"
	if campaignID != "" {
		stored, _ := id.Parse(campaignID)
		where += " AND campaign_id = " + p.Add(stored)
	}
	at, err := db.One(ctx, s.db, db.Value[int64], "SELECT coalesce(max(last_report_at), 0) FROM campaign_access WHERE "+where, p.Args...)
	return db.Time(at), err
}
