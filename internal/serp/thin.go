package serp

import (
	"context"
	"time"

	"github.com/trigpoint/trigpoint/internal/account"
	"github.com/trigpoint/trigpoint/internal/db"
)

// thinBatch bounds one transaction of the thinning.
const thinBatch = 500

// Thin removes pages that are older than keep, not the last of their month and not the newest of their
// search, and tells whether there may be more.
func Thin(ctx context.Context, tx *db.Tx, now time.Time, keep time.Duration) (more bool, err error) {
	later := `EXISTS (SELECT 1 FROM serps n WHERE n.kw = serps.kw AND n.location_id = serps.location_id AND n.platform_id = serps.platform_id
		AND n.account_id = serps.account_id AND n.fetched_at > serps.fetched_at AND n.month = serps.month)`
	old, err := db.All(ctx, tx, db.Value[string], "SELECT id FROM serps WHERE NOT thinned AND fetched_at < $1 AND (month < $2 OR "+later+") ORDER BY fetched_at LIMIT $3",
		db.Micros(now.Add(-keep)), account.Month(now), thinBatch)
	if err != nil || len(old) == 0 {
		return false, err
	}
	inUse := `EXISTS (SELECT 1 FROM searches s WHERE s.account_id = serps.account_id AND s.location_id = serps.location_id AND s.kw = serps.kw
		AND s.platform_id = serps.platform_id AND (s.serp_id = serps.id OR s.top_id = serps.id))`
	var p db.Params
	list := db.AddAll(&p, old)
	if _, err := tx.Exec(ctx, "DELETE FROM serps WHERE id IN "+list+" AND "+later+" AND NOT "+inUse, p.Args...); err != nil {
		return false, err
	}
	_, err = tx.Exec(ctx, "UPDATE serps SET thinned = TRUE WHERE id IN "+list, p.Args...)
	return len(old) == thinBatch, err
}
