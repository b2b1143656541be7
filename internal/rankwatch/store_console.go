package rankwatch

import (
	"context"
	"time"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/errs"
	"github.com/trigpoint/trigpoint/internal/id"
	"github.com/trigpoint/trigpoint/internal/rankwatch/performance"
	"github.com/trigpoint/trigpoint/internal/rankwatch/series"
)

// findLink returns the property that a tracking is linked to.
func findLink(ctx context.Context, q db.Queryer, trackingID string) (linkedProperty, error) {
	p, err := db.One(ctx, q, func(row db.Scanner) (p linkedProperty, err error) {
		var linked, next int64
		var fetched *int64
		err = row.Scan(&p.id, &p.accountID, &p.siteURL, &p.firstDay, &linked, &next, &fetched, &p.problem)
		p.linkedAt, p.nextFetchAt, p.fetchedAt = db.Time(linked), db.Time(next), db.TimeOrNil(fetched)
		return p, err
	}, `SELECT p.id, p.account_id, p.site_url, p.first_day, l.linked_at, p.next_fetch_at, p.fetched_at, p.error
		FROM console_links l JOIN console_properties p ON p.id = l.property_id WHERE l.tracking_id = $1`, trackingID)
	if db.IsNoRow(err) {
		err = errs.New(errs.NotFound, "The tracking is not linked to a property of Google Search Console: link it with PUT …/search-console.")
	}
	return p, err
}

// countDays adds which days are kept.
func countDays(ctx context.Context, q db.Queryer, p *linkedProperty) error {
	_, err := db.One(ctx, q, func(row db.Scanner) (struct{}, error) {
		return struct{}{}, row.Scan(&p.days, &p.kept.From, &p.kept.To)
	}, "SELECT count(*), COALESCE(min(day), 0), COALESCE(max(day), 0) FROM console_days WHERE property_id = $1", p.id)
	return err
}

// saveLink links a tracking to a property of the account, which is fetched at once.
func saveLink(ctx context.Context, tx *db.Tx, accountID, trackingID, siteURL string, firstDay series.Day, now time.Time) error {
	propertyID, err := db.One(ctx, tx, db.Value[string], `INSERT INTO console_properties (id, account_id, site_url, first_day, next_fetch_at) VALUES ($1, $2, $3, $4, $5)
		ON CONFLICT (account_id, site_url) DO UPDATE SET next_fetch_at = excluded.next_fetch_at, failures = 0, error = '',
		first_day = CASE WHEN excluded.first_day < console_properties.first_day THEN excluded.first_day ELSE console_properties.first_day END
		RETURNING id`, id.New(), accountID, siteURL, int(firstDay), db.Micros(now))
	if err != nil {
		return err
	}
	_, err = tx.Exec(ctx, `INSERT INTO console_links (tracking_id, property_id, linked_at) VALUES ($1, $2, $3)
		ON CONFLICT (tracking_id) DO UPDATE SET property_id = excluded.property_id, linked_at = excluded.linked_at`, trackingID, propertyID, db.Micros(now))
	return err
}

// deleteLink unlinks a tracking. A property that no other is linked to goes with all that was fetched of it.
func deleteLink(ctx context.Context, tx *db.Tx, trackingID string) error {
	propertyID, err := db.One(ctx, tx, db.Value[string], "DELETE FROM console_links WHERE tracking_id = $1 RETURNING property_id", trackingID)
	if db.IsNoRow(err) {
		return nil
	}
	if err != nil {
		return err
	}
	// Whoever links another tracking to it at this moment holds the row; what counts is what is there after.
	if _, err := db.One(ctx, tx, db.Value[string], "SELECT id FROM console_properties WHERE id = $1"+tx.ForUpdate(), propertyID); err != nil {
		return err
	}
	_, err = tx.Exec(ctx, "DELETE FROM console_properties WHERE id = $1 AND NOT EXISTS (SELECT 1 FROM console_links WHERE property_id = $1)", propertyID)
	return err
}

// claimProperties takes properties whose fetch is due, longest due first, until a time.
func claimProperties(ctx context.Context, tx *db.Tx, now, until time.Time, limit int) ([]property, error) {
	lock := tx.ForUpdate()
	if lock != "" {
		lock += " SKIP LOCKED"
	}
	due, err := db.All(ctx, tx, db.Value[string], "SELECT id FROM console_properties WHERE next_fetch_at <= $1 AND claimed_until <= $1 ORDER BY next_fetch_at, id LIMIT $2"+lock, db.Micros(now), limit)
	if err != nil || len(due) == 0 {
		return nil, err
	}
	var p db.Params
	return db.All(ctx, tx, func(row db.Scanner) (p property, err error) {
		err = row.Scan(&p.id, &p.accountID, &p.siteURL, &p.firstDay, &p.failures, &p.live)
		return p, err
	}, "UPDATE console_properties SET claimed_until = "+p.Add(db.Micros(until))+" WHERE id IN "+db.AddAll(&p, due)+` RETURNING id, account_id, site_url, first_day, failures,
		EXISTS (SELECT 1 FROM console_links l JOIN trackings t ON t.id = l.tracking_id WHERE l.property_id = console_properties.id AND t.deleted_at IS NULL)`, p.Args...)
}

