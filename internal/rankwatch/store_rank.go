package rankwatch

import (
	"context"
	"fmt"
	"slices"

	"github.com/trigpoint/trigpoint/internal/db"
)

// closeMonths puts the chunks of months that are over with their years.
func closeMonths(ctx context.Context, tx *db.Tx, states []*rankState) error {
	var closing []*rankState
	var numbers []any
	for _, s := range states {
		if s.closed != nil {
			closing, numbers = append(closing, s), append(numbers, s.keyword)
		}
	}
	if len(closing) == 0 {
		return nil
	}
	first := slices.MinFunc(closing, func(a, b *rankState) int { return int(a.over - b.over) }).over.Year()
	var p db.Params
	stored, err := scanYears(ctx, tx, "SELECT keyword, year, chunks FROM rank_years WHERE year >= "+p.Add(first)+" AND keyword IN "+p.List(numbers...), p.Args...)
	if err != nil {
		return err
	}
	rows := make([]yearRow, len(closing))
	for i, s := range closing {
		var year Year
		for _, y := range stored[s.keyword] {
			if y.year == s.over.Year() {
				year = y.chunks
			}
		}
		if year, err = year.Set(s.over.InYear(), s.closed); err != nil {
			return fmt.Errorf("keyword %d, %d: %w", s.keyword, s.over, err)
		}
		rows[i] = yearRow{s.keyword, yearOf{s.over.Year(), year}}
	}
	return saveYears(ctx, tx, rows)
}

// yearRow is a row of rank_years.
type yearRow struct {
	keyword int64
	yearOf
}

func saveYears(ctx context.Context, tx *db.Tx, all []yearRow) error {
	for part := range slices.Chunk(all, batch) {
		var p db.Params
		rows := rowsOf(&p, part, func(y yearRow) []any { return []any{y.keyword, y.year, []byte(y.chunks)} })
		if _, err := tx.Exec(ctx, "INSERT INTO rank_years (keyword, year, chunks) VALUES "+rows+" ON CONFLICT (keyword, year) DO UPDATE SET chunks = excluded.chunks", p.Args...); err != nil {
			return err
		}
	}
	return nil
}

// saveStates writes the rows back and ends their claims.
func saveStates(ctx context.Context, tx *db.Tx, states []*rankState) error {
	for part := range slices.Chunk(states, batch) {
		var p db.Params
		rows := rowsOf(&p, part, func(s *rankState) []any {
			return []any{s.keyword, s.nextCheckAt, s.failures, s.problem, s.checkedAt, s.firstRank, int(s.month), []byte(s.chunk), s.urls, s.latest}
		})
		_, err := tx.Exec(ctx, "INSERT INTO rank_states ("+stateColumns+") VALUES "+rows+` ON CONFLICT (keyword) DO UPDATE SET
			next_check_at = excluded.next_check_at, claimed_until = 0, failures = excluded.failures, error = excluded.error, checked_at = excluded.checked_at,
			first_rank = excluded.first_rank, month = excluded.month, chunk = excluded.chunk, urls = excluded.urls, latest = excluded.latest`, p.Args...)
		if err != nil {
			return err
		}
	}
	return nil
}
