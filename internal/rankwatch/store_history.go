package rankwatch

import (
	"context"
	"fmt"
	"maps"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/rankwatch/series"
)

const stateColumns = "keyword, next_check_at, failures, error, checked_at, first_rank, month, chunk, urls, latest, provider"

func scanState(row db.Scanner, more ...any) (rankState, error) {
	var s rankState
	var next, checked *int64
	err := row.Scan(append([]any{&s.number, &next, &s.failures, &s.problem, &checked, &s.firstRank, &s.month, (*[]byte)(&s.chunk), &s.urls, &s.latest, &s.provider}, more...)...)
	s.nextCheckAt, s.checkedAt = db.TimeOrNil(next), db.TimeOrNil(checked)
	return s, err
}

// lockStates reads the states of keywords, in order, so that two batches cannot wait for each other.
func lockStates(ctx context.Context, tx *db.Tx, keywords []int64) (map[int64]*rankState, error) {
	states := make(map[int64]*rankState, len(keywords))
	return states, db.Lists(keywords, func(list []int64) error {
		var p db.Params
		return db.Each(ctx, tx, func(row db.Scanner) error {
			s, err := scanState(row)
			states[s.number] = &s
			return err
		}, "SELECT "+stateColumns+" FROM rank_states WHERE keyword IN "+db.AddAll(&p, list)+" ORDER BY keyword"+tx.ForUpdate(), p.Args...)
	})
}

// saveStates writes the rows back and ends their claims.
func saveStates(ctx context.Context, tx *db.Tx, states []*rankState) error {
	rows := make([][]any, len(states))
	for i, s := range states {
		rows[i] = []any{s.number, db.MicrosOrNil(s.nextCheckAt), s.failures, s.problem, db.MicrosOrNil(s.checkedAt), s.firstRank, int(s.month), []byte(s.chunk), s.urls, s.latest, s.provider}
	}
	return db.Insert(ctx, tx, "rank_states", stateColumns, rows, `ON CONFLICT (keyword) DO UPDATE SET
		next_check_at = excluded.next_check_at, claimed_until = 0, failures = excluded.failures, error = excluded.error, checked_at = excluded.checked_at,
		first_rank = excluded.first_rank, month = excluded.month, chunk = excluded.chunk, urls = excluded.urls, latest = excluded.latest, provider = excluded.provider`)
}

// closeMonths puts the chunks of months that are over with their years.
func closeMonths(ctx context.Context, tx *db.Tx, states []*rankState) error {
	var closing []*rankState
	var numbers []int64
	for _, s := range states {
		if s.closed != nil {
			closing, numbers = append(closing, s), append(numbers, s.number)
		}
	}
	stored, err := allYears(ctx, tx, numbers)
	if err != nil {
		return err
	}
	changed := map[int64][]series.DatedYear{}
	for _, s := range closing {
		year := series.DatedYear{Number: s.closedMonth.Year()}
		for _, y := range stored[s.number] {
			if y.Number == year.Number {
				year.Year = y.Year
			}
		}
		if year.Year, err = year.Year.Set(s.closedMonth.InYear(), s.closed); err != nil {
			return fmt.Errorf("keyword %d, %d: %w", s.number, s.closedMonth, err)
		}
		changed[s.number] = []series.DatedYear{year}
	}
	return saveYears(ctx, tx, changed)
}

func saveYears(ctx context.Context, tx *db.Tx, byKeyword map[int64][]series.DatedYear) error {
	var rows [][]any
	for keyword, years := range byKeyword {
		for _, y := range years {
			rows = append(rows, []any{keyword, y.Number, []byte(y.Year)})
		}
	}
	return db.Insert(ctx, tx, "rank_years", "keyword, year, chunks", rows, "ON CONFLICT (keyword, year) DO UPDATE SET chunks = excluded.chunks")
}

// yearsOf reads the closed months of a tracking's keywords that a range needs, by keyword.
func yearsOf(ctx context.Context, q db.Queryer, trackingID string, r series.Range) (map[int64][]series.DatedYear, error) {
	from, to := r.Years()
	return scanYears(ctx, q, `SELECT y.keyword, y.year, y.chunks FROM tracked_keywords k JOIN rank_years y ON y.keyword = k.number
		WHERE k.tracking_id = $1 AND y.year BETWEEN $2 AND $3`, trackingID, from, to)
}

// yearsOfAccount is yearsOf for all trackings of an account.
func yearsOfAccount(ctx context.Context, q db.Queryer, accountID string, withDeleted bool, r series.Range) (map[int64][]series.DatedYear, error) {
	from, to := r.Years()
	return scanYears(ctx, q, `SELECT y.keyword, y.year, y.chunks FROM tracked_keywords k JOIN rank_years y ON y.keyword = k.number
		WHERE `+ofAccount(withDeleted)+" AND y.year BETWEEN $2 AND $3", accountID, from, to)
}

// yearsOfKeyword is yearsOf for one keyword.
func yearsOfKeyword(ctx context.Context, q db.Queryer, number int64, r series.Range) ([]series.DatedYear, error) {
	from, to := r.Years()
	all, err := scanYears(ctx, q, "SELECT keyword, year, chunks FROM rank_years WHERE keyword = $1 AND year BETWEEN $2 AND $3 ORDER BY year", number, from, to)
	return all[number], err
}

// allYears reads all closed months of keywords.
func allYears(ctx context.Context, q db.Queryer, keywords []int64) (map[int64][]series.DatedYear, error) {
	all := make(map[int64][]series.DatedYear, len(keywords))
	return all, db.Lists(keywords, func(list []int64) error {
		var p db.Params
		some, err := scanYears(ctx, q, "SELECT keyword, year, chunks FROM rank_years WHERE keyword IN "+db.AddAll(&p, list)+" ORDER BY keyword, year", p.Args...)
		maps.Copy(all, some)
		return err
	})
}

func scanYears(ctx context.Context, q db.Queryer, text string, args ...any) (map[int64][]series.DatedYear, error) {
	all := map[int64][]series.DatedYear{}
	err := db.Each(ctx, q, func(row db.Scanner) error {
		var keyword int64
		var y series.DatedYear
		err := row.Scan(&keyword, &y.Number, (*[]byte)(&y.Year))
		all[keyword] = append(all[keyword], y)
		return err
	}, text, args...)
	return all, err
}
