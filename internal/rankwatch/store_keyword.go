package rankwatch

import (
	"context"
	"strings"
	"time"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/rankwatch/series"
)

const selectKeyword = "SELECT " + stateColumns + `, k.id, k.kw, k.kw_key, k.created_at, k.removed_at
	FROM tracked_keywords k JOIN rank_states s ON s.keyword = k.number `

func scanKeyword(row db.Scanner) (trackedKeyword, error) {
	var k trackedKeyword
	var created int64
	var removed *int64
	var err error
	k.rankState, err = scanState(row, &k.id, &k.kw, &k.key, &created, &removed)
	k.createdAt, k.removed = db.Time(created), removed != nil
	return k, err
}

// rankedKeywords returns the keywords of a tracking as keywordsOf does, without their texts of old URLs.
func rankedKeywords(ctx context.Context, q db.Queryer, trackingID string) ([]trackedKeyword, error) {
	return db.All(ctx, q, scanKeyword, strings.Replace(selectKeyword, "urls", "''", 1)+"WHERE k.tracking_id = $1 AND k.removed_at IS NULL ORDER BY k.number", trackingID)
}

// keywordsOf returns the keywords of a tracking in the order in which they were added.
func keywordsOf(ctx context.Context, q db.Queryer, trackingID string, withRemoved bool) ([]trackedKeyword, error) {
	where := " AND k.removed_at IS NULL"
	if withRemoved {
		where = ""
	}
	return db.All(ctx, q, scanKeyword, selectKeyword+"WHERE k.tracking_id = $1"+where+" ORDER BY k.number", trackingID)
}

// keywordIDs returns the ids of a tracking's keywords in the order in which they were added.
func keywordIDs(ctx context.Context, q db.Queryer, trackingID string) ([]string, error) {
	return db.All(ctx, q, db.Value[string], "SELECT id FROM tracked_keywords WHERE tracking_id = $1 AND removed_at IS NULL ORDER BY number", trackingID)
}

// ofAccount is the condition for the keywords of an account's trackings, all or those not deleted.
func ofAccount(withDeleted bool) string {
	where := "k.account_id = $1 AND k.removed_at IS NULL"
	if !withDeleted {
		where += " AND EXISTS (SELECT 1 FROM trackings t WHERE t.id = k.tracking_id AND t.deleted_at IS NULL)"
	}
	return where
}

// keywordsOfAccount returns the keywords of all trackings, by tracking, without their texts of old URLs.
func keywordsOfAccount(ctx context.Context, q db.Queryer, accountID string, withDeleted bool) (map[string][]trackedKeyword, error) {
	all := map[string][]trackedKeyword{}
	err := db.Each(ctx, q, func(row db.Scanner) error {
		var trackingID string
		var created int64
		var k trackedKeyword
		err := row.Scan(&trackingID, &k.number, &k.id, &k.kw, &created, &k.month, (*[]byte)(&k.chunk))
		k.createdAt = db.Time(created)
		all[trackingID] = append(all[trackingID], k)
		return err
	}, `SELECT k.tracking_id, k.number, k.id, k.kw, k.created_at, s.month, s.chunk FROM tracked_keywords k JOIN rank_states s ON s.keyword = k.number
		WHERE `+ofAccount(withDeleted)+" ORDER BY k.number", accountID)
	return all, err
}

func getKeyword(ctx context.Context, q db.Queryer, trackingID, id string) (trackedKeyword, error) {
	k, err := db.One(ctx, q, scanKeyword, selectKeyword+"WHERE k.id = $1 AND k.tracking_id = $2 AND k.removed_at IS NULL", id, trackingID)
	if db.IsNoRow(err) {
		err = noKeyword(id)
	}
	return k, err
}

// lockKeywords returns the numbers of a tracking's keywords, in the order of the ids, while nobody else can
// change them. One that the tracking does not have is NotFound.
func lockKeywords(ctx context.Context, tx *db.Tx, trackingID string, ids []string) ([]int64, error) {
	found, err := keywordNumbers(ctx, tx, "tracking_id = $1 AND removed_at IS NULL", trackingID, tx.ForUpdate(), ids)
	if err != nil {
		return nil, err
	}
	numbers := make([]int64, len(ids))
	for i, id := range ids {
		numbers[i] = found[id]
	}
	return numbers, nil
}

// ownKeywords returns the numbers of an account's keywords by their ids; one that it does not have is
// NotFound.
func ownKeywords(ctx context.Context, tx *db.Tx, accountID string, ids []string) (map[string]int64, error) {
	return keywordNumbers(ctx, tx, "account_id = $1", accountID, "", ids)
}

func keywordNumbers(ctx context.Context, tx *db.Tx, of, owner, lock string, ids []string) (map[string]int64, error) {
	numbers := make(map[string]int64, len(ids))
	err := db.Lists(ids, func(list []string) error {
		p := db.Params{Args: []any{owner}}
		return db.Each(ctx, tx, func(row db.Scanner) error {
			var id string
			var number int64
			err := row.Scan(&id, &number)
			numbers[id] = number
			return err
		}, "SELECT id, number FROM tracked_keywords WHERE "+of+" AND id IN "+db.AddAll(&p, list)+lock, p.Args...)
	})
	if err != nil {
		return nil, err
	}
	for _, id := range ids {
		if _, ok := numbers[id]; !ok {
			return nil, noKeyword(id)
		}
	}
	return numbers, nil
}

