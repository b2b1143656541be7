package rankwatch

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/errs"
)

// batch bounds the rows of one statement.
const batch = 250

// rowsOf writes the rows of a VALUES clause.
func rowsOf[T any](p *db.Params, all []T, values func(T) []any) string {
	var rows strings.Builder
	for i, one := range all {
		if i > 0 {
			rows.WriteByte(',')
		}
		rows.WriteString(p.List(values(one)...))
	}
	return rows.String()
}

const selectKeyword = `SELECT k.number, k.id, k.kw, k.kw_key, k.created_at, k.removed_at, s.error, s.checked_at, s.first_rank, s.month, s.chunk, s.urls, s.latest
	FROM tracked_keywords k JOIN rank_states s ON s.keyword = k.number `

func scanKeyword(row db.Scanner) (trackedKeyword, error) {
	var k trackedKeyword
	var created int64
	var removed, checked, first *int64
	err := row.Scan(&k.number, &k.id, &k.kw, &k.key, &created, &removed, &k.problem, &checked, &first, &k.month, (*[]byte)(&k.chunk), &k.urls, &k.latest)
	k.createdAt, k.removed = db.Time(created), removed != nil
	if checked != nil {
		at := db.Time(*checked)
		k.checkedAt = &at
	}
	if first != nil {
		rank := int(*first)
		k.firstRank = &rank
	}
	return k, err
}

// rankedKeywords returns the keywords of a tracking as keywordsOf does, without their texts of old URLs.
func rankedKeywords(ctx context.Context, q db.Queryer, trackingID string) ([]trackedKeyword, error) {
	return db.All(ctx, q, scanKeyword, strings.Replace(selectKeyword, "s.urls", "''", 1)+"WHERE k.tracking_id = $1 AND k.removed_at IS NULL ORDER BY k.number", trackingID)
}

// keywordsOf returns the keywords of a tracking in the order in which they were added.
func keywordsOf(ctx context.Context, q db.Queryer, trackingID string, withRemoved bool) ([]trackedKeyword, error) {
	where := " AND k.removed_at IS NULL"
	if withRemoved {
		where = ""
	}
	return db.All(ctx, q, scanKeyword, selectKeyword+"WHERE k.tracking_id = $1"+where+" ORDER BY k.number", trackingID)
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

func noKeyword(id string) error {
	return errs.New(errs.NotFound, "There is no tracked keyword %.64q.", id)
}

func getKeyword(ctx context.Context, q db.Queryer, trackingID, id string) (trackedKeyword, error) {
	k, err := db.One(ctx, q, scanKeyword, selectKeyword+"WHERE k.id = $1 AND k.tracking_id = $2 AND k.removed_at IS NULL", id, trackingID)
	if db.IsNoRow(err) {
		err = noKeyword(id)
	}
	return k, err
}

// keywordNumbers finds the tracked keywords of these ids; one that is not of the tracking is NotFound.
func keywordNumbers(ctx context.Context, tx *db.Tx, trackingID string, ids []string) ([]int64, error) {
	numbers := make([]int64, 0, len(ids))
	for part := range slices.Chunk(ids, batch) {
		var p db.Params
		found := map[string]int64{}
		err := db.Each(ctx, tx, func(row db.Scanner) error {
			var id string
			var number int64
			err := row.Scan(&id, &number)
			found[id] = number
			return err
		}, "SELECT id, number FROM tracked_keywords WHERE tracking_id = "+p.Add(trackingID)+" AND removed_at IS NULL AND id IN "+db.AddAll(&p, part)+tx.ForUpdate(), p.Args...)
		if err != nil {
			return nil, err
		}
		for _, id := range part {
			number, ok := found[id]
			if !ok {
				return nil, noKeyword(id)
			}
			numbers = append(numbers, number)
		}
	}
	return numbers, nil
}

// ownKeywords finds an account's tracked keywords by their ids; one that it does not have is NotFound.
func ownKeywords(ctx context.Context, tx *db.Tx, accountID string, ids []string) (map[string]int64, error) {
	numbers := make(map[string]int64, len(ids))
	for part := range slices.Chunk(ids, batch) {
		var p db.Params
		err := db.Each(ctx, tx, func(row db.Scanner) error {
			var id string
			var number int64
			err := row.Scan(&id, &number)
			numbers[id] = number
			return err
		}, "SELECT id, number FROM tracked_keywords WHERE account_id = "+p.Add(accountID)+" AND id IN "+db.AddAll(&p, part), p.Args...)
		if err != nil {
			return nil, err
		}
	}
	for _, id := range ids {
		if _, ok := numbers[id]; !ok {
			return nil, noKeyword(id)
		}
	}
	return numbers, nil
}

// trackedSince moves the day since which a keyword counts back to one from which its history is known.
func trackedSince(ctx context.Context, tx *db.Tx, number int64, day Day) error {
	_, err := tx.Exec(ctx, "UPDATE tracked_keywords SET created_at = $2 WHERE number = $1 AND created_at > $2", number, db.Micros(day.Start()))
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
	for i := range all {
		all[i].number = last - int64(len(all)-1-i)
	}
	for part := range slices.Chunk(all, batch) {
		var p db.Params
		rows := rowsOf(&p, part, func(k trackedKeyword) []any {
			return []any{k.number, k.id, t.accountID, t.id, k.kw, k.key, db.Micros(k.createdAt)}
		})
		if _, err := tx.Exec(ctx, "INSERT INTO tracked_keywords (number, id, account_id, tracking_id, kw, kw_key, created_at) VALUES "+rows, p.Args...); err != nil {
			return 0, err
		}
		if _, err := tx.Exec(ctx, "INSERT INTO rank_states (keyword, next_check_at) SELECT number, 0 FROM tracked_keywords WHERE number BETWEEN $1 AND $2",
			part[0].number, part[len(part)-1].number); err != nil {
			return 0, err
		}
	}
	return waiting, nil
}

// restoreKeywords takes removed keywords back, with their history. Those that were checked today wait
// for tomorrow.
func restoreKeywords(ctx context.Context, tx *db.Tx, numbers []int64, today Day) error {
	for part := range slices.Chunk(numbers, batch) {
		var p, q db.Params
		if _, err := tx.Exec(ctx, "UPDATE tracked_keywords SET removed_at = NULL WHERE number IN "+db.AddAll(&p, part), p.Args...); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, "UPDATE rank_states SET failures = 0, next_check_at = CASE WHEN checked_at >= "+q.Add(db.Micros(today.Start()))+
			" THEN "+q.Add(db.Micros((today+1).Start()))+" ELSE CAST(0 AS BIGINT) END WHERE keyword IN "+db.AddAll(&q, part), q.Args...)
		if err != nil {
			return err
		}
	}
	return nil
}

