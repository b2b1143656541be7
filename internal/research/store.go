package research

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/serp"
)

// operator is the account of rows that serve every account.
const operator = ""

// importBatch is how many rows one transaction of an import writes: few enough that other writers hardly
// wait.
const importBatch = 200

const figureColumns = "kw, account_id, location_id, language_id, source, told_at, volume, cpc, ppc, bid, bid_currency, difficulty, months"

func scanFigures(row db.Scanner) (figures, error) {
	var f figures
	var owner string
	var months []byte
	var told int64
	if err := row.Scan(&f.kw, &owner, &f.locationID, &f.languageID, &f.source, &told, &f.volume, &f.cpc, &f.ppc, &f.bid, &f.currency, &f.difficulty, &months); err != nil {
		return f, err
	}
	f.own, f.toldAt = owner != operator, db.Time(told)
	return f, json.Unmarshal(months, &f.months)
}

// knownFigures finds the rows of keywords that an account may see, in their markets and around them. A
// keyword may have rows of the others' places, too.
func knownFigures(ctx context.Context, q db.Queryer, accountID string, list []asked) (map[string][]figures, error) {
	var places []int
	kws := make([]string, len(list))
	for i, one := range list {
		kws[i] = one.kw
		places = append(places, one.in.around...)
	}
	known := map[string][]figures{}
	err := db.Lists(slices.Compact(slices.Sorted(slices.Values(places))), func(places []int) error {
		return db.Lists(kws, func(kws []string) error {
			var p db.Params
			return db.Each(ctx, q, func(row db.Scanner) error {
				f, err := scanFigures(row)
				known[f.kw] = append(known[f.kw], f)
				return err
			}, "SELECT "+figureColumns+" FROM keywords WHERE account_id IN "+p.List(operator, accountID)+" AND location_id IN "+db.AddAll(&p, places)+
				" AND kw IN "+db.AddAll(&p, kws), p.Args...)
		})
	})
	return known, err
}

// storedKeywords tells which keywords of one market the account's store has.
func storedKeywords(ctx context.Context, q db.Queryer, accountID string, rows []figures) (map[string]bool, error) {
	stored := map[string]bool{}
	kws := make([]string, len(rows))
	for i, f := range rows {
		kws[i] = f.kw
	}
	err := db.Lists(kws, func(list []string) error {
		var p db.Params
		return db.Each(ctx, q, func(row db.Scanner) error {
			kw, err := db.Value[string](row)
			stored[kw] = true
			return err
		}, "SELECT kw FROM keywords WHERE account_id = "+p.Add(accountID)+" AND location_id = "+p.Add(rows[0].locationID)+" AND language_id = "+p.Add(rows[0].languageID)+
			" AND kw IN "+db.AddAll(&p, list), p.Args...)
	})
	return stored, err
}

// saveKeywords keeps the figures of keywords, and makes the keywords findable.
func saveKeywords(ctx context.Context, tx *db.Tx, accountID string, rows []figures) error {
	if err := saveFigures(ctx, tx, accountID, rows); err != nil {
		return err
	}
	kws := make([]string, len(rows))
	for i, f := range rows {
		kws[i] = f.kw
	}
	return saveWords(ctx, tx, wordsOf(accountID, kws))
}

// saveFigures keeps the figures of keywords by who told them; one that is now unknown does not erase what the same source knew.
func saveFigures(ctx context.Context, tx *db.Tx, accountID string, rows []figures) error {
	values := make([][]any, len(rows))
	for i, f := range rows {
		if f.months == nil {
			f.months = []serp.MonthDemand{}
		}
		months, err := json.Marshal(f.months)
		if err != nil {
			return err
		}
		told := int64(0) // for a keyword without figures
		if !f.toldAt.IsZero() {
			told = db.Micros(f.toldAt)
		}
		values[i] = []any{f.kw, accountID, f.locationID, f.languageID, f.source, told, f.volume, f.cpc, f.ppc, f.bid, f.currency, f.difficulty, string(months)}
	}
	return db.Insert(ctx, tx, "keywords", figureColumns, values, `ON CONFLICT (kw, account_id, location_id, language_id, source) DO UPDATE SET
		volume = coalesce(excluded.volume, keywords.volume), cpc = coalesce(excluded.cpc, keywords.cpc), ppc = coalesce(excluded.ppc, keywords.ppc),
		bid = coalesce(excluded.bid, keywords.bid), bid_currency = CASE WHEN excluded.bid IS NULL THEN keywords.bid_currency ELSE excluded.bid_currency END,
		difficulty = coalesce(excluded.difficulty, keywords.difficulty), months = CASE WHEN excluded.months = '[]' THEN keywords.months ELSE excluded.months END,
		told_at = excluded.told_at`)
}

