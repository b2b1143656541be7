package db

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/trigpoint/trigpoint/internal/trace"
)

// Tx is a transaction under way.
type Tx struct {
	SQL     *sql.Tx // for libraries that write in the same transaction
	Dialect Dialect
	span    trace.Span
	hooks
}

// Queryer reads; both a DB and a Tx do.
type Queryer interface {
	Query(ctx context.Context, text string, args ...any) (*sql.Rows, error)
}

// Tx runs fn in a transaction that commits when fn returns nil. Once Tx has returned nil the change
// is on disk. fn must not do I/O beyond the store, and must not call Tx again: on SQLite all writers
// share one connection.
func (d *DB) Tx(ctx context.Context, fn func(*Tx) error) (err error) {
	leaveReplica(ctx)
	ctx, span := trace.Begin(ctx, trace.Transaction)
	defer func() { endTransaction(span, err) }()
	if d.group != nil {
		return d.group.run(ctx, span, fn)
	}
	const attempts = 4
	var h hooks
	committed := false
	defer func() { h.ended(committed) }() // a panic is a failure too
	for range attempts {
		if err = d.postgresTx(ctx, span, &h, fn); !isSerialization(err) {
			break
		}
	}
	committed = err == nil
	return err
}

// postgresTx is one attempt; PostgreSQL may ask for another. Only the hooks of the last one count.
func (d *DB) postgresTx(ctx context.Context, span trace.Span, h *hooks, fn func(*Tx) error) (err error) {
	sqlTx, err := d.write.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = sqlTx.Rollback() }() // does nothing after a commit
	tx := &Tx{SQL: sqlTx, Dialect: Postgres, span: span}
	defer func() { h.keep(tx.hooks) }()
	if err := fn(tx); err != nil {
		return err
	}
	if err := sqlTx.Commit(); err != nil {
		return fmt.Errorf("commit: %w", err)
	}
	return nil
}

// Snapshot runs fn on the store as it stands at this moment, whatever is written meanwhile. fn only reads. On SQLite the
// write-ahead log grows as long as it takes.
func (d *DB) Snapshot(ctx context.Context, fn func(*Tx) error) error {
	options := &sql.TxOptions{ReadOnly: true}
	if d.Dialect == Postgres {
		options.Isolation = sql.LevelRepeatableRead
	}
	sqlTx, err := d.read.BeginTx(ctx, options)
	if err != nil {
		return err
	}
	defer func() { _ = sqlTx.Rollback() }()
	tx := &Tx{SQL: sqlTx, Dialect: d.Dialect}
	if d.Dialect == Postgres {
		// Between two tables an object may be read, which takes as long as it takes.
		if _, err := tx.Exec(ctx, "SET LOCAL idle_in_transaction_session_timeout = 0"); err != nil {
			return err
		}
	}
	return fn(tx)
}

// Context is what statements of the transaction run with. On SQLite a caller that goes away must not
// interrupt a write: that would roll back the whole group of transactions that it is committed with.
func (t *Tx) Context(ctx context.Context) context.Context {
	ctx = t.span.In(ctx)
	if t.Dialect == SQLite {
		return context.WithoutCancel(ctx)
	}
	return ctx
}

// Query reads inside the transaction.
func (t *Tx) Query(ctx context.Context, text string, args ...any) (*sql.Rows, error) {
	return t.SQL.QueryContext(t.Context(ctx), text, args...)
}

// Exec writes and returns how many rows were touched.
func (t *Tx) Exec(ctx context.Context, text string, args ...any) (int64, error) {
	res, err := t.SQL.ExecContext(t.Context(ctx), text, args...)
	if err != nil {
		return 0, err
	}
	return res.RowsAffected()
}

// ForUpdate is the clause that locks the selected rows until the transaction ends. SQLite has one
// writer, so there it is empty.
func (t *Tx) ForUpdate() string {
	if t.Dialect == Postgres {
		return " FOR UPDATE"
	}
	return ""
}
