package research

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/trigpoint/trigpoint/internal/db"
)

// operator is the account of rows that serve every account.
const operator = ""

// listSizes are the lengths of IN lists: a few texts of a query in place of one for every length, so
// that each is prepared once.
var listSizes = []int{1, 8, 32, 128, 512}

// eachList calls fn with the values in lists of these lengths, the last filled up with its last value.
func eachList[T any](values []T, fn func(list []T) error) error {
	for len(values) > 0 {
		size := listSizes[len(listSizes)-1]
		for _, s := range listSizes {
			if len(values) <= s {
				size = s
				break
			}
		}
		list := slices.Clone(values[:min(size, len(values))])
		values = values[len(list):]
		for len(list) < size {
			list = append(list, list[len(list)-1])
		}
		if err := fn(list); err != nil {
			return err
		}
	}
	return nil
}

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

// knownFigures finds the rows of keywords that an account may see, in the market and around it.
func knownFigures(ctx context.Context, q db.Queryer, accountID string, m market, kws []string) (map[string][]figures, error) {
	known := map[string][]figures{}
	err := eachList(kws, func(list []string) error {
		var p db.Params
		return db.Each(ctx, q, func(row db.Scanner) error {
			f, err := scanFigures(row)
			known[f.kw] = append(known[f.kw], f)
			return err
		}, "SELECT "+figureColumns+" FROM keywords WHERE account_id IN "+p.List(operator, accountID)+" AND location_id IN "+db.AddAll(&p, m.around)+
			" AND kw IN "+db.AddAll(&p, list), p.Args...)
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

const searchColumns = "kw, location_id, platform_id, serp_id, fetched_at, hosts"

func scanSearch(row db.Scanner) (search, error) {
	var s search
	var fetched int64
	err := row.Scan(&s.kw, &s.locationID, &s.platformID, &s.serpID, &fetched, &s.hosts)
	s.fetchedAt = db.Time(fetched)
	return s, err
}

// searchesWith reads an account's searches in a market, those with one of the hosts among their
// results; all of them without hosts.
func searchesWith(ctx context.Context, q db.Queryer, accountID string, m market, hosts ...string) ([]search, error) {
	var p db.Params
	where := " WHERE account_id = " + p.Add(accountID)
	if len(hosts) > 0 {
		var likes []string
		for _, host := range hosts { // _ in a host stands for any character here: a few too many are read
			likes = append(likes, "hosts LIKE "+p.Add("%"+host+"\n%"))
		}
		where += " AND (" + strings.Join(likes, " OR ") + ")"
	}
	within := m.within()
	var all []search
	err := db.Each(ctx, q, func(row db.Scanner) error {
		s, err := scanSearch(row)
		if err == nil && within(s.locationID) {
			all = append(all, s)
		}
		return err
	}, "SELECT "+searchColumns+" FROM searches"+where, p.Args...)
	return all, err
}

// searchFor finds the newest page of a keyword in exactly this place; desktop before mobile.
func searchFor(ctx context.Context, q db.Queryer, accountID string, locationID int, kw string) (search, error) {
	return db.One(ctx, q, scanSearch, "SELECT "+searchColumns+" FROM searches WHERE account_id = $1 AND location_id = $2 AND kw = $3 ORDER BY platform_id LIMIT 1", accountID, locationID, kw)
}

// judgement is what the newest page of a keyword says of its difficulty.
type judgement struct {
	kw         string
	platformID int
	difficulty int64
	fetchedAt  time.Time
}

// judgements finds those of many keywords in exactly this place; desktop before mobile.
func judgements(ctx context.Context, q db.Queryer, accountID string, locationID int, kws []string) (map[string]*judgement, error) {
	found := map[string]*judgement{}
	err := eachList(kws, func(list []string) error {
		var p db.Params
		return db.Each(ctx, q, func(row db.Scanner) error {
			var j judgement
			var fetched int64
			err := row.Scan(&j.kw, &j.platformID, &j.difficulty, &fetched)
			j.fetchedAt = db.Time(fetched)
			if known := found[j.kw]; known == nil || j.platformID < known.platformID {
				found[j.kw] = &j
			}
			return err
		}, "SELECT kw, platform_id, difficulty, fetched_at FROM searches WHERE account_id = "+p.Add(accountID)+" AND location_id = "+p.Add(locationID)+
			" AND difficulty IS NOT NULL AND kw IN "+db.AddAll(&p, list), p.Args...)
	})
	return found, err
}
