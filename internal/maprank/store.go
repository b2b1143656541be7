package maprank

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/errs"
	"github.com/trigpoint/trigpoint/internal/id"
)

const campaignColumns = `c.id, c.account_id, c.name, c.status, c.status_at, c.status_detail, c.created_at, c.country, c.zone, c.business, c.grid,
	c.points_id, c.points_number, c.keywords_number, c.frequency, c.frequency_at, c.next_report_at, c.next_set_at, c.last_report_at, c.remove_at, c.metrics, c.share_token`

// selectCampaign reads a campaign as an account sees it; the account is bound to $1. selectOwned reads it as its
// owner does. selectAny reads it also where the account sees nothing of it: then its access is empty.
const (
	campaignFields = "SELECT " + campaignColumns + ", coalesce(x.access, ''), o.email, (SELECT count(*) FROM campaign_access s WHERE s.campaign_id = c.id) - 1"
	campaignSource = campaignFields + campaignOwner + accessOf
	campaignOwner  = " FROM campaigns c JOIN accounts o ON o.id = c.account_id"
	accessOf       = " JOIN campaign_access x ON x.campaign_id = c.id AND x.account_id = "
	selectCampaign = campaignSource + "$1"
	selectOwned    = campaignSource + "c.account_id"
	selectAny      = campaignFields + campaignOwner + " LEFT" + accessOf + "$1"
)

// What a change locks, always in this order: the owner's account where slots move, the campaign, one report,
// and last the month that credits are taken from. Rows below are written only by who holds one of these.
const (
	campaignRow   = "c"
	accountRowToo = "o, c"
	reportRowToo  = "c, r"
)

// locking is the clause that takes rows of a query for changing. SQLite has one writer and needs none.
func locking(tx *db.Tx, rows string) string {
	if tx.Dialect == db.SQLite {
		return ""
	}
	return " FOR NO KEY UPDATE OF " + rows // rows that refer to them may come meanwhile
}

func scanCampaign(row db.Scanner) (campaign, error) {
	var c campaign
	var statusAt, createdAt, frequencyAt, nextSetAt int64
	var next, last, removeAt *int64
	var business, metrics []byte
	var grid, frequency *string
	err := row.Scan(&c.id, &c.accountID, &c.name, &c.status, &statusAt, &c.statusDetail, &createdAt, &c.country, &c.zone, &business, &grid,
		&c.pointsID, &c.pointsNumber, &c.keywordsNumber, &frequency, &frequencyAt, &next, &nextSetAt, &last, &removeAt, &metrics, &c.shareToken,
		&c.access, &c.ownerEmail, &c.shares)
	if err != nil {
		return c, err
	}
	c.statusAt, c.createdAt, c.frequencyAt, c.nextSetAt = db.Time(statusAt), db.Time(createdAt), db.Time(frequencyAt), db.Time(nextSetAt)
	c.next, c.last, c.removeAt = db.TimeOrNil(next), db.TimeOrNil(last), db.TimeOrNil(removeAt)
	for _, text := range []struct {
		data []byte
		into any
	}{{business, &c.business}, {metrics, &c.metrics}, {bytesOf(grid), &c.grid}, {bytesOf(frequency), &c.frequency}} {
		if text.data == nil {
			continue
		}
		if err := json.Unmarshal(text.data, text.into); err != nil {
			return c, fmt.Errorf("campaign %s: %w", c.id, err)
		}
	}
	return c, nil
}

func bytesOf(s *string) []byte {
	if s == nil {
		return nil
	}
	return []byte(*s)
}

func noCampaign(given string) error {
	return errs.New(errs.NotFound, "There is no campaign %.64q.", given)
}

// getCampaign finds a campaign that the account sees, by either printed form of its id.
func getCampaign(ctx context.Context, q db.Queryer, accountID, given, lock string) (campaign, error) {
	campaignID, ok := id.Parse(given)
	if !ok {
		return campaign{}, noCampaign(given)
	}
	c, err := db.One(ctx, q, scanCampaign, selectCampaign+" WHERE c.id = $2"+lock, accountID, campaignID)
	if db.IsNoRow(err) {
		err = noCampaign(given)
	}
	return c, err
}

// ownedCampaign finds a campaign as its owner sees it, for work that no request asked for.
func ownedCampaign(ctx context.Context, q db.Queryer, given, lock string) (campaign, error) {
	campaignID, _ := id.Parse(given)
	c, err := db.One(ctx, q, scanCampaign, selectOwned+" WHERE c.id = $1"+lock, campaignID)
	if db.IsNoRow(err) {
		err = noCampaign(given)
	}
	return c, err
}