// entry names an account's keyword under one of its words.
type entry struct{ accountID, word, kw string }

func wordsOf(accountID string, kws []string) []entry {
	var all []entry
	for _, kw := range kws {
		for _, w := range tellingWords(kw) {
			all = append(all, entry{accountID, w, kw})
		}
	}
	return all
}

// saveWords makes keywords findable by their words. Those that are already stay as they are, and unlocked. The order is the same
// for all who write them, so that two cannot wait for each other.
func saveWords(ctx context.Context, tx *db.Tx, all []entry) error {
	slices.SortFunc(all, func(a, b entry) int {
		return cmp.Or(strings.Compare(a.accountID, b.accountID), strings.Compare(a.word, b.word), strings.Compare(a.kw, b.kw))
	})
	all = slices.Compact(all)
	rows := make([][]any, len(all))
	for i, e := range all {
		rows[i] = []any{e.word, e.accountID, e.kw, false}
	}
	return db.Insert(ctx, tx, "keyword_words", "word, account_id, kw, outdated", rows,
		"ON CONFLICT (word, account_id, kw) DO NOTHING")
}

// renewWords puts some keywords of one account that an earlier version made findable under the words of this one, and
// tells whether there may be more. They stay locked meanwhile, so that none comes back to an account being removed.
func renewWords(ctx context.Context, tx *db.Tx) (more bool, err error) {
	const batch = 500
	accountID, err := db.One(ctx, tx, db.Value[string], "SELECT account_id FROM keyword_words WHERE outdated ORDER BY account_id LIMIT 1")
	if err != nil {
		if db.IsNoRow(err) {
			err = nil
		}
		return false, err
	}
	kws, err := db.All(ctx, tx, db.Value[string], "SELECT kw FROM keyword_words WHERE outdated AND account_id = $1 ORDER BY kw LIMIT $2"+tx.ForUpdate(), accountID, batch)
	if err != nil || len(kws) == 0 {
		return false, err
	}
	kws = slices.Compact(kws)
	var p db.Params
	if _, err := tx.Exec(ctx, "DELETE FROM keyword_words WHERE outdated AND account_id = "+p.Add(accountID)+" AND kw IN "+db.AddAll(&p, kws), p.Args...); err != nil {
		return false, err
	}
	return true, saveWords(ctx, tx, wordsOf(accountID, kws))
}

// keywordsByWords finds the keywords that share most words with the given ones.
func keywordsByWords(ctx context.Context, q db.Queryer, accountID string, list []string, limit int) ([]string, error) {
	var p db.Params
	return db.All(ctx, q, db.Value[string], "SELECT kw FROM keyword_words WHERE word IN "+db.AddAll(&p, list)+" AND account_id IN "+p.List(operator, accountID)+
		" GROUP BY kw ORDER BY count(*) DESC, kw LIMIT "+p.Add(limit), p.Args...)
}

// distinct keeps the last row of each key, in the order of the keys.
func distinct[T any](rows []T, key func(T) string) []T {
	last := map[string]T{}
	for _, row := range rows {
		last[key(row)] = row
	}
	list := make([]T, 0, len(last))
	for _, row := range last {
		list = append(list, row)
	}
	slices.SortFunc(list, func(a, b T) int { return strings.Compare(key(a), key(b)) })
	return list
}

// forgetKeywords removes some of an account's keywords, and tells whether there may be more.
func forgetKeywords(ctx context.Context, tx *db.Tx, accountID string) (more bool, err error) {
	const batch = 1_000
	for _, text := range []string{
		"DELETE FROM keywords WHERE account_id = $1 AND kw IN (SELECT kw FROM keywords WHERE account_id = $1 LIMIT $2)",
		"DELETE FROM keyword_words WHERE account_id = $1 AND word IN (SELECT word FROM keyword_words WHERE account_id = $1 LIMIT $2)",
	} {
		if n, err := tx.Exec(ctx, text, accountID, batch); err != nil || n > 0 {
			return n > 0, err
		}
	}
	return false, nil
}
