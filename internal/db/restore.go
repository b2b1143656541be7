package db

import (
	"context"
	"errors"
	"fmt"
	"slices"
)

// unfinished is a table that stands in a store from the beginning of a restore to its end.
const unfinished = "restore_unfinished"

var errUnfinished = errors.New("the store is being restored from a backup, or that was interrupted: " +
	"wait for trigpoint restore to end, or run it again")

// ErrNotEmpty says that a store has something in it and cannot be restored into.
var ErrNotEmpty = errors.New("the store is not empty, and a backup is restored into an empty one only: " +
	"give another folder with --data or another database with --database-url, and move the old one away once the new one serves")

// BeginRestore makes the schema of a version in an empty store, or finds it there from a restore that was interrupted. Until
// Load has come to its end nothing else opens the store.
func (d *DB) BeginRestore(ctx context.Context, version int64, libraries ...func(context.Context) error) error {
	d.watch.Store(0)
	defer d.watch.Store(int64(d.silence))
	unlock, err := d.lockMigrations(ctx)
	if err != nil {
		return fmt.Errorf("lock for migrations: %w", err)
	}
	defer unlock()
	provider, err := d.migrations()
	if err != nil {
		return err
	}
	if newest := latest(provider); version > newest {
		return fmt.Errorf("the backup is of a later version of Trigpoint: its schema is %d, and this program knows up to %d. Restore it with that version", version, newest)
	}
	tables, err := d.tableNames(ctx)
	if err != nil {
		return err
	}
	switch {
	case len(tables) == 0:
		if _, err := d.write.ExecContext(ctx, "CREATE TABLE "+unfinished+" (here BOOLEAN)"); err != nil {
			return err
		}
	case !slices.Contains(tables, unfinished):
		return ErrNotEmpty
	default:
		made, _, err := d.Version(ctx)
		if err != nil {
			return err
		}
		if made > version {
			return fmt.Errorf("here the restore of a newer backup was interrupted (its schema is %d, that of this one %d): restore this one into another folder or database", made, version)
		}
	}
	if _, err := provider.UpTo(ctx, version); err != nil {
		return fmt.Errorf("migrate: %w", err)
	}
	return migrateLibraries(ctx, libraries)
}

// Load ends what BeginRestore began: fn fills the tables, in any order, in one transaction. References between them need not
// hold before it has returned.
func (d *DB) Load(ctx context.Context, fn func(*Tx) error) error {
	d.watch.Store(0)
	defer d.watch.Store(int64(d.silence))
	sqlTx, err := d.write.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = sqlTx.Rollback() }() // does nothing after a commit
	tx := &Tx{SQL: sqlTx, Dialect: d.Dialect}
	if _, err := tx.Exec(ctx, "DROP TABLE "+unfinished); err != nil { // a second restore waits here, and finds it gone
		return fmt.Errorf("another restore has come before this one: %w", err)
	}
	hold, err := tx.suspendReferences(ctx)
	if err != nil {
		return err
	}
	if err := fn(tx); err != nil {
		return err
	}
	if err := hold(); err != nil {
		return fmt.Errorf("references between tables: %w", err)
	}
	if err := sqlTx.Commit(); err != nil {
		return fmt.Errorf("commit: %w", err)
	}
	if d.Dialect == Postgres { // else the first queries are planned as if there were no rows
		_, err = d.write.ExecContext(ctx, "ANALYZE")
	}
	return err
}

// suspendReferences lets rows come before those that they refer to, and returns how to make references hold again. PostgreSQL
// would remember every row until then, so that its constraints are taken off; only this transaction sees them gone.
func (t *Tx) suspendReferences(ctx context.Context) (hold func() error, err error) {
	if t.Dialect == SQLite {
		_, err := t.Exec(ctx, "PRAGMA defer_foreign_keys = ON")
		return func() error { return nil }, err // the commit checks
	}
	type reference struct{ table, name, definition string }
	all, err := All(ctx, t, func(row Scanner) (r reference, err error) {
		return r, row.Scan(&r.table, &r.name, &r.definition)
	}, `SELECT conrelid::regclass::text, quote_ident(conname), pg_get_constraintdef(oid) FROM pg_constraint
		WHERE contype = 'f' AND conparentid = 0 AND connamespace = to_regnamespace(current_schema())`)
	if err != nil {
		return nil, err
	}
	for _, r := range all {
		if _, err := t.Exec(ctx, "ALTER TABLE "+r.table+" DROP CONSTRAINT "+r.name); err != nil {
			return nil, err
		}
	}
	return func() error {
		for _, r := range all {
			if _, err := t.Exec(ctx, "ALTER TABLE "+r.table+" ADD CONSTRAINT "+r.name+" "+r.definition); err != nil {
				return err
			}
		}
		return nil
	}, nil
}