// editable finds a campaign for changing.
func editable(ctx context.Context, tx *db.Tx, accountID, given string) (campaign, error) {
	c, err := getCampaign(ctx, tx, accountID, given, locking(tx, campaignRow))
	if err == nil && c.access == Viewer {
		err = errs.With(errs.Forbidden, errs.AccessDenied, "The campaign is shared with you for reading only.")
	}
	return c, err
}

// countCampaigns tells how many campaigns an account sees.
func countCampaigns(ctx context.Context, q db.Queryer, accountID string) (int64, error) {
	seen, err := db.One(ctx, q, db.Value[int64], "SELECT seen FROM campaign_counts WHERE account_id = $1", accountID)
	if db.IsNoRow(err) {
		err = nil
	}
	return seen, err
}

// addCount keeps the count true after a campaign has come or gone.
func addCount(ctx context.Context, tx *db.Tx, accountID string, by int) error {
	_, err := tx.Exec(ctx, `INSERT INTO campaign_counts (account_id, seen) VALUES ($1, $2)
		ON CONFLICT (account_id) DO UPDATE SET seen = campaign_counts.seen + excluded.seen`, accountID, by)
	return err
}

func jsonText(v any) (string, error) {
	text, err := json.Marshal(v)
	return string(text), err
}

func jsonOrNil[T any](v *T) (*string, error) {
	if v == nil {
		return nil, nil
	}
	text, err := jsonText(v)
	return &text, err
}

func insertCampaign(ctx context.Context, tx *db.Tx, c *campaign) error {
	business, err := jsonText(c.business)
	if err != nil {
		return err
	}
	grid, err := jsonOrNil(c.grid)
	if err != nil {
		return err
	}
	frequency, err := jsonOrNil(c.frequency)
	if err != nil {
		return err
	}
	var p db.Params
	row := p.List(c.id, c.accountID, c.name, string(c.status), db.Micros(c.statusAt), "", db.Micros(c.createdAt), c.country, c.zone, business, grid,
		c.pointsID, c.pointsNumber, c.keywordsNumber, frequency, db.Micros(c.frequencyAt), db.MicrosOrNil(c.next), db.Micros(c.nextSetAt), nil, nil, "{}", c.shareToken, c.searchText())
	if _, err := tx.Exec(ctx, "INSERT INTO campaigns ("+strings.ReplaceAll(campaignColumns, "c.", "")+", search) VALUES "+row, p.Args...); err != nil {
		return err
	}
	_, _, err = grant(ctx, tx, c, c.accountID, Owner, c.createdAt)
	return err
}

// saveShareToken stores by which token the campaign is open, if any, and since when.
func saveShareToken(ctx context.Context, tx *db.Tx, c *campaign, now time.Time) error {
	var since *time.Time
	if c.shareToken != nil {
		since = &now
	}
	_, err := tx.Exec(ctx, "UPDATE campaigns SET share_token = $2, shared_at = $3 WHERE id = $1", c.id, c.shareToken, db.MicrosOrNil(since))
	return err
}

// updateCampaign stores what a PATCH may change.
func updateCampaign(ctx context.Context, tx *db.Tx, c *campaign) error {
	grid, err := jsonOrNil(c.grid)
	if err != nil {
		return err
	}
	frequency, err := jsonOrNil(c.frequency)
	if err != nil {
		return err
	}
	_, err = tx.Exec(ctx, `UPDATE campaigns SET name = $2, grid = $3, points_id = $4, points_number = $5, keywords_number = $6,
		frequency = $7, frequency_at = $8, next_report_at = $9, next_set_at = $10, search = $11 WHERE id = $1`,
		c.id, c.name, grid, c.pointsID, c.pointsNumber, c.keywordsNumber, frequency, db.Micros(c.frequencyAt), db.MicrosOrNil(c.next), db.Micros(c.nextSetAt), c.searchText())
	return err
}

// saveNext stores when the schedule is due.
func saveNext(ctx context.Context, tx *db.Tx, c *campaign) error {
	_, err := tx.Exec(ctx, "UPDATE campaigns SET frequency_at = $2, next_report_at = $3, next_set_at = $4 WHERE id = $1",
		c.id, db.Micros(c.frequencyAt), db.MicrosOrNil(c.next), db.Micros(c.nextSetAt))
	return err
}

func setCampaignStatus(ctx context.Context, tx *db.Tx, campaignID string, status Status, now time.Time, detail string) error {
	_, err := tx.Exec(ctx, "UPDATE campaigns SET status = $2, status_at = $3, status_detail = $4 WHERE id = $1", campaignID, string(status), db.Micros(now), detail)
	return err
}
