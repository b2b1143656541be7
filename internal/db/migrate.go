package db

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/pressly/goose/v3"
)

//go:embed migrations/*.sql
var migrations embed.FS

// Migrate brings the schema up to date, and then the tables that libraries keep in the store. Any number
// of processes may call it at once: one migrates, the others wait and find it done. A store that is not
// ours, or that a later version has changed, is refused.
func (d *DB) Migrate(ctx context.Context, libraries ...func(context.Context) error) error {
	d.watch.Store(0) // an index may take its time
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
	if err := d.recognise(ctx, latest(provider)); err != nil {
		return err
	}
	if _, err := provider.Up(ctx); err != nil {
		return fmt.Errorf("migrate: %w", err)
	}
	return migrateLibraries(ctx, libraries)
}

// migrations are those that the program knows.
func (d *DB) migrations() (*goose.Provider, error) {
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return nil, err
	}
	dialect := goose.DialectPostgres
	if d.Dialect == SQLite {
		dialect, files = goose.DialectSQLite3, sqliteFiles{files}
	}
	return goose.NewProvider(dialect, d.write, files, goose.WithDisableGlobalRegistry(true))
}

// sqliteFiles are migrations as SQLite takes them: it has no other way to make an index than alone.
type sqliteFiles struct{ fs.FS }

// Open implements fs.FS.
func (s sqliteFiles) Open(name string) (fs.File, error) {
	file, err := s.FS.Open(name)
	if err != nil || !strings.HasSuffix(name, ".sql") {
		return file, err
	}
	text, err := io.ReadAll(file)
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return sqliteFile{file, strings.NewReader(strings.ReplaceAll(string(text), " CONCURRENTLY", ""))}, nil
}

type sqliteFile struct {
	fs.File
	text io.Reader
}

// Read implements fs.File.
func (f sqliteFile) Read(p []byte) (int, error) { return f.text.Read(p) }

// latest is the number of the newest migration that the program knows.
func latest(provider *goose.Provider) int64 {
	sources := provider.ListSources()
	return sources[len(sources)-1].Version
}

func migrateLibraries(ctx context.Context, libraries []func(context.Context) error) error {
	for _, migrate := range libraries {
		if err := migrate(ctx); err != nil {
			return err
		}
	}
	return nil
}

// Recognise refuses a store that this program must not touch, and changes nothing.
func (d *DB) Recognise(ctx context.Context) error {
	provider, err := d.migrations()
	if err != nil {
		return err
	}
	return d.recognise(ctx, latest(provider))
}

// recognise refuses a store that this program must not touch. latest is the newest schema it knows.
func (d *DB) recognise(ctx context.Context, latest int64) error {
	tables, err := d.tableNames(ctx)
	if err != nil {
		return err
	}
	if len(tables) == 0 {
		if d.existing {
			return fmt.Errorf("the database is empty: check --database-url; trigpoint serve, trigpoint account create and imports fill a new one")
		}
		return nil
	}
	if slices.Contains(tables, unfinished) {
		return errUnfinished
	}
	var version int64
	if slices.Contains(tables, goose.DefaultTablename) {
		if version, err = schemaVersion(ctx, d); err != nil {
			return fmt.Errorf("look at the store: %w", err)
		}
	}
	ours := slices.Contains(tables, "accounts") && slices.Contains(tables, "credentials")
	switch {
	case version == 0 && len(tables) == 1 && tables[0] == goose.DefaultTablename: // the very first migration was cut short
		return nil
	case version == 0 || !ours:
		return fmt.Errorf("the database is not Trigpoint's: it holds %d tables of something else, such as %q. Give Trigpoint a database or schema of its own",
			len(tables), slices.Min(tables))
	case version > latest:
		return fmt.Errorf("the store was changed by a later version of Trigpoint: its schema is %d, and this program knows up to %d. "+
			"Run that version, or go back to a backup from before the upgrade", version, latest)
	}
	return nil
}

// migrationLock is any fixed number; it is the key of PostgreSQL's advisory lock.
const migrationLock = 0x7472696770

// lockMigrations holds off other processes. On PostgreSQL the lock belongs to a transaction that is kept
// open beside the migrations: behind a pooler a session is nobody's.
func (d *DB) lockMigrations(ctx context.Context) (unlock func(), err error) {
	if d.Dialect == SQLite {
		return LockFile(filepath.Join(d.dir, "migrate.lock"), true)
	}
	for {
		unlock, err := d.tryMigrationLock(ctx)
		if err != nil || unlock != nil {
			return unlock, err
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// tryMigrationLock returns nil while another process migrates. Nobody waits inside the database: there an index that is made
// beside the traffic would wait for whoever waits for it.
func (d *DB) tryMigrationLock(ctx context.Context) (unlock func(), err error) {
	tx, err := d.write.BeginTx(ctx, nil)
	if err != nil {
		return nil, err
	}
	var locked bool
	err = tx.QueryRowContext(ctx, "SELECT pg_try_advisory_xact_lock($1)", migrationLock).Scan(&locked)
	if err == nil { // it comes second: the query's snapshot ends with it, for which an index would wait, too
		_, err = tx.ExecContext(ctx, "SET LOCAL idle_in_transaction_session_timeout = 0")
	}
	if err != nil || !locked {
		return nil, errors.Join(err, tx.Rollback())
	}
	return func() { _ = tx.Rollback() }, nil
}
