package maprank

import (
	"context"
	"fmt"
	"math"
	"strings"

	"github.com/trigpoint/trigpoint/internal/account"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/event"
	"github.com/trigpoint/trigpoint/internal/id"
	"github.com/trigpoint/trigpoint/internal/maprank/result"
)

// finishSlice takes a slice off the list with its last points. The report is locked.
func (s *Service) finishSlice(ctx context.Context, tx *db.Tx, r *report, sl *slice, last []result.Arrival) error {
	if _, err := tx.Exec(ctx, "DELETE FROM report_slices WHERE report_id = $1 AND keyword_id = $2 AND first = $3", sl.ReportID, sl.KeywordID, sl.First); err != nil {
		return err
	}
	left, err := db.One(ctx, tx, db.Value[int], "SELECT count(*) FROM report_slices WHERE report_id = $1 AND keyword_id = $2", sl.ReportID, sl.KeywordID)
	if err != nil {
		return err
	}
	if left > 0 {
		return insertBatch(ctx, tx, sl.sliceArgs, id.New(), last)
	}
	if err := s.compact(ctx, tx, r, Keyword{ID: sl.KeywordID}, last); err != nil {
		return err
	}
	if left, err = db.One(ctx, tx, db.Value[int], "SELECT count(*) FROM (SELECT 1 FROM report_slices WHERE report_id = $1 LIMIT 1) x", sl.ReportID); err != nil {
		return err
	}
	if left > 0 {
		return nil
	}
	return s.finish(ctx, tx, r)
}

// abandon ends a report that cannot be collected further: what has arrived is kept, the rest has failed.
func (s *Service) abandon(ctx context.Context, tx *db.Tx, r *report) error {
	if _, err := tx.Exec(ctx, "DELETE FROM report_slices WHERE report_id = $1", r.id); err != nil {
		return err
	}
	keywords, err := reportKeywords(ctx, tx, r.id)
	if err != nil {
		return err
	}
	for _, k := range keywords {
		if k.status == Created || k.status == Collecting {
			if err := s.compact(ctx, tx, r, k.Keyword, nil); err != nil {
				return err
			}
		}
	}
	return s.finish(ctx, tx, r)
}

// compact packs all that has arrived for a keyword into its blob: what was stored, and the last points,
// which need not be. Points that have not arrived have failed.
func (s *Service) compact(ctx context.Context, tx *db.Tx, r *report, k Keyword, last []result.Arrival) error {
	batches, err := batchesOf(ctx, tx, r.id, k.ID)
	if err != nil {
		return err
	}
	if len(last) > 0 {
		batches = append(batches, result.NewBatch(last))
	}
	if len(batches) == 0 {
		return saveReportKeyword(ctx, tx, r.id, reportKeyword{Keyword: k, status: Failed, failed: r.points}, nil)
	}
	dictionary, err := s.openDictionary(ctx, tx, r)
	if err != nil {
		return err
	}
	points := make([]result.AtPoint, r.points)
	for i := range points {
		points[i].Failed = true
	}
	for _, b := range batches {
		b.Place(points, dictionary)
	}
	if err := savePoints(ctx, tx, r, k, points); err != nil {
		return err
	}
	if err := saveDictionary(ctx, tx, r.id, dictionary); err != nil {
		return err
	}
	_, err = tx.Exec(ctx, "DELETE FROM report_batches WHERE report_id = $1 AND keyword_id = $2", r.id, k.ID)
	return err
}

// openDictionary loads a report's dictionary; an empty one begins with the campaign's own business.
func (s *Service) openDictionary(ctx context.Context, tx *db.Tx, r *report) (*result.Dictionary, error) {
	parts, err := dictionaryKeys(ctx, tx, r.id)
	if err != nil {
		return nil, err
	}
	dictionary := result.NewDictionary(parts)
	if len(parts) > 0 {
		return dictionary, nil
	}
	c, err := ownedCampaign(ctx, tx, r.campaignID, "")
	if err != nil {
		return nil, err
	}
	dictionary.Ordinal(&c.business)
	return dictionary, nil
}

// saveDictionary stores the businesses that a report's dictionary has gained.
func saveDictionary(ctx context.Context, tx *db.Tx, reportID string, d *result.Dictionary) error {
	gained, err := d.Gained()
	if err != nil || gained == nil {
		return err
	}
	return insertPart(ctx, tx, reportID, gained)
}

