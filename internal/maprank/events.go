package maprank

import (
	"context"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/event"
	"github.com/trigpoint/trigpoint/internal/id"
)

// tell writes the event of a change to a campaign.
func (s *Service) tell(ctx context.Context, tx *db.Tx, kind event.Kind, c *campaign) error {
	return event.Emit(ctx, tx, s.clock.Now(), event.Event{AccountID: c.accountID, Kind: kind, Subject: c.id, Data: event.Campaign{CampaignID: id.Dashed(c.id), Name: c.name}})
}

// tellReport writes the event of a report of the campaign of this name that has started or ended.
func (s *Service) tellReport(ctx context.Context, tx *db.Tx, kind event.Kind, r *report, name string) error {
	told := event.Report{
		Campaign: event.Campaign{CampaignID: id.Dashed(r.campaignID), Name: name}, ReportDate: Instant{r.at}.String(), Keywords: r.keywords, Points: r.points,
		Credits: r.charged - r.refunded, AveragePosition: r.position, ShareOfVoice: r.share, Reason: r.reason,
	}
	if r.position != nil && r.share != nil {
		position, share, err := figuresBefore(ctx, tx, r)
		if err != nil {
			return err
		}
		if position != nil && share != nil {
			climbed, won := *position-*r.position, *r.share-*share
			told.PositionChange, told.ShareChange = &climbed, &won
		}
	}
	return event.Emit(ctx, tx, s.clock.Now(), event.Event{AccountID: r.accountID, Kind: kind, Subject: r.campaignID, Data: told})
}

// figuresBefore are average position and share of voice in the report before one; nil without any.
func figuresBefore(ctx context.Context, tx *db.Tx, r *report) (position, share *float64, err error) {
	_, err = db.One(ctx, tx, func(row db.Scanner) (struct{}, error) { return struct{}{}, row.Scan(&position, &share) },
		"SELECT average_position, share_of_voice FROM reports WHERE campaign_id = $1 AND status = 'COLLECTED' AND at < $2 ORDER BY at DESC LIMIT 1", r.campaignID, db.Micros(r.at))
	if db.IsNoRow(err) {
		err = nil
	}
	return position, share, err
}
