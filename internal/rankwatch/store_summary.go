package rankwatch

import (
	"context"
	"encoding/json"
	"math"
	"time"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/event"
	"github.com/trigpoint/trigpoint/internal/rankwatch/series"
)

// A tracking is summed up a little after its ranks have changed: at once would be again with every batch of checks. The
// delay grows with its keywords, so that a hundredth of the time goes into it at most.
const (
	sumAfter      = 2 * time.Second
	sumPerKeyword = 10 * time.Millisecond
	sumAtLatest   = 30 * time.Minute

	// sumLease is longer than any delay: a change while a tracking is summed up brings its time forward, and is not lost.
	sumLease = time.Hour
)

func insertSummary(ctx context.Context, tx *db.Tx, t *tracking) error {
	_, err := tx.Exec(ctx, "INSERT INTO tracking_summaries (tracking_id, account_id, due_at) VALUES ($1, $2, $3)", t.id, t.accountID, db.Micros(t.createdAt.Add(sumLease)))
	return err
}

func deleteSummary(ctx context.Context, tx *db.Tx, trackingID string) error {
	if _, err := tx.Exec(ctx, "DELETE FROM tracking_movers WHERE tracking_id = $1", trackingID); err != nil {
		return err
	}
	_, err := tx.Exec(ctx, "DELETE FROM tracking_summaries WHERE tracking_id = $1", trackingID)
	return err
}

// markChanged has trackings summed up soon.
func markChanged(ctx context.Context, tx *db.Tx, now time.Time, trackingIDs ...string) error {
	return db.Lists(distinct(trackingIDs), func(list []string) error {
		var p db.Params
		_, err := tx.Exec(ctx, sumSoon(&p, now)+"tracking_id IN "+db.AddAll(&p, list), p.Args...)
		return err
	})
}

// markKeywords is markChanged for the trackings of keywords.
func markKeywords(ctx context.Context, tx *db.Tx, now time.Time, numbers []int64) error {
	return db.Lists(numbers, func(list []int64) error {
		var p db.Params
		_, err := tx.Exec(ctx, sumSoon(&p, now)+"tracking_id IN (SELECT tracking_id FROM tracked_keywords WHERE number IN "+db.AddAll(&p, list)+")", p.Args...)
		return err
	})
}

// sumSoon brings the time of summaries forward; which ones follows.
func sumSoon(p *db.Params, now time.Time) string {
	soon := p.Add(db.Micros(now.Add(sumAfter))) + " + CASE WHEN keywords < " + p.Add(int64(sumAtLatest/sumPerKeyword)) +
		" THEN keywords * " + p.Add(sumPerKeyword.Microseconds()) + " ELSE " + p.Add(sumAtLatest.Microseconds()) + " END"
	return "UPDATE tracking_summaries SET due_at = " + soon + " WHERE due_at > " + soon + " AND "
}

// claimSummary takes the tracking that has waited longest to be summed up, until a time; db.ErrNoRow when none is due.
func claimSummary(ctx context.Context, tx *db.Tx, now, until time.Time) (trackingID string, err error) {
	lock := tx.ForUpdate()
	if lock != "" {
		lock += " SKIP LOCKED"
	}
	return db.One(ctx, tx, db.Value[string], `UPDATE tracking_summaries SET due_at = $2
		WHERE tracking_id = (SELECT tracking_id FROM tracking_summaries WHERE due_at <= $1 ORDER BY due_at LIMIT 1`+lock+") RETURNING tracking_id", db.Micros(now), db.Micros(until))
}

// saveSummary stores what a tracking was summed up to. One that was deleted meanwhile has none any more, and nothing is kept.
func saveSummary(ctx context.Context, tx *db.Tx, s *summary, claimedUntil, next time.Time) (kept bool, err error) {
	trend, err := json.Marshal(s.trend)
	if err != nil {
		return false, err
	}
	accountID, err := db.One(ctx, tx, db.Value[string], `UPDATE tracking_summaries SET keywords = $2, visibility = $3, change = $4, moved = $5, trend = $6,
		due_at = CASE WHEN due_at = $7 THEN $8 ELSE due_at END WHERE tracking_id = $1 RETURNING account_id`,
		s.trackingID, s.keywords, s.visibility, s.change, math.Abs(s.change), string(trend), db.Micros(claimedUntil), db.Micros(next))
	if db.IsNoRow(err) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if _, err := tx.Exec(ctx, "DELETE FROM tracking_movers WHERE tracking_id = $1", s.trackingID); err != nil {
		return false, err
	}
	rows := make([][]any, len(s.movers))
	for i, m := range s.movers {
		rows[i] = []any{m.number, s.trackingID, accountID, m.rank, m.change}
	}
	return true, db.Insert(ctx, tx, "tracking_movers", "keyword, tracking_id, account_id, rank, change", rows, "ON CONFLICT (keyword) DO NOTHING")
}

// moversOf are the movers of a summary that was just saved, the strongest first, by their names.
func moversOf(ctx context.Context, tx *db.Tx, s *summary) ([]event.Mover, error) {
	return db.All(ctx, tx, func(row db.Scanner) (m event.Mover, err error) {
		err = row.Scan(&m.Keyword, &m.Rank, &m.Change)
		return m, err
	}, "SELECT k.kw, m.rank, m.change FROM tracking_movers m JOIN tracked_keywords k ON k.number = m.keyword WHERE m.tracking_id = $1 ORDER BY abs(m.change) DESC, k.number", s.trackingID)
}

// packedKeywords returns the keywords of a tracking with no more than the checks of their newest month.
func packedKeywords(ctx context.Context, q db.Queryer, trackingID string) ([]trackedKeyword, error) {
	return db.All(ctx, q, func(row db.Scanner) (k trackedKeyword, err error) {
		var created int64
		err = row.Scan(&k.number, &k.id, &created, &k.month, (*[]byte)(&k.chunk))
		k.createdAt = db.Time(created)
		return k, err
	}, `SELECT k.number, k.id, k.created_at, s.month, s.chunk FROM tracked_keywords k JOIN rank_states s ON s.keyword = k.number
		WHERE k.tracking_id = $1 AND k.removed_at IS NULL ORDER BY k.number`, trackingID)
}

// nextSum is when a tracking is summed up though nothing has changed: a day later, when the checks of the day are over.
func nextSum(today series.Day) time.Time { return (today + 1).Start().Add(6 * time.Hour) }
