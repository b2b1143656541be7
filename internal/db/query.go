package db

import (
	"context"
	"database/sql"
	"errors"
	"strconv"
	"strings"
	"time"
)

// ErrNoRow says that One found nothing.
var ErrNoRow = sql.ErrNoRows

// Scanner is a row to read from.
type Scanner interface{ Scan(dest ...any) error }

// All collects the rows of a query.
func All[T any](ctx context.Context, q Queryer, scan func(Scanner) (T, error), text string, args ...any) ([]T, error) {
	var all []T
	err := Each(ctx, q, func(row Scanner) error {
		one, err := scan(row)
		all = append(all, one)
		return err
	}, text, args...)
	return all, err
}

// Each calls fn for every row without collecting them.
func Each(ctx context.Context, q Queryer, fn func(Scanner) error, text string, args ...any) error {
	rows, err := q.Query(ctx, text, args...)
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		if err := fn(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

// One reads a single row, or fails with ErrNoRow.
func One[T any](ctx context.Context, q Queryer, scan func(Scanner) (T, error), text string, args ...any) (T, error) {
	var zero T
	rows, err := q.Query(ctx, text, args...)
	if err != nil {
		return zero, err
	}
	defer func() { _ = rows.Close() }()
	if !rows.Next() {
		if err := rows.Err(); err != nil {
			return zero, err
		}
		return zero, ErrNoRow
	}
	one, err := scan(rows)
	if err != nil {
		return zero, err
	}
	return one, rows.Err()
}

// Value scans a single column.
func Value[T any](row Scanner) (T, error) {
	var v T
	err := row.Scan(&v)
	return v, err
}

// IsNoRow tells whether nothing was found.
func IsNoRow(err error) bool { return errors.Is(err, ErrNoRow) }

// Micros is how a time is stored.
func Micros(t time.Time) int64 { return t.UnixMicro() }

// Time reads a stored time.
func Time(micros int64) time.Time { return time.UnixMicro(micros).UTC() }

// MicrosOrNil is Micros for a time that may be missing.
func MicrosOrNil(t *time.Time) *int64 {
	if t == nil {
		return nil
	}
	micros := Micros(*t)
	return &micros
}

// TimeOrNil is Time for a time that may be missing.
func TimeOrNil(micros *int64) *time.Time {
	if micros == nil {
		return nil
	}
	t := Time(*micros)
	return &t
}

// Params collects arguments of a query built in pieces and names their binds.
type Params struct{ Args []any }

// Add appends a value and returns its bind, such as $3.
func (p *Params) Add(v any) string {
	p.Args = append(p.Args, v)
	return "$" + strconv.Itoa(len(p.Args))
}

// Contains is the condition of a column that has a text somewhere in it.
func (p *Params) Contains(column, text string) string {
	return column + " LIKE " + p.Add("%"+likeEscapes.Replace(text)+"%") + ` ESCAPE '\'`
}

var likeEscapes = strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`)

// List appends values and returns their binds in parentheses: ($3,$4).
func (p *Params) List(values ...any) string {
	var b strings.Builder
	b.WriteByte('(')
	for i, v := range values {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(p.Add(v))
	}
	b.WriteByte(')')
	return b.String()
}

// AddAll is List for a typed slice.
func AddAll[T any](p *Params, values []T) string {
	all := make([]any, len(values))
	for i, v := range values {
		all[i] = v
	}
	return p.List(all...)
}
