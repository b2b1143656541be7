package maprank

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/trigpoint/trigpoint/internal/account"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/errs"
	"github.com/trigpoint/trigpoint/internal/event"
	"github.com/trigpoint/trigpoint/internal/maprank/result"
)

const (
	// removalNotice is how long a campaign without a slot is kept.
	removalNotice = 14 * 24 * time.Hour
	removalBatch  = 20

	campaignDeleted = "The campaign was deleted."
)

// remove deletes a campaign for its owner.
func (s *Service) remove(ctx context.Context, tx *db.Tx, who account.Principal, given string) error {
	c, err := getCampaign(ctx, tx, who.AccountID, given, locking(tx, accountRowToo))
	if err != nil {
		return err
	}
	if c.access != Owner {
		return errs.With(errs.Forbidden, errs.AccessDenied, "Only the owner may delete a campaign.")
	}
	return s.erase(ctx, tx, &c)
}

// erase takes a campaign away at once: nothing of it can be read any more and running work stops at its
// next step. Its reports are deleted in pieces, so that a long history does not hold up other writers. Its slot
// goes to a campaign that had none. The account and the campaign are locked.
func (s *Service) erase(ctx context.Context, tx *db.Tx, c *campaign) error {
	slots, err := s.accounts.Give(ctx, tx, c.accountID, account.Campaigns, 0, 1)
	if err != nil {
		return err
	}
	if running, err := runningReport(ctx, tx, c.id); err == nil {
		if err := s.cancelReport(ctx, tx, running.id); err != nil {
			return err
		}
	} else if !db.IsNoRow(err) {
		return err
	}
	holders, err := revokeAll(ctx, tx, c.id)
	if err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, "DELETE FROM campaigns WHERE id = $1", c.id); err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, "INSERT INTO campaign_removals (campaign_id) VALUES ($1)", c.id); err != nil {
		return err
	}
	if err := s.tell(ctx, tx, event.CampaignDeleted, c); err != nil {
		return err
	}
	others := slices.DeleteFunc(holders, func(accountID string) bool { return accountID == c.accountID })
	if len(others) > 0 {
		if err := s.tellShared(ctx, tx, c, "", others...); err != nil {
			return err
		}
	}
	tx.AfterCommit(s.remover.Wake)
	return FitSlots(ctx, tx, c.accountID, int(slots.Limit), s.clock.Now())
}

// Forget removes some of an account's campaigns, and tells whether there may be more.
func (s *Service) Forget(ctx context.Context, tx *db.Tx, accountID string) (more bool, err error) {
	ids, err := db.All(ctx, tx, db.Value[string], "SELECT id FROM campaigns WHERE account_id = $1 ORDER BY id LIMIT $2", accountID, removalBatch)
	if err != nil {
		return false, err
	}
	for _, campaignID := range ids {
		c, err := ownedCampaign(ctx, tx, campaignID, locking(tx, accountRowToo))
		if err != nil {
			return false, err
		}
		if err := s.erase(ctx, tx, &c); err != nil {
			return false, err
		}
	}
	return len(ids) == removalBatch, nil
}

// cancelReport stops a collection and gives back what it has not collected.
func (s *Service) cancelReport(ctx context.Context, tx *db.Tx, reportID string) error {
	r, err := lockReport(ctx, tx, reportID, true)
	if err != nil || r.status != Collecting {
		return err
	}
	if _, err := tx.Exec(ctx, "DELETE FROM report_slices WHERE report_id = $1", r.id); err != nil {
		return err
	}
	done, err := delivered(ctx, tx, r.id)
	if err != nil {
		return err
	}
	r.status, r.refunded, r.reason = Failed, max(0, r.charged-done), campaignDeleted
	if _, err := s.accounts.Give(ctx, tx, r.accountID, account.Credits, r.month, r.refunded); err != nil {
		return err
	}
	now := stamp(s.clock.Now())
	return replaceReport(ctx, tx, &r, &now)
}