// savePoints stores the results of a keyword and what they say of the campaign's own business.
func savePoints(ctx context.Context, tx *db.Tx, r *report, k Keyword, points []result.AtPoint) error {
	blob, err := result.Encode(points)
	if err != nil {
		return err
	}
	stored, err := result.Open(blob)
	if err != nil {
		return err
	}
	done := reportKeyword{Keyword: k, status: Collected, failed: stored.FailedPoints(), tally: stored.Tally(result.OwnOrdinal)}
	if done.tally.Points == 0 {
		done.status, blob = Failed, nil
	}
	return saveReportKeyword(ctx, tx, r.id, done, blob)
}

// finish closes a report that was collected, and tells of it.
func (s *Service) finish(ctx context.Context, tx *db.Tx, r *report) error {
	if err := s.close(ctx, tx, r); err != nil {
		return err
	}
	kind := event.ReportCollected
	if r.status == Failed {
		kind = event.ReportFailed
	}
	name, err := db.One(ctx, tx, db.Value[string], "SELECT name FROM campaigns WHERE id = $1", r.campaignID)
	if err != nil {
		return err
	}
	return s.tellReport(ctx, tx, kind, r, name)
}

// close ends a report: it gives back what failed and shows the outcome on the campaign.
func (s *Service) close(ctx context.Context, tx *db.Tx, r *report) error {
	keywords, err := reportKeywords(ctx, tx, r.id)
	if err != nil {
		return err
	}
	failed := 0
	r.status = Failed
	tallies := make([]result.Tally, len(keywords))
	for i, k := range keywords {
		tallies[i] = k.tally
		failed += k.failed
		if k.status == Collected {
			r.status = Collected
		}
	}
	if failed > 0 {
		cause := r.reason
		if r.reason = fmt.Sprintf("%d of %d searches failed and were not charged.", failed, r.points*r.keywords); cause != "" {
			r.reason += " " + cause
		}
		if r.charged > 0 {
			r.refunded = min(int64(failed), r.charged)
			if _, err := s.accounts.Give(ctx, tx, r.accountID, account.Credits, r.month, r.refunded); err != nil {
				return err
			}
		}
	}
	if r.reason != "" {
		tx.AfterCommit(func() {
			s.log.Warn("a collection has failed points", "campaign", r.campaignID, "report", r.id, "status", string(r.status), "reason", r.reason)
		})
	}
	if m, ok := result.NewProjectMetrics(tallies, nil); ok {
		top := result.TopShare(tallies)
		r.position, r.share, r.topShare = &m.AveragePosition, &m.AverageShareOfVoice, &top
	}
	tx.AfterCommit(func() { s.reports.WithLabelValues(strings.ToLower(string(r.status))).Inc() })
	now := stamp(s.clock.Now())
	if err := replaceReport(ctx, tx, r, &now); err != nil {
		return err
	}
	if err := setCampaignStatus(ctx, tx, r.campaignID, r.status, now, r.reason); err != nil {
		return err
	}
	return refreshMetrics(ctx, tx, r.campaignID)
}

// refreshMetrics sets the campaign's own figures from its last two collected reports.
func refreshMetrics(ctx context.Context, tx *db.Tx, campaignID string) error {
	reports, err := db.All(ctx, tx, scanReport, "SELECT "+reportColumns+" FROM reports WHERE campaign_id = $1 AND status = 'COLLECTED' ORDER BY at DESC LIMIT 2", campaignID)
	if err != nil || len(reports) == 0 {
		return err
	}
	var tallies [2][]result.Tally
	for i, r := range reports {
		keywords, err := reportKeywords(ctx, tx, r.id)
		if err != nil {
			return err
		}
		for _, k := range keywords {
			tallies[i] = append(tallies[i], k.tally)
		}
	}
	metrics := "{}"
	m, ok := result.NewProjectMetrics(tallies[0], tallies[1])
	if ok {
		if metrics, err = jsonText(m); err != nil {
			return err
		}
	}
	last := db.Micros(reports[0].at)
	if _, err = tx.Exec(ctx, "UPDATE campaigns SET metrics = $2, last_report_at = $3 WHERE id = $1", campaignID, metrics, last); err != nil {
		return err
	}
	return noteMoved(ctx, tx, campaignID, last, math.Abs(m.AveragePositionDiff))
}