// releaseProperties frees what a dead process had claimed.
func releaseProperties(ctx context.Context, tx *db.Tx) error {
	_, err := tx.Exec(ctx, "UPDATE console_properties SET claimed_until = 0 WHERE claimed_until <> 0")
	return err
}

// finishFetch ends a claim. fetchedAt is nil unless all there is has been fetched.
func finishFetch(ctx context.Context, tx *db.Tx, propertyID string, next time.Time, failures int, problem string, fetchedAt *time.Time) error {
	_, err := tx.Exec(ctx, `UPDATE console_properties SET claimed_until = 0, next_fetch_at = $2, failures = $3, error = $4, fetched_at = COALESCE($5, fetched_at)
		WHERE id = $1`, propertyID, db.Micros(next), failures, problem, db.MicrosOrNil(fetchedAt))
	return err
}

func keptDays(ctx context.Context, q db.Queryer, propertyID string) (map[series.Day]bool, error) {
	days, err := db.All(ctx, q, db.Value[series.Day], "SELECT day FROM console_days WHERE property_id = $1", propertyID)
	kept := make(map[series.Day]bool, len(days))
	for _, day := range days {
		kept[day] = true
	}
	return kept, err
}

// keepDay stores a day once, prolongs the claim, and tells whether the property is still there.
func keepDay(ctx context.Context, tx *db.Tx, propertyID string, day series.Day, cut bool, queries, pages []byte, now, until time.Time) (there bool, err error) {
	n, err := tx.Exec(ctx, "UPDATE console_properties SET claimed_until = $2 WHERE id = $1", propertyID, db.Micros(until))
	if err != nil || n == 0 {
		return false, err
	}
	_, err = insertDay(ctx, tx, propertyID, day, cut, queries, pages, now)
	return true, err
}

// insertDay stores a day, and tells whether it was not there.
func insertDay(ctx context.Context, tx *db.Tx, propertyID string, day series.Day, cut bool, queries, pages []byte, now time.Time) (added bool, err error) {
	n, err := tx.Exec(ctx, `INSERT INTO console_days (property_id, day, cut, queries, pages, fetched_at) VALUES ($1, $2, $3, $4, $5, $6)
		ON CONFLICT (property_id, day) DO NOTHING`, propertyID, int(day), cut, queries, pages, db.Micros(now))
	return n > 0, err
}

// packedDay is a day as it is kept.
type packedDay struct {
	day  series.Day
	cut  bool
	rows []byte
}

// eachDay reads the days of a range, oldest first: by page where the filter wants one, else by query.
func eachDay(ctx context.Context, q db.Queryer, propertyID string, r series.Range, filter performance.Filter, yield func(packedDay) error) error {
	column := "queries"
	if filter.Page != "" {
		column = "pages"
	}
	return db.Each(ctx, q, func(row db.Scanner) error {
		var d packedDay
		if err := row.Scan(&d.day, &d.cut, &d.rows); err != nil {
			return err
		}
		return yield(d)
	}, "SELECT day, cut, "+column+" FROM console_days WHERE property_id = $1 AND day BETWEEN $2 AND $3 ORDER BY day", propertyID, int(r.From), int(r.To))
}

// idsByKey returns the ids of a tracking's keywords by what all spellings of them share.
func idsByKey(ctx context.Context, q db.Queryer, trackingID string) (map[string]string, error) {
	ids := map[string]string{}
	err := db.Each(ctx, q, func(row db.Scanner) error {
		var key, id string
		err := row.Scan(&key, &id)
		ids[key] = id
		return err
	}, "SELECT kw_key, id FROM tracked_keywords WHERE tracking_id = $1 AND removed_at IS NULL", trackingID)
	return ids, err
}

// keywordByKey returns a tracked keyword by any spelling of it; nil when it is not tracked.
func keywordByKey(ctx context.Context, q db.Queryer, trackingID, key string) (*trackedKeyword, error) {
	k, err := db.One(ctx, q, scanKeyword, selectKeyword+"WHERE k.tracking_id = $1 AND k.kw_key = $2 AND k.removed_at IS NULL", trackingID, key)
	if db.IsNoRow(err) {
		return nil, nil
	}
	return &k, err
}
