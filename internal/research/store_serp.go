package research

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/trigpoint/trigpoint/internal/account"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/errs"
)

// storedSerp is a result page with its record.
type storedSerp struct {
	id, accountID, kw      string
	locationID, platformID int
	fetchedAt              time.Time
	packed                 []byte

	hosts   hostList // set when it is to be kept
	learned []string // keywords that the page tells of
}

const serpColumns = "id, account_id, kw, location_id, platform_id, fetched_at, page"

func scanSerp(row db.Scanner) (storedSerp, error) {
	var s storedSerp
	var fetched int64
	err := row.Scan(&s.id, &s.accountID, &s.kw, &s.locationID, &s.platformID, &fetched, &s.packed)
	s.fetchedAt = db.Time(fetched)
	return s, err
}

func getSerp(ctx context.Context, q db.Queryer, accountID, id string) (storedSerp, error) {
	s, err := db.One(ctx, q, scanSerp, "SELECT "+serpColumns+" FROM serps WHERE id = $1 AND account_id = $2", id, accountID)
	if db.IsNoRow(err) {
		err = errs.New(errs.NotFound, "There is no result page %.64q.", id)
	}
	return s, err
}

// cachedSerp finds a page of the search that is not older than since: the account's own, or else one
// that another account has had fetched.
func cachedSerp(ctx context.Context, q db.Queryer, key searchKey, since time.Time) (storedSerp, error) {
	return db.One(ctx, q, scanSerp, `SELECT p.id, p.account_id, p.kw, p.location_id, p.platform_id, p.fetched_at, p.page
		FROM searches s JOIN serps p ON p.id = s.serp_id
		WHERE s.kw = $1 AND s.location_id = $2 AND s.platform_id = $3 AND s.fetched_at > $4
		ORDER BY (s.account_id = $5) DESC, s.fetched_at DESC LIMIT 1`, key.kw, key.locationID, key.platformID, db.Micros(since), key.accountID)
}

// keepSerps stores pages with all that is learned from them. Rows are written in the order of their
// keys, so that two writers cannot wait for each other.
func keepSerps(ctx context.Context, tx *db.Tx, records []storedSerp) error {
	var domains []string
	learned := map[string][]string{} // by account
	newest := map[searchKey]*storedSerp{}
	for i := range records {
		r := &records[i]
		domains = append(domains, firstDomains(r.hosts)...)
		learned[r.accountID] = append(learned[r.accountID], r.learned...)
		if known := newest[r.key()]; known == nil || known.fetchedAt.Before(r.fetchedAt) {
			newest[r.key()] = r
		}
	}
	ranks, err := ranksOf(ctx, tx, domains)
	if err != nil {
		return err
	}
	if err := insertSerps(ctx, tx, records); err != nil {
		return err
	}
	keys := slices.SortedFunc(maps.Keys(newest), searchKey.compare)
	for chunk := range slices.Chunk(keys, writeRows) {
		if err := upsertSearches(ctx, tx, chunk, newest, ranks); err != nil {
			return err
		}
	}
	for _, accountID := range slices.Sorted(maps.Keys(learned)) {
		if err := saveWords(ctx, tx, accountID, learned[accountID]); err != nil {
			return err
		}
	}
	return nil
}

// searchKey names a search.
type searchKey struct {
	accountID, kw          string
	locationID, platformID int
}

func (s *storedSerp) key() searchKey {
	return searchKey{s.accountID, s.kw, s.locationID, s.platformID}
}

func (k searchKey) compare(o searchKey) int {
	return cmp.Or(strings.Compare(k.accountID, o.accountID), cmp.Compare(k.locationID, o.locationID), strings.Compare(k.kw, o.kw), cmp.Compare(k.platformID, o.platformID))
}

func insertSerps(ctx context.Context, tx *db.Tx, records []storedSerp) error {
	for chunk := range slices.Chunk(records, writeRows) {
		var p db.Params
		values := make([]string, len(chunk))
		for i, s := range chunk {
			values[i] = p.List(s.id, s.accountID, s.kw, s.locationID, s.platformID, db.Micros(s.fetchedAt), s.packed, account.Month(s.fetchedAt), false)
		}
		if _, err := tx.Exec(ctx, "INSERT INTO serps ("+serpColumns+", month, thinned) VALUES "+strings.Join(values, ", "), p.Args...); err != nil {
			return err
		}
	}
	return nil
}

func upsertSearches(ctx context.Context, tx *db.Tx, keys []searchKey, newest map[searchKey]*storedSerp, ranks map[string][]domainRank) error {
	var p db.Params
	values := make([]string, len(keys))
	for i, k := range keys {
		s := newest[k]
		values[i] = p.List(k.accountID, k.kw, k.locationID, k.platformID, s.id, db.Micros(s.fetchedAt), string(s.hosts), difficultyOf(s.hosts, ranks))
	}
	_, err := tx.Exec(ctx, "INSERT INTO searches (account_id, "+searchColumns+", difficulty) VALUES "+strings.Join(values, ", ")+`
		ON CONFLICT (account_id, location_id, platform_id, kw) DO UPDATE SET serp_id = excluded.serp_id, fetched_at = excluded.fetched_at,
		difficulty = excluded.difficulty, hosts = excluded.hosts WHERE searches.fetched_at <= excluded.fetched_at`, p.Args...)
	return err
}

// thinBatch bounds one transaction of the thinning.
const thinBatch = 500

// thin removes result pages from before the time that are not the last of their month.
func thin(ctx context.Context, tx *db.Tx, before time.Time, month int) (int, error) {
	later := `EXISTS (SELECT 1 FROM serps n WHERE n.kw = serps.kw AND n.location_id = serps.location_id AND n.platform_id = serps.platform_id
		AND n.account_id = serps.account_id AND n.fetched_at > serps.fetched_at AND n.month = serps.month)`
	old, err := db.All(ctx, tx, db.Value[string], "SELECT id FROM serps WHERE NOT thinned AND fetched_at < $1 AND (month < $2 OR "+later+") ORDER BY fetched_at LIMIT $3",
		db.Micros(before), month, thinBatch)
	if err != nil || len(old) == 0 {
		return 0, err
	}
	var p db.Params
	list := db.AddAll(&p, old)
	if _, err := tx.Exec(ctx, "DELETE FROM serps WHERE id IN "+list+" AND "+later, p.Args...); err != nil {
		return 0, err
	}
	_, err = tx.Exec(ctx, "UPDATE serps SET thinned = TRUE WHERE id IN "+list, p.Args...)
	return len(old), err
}
