package rankwatch

import (
	"context"
	"fmt"
	"time"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/rankwatch/series"
)

// isDue is the condition for a keyword to be claimed; its binds are now and the end of the longest claim.
const isDue = "next_check_at <= $1 AND (claimed_until <= $1 OR claimed_until > $2)"

// anyDue tells whether there is anything to check, and whether a wrong clock has put anything off. It asks for the first and the
// last, which an index has at its ends: for EXISTS PostgreSQL guesses that a scan meets one soon, and reads every row where none is.
func anyDue(ctx context.Context, q db.Queryer, now time.Time) (due, putOff bool, err error) {
	_, err = db.One(ctx, q, func(row db.Scanner) (struct{}, error) { return struct{}{}, row.Scan(&due, &putOff) },
		"SELECT (SELECT min(next_check_at) FROM rank_states WHERE "+isDue+") IS NOT NULL, (SELECT max(next_check_at) FROM rank_states WHERE next_check_at > $3) IS NOT NULL",
		db.Micros(now), db.Micros(now.Add(maxClaim)), db.Micros(now.Add(maxAhead)))
	return due, putOff, err
}

// pullBack makes due at once what a wrong clock has put off.
func pullBack(ctx context.Context, tx *db.Tx, now time.Time) error {
	_, err := tx.Exec(ctx, "UPDATE rank_states SET next_check_at = $1 WHERE next_check_at > $2", db.Micros(now), db.Micros(now.Add(maxAhead)))
	return err
}

// claimDue marks keywords that are due, longest due first, as taken until a time, and returns them.
func claimDue(ctx context.Context, tx *db.Tx, now, until time.Time, limit int) ([]int64, error) {
	lock := tx.ForUpdate()
	if lock != "" {
		lock += " SKIP LOCKED"
	}
	due, err := db.All(ctx, tx, db.Value[int64],
		"SELECT keyword FROM rank_states WHERE "+isDue+" ORDER BY next_check_at, keyword LIMIT $3"+lock, db.Micros(now), db.Micros(now.Add(maxClaim)), limit)
	if err != nil || len(due) == 0 {
		return nil, err
	}
	var p db.Params
	_, err = tx.Exec(ctx, "UPDATE rank_states SET claimed_until = "+p.Add(db.Micros(until))+" WHERE keyword IN "+db.AddAll(&p, due), p.Args...)
	return due, err
}

// claimsOf reads what a check needs to know of keywords and their trackings.
func claimsOf(ctx context.Context, tx *db.Tx, numbers []int64, now, until time.Time) ([]claim, error) {
	var p, q db.Params
	var ids []string
	var early []int64
	claims, err := db.All(ctx, tx, func(row db.Scanner) (claim, error) {
		c := claim{until: until}
		var trackingID string
		var created int64
		err := row.Scan(&c.number, &c.kw, &trackingID, &created, &c.checked)
		ids = append(ids, trackingID)
		if ahead(db.Time(created), now) {
			early = append(early, c.number)
		}
		return c, err
	}, `SELECT k.number, k.kw, k.tracking_id, k.created_at, coalesce(s.checked_at, 0) FROM tracked_keywords k JOIN rank_states s ON s.keyword = k.number
		WHERE k.number IN `+db.AddAll(&p, numbers), p.Args...)
	if err != nil {
		return nil, err
	}
	for _, number := range early {
		if err := trackedSince(ctx, tx, number, series.DayOf(now)); err != nil {
			return nil, err
		}
	}
	trackings, err := db.All(ctx, tx, scanTracking, "SELECT "+trackingColumns+" FROM trackings WHERE id IN "+db.AddAll(&q, distinct(ids)), q.Args...)
	if err != nil {
		return nil, err
	}
	byID := make(map[string]*tracking, len(trackings))
	for i := range trackings {
		byID[trackings[i].id] = &trackings[i]
	}
	for i := range claims {
		if claims[i].tracking = byID[ids[i]]; claims[i].tracking == nil {
			return nil, fmt.Errorf("keyword %d has no tracking %s", claims[i].number, ids[i])
		}
	}
	return claims, nil
}

// releaseAll frees what a dead process had claimed.
func releaseAll(ctx context.Context, tx *db.Tx) error {
	_, err := tx.Exec(ctx, "UPDATE rank_states SET claimed_until = 0 WHERE claimed_until <> 0")
	return err
}

// putOff ends the claim of a keyword without a check, and says why.
func putOff(ctx context.Context, tx *db.Tx, number int64, until time.Time, why string) error {
	_, err := tx.Exec(ctx, "UPDATE rank_states SET next_check_at = $2, claimed_until = 0, error = $3 WHERE keyword = $1", number, db.Micros(until), why)
	return err
}

// newestBeyond returns the newest keyword of an account that is not among the newest n; 0 when there is none.
func newestBeyond(ctx context.Context, tx *db.Tx, accountID string, n int64) (int64, error) {
	number, err := db.One(ctx, tx, db.Value[int64], "SELECT k.number FROM tracked_keywords k WHERE "+ofAccount(false)+" ORDER BY k.number DESC LIMIT 1 OFFSET $2", accountID, n)
	if db.IsNoRow(err) {
		return 0, nil
	}
	return number, err
}
