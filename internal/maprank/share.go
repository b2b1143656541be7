package maprank

import (
	"cmp"
	"context"
	"net/http"
	"strings"
	"time"

	"github.com/trigpoint/trigpoint/internal/account"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/errs"
	"github.com/trigpoint/trigpoint/internal/event"
	"github.com/trigpoint/trigpoint/internal/httpapi"
	"github.com/trigpoint/trigpoint/internal/id"
)

// SharedBy tells whose campaign a share token opens.
func (s *Service) SharedBy(ctx context.Context, r *http.Request, token string) (accountID string, err error) {
	campaignID, _ := id.Parse(cmp.Or(r.PathValue("campaignId"), r.PathValue("campaign_id")))
	var kept *string
	accountID, err = db.One(ctx, s.db, func(row db.Scanner) (owner string, err error) {
		err = row.Scan(&owner, &kept)
		return owner, err
	}, "SELECT account_id, share_token FROM campaigns WHERE id = $1", campaignID)
	if db.IsNoRow(err) || err == nil && !httpapi.Opens(kept, token) {
		return "", account.Refused()
	}
	return accountID, err
}

// readable finds a campaign for an account that sees it, or for whoever has its share token.
func (s *Service) readable(ctx context.Context, given, token string) (campaign, error) {
	return s.readableBy(ctx, httpapi.Who(ctx).AccountID, given, token)
}

func (s *Service) readableBy(ctx context.Context, accountID, given, token string) (campaign, error) {
	campaignID, ok := id.Parse(given)
	if !ok {
		return campaign{}, noCampaign(given)
	}
	c, err := db.One(ctx, s.db, scanCampaign, selectAny+" WHERE c.id = $2", accountID, campaignID)
	switch {
	case db.IsNoRow(err):
		return campaign{}, noCampaign(given)
	case err != nil || c.access != "":
		return c, err
	case !httpapi.Opens(c.shareToken, token):
		return campaign{}, noCampaign(given)
	}
	c.access, c.visited = Viewer, true
	return c, nil
}

// owned finds a campaign for what only its owner may do.
func owned(ctx context.Context, q db.Queryer, accountID, given, lock string) (campaign, error) {
	c, err := getCampaign(ctx, q, accountID, given, lock)
	if err == nil {
		err = c.mayShare()
	}
	return c, err
}

func (c *campaign) mayShare() error {
	if c.access == Owner {
		return nil
	}
	return errs.With(errs.Forbidden, errs.AccessDenied, "Only the owner of a campaign shares it.")
}

// open lets whoever has the share token read the campaign, or nobody any more.
func (s *Service) open(ctx context.Context, tx *db.Tx, c *campaign, shared bool) error {
	if err := c.mayShare(); err != nil {
		return err
	}
	before := c.shareToken
	var err error
	if c.shareToken, err = httpapi.Reshare(before, &shared); err != nil || c.shareToken == before {
		return err
	}
	return saveShareToken(ctx, tx, c, s.clock.Now())
}

// AccountShare is another account that sees a campaign.
type AccountShare struct {
	Email      string  `json:"email" doc:"Email of the account."`
	AccessType Access  `json:"accessType" enum:"EDITOR,VIEWER" doc:"VIEWER reads, EDITOR also changes and collects, at the owner's cost."`
	CreatedAt  Instant `json:"createdAt" doc:"Since when it sees the campaign."`
}

// maxShares is how many other accounts one campaign may be shared with.
const maxShares = 100

// accountShares lists the other accounts that see a campaign, the first first.
func accountShares(ctx context.Context, q db.Queryer, campaignID string) ([]AccountShare, error) {
	all, err := db.All(ctx, q, func(row db.Scanner) (a AccountShare, err error) {
		var at int64
		err = row.Scan(&a.Email, &a.AccessType, &at)
		a.CreatedAt = Instant{db.Time(at)}
		return a, err
	}, `SELECT a.email, x.access, x.granted_at FROM campaign_access x JOIN accounts a ON a.id = x.account_id
		WHERE x.campaign_id = $1 AND x.access <> 'OWNER' ORDER BY x.granted_at, a.email`, campaignID)
	if all == nil {
		all = []AccountShare{}
	}
	return all, err
}

