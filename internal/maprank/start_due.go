package maprank

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/trigpoint/trigpoint/internal/account"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/errs"
	"github.com/trigpoint/trigpoint/internal/event"
	"github.com/trigpoint/trigpoint/internal/id"
)

const (
	dueBatch = 50
	// onTime is how late a run may start and still be called after the time it was due; beyond that it is
	// a catch-up, and its report carries the time it really is of.
	onTime = time.Hour
)

// startDue starts what schedules and orders for later call for. The transaction is the claim: it looks
// again under the campaign's lock, so two processes never start the same run.
func (s *Service) startDue(ctx context.Context) (more bool, err error) {
	now := db.Micros(s.clock.Now())
	due, err := db.All(ctx, s.db, db.Value[string], `SELECT id FROM campaigns WHERE next_report_at <= $1 AND status <> 'COLLECTING'
		ORDER BY next_report_at LIMIT $2`, now, dueBatch)
	if err != nil {
		return false, err
	}
	ordered, err := db.All(ctx, s.db, db.Value[string], `SELECT id FROM reports r WHERE status = 'SCHEDULED' AND start_at <= $1
		AND NOT EXISTS (SELECT 1 FROM reports o WHERE o.campaign_id = r.campaign_id AND o.status = 'COLLECTING')
		ORDER BY start_at LIMIT $2`, now, dueBatch)
	if err != nil {
		return false, err
	}
	var faults []error
	run := func(what, id string, start func(context.Context, *db.Tx, string) error) {
		err := s.db.Tx(ctx, func(tx *db.Tx) error { return start(ctx, tx, id) })
		if err != nil {
			faults = append(faults, fmt.Errorf("%s %s: %w", what, id, err))
		}
	}
	for _, reportID := range ordered {
		run("report", reportID, s.startOrdered)
	}
	for _, campaignID := range due {
		run("campaign", campaignID, s.startScheduled)
	}
	return len(faults) == 0 && (len(due) == dueBatch || len(ordered) == dueBatch), errors.Join(faults...)
}

// startScheduled makes the run that a campaign's schedule is due for, once however many were missed.
func (s *Service) startScheduled(ctx context.Context, tx *db.Tx, campaignID string) error {
	c, err := ownedCampaign(ctx, tx, campaignID, locking(tx, campaignRow))
	if errs.CodeOf(err) == errs.NotFound {
		return nil
	}
	if err != nil {
		return err
	}
	now := stamp(s.clock.Now())
	if c.next == nil || c.next.After(now) {
		return nil
	}
	r := report{id: id.New(), campaignID: c.id, accountID: c.accountID, at: *c.next, startAt: now}
	if now.Sub(*c.next) > onTime {
		r.at = now
	}
	taken, running, err := reportsBeside(ctx, tx, &r)
	if err != nil || running { // due still when that one has ended
		return err
	}
	c.reckon(now)
	if err := saveNext(ctx, tx, &c); err != nil || taken { // collected by hand for this very instant
		return err
	}
	return s.startOrSkip(ctx, tx, &c, &r, insertReport)
}

// startOrdered starts a collection that was ordered for a time that has come.
func (s *Service) startOrdered(ctx context.Context, tx *db.Tx, reportID string) error {
	campaignID, err := db.One(ctx, tx, db.Value[string], "SELECT campaign_id FROM reports WHERE id = $1", reportID)
	if db.IsNoRow(err) {
		return nil
	}
	if err != nil {
		return err
	}
	c, err := ownedCampaign(ctx, tx, campaignID, locking(tx, campaignRow))
	if errs.CodeOf(err) == errs.NotFound {
		return nil
	}
	if err != nil {
		return err
	}
	r, err := lockReport(ctx, tx, reportID, false)
	if err != nil || r.status != Scheduled {
		return err
	}
	if _, running, err := reportsBeside(ctx, tx, &r); err != nil || running {
		return err
	}
	return s.startOrSkip(ctx, tx, &c, &r, func(ctx context.Context, tx *db.Tx, r *report) error {
		return replaceReport(ctx, tx, r, nil)
	})
}

// startOrSkip starts a run, or records that there were no credits for it.
func (s *Service) startOrSkip(ctx context.Context, tx *db.Tx, c *campaign, r *report, save func(context.Context, *db.Tx, *report) error) error {
	err := s.start(ctx, tx, c, r, save)
	var known *errs.Error
	if !errors.As(err, &known) || known.Code != errs.Quota {
		return err
	}
	if _, err := s.accounts.Give(ctx, tx, c.accountID, account.Credits, r.month, r.charged); err != nil {
		return err
	}
	r.status, r.charged, r.reason = Skipped, 0, "The collection was skipped. "+known.Message
	if err := save(ctx, tx, r); err != nil {
		return err
	}
	detail := fmt.Sprintf("The collection of %s was skipped. %s", Instant{r.at}, known.Message)
	if err := setCampaignStatus(ctx, tx, c.id, c.status, c.statusAt, detail); err != nil {
		return err
	}
	return s.tellReport(ctx, tx, event.ReportFailed, r, c.name)
}

// mendSchedules sets again when campaigns are due that a process with its clock ahead has set: otherwise nothing
// would be due before the real time gets there.
func (s *Service) mendSchedules(ctx context.Context) (more bool, err error) {
	now := stamp(s.clock.Now())
	wrong, err := db.All(ctx, s.db, db.Value[string], "SELECT id FROM campaigns WHERE next_report_at IS NOT NULL AND next_set_at > $1 LIMIT $2",
		db.Micros(now.Add(clockSlack)), dueBatch)
	if err != nil {
		return false, err
	}
	for _, campaignID := range wrong {
		err := s.db.Tx(ctx, func(tx *db.Tx) error {
			c, err := ownedCampaign(ctx, tx, campaignID, locking(tx, campaignRow))
			if errs.CodeOf(err) == errs.NotFound {
				return nil
			}
			if err != nil {
				return err
			}
			if c.frequencyAt.After(now) {
				c.frequencyAt = now
			}
			c.reckon(now)
			return saveNext(ctx, tx, &c)
		})
		if err != nil {
			return false, fmt.Errorf("schedule of campaign %s: %w", campaignID, err)
		}
	}
	return len(wrong) == dueBatch, nil
}
