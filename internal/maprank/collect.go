package maprank

import (
	"context"
	"fmt"
	"time"

	"github.com/trigpoint/trigpoint/internal/account"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/errs"
	"github.com/trigpoint/trigpoint/internal/event"
	"github.com/trigpoint/trigpoint/internal/id"
	"github.com/trigpoint/trigpoint/internal/job"
)

// CollectResult says when the collection takes place.
type CollectResult struct {
	CollectingReportDate Instant `json:"collectingReportDate"`
}

// maxScheduled bounds how many collections may wait for their time.
const maxScheduled = 100

// collect starts a collection now, or keeps it for later when startAt is in the future. It is charged in
// the transaction that starts it.
func (s *Service) collect(ctx context.Context, tx *db.Tx, accountID, given string, reportDate, startAt *time.Time) (report, error) {
	c, err := editable(ctx, tx, accountID, given)
	if err != nil {
		return report{}, err
	}
	now := stamp(s.clock.Now())
	r := report{id: id.New(), campaignID: c.id, accountID: c.accountID, at: now, startAt: now}
	later := startAt != nil && startAt.After(now)
	if later {
		r.at, r.startAt = *startAt, *startAt
	}
	if reportDate != nil {
		r.at = *reportDate
	}
	if r.at.After(r.startAt) {
		return r, errs.Problems{{Field: "reportDate", Status: errs.InvalidParameter, Message: fmt.Sprintf(
			"reportDate must not be later than the collection starts, which is %s.", Instant{r.startAt})}}.Err()
	}
	switch taken, running, err := reportsBeside(ctx, tx, &r); {
	case err != nil:
		return r, err
	case taken:
		return r, errs.With(errs.Conflict, errs.ReportExists, "The campaign has a report of %s already.", Instant{r.at})
	case later:
		return r, scheduleReport(ctx, tx, &r)
	case running:
		return r, errs.With(errs.Conflict, errs.CollectionRunning, "A collection of this campaign is running already.")
	}
	return r, s.start(ctx, tx, &c, &r, insertReport)
}

// Collect starts a collection now, on behalf of the campaign's owner, and returns the report's instant.
func (s *Service) Collect(ctx context.Context, campaignID string) (at time.Time, err error) {
	err = s.db.Tx(ctx, func(tx *db.Tx) error {
		c, err := ownedCampaign(ctx, tx, campaignID, locking(tx, campaignRow))
		if err != nil {
			return err
		}
		r, err := s.collect(ctx, tx, c.accountID, c.id, nil, nil)
		at = r.at
		return err
	})
	return at, err
}

// scheduleReport keeps a report that starts later.
func scheduleReport(ctx context.Context, tx *db.Tx, r *report) error {
	waiting, err := db.One(ctx, tx, db.Value[int], "SELECT count(*) FROM reports WHERE campaign_id = $1 AND status = 'SCHEDULED'", r.campaignID)
	if err != nil {
		return err
	}
	if waiting >= maxScheduled {
		return errs.With(errs.Conflict, errs.TooMany, "The campaign has %d scheduled collections already.", waiting)
	}
	r.status = Scheduled
	return insertReport(ctx, tx, r)
}

// start charges the campaign's owner and makes the report with its own copy of points and keywords, and
// the jobs that collect it. Without enough credits it fails, with r.charged too much taken from r.month.
func (s *Service) start(ctx context.Context, tx *db.Tx, c *campaign, r *report, save func(context.Context, *db.Tx, *report) error) error {
	startedAt := stamp(s.clock.Now())
	set, err := setCollecting(ctx, tx, c, startedAt)
	if err != nil {
		return err
	}
	r.status, r.pointsID, r.points, r.keywords = Collecting, set.ID, len(set.Enabled()), c.keywordsNumber
	r.charged = int64(r.points) * int64(r.keywords)
	taken, err := s.accounts.Take(ctx, tx, c.accountID, account.Credits, r.charged)
	r.month = taken.Month
	if err != nil {
		return err
	}
	if err := save(ctx, tx, r); err != nil {
		return err
	}
	from := s.sources.First().Describe()
	keywordIDs, err := copyKeywords(ctx, tx, r, from.Name)
	if err != nil {
		return err
	}
	var orders []sliceOrder
	size := sliceSize(from.Pace, r.points, r.keywords)
	for _, keywordID := range keywordIDs {
		orders = append(orders, cutPoints(r.id, keywordID, 0, r.points, size)...)
	}
	if err := s.enqueueSlices(ctx, tx, r, orders); err != nil {
		return err
	}
	c.status, c.statusAt, c.statusDetail = Collecting, startedAt, ""
	return s.tellReport(ctx, tx, event.ReportStarted, r, c.name)
}

// enqueueSlices makes slices and their jobs. Small reports go before large ones, so that nobody waits for a
// report of a hundred keywords to be done.
func (s *Service) enqueueSlices(ctx context.Context, tx *db.Tx, r *report, slices []sliceOrder) error {
	if len(slices) == 0 {
		return nil
	}
	insert := &job.Insert{Queue: queue, Priority: priority(r.charged), MaxAttempts: endless}
	orders := make([]job.Order, len(slices))
	for i, sl := range slices {
		orders[i] = job.Order{Args: sl.sliceArgs, InsertOpts: insert}
	}
	if err := insertSlices(ctx, tx, slices); err != nil {
		return err
	}
	return s.jobs.EnqueueMany(ctx, tx, orders)
}
