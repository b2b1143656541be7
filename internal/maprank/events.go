package maprank

import (
	"context"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/event"
	"github.com/trigpoint/trigpoint/internal/id"
	"github.com/trigpoint/trigpoint/internal/maprank/result"
)

// tell writes the event of a change to a campaign.
func (s *Service) tell(ctx context.Context, tx *db.Tx, kind event.Kind, c *campaign) error {
	return event.Emit(ctx, tx, s.clock.Now(), event.Event{AccountID: c.accountID, Kind: kind, Subject: c.id, Data: event.Campaign{CampaignID: id.Dashed(c.id), Name: c.name}})
}

// tellShared writes the events of a campaign that other accounts see, or no longer do when access is empty.
func (s *Service) tellShared(ctx context.Context, tx *db.Tx, c *campaign, access Access, accounts ...string) error {
	told := event.Campaign{CampaignID: id.Dashed(c.id), Name: c.name}
	events := make([]event.Event, len(accounts))
	for i, accountID := range accounts {
		events[i] = event.Event{AccountID: accountID, Kind: event.CampaignUnshared, Subject: c.id, Data: told}
		if access != "" {
			events[i].Kind, events[i].Data = event.CampaignShared, event.SharedCampaign{Campaign: told, Access: string(access)}
		}
	}
	return event.Emit(ctx, tx, s.clock.Now(), events...)
}

// tellReport writes the event of a report of the campaign of this name that has started or ended.
func (s *Service) tellReport(ctx context.Context, tx *db.Tx, kind event.Kind, r *report, name string) error {
	told := event.Report{
		Campaign: event.Campaign{CampaignID: id.Dashed(r.campaignID), Name: name}, ReportDate: Instant{r.at}.String(), Keywords: r.keywords, Points: r.points,
		Credits: r.charged - r.refunded, AveragePosition: r.position, ShareOfVoice: r.share, Reason: r.reason,
	}
	if r.position != nil && r.share != nil {
		told.TopShare = r.topShare
		if err := s.compare(ctx, tx, r, &told); err != nil {
			return err
		}
	}
	return event.Emit(ctx, tx, s.clock.Now(), event.Event{AccountID: r.accountID, Kind: kind, Subject: r.campaignID, Data: told})
}

// compare tells what has changed since the report before, over the keywords that both have: one that was added or has failed moves
// no figure. Reports of different points are not compared.
func (s *Service) compare(ctx context.Context, tx *db.Tx, r *report, told *event.Report) error {
	var beforeID, points string
	_, err := db.One(ctx, tx, func(row db.Scanner) (struct{}, error) { return struct{}{}, row.Scan(&beforeID, &points) },
		"SELECT id, points_id FROM reports WHERE campaign_id = $1 AND status = 'COLLECTED' AND at < $2 ORDER BY at DESC LIMIT 1", r.campaignID, db.Micros(r.at))
	if db.IsNoRow(err) || err == nil && points != r.pointsID {
		return nil
	}
	if err != nil {
		return err
	}
	var nows, thens []result.Tally
	err = db.Each(ctx, tx, func(row db.Scanner) error {
		var n, t result.Tally
		err := row.Scan(&n.Points, &n.Found, &n.Top, &n.RankSum, &n.Reciprocals, &t.Points, &t.Found, &t.Top, &t.RankSum, &t.Reciprocals)
		nows, thens = append(nows, n), append(thens, t)
		return err
	}, `SELECT n.points, n.found, n.top, n.rank_sum, n.reciprocals, t.points, t.found, t.top, t.rank_sum, t.reciprocals
		FROM report_keywords n JOIN report_keywords t ON t.keyword_id = n.keyword_id WHERE n.report_id = $1 AND t.report_id = $2 AND n.status = 'COLLECTED' AND t.status = 'COLLECTED'`, r.id, beforeID)
	if err != nil {
		return err
	}
	m, ok := result.NewProjectMetrics(nows, thens)
	if !ok {
		return nil
	}
	places, top := -m.AveragePositionDiff, result.TopShare(nows)-result.TopShare(thens)
	told.PositionChange, told.ShareChange, told.TopChange = &places, &m.AverageShareOfVoiceDiff, &top
	told.PassedBy, err = s.passedBy(ctx, tx, r, beforeID)
	return err
}