func removeKeywords(ctx context.Context, tx *db.Tx, numbers []int64, now time.Time) error {
	for part := range slices.Chunk(numbers, batch) {
		var p, q db.Params
		if _, err := tx.Exec(ctx, "UPDATE tracked_keywords SET removed_at = "+p.Add(db.Micros(now))+" WHERE number IN "+db.AddAll(&p, part), p.Args...); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, "UPDATE rank_states SET next_check_at = NULL WHERE keyword IN "+db.AddAll(&q, part), q.Args...); err != nil {
			return err
		}
	}
	return nil
}

// tie gives keywords a tag; untie takes it away. Both may find it done.
func tie(ctx context.Context, tx *db.Tx, tagID string, numbers []int64) error {
	for part := range slices.Chunk(numbers, batch) {
		var p db.Params
		rows := rowsOf(&p, part, func(number int64) []any { return []any{tagID, number} })
		if _, err := tx.Exec(ctx, "INSERT INTO keyword_tags (tag_id, keyword) VALUES "+rows+" ON CONFLICT (tag_id, keyword) DO NOTHING", p.Args...); err != nil {
			return err
		}
	}
	return nil
}

func untie(ctx context.Context, tx *db.Tx, tagID string, numbers []int64) error {
	for part := range slices.Chunk(numbers, batch) {
		var p db.Params
		if _, err := tx.Exec(ctx, "DELETE FROM keyword_tags WHERE tag_id = "+p.Add(tagID)+" AND keyword IN "+db.AddAll(&p, part), p.Args...); err != nil {
			return err
		}
	}
	return nil
}

// yearsOf reads the closed months that a range needs, by keyword.
func yearsOf(ctx context.Context, q db.Queryer, trackingID string, r Range) (map[int64][]yearOf, error) {
	from, to := r.years()
	return scanYears(ctx, q, `SELECT y.keyword, y.year, y.chunks FROM tracked_keywords k JOIN rank_years y ON y.keyword = k.number
		WHERE k.tracking_id = $1 AND y.year BETWEEN $2 AND $3`, trackingID, from, to)
}

// yearsOfAccount is yearsOf for all trackings of an account.
func yearsOfAccount(ctx context.Context, q db.Queryer, accountID string, withDeleted bool, r Range) (map[int64][]yearOf, error) {
	from, to := r.years()
	return scanYears(ctx, q, `SELECT y.keyword, y.year, y.chunks FROM tracked_keywords k JOIN rank_years y ON y.keyword = k.number
		WHERE `+ofAccount(withDeleted)+" AND y.year BETWEEN $2 AND $3", accountID, from, to)
}

// yearsOfKeyword is yearsOf for one keyword.
func yearsOfKeyword(ctx context.Context, q db.Queryer, number int64, r Range) ([]yearOf, error) {
	from, to := r.years()
	all, err := scanYears(ctx, q, "SELECT keyword, year, chunks FROM rank_years WHERE keyword = $1 AND year BETWEEN $2 AND $3 ORDER BY year", number, from, to)
	return all[number], err
}

func scanYears(ctx context.Context, q db.Queryer, text string, args ...any) (map[int64][]yearOf, error) {
	all := map[int64][]yearOf{}
	err := db.Each(ctx, q, func(row db.Scanner) error {
		var keyword int64
		var y yearOf
		err := row.Scan(&keyword, &y.year, (*[]byte)(&y.chunks))
		all[keyword] = append(all[keyword], y)
		return err
	}, text, args...)
	return all, err
}
