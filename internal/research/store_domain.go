package research

import (
	"context"
	"slices"
	"time"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/serp"
)

// ranksOf finds the places of domains in all lists.
func ranksOf(ctx context.Context, q db.Queryer, domains []string) (map[string][]domainRank, error) {
	found := map[string][]domainRank{}
	domains = slices.Compact(slices.Sorted(slices.Values(domains)))
	err := db.Lists(domains, func(list []string) error {
		var p db.Params
		return db.Each(ctx, q, func(row db.Scanner) error {
			var r domainRank
			var told int64
			err := row.Scan(&r.domain, &r.source, &r.rank, &told)
			r.toldAt = db.Time(told)
			found[r.domain] = append(found[r.domain], r)
			return err
		}, "SELECT domain, source, rank, told_at FROM domain_ranks WHERE domain IN "+db.AddAll(&p, list), p.Args...)
	})
	return found, err
}

// judgements finds the difficulty of each keyword in exactly its place, by its desktop page before its mobile one; nil
// where it is unknown.
func judgements(ctx context.Context, q db.Queryer, accountID string, list []asked) ([]*judgement, error) {
	type key struct {
		kw    string
		place int
	}
	wanted := map[key][]serp.Search{}
	var places []int
	kws := make([]string, len(list))
	for i, one := range list {
		kws[i] = one.kw
		places = append(places, one.in.location.ID)
		wanted[key{one.kw, one.in.location.ID}] = nil
	}
	searches, err := serp.SearchesFor(ctx, q, accountID, slices.Compact(slices.Sorted(slices.Values(places))), kws)
	if err != nil {
		return nil, err
	}
	var domains []string
	for _, one := range searches {
		k := key{one.Keyword, one.LocationID}
		if found, ok := wanted[k]; ok {
			wanted[k] = append(found, one)
			domains = append(domains, firstDomains(one.Hosts)...)
		}
	}
	ranks, err := ranksOf(ctx, q, domains)
	if err != nil {
		return nil, err
	}
	judged := make([]*judgement, len(list))
	for i, one := range list {
		for _, search := range wanted[key{one.kw, one.in.location.ID}] {
			if difficulty := difficultyOf(search.Hosts, ranks); difficulty != nil && judged[i] == nil {
				judged[i] = &judgement{*difficulty, sourceSeen, search.FetchedAt}
			}
		}
	}
	return judged, nil
}

func saveRanks(ctx context.Context, tx *db.Tx, rows []domainRank) error {
	// A list that names a domain twice, as with and without www., means its better place.
	slices.SortStableFunc(rows, func(a, b domainRank) int { return int(b.rank - a.rank) })
	rows = distinct(rows, func(r domainRank) string { return r.domain })
	values := make([][]any, len(rows))
	for i, r := range rows {
		values[i] = []any{r.domain, r.source, r.rank, db.Micros(r.toldAt)}
	}
	return db.Insert(ctx, tx, "domain_ranks", "domain, source, rank, told_at", values,
		`ON CONFLICT (domain, source) DO UPDATE SET rank = excluded.rank, told_at = excluded.told_at
		WHERE domain_ranks.told_at <> excluded.told_at OR domain_ranks.rank > excluded.rank`)
}

// dropOtherRanks removes some rows of a list that have another date, and tells whether there may be more.
func dropOtherRanks(ctx context.Context, tx *db.Tx, source string, told time.Time) (more bool, err error) {
	n, err := tx.Exec(ctx, `DELETE FROM domain_ranks WHERE source = $1 AND domain IN
		(SELECT domain FROM domain_ranks WHERE source = $1 AND told_at <> $2 LIMIT $3)`, source, db.Micros(told), importBatch)
	return n > 0, err
}

// countRanks counts the domains of a list that have one date.
func countRanks(ctx context.Context, q db.Queryer, source string, told time.Time) (int, error) {
	return db.One(ctx, q, db.Value[int], "SELECT count(*) FROM domain_ranks WHERE source = $1 AND told_at = $2", source, db.Micros(told))
}

// noteNewRanks makes every process notice that what it remembers of domain ranks is old.
func noteNewRanks(ctx context.Context, tx *db.Tx) error {
	_, err := tx.Exec(ctx, "INSERT INTO web_versions (name, version) VALUES ('domain_ranks', 1) ON CONFLICT (name) DO UPDATE SET version = web_versions.version + 1")
	return err
}
