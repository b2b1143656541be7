package maprank

import (
	"context"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/errs"
	"github.com/trigpoint/trigpoint/internal/id"
)

// Share lets another account see a campaign, or changes what it may do with it. It is for operators: the
// API has no operation for it.
func (s *Service) Share(ctx context.Context, campaignID, accountID string, access Access) error {
	if access != Editor && access != Viewer {
		return errs.New(errs.Invalid, "A campaign is shared as EDITOR or VIEWER, not %.16q.", access)
	}
	return s.db.Tx(ctx, func(tx *db.Tx) error {
		c, err := ownedCampaign(ctx, tx, campaignID, locking(tx, campaignRow))
		if err != nil {
			return err
		}
		if c.accountID == accountID {
			return errs.New(errs.Conflict, "The account owns the campaign already.")
		}
		return grant(ctx, tx, &c, accountID, access)
	})
}

// Unshare takes a campaign away from an account that it was shared with.
func (s *Service) Unshare(ctx context.Context, campaignID, accountID string) error {
	return s.db.Tx(ctx, func(tx *db.Tx) error {
		c, err := ownedCampaign(ctx, tx, campaignID, locking(tx, campaignRow))
		if err != nil {
			return err
		}
		shared := false
		if c.accountID != accountID {
			shared, err = revoke(ctx, tx, c.id, accountID)
		}
		if err == nil && !shared {
			err = errs.New(errs.NotFound, "The campaign is not shared with this account.")
		}
		return err
	})
}

// Summary is a campaign in the operator's list.
type Summary struct {
	ID, Name, Owner string
	Status          Status
	Shares          int
}

// Campaigns lists the campaigns that an account sees, newest first, up to a limit; those of all accounts
// when accountID is empty.
func (s *Service) Campaigns(ctx context.Context, accountID string, limit int) ([]Summary, error) {
	var p db.Params
	where := "x.access = 'OWNER'"
	if accountID != "" {
		where = "x.account_id = " + p.Add(accountID)
	}
	return db.All(ctx, s.db, func(row db.Scanner) (c Summary, err error) {
		err = row.Scan(&c.ID, &c.Name, &c.Owner, &c.Status, &c.Shares)
		c.ID = id.Dashed(c.ID)
		return c, err
	}, `SELECT c.id, c.name, o.email, c.status, (SELECT count(*) FROM campaign_access s WHERE s.campaign_id = c.id) - 1
		FROM campaign_access x JOIN campaigns c ON c.id = x.campaign_id JOIN accounts o ON o.id = c.account_id
		WHERE `+where+" ORDER BY x.created_at DESC, c.id DESC LIMIT "+p.Add(limit), p.Args...)
}