// accountOf finds the account that an email names.
func accountOf(ctx context.Context, q db.Queryer, email string) (accountID string, err error) {
	accountID, err = db.One(ctx, q, db.Value[string], "SELECT id FROM accounts WHERE email = $1", strings.ToLower(strings.TrimSpace(email)))
	if db.IsNoRow(err) {
		err = errs.New(errs.NotFound, "There is no account with the email %.254q here. Invite its owner first, or share the campaign by its link.", email)
	}
	return accountID, err
}

// shareWith lets another account see a campaign, or changes what it may do with it. The campaign is locked.
func (s *Service) shareWith(ctx context.Context, tx *db.Tx, c *campaign, accountID string, access Access) error {
	switch {
	case access != Editor && access != Viewer:
		return errs.New(errs.Invalid, "A campaign is shared as EDITOR or VIEWER, not %.16q.", access)
	case c.accountID == accountID:
		return errs.New(errs.Conflict, "The account owns the campaign already.")
	}
	added, changed, err := grant(ctx, tx, c, accountID, access, s.clock.Now())
	if err == nil && added && c.shares >= maxShares {
		err = errs.With(errs.Conflict, errs.TooMany, "A campaign is shared with at most %d accounts. Take it away from one, or share it by its link.", maxShares)
	}
	if err != nil || !changed {
		return err
	}
	if err := s.tellShared(ctx, tx, c, access, accountID); err != nil {
		return err
	}
	return s.tell(ctx, tx, event.CampaignChanged, c)
}

// unshare takes a campaign away from an account that it was shared with. The campaign is locked.
func (s *Service) unshare(ctx context.Context, tx *db.Tx, c *campaign, accountID string) (err error) {
	shared := false
	if c.accountID != accountID {
		shared, err = revoke(ctx, tx, c.id, accountID)
	}
	if err == nil && !shared {
		err = errs.New(errs.NotFound, "The campaign is not shared with this account.")
	}
	if err != nil {
		return err
	}
	if err := event.PauseReports(ctx, tx, s.clock.Now(), c.id, accountID); err != nil {
		return err
	}
	if err := s.tellShared(ctx, tx, c, "", accountID); err != nil {
		return err
	}
	return s.tell(ctx, tx, event.CampaignChanged, c)
}

// Share lets another account see a campaign, for an operator.
func (s *Service) Share(ctx context.Context, campaignID, accountID string, access Access) error {
	return s.db.Tx(ctx, func(tx *db.Tx) error {
		c, err := ownedCampaign(ctx, tx, campaignID, locking(tx, campaignRow))
		if err != nil {
			return err
		}
		return s.shareWith(ctx, tx, &c, accountID, access)
	})
}

// Unshare takes a campaign away from an account that it was shared with, for an operator.
func (s *Service) Unshare(ctx context.Context, campaignID, accountID string) error {
	return s.db.Tx(ctx, func(tx *db.Tx) error {
		c, err := ownedCampaign(ctx, tx, campaignID, locking(tx, campaignRow))
		if err != nil {
			return err
		}
		return s.unshare(ctx, tx, &c, accountID)
	})
}

// OpenCampaign is a campaign that anybody reads who has its share token.
type OpenCampaign struct {
	ID, Name, ShareToken string
	SharedAt             time.Time
}

// OpenCampaigns lists the campaigns of an account that have a share token, the last shared first, up to a limit.
func (s *Service) OpenCampaigns(ctx context.Context, accountID string, limit int) ([]OpenCampaign, error) {
	return db.All(ctx, s.db, func(row db.Scanner) (c OpenCampaign, err error) {
		var at int64
		err = row.Scan(&c.ID, &c.Name, &c.ShareToken, &at)
		c.ID, c.SharedAt = id.Dashed(c.ID), db.Time(at)
		return c, err
	}, `SELECT id, name, share_token, shared_at FROM campaigns WHERE account_id = $1 AND share_token IS NOT NULL
		ORDER BY shared_at DESC LIMIT $2`, accountID, limit)
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