// delivered counts the searches of a running report that were answered. Two workers may have stored a point
// each, when one of them was thought dead; it counts once.
func delivered(ctx context.Context, q db.Queryer, reportID string) (int64, error) {
	done, err := db.One(ctx, q, db.Value[int64], "SELECT coalesce(sum(points), 0) FROM report_keywords WHERE report_id = $1", reportID)
	if err != nil {
		return 0, err
	}
	type search struct {
		keywordID string
		point     int
	}
	answered := map[search]bool{}
	err = db.Each(ctx, q, func(row db.Scanner) error {
		var keywordID string
		var data []byte
		if err := row.Scan(&keywordID, &data); err != nil {
			return err
		}
		b, err := result.DecodeBatch(data)
		for _, p := range b.Points {
			if !p.Failed {
				answered[search{keywordID, p.Point}] = true
			}
		}
		return err
	}, "SELECT keyword_id, results FROM report_batches WHERE report_id = $1", reportID)
	return done + int64(len(answered)), err
}

// removeDue removes campaigns whose notice has ended, and what removed ones have left.
func (s *Service) removeDue(ctx context.Context) (more bool, err error) {
	due, err := db.All(ctx, s.db, db.Value[string], "SELECT id FROM campaigns WHERE remove_at <= $1 LIMIT $2", db.Micros(s.clock.Now()), removalBatch)
	if err != nil {
		return false, err
	}
	for _, campaignID := range due {
		err := s.db.Tx(ctx, func(tx *db.Tx) error {
			c, err := ownedCampaign(ctx, tx, campaignID, locking(tx, accountRowToo))
			if errs.CodeOf(err) == errs.NotFound || err == nil && (c.removeAt == nil || c.removeAt.After(s.clock.Now())) {
				return nil // unmarked meanwhile
			}
			if err != nil {
				return err
			}
			return s.erase(ctx, tx, &c)
		})
		if err != nil {
			return false, fmt.Errorf("remove campaign %s: %w", campaignID, err)
		}
	}
	left, err := s.deleteRemains(ctx)
	return err == nil && (left || len(due) == removalBatch), err
}

// deleteRemains deletes a few reports of removed campaigns and tells whether there may be more.
func (s *Service) deleteRemains(ctx context.Context) (more bool, err error) {
	campaignID, err := db.One(ctx, s.db, db.Value[string], "SELECT campaign_id FROM campaign_removals LIMIT 1")
	if db.IsNoRow(err) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	err = s.db.Tx(ctx, func(tx *db.Tx) error {
		deleted, err := tx.Exec(ctx, "DELETE FROM reports WHERE id IN (SELECT id FROM reports WHERE campaign_id = $1 LIMIT $2)", campaignID, removalBatch)
		if err != nil || deleted > 0 {
			return err
		}
		if _, err := tx.Exec(ctx, "DELETE FROM campaign_points WHERE campaign_id = $1", campaignID); err != nil {
			return err
		}
		_, err = tx.Exec(ctx, "DELETE FROM campaign_removals WHERE campaign_id = $1", campaignID)
		return err
	})
	return err == nil, err
}

// FitSlots marks the oldest campaigns that the plan has no slot for, to be removed after 14 days, and takes
// the mark off those that have one.
func FitSlots(ctx context.Context, tx *db.Tx, accountID string, slots int, now time.Time) error {
	const beyond = `SELECT id FROM campaigns WHERE account_id = $1 ORDER BY created_at DESC, id DESC LIMIT 1000000000 OFFSET $2`
	if _, err := tx.Exec(ctx, "UPDATE campaigns SET remove_at = NULL WHERE account_id = $1 AND remove_at IS NOT NULL AND id NOT IN ("+beyond+")", accountID, slots); err != nil {
		return err
	}
	_, err := tx.Exec(ctx, "UPDATE campaigns SET remove_at = $3 WHERE account_id = $1 AND remove_at IS NULL AND id IN ("+beyond+")",
		accountID, slots, db.Micros(stamp(now).Add(removalNotice)))
	return err
}
