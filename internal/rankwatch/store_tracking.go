package rankwatch

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/errs"
	"github.com/trigpoint/trigpoint/internal/rankwatch/series"
	"github.com/trigpoint/trigpoint/internal/webtarget"
)

const trackingColumns = "id, account_id, domain, location_id, platform_id, config, share_token, created_at, deleted_at"

func scanTracking(row db.Scanner) (tracking, error) {
	var t tracking
	var domain string
	var config []byte
	var created int64
	var deleted *int64
	err := row.Scan(&t.id, &t.accountID, &domain, &t.locationID, &t.platformID, &config, &t.shareToken, &created, &deleted)
	if err != nil {
		return t, err
	}
	t.createdAt, t.deleted = db.Time(created), deleted != nil
	if t.target, err = webtarget.Parse(domain); err != nil {
		return t, fmt.Errorf("domain of tracking %s: %w", t.id, err)
	}
	return t, json.Unmarshal(config, &t.config)
}

// findTracking returns any tracking, whoever owns it.
func findTracking(ctx context.Context, q db.Queryer, id string) (tracking, error) {
	t, err := db.One(ctx, q, scanTracking, "SELECT "+trackingColumns+" FROM trackings WHERE id = $1", id)
	if db.IsNoRow(err) {
		err = noTracking(id)
	}
	return t, err
}

// ownTracking returns an account's tracking, deleted or not.
func ownTracking(ctx context.Context, q db.Queryer, accountID, id string) (tracking, error) {
	t, err := findTracking(ctx, q, id)
	if err == nil && t.accountID != accountID {
		err = noTracking(id)
	}
	return t, err
}

// lockTracking returns an account's tracking that can be changed, while nobody else can change it.
func lockTracking(ctx context.Context, tx *db.Tx, accountID, id string) (tracking, error) {
	t, err := db.One(ctx, tx, scanTracking, "SELECT "+trackingColumns+" FROM trackings WHERE id = $1 AND account_id = $2 AND deleted_at IS NULL"+tx.ForUpdate(), id, accountID)
	if db.IsNoRow(err) {
		err = noTracking(id)
	}
	return t, err
}

func listTrackings(ctx context.Context, q db.Queryer, accountID string, withDeleted bool) ([]tracking, error) {
	where := " AND deleted_at IS NULL"
	if withDeleted {
		where = ""
	}
	return db.All(ctx, q, scanTracking, "SELECT "+trackingColumns+" FROM trackings WHERE account_id = $1"+where+" ORDER BY created_at DESC, id DESC", accountID)
}

// checkTarget refuses a second tracking of the same target in the same market.
func checkTarget(ctx context.Context, tx *db.Tx, t *tracking) error {
	other, err := db.One(ctx, tx, db.Value[string], `SELECT id FROM trackings WHERE account_id = $1 AND domain = $2 AND location_id = $3
		AND platform_id = $4 AND deleted_at IS NULL AND id <> $5`, t.accountID, t.target.String(), t.locationID, t.platformID, t.id)
	if db.IsNoRow(err) {
		return nil
	}
	if err == nil {
		err = errs.With(errs.Conflict, errs.TrackingExists, "%s is tracked with this location and platform already, as %s.", t.target.Display(), other)
	}
	return err
}

// insertTracking stores a new tracking; a second one of the same target in the same market is a conflict.
// It tells whether one of the same target was deleted since.
func insertTracking(ctx context.Context, tx *db.Tx, t *tracking, since series.Day) (again bool, err error) {
	config, err := json.Marshal(t.config)
	if err != nil {
		return false, err
	}
	again, err = db.One(ctx, tx, db.Value[bool], `INSERT INTO trackings (id, account_id, domain, location_id, platform_id, config, share_token, created_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (account_id, domain, location_id, platform_id) WHERE deleted_at IS NULL DO NOTHING
		RETURNING EXISTS (SELECT 1 FROM trackings d WHERE d.account_id = $2 AND d.domain = $3 AND d.location_id = $4 AND d.platform_id = $5 AND d.deleted_at >= $9)`,
		t.id, t.accountID, t.target.String(), t.locationID, t.platformID, string(config), t.shareToken, db.Micros(t.createdAt), db.Micros(since.Start()))
	if db.IsNoRow(err) {
		err = checkTarget(ctx, tx, t)
	}
	return again, err
}

func updateTracking(ctx context.Context, tx *db.Tx, t *tracking) error {
	config, err := json.Marshal(t.config)
	if err != nil {
		return err
	}
	_, err = tx.Exec(ctx, "UPDATE trackings SET domain = $2, config = $3, share_token = $4 WHERE id = $1", t.id, t.target.String(), string(config), t.shareToken)
	return err
}

// deleteTracking hides a tracking, which can still be read, and ends its checks. It tells how many
// keywords it held.
func deleteTracking(ctx context.Context, tx *db.Tx, id string, now time.Time) (held int64, err error) {
	if _, err := tx.Exec(ctx, "UPDATE trackings SET deleted_at = $2 WHERE id = $1", id, db.Micros(now)); err != nil {
		return 0, err
	}
	if err := deleteSummary(ctx, tx, id); err != nil {
		return 0, err
	}
	return tx.Exec(ctx, "UPDATE rank_states SET next_check_at = NULL WHERE next_check_at IS NOT NULL AND keyword IN (SELECT number FROM tracked_keywords WHERE tracking_id = $1)", id)
}
