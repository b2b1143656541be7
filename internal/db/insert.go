package db

import (
	"context"
	"strings"
)

// maxBinds is how many values one statement may have: SQLite's limit, which is below PostgreSQL's.
const maxBinds = 32_766

// Insert writes rows, each with the values of columns in their order, in as few statements as the engines
// allow. onConflict is the clause that follows the rows, or empty. Without rows it does nothing.
func Insert(ctx context.Context, tx *Tx, table, columns string, rows [][]any, onConflict string) error {
	for len(rows) > 0 {
		n := min(len(rows), maxBinds/len(rows[0]))
		var p Params
		var text strings.Builder
		text.WriteString("INSERT INTO " + table + " (" + columns + ") VALUES ")
		for i, row := range rows[:n] {
			if i > 0 {
				text.WriteByte(',')
			}
			text.WriteString(p.List(row...))
		}
		text.WriteString(" " + onConflict)
		if _, err := tx.Exec(ctx, text.String(), p.Args...); err != nil {
			return err
		}
		rows = rows[n:]
	}
	return nil
}
