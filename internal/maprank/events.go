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
		told.TopShare = r.topShare
		before, err := figuresBefore(ctx, tx, r)
		if err != nil {
			return err
		}
		told.PositionChange, told.ShareChange, told.TopChange = gained(r.position, before.position), gained(before.share, r.share), gained(before.topShare, r.topShare)
		if told.PassedBy, err = s.passedBy(ctx, tx, r, before.reportID); err != nil {
			return err
		}
	}
	return event.Emit(ctx, tx, s.clock.Now(), event.Event{AccountID: r.accountID, Kind: kind, Subject: r.campaignID, Data: told})
}

// gained is by how much a figure is above another; nil where one of them is unknown.
func gained(from, to *float64) *float64 {
	if from == nil || to == nil {
		return nil
	}
	change := *to - *from
	return &change
}

// figures are those of the campaign's own business in a report; nil where they are unknown.
type figures struct {
	reportID                  string
	position, share, topShare *float64
}

// figuresBefore are those in the report before one.
func figuresBefore(ctx context.Context, tx *db.Tx, r *report) (figures, error) {
	before, err := db.One(ctx, tx, func(row db.Scanner) (f figures, err error) {
		err = row.Scan(&f.reportID, &f.position, &f.share, &f.topShare)
		return f, err
	}, `SELECT r.id, r.average_position, r.share_of_voice, (SELECT CAST(sum(k.top) * 100.0 / nullif(sum(k.points), 0) AS DOUBLE PRECISION) FROM report_keywords k WHERE k.report_id = r.id)
		FROM reports r WHERE r.campaign_id = $1 AND r.status = 'COLLECTED' AND r.at < $2 ORDER BY r.at DESC LIMIT 1`, r.campaignID, db.Micros(r.at))
	if db.IsNoRow(err) {
		err = nil
	}
	return before, err
}
