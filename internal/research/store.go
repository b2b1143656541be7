package research

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/trigpoint/trigpoint/internal/db"
)

// operator is the account of rows that serve every account.
const operator = ""

const figureColumns = "kw, account_id, location_id, language_id, volume, cpc, ppc, months, source, told_at"

func scanFigures(row db.Scanner) (figures, error) {
	var f figures
	var owner string
	var months []byte
	var told int64
	if err := row.Scan(&f.kw, &owner, &f.locationID, &f.languageID, &f.volume, &f.cpc, &f.ppc, &months, &f.source, &told); err != nil {
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

// writeRows bounds the rows of one INSERT.
const writeRows = 200

// saveFigures keeps what was told of keywords; a figure that is now unknown does not erase a known one.
func saveFigures(ctx context.Context, tx *db.Tx, accountID string, rows []figures) error {
	for chunk := range slices.Chunk(rows, writeRows) {
		var p db.Params
		values := make([]string, len(chunk))
		for i, f := range chunk {
			if f.months == nil {
				f.months = []Month{}
			}
			months, err := json.Marshal(f.months)
			if err != nil {
				return err
			}
			values[i] = p.List(f.kw, accountID, f.locationID, f.languageID, f.volume, f.cpc, f.ppc, string(months), f.source, db.Micros(f.toldAt))
		}
		_, err := tx.Exec(ctx, "INSERT INTO keywords ("+figureColumns+") VALUES "+strings.Join(values, ", ")+`
			ON CONFLICT (kw, account_id, location_id, language_id) DO UPDATE SET
			volume = coalesce(excluded.volume, keywords.volume), cpc = coalesce(excluded.cpc, keywords.cpc), ppc = coalesce(excluded.ppc, keywords.ppc),
			months = CASE WHEN excluded.months = '[]' THEN keywords.months ELSE excluded.months END,
			source = excluded.source, told_at = excluded.told_at`, p.Args...)
		if err != nil {
			return err
		}
	}
	return nil
}

// saveWords makes keywords findable by their words. The order of the rows is the same for all writers,
// so that two of them cannot wait for each other.
func saveWords(ctx context.Context, tx *db.Tx, accountID string, kws []string) error {
	type entry struct{ word, kw string }
	var all []entry
	for _, kw := range kws {
		for _, w := range words(kw) {
			all = append(all, entry{w, kw})
		}
	}
	slices.SortFunc(all, func(a, b entry) int { return strings.Compare(a.word+"\n"+a.kw, b.word+"\n"+b.kw) })
	all = slices.Compact(all)
	for chunk := range slices.Chunk(all, writeRows) {
		var p db.Params
		values := make([]string, len(chunk))
		for i, e := range chunk {
			values[i] = p.List(e.word, accountID, e.kw)
		}
		if _, err := tx.Exec(ctx, "INSERT INTO keyword_words (word, account_id, kw) VALUES "+strings.Join(values, ", ")+" ON CONFLICT (word, account_id, kw) DO NOTHING", p.Args...); err != nil {
			return err
		}
	}
	return nil
}

// keywordsByWords finds the keywords that share most words with the given ones.
func keywordsByWords(ctx context.Context, q db.Queryer, accountID string, list []string, limit int) ([]string, error) {
	var p db.Params
	return db.All(ctx, q, db.Value[string], "SELECT kw FROM keyword_words WHERE word IN "+db.AddAll(&p, list)+" AND account_id IN "+p.List(operator, accountID)+
		" GROUP BY kw ORDER BY count(*) DESC, kw LIMIT "+p.Add(limit), p.Args...)
}
