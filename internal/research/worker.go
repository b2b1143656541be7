package research

import (
	"context"

	"github.com/trigpoint/trigpoint/internal/account"
	"github.com/trigpoint/trigpoint/internal/db"
)

// thin is the background work that makes old result pages fewer.
func (s *Service) thin(ctx context.Context) (more bool, err error) {
	if s.keep <= 0 {
		return false, nil // kept for ever
	}
	now := s.clock.Now()
	err = s.db.Tx(ctx, func(tx *db.Tx) error {
		n, err := thin(ctx, tx, now.Add(-s.keep), account.Month(now))
		more = n == thinBatch
		return err
	})
	return more, err
}

// rejudge computes the difficulty of every search anew, after the ranks of domains have changed.
func (s *Service) rejudge(ctx context.Context) error {
	var after searchKey
	for {
		rows, err := db.All(ctx, s.db, scanJudged, `SELECT account_id, location_id, kw, platform_id, fetched_at, difficulty, hosts FROM searches
			WHERE (account_id, location_id, kw, platform_id) > ($1, $2, $3, $4) ORDER BY account_id, location_id, kw, platform_id LIMIT $5`,
			after.accountID, after.locationID, after.kw, after.platformID, importBatch)
		if err != nil || len(rows) == 0 {
			return err
		}
		var domains []string
		for _, r := range rows {
			domains = append(domains, firstDomains(r.hosts)...)
		}
		ranks, err := ranksOf(ctx, s.db, domains)
		if err != nil {
			return err
		}
		if err := s.db.Tx(ctx, func(tx *db.Tx) error { return updateDifficulty(ctx, tx, rows, ranks) }); err != nil {
			return err
		}
		after = rows[len(rows)-1].key
	}
}

// judged is a search whose difficulty may have changed.
type judged struct {
	key        searchKey
	fetchedAt  int64
	difficulty *int64
	hosts      hostList
}

func scanJudged(row db.Scanner) (judged, error) {
	var j judged
	err := row.Scan(&j.key.accountID, &j.key.locationID, &j.key.kw, &j.key.platformID, &j.fetchedAt, &j.difficulty, &j.hosts)
	return j, err
}

func updateDifficulty(ctx context.Context, tx *db.Tx, rows []judged, ranks map[string][]domainRank) error {
	for _, r := range rows {
		now := difficultyOf(r.hosts, ranks)
		if same(now, r.difficulty) {
			continue
		}
		if _, err := tx.Exec(ctx, "UPDATE searches SET difficulty = $6 WHERE account_id = $1 AND location_id = $2 AND platform_id = $3 AND kw = $4 AND fetched_at = $5",
			r.key.accountID, r.key.locationID, r.key.platformID, r.key.kw, r.fetchedAt, now); err != nil {
			return err
		}
	}
	return nil
}

func same(a, b *int64) bool { return a == b || a != nil && b != nil && *a == *b }