// trackedSince moves the day since which a keyword counts back to one from which its history is known.
func trackedSince(ctx context.Context, tx *db.Tx, number int64, day series.Day) error {
	_, err := tx.Exec(ctx, "UPDATE tracked_keywords SET created_at = $2 WHERE number = $1 AND created_at > $2", number, db.Micros(day.Start()))
	return err
}

// siteTrackedSince does the same for the tracking of a keyword.
func siteTrackedSince(ctx context.Context, tx *db.Tx, accountID, keywordID string, day series.Day) error {
	_, err := tx.Exec(ctx, `UPDATE trackings SET created_at = $3 WHERE account_id = $1 AND created_at > $3
		AND id = (SELECT tracking_id FROM tracked_keywords WHERE account_id = $1 AND id = $2)`, accountID, keywordID, db.Micros(day.Start()))
	return err
}

// maxWaiting is how far the checks that are due are counted: it is for an estimate.
const maxWaiting = 10_000

// insertKeywords stores new keywords, due at once, and gives them their numbers. It tells how many checks
// were due before.
func insertKeywords(ctx context.Context, tx *db.Tx, t *tracking, all []trackedKeyword, now time.Time) (waiting int, err error) {
	var last int64
	_, err = db.One(ctx, tx, func(row db.Scanner) (struct{}, error) { return struct{}{}, row.Scan(&last, &waiting) },
		`UPDATE keyword_numbers SET last = last + $1
		RETURNING last, (SELECT count(*) FROM (SELECT 1 FROM rank_states WHERE next_check_at <= $2 LIMIT $3) due)`, len(all), db.Micros(now), maxWaiting)
	if err != nil {
		return 0, err
	}
	rows := make([][]any, len(all))
	states := make([][]any, len(all))
	for i := range all {
		k := &all[i]
		k.number = last - int64(len(all)-1-i)
		rows[i] = []any{k.number, k.id, t.accountID, t.id, k.kw, k.key, db.Micros(k.createdAt)}
		states[i] = []any{k.number, 0}
	}
	if err := db.Insert(ctx, tx, "tracked_keywords", "number, id, account_id, tracking_id, kw, kw_key, created_at", rows, ""); err != nil {
		return 0, err
	}
	return waiting, db.Insert(ctx, tx, "rank_states", "keyword, next_check_at", states, "")
}

// restoreKeywords takes removed keywords back, with their history. Those that were checked today wait
// for tomorrow.
func restoreKeywords(ctx context.Context, tx *db.Tx, numbers []int64, today series.Day) error {
	return db.Lists(numbers, func(list []int64) error {
		var p, q db.Params
		if _, err := tx.Exec(ctx, "UPDATE tracked_keywords SET removed_at = NULL WHERE number IN "+db.AddAll(&p, list), p.Args...); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, "UPDATE rank_states SET failures = 0, next_check_at = CASE WHEN checked_at >= "+q.Add(db.Micros(today.Start()))+
			" THEN "+q.Add(db.Micros((today+1).Start()))+" ELSE CAST(0 AS BIGINT) END WHERE keyword IN "+db.AddAll(&q, list), q.Args...)
		return err
	})
}

// checkFrom has keywords checked for the first time on a day.
func checkFrom(ctx context.Context, tx *db.Tx, numbers []int64, day series.Day) error {
	return db.Lists(numbers, func(list []int64) error {
		var p db.Params
		_, err := tx.Exec(ctx, "UPDATE rank_states SET next_check_at = "+p.Add(db.Micros(day.Start()))+" WHERE keyword IN "+db.AddAll(&p, list), p.Args...)
		return err
	})
}

func removeKeywords(ctx context.Context, tx *db.Tx, numbers []int64, now time.Time) error {
	return db.Lists(numbers, func(list []int64) error {
		var p, q db.Params
		if _, err := tx.Exec(ctx, "UPDATE tracked_keywords SET removed_at = "+p.Add(db.Micros(now))+" WHERE number IN "+db.AddAll(&p, list), p.Args...); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, "UPDATE rank_states SET next_check_at = NULL WHERE keyword IN "+db.AddAll(&q, list), q.Args...)
		return err
	})
}

// checkedBefore finds the checks of today in deleted trackings of the same target, by keyword.
func checkedBefore(ctx context.Context, tx *db.Tx, t *tracking, today series.Day) (map[string]*trackedKeyword, error) {
	found := map[string]*trackedKeyword{}
	return found, db.Each(ctx, tx, func(row db.Scanner) error {
		k, err := scanKeyword(row)
		found[k.key] = &k
		return err
	}, selectKeyword+`JOIN trackings t ON t.id = k.tracking_id WHERE t.account_id = $1 AND t.domain = $2 AND t.location_id = $3 AND t.platform_id = $4
		AND t.deleted_at >= $5 AND s.checked_at >= $5 AND s.checked_at < $6 ORDER BY s.checked_at`,
		t.accountID, t.target.String(), t.locationID, t.platformID, db.Micros(today.Start()), db.Micros((today + 1).Start()))
}
