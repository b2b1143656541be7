package db

import (
	"context"
	"database/sql"
	"embed"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"syscall"

	"github.com/pressly/goose/v3"
	"github.com/riverqueue/river/riverdriver"
	"github.com/riverqueue/river/riverdriver/riverdatabasesql"
	"github.com/riverqueue/river/riverdriver/riversqlite"
	"github.com/riverqueue/river/rivermigrate"
)

//go:embed migrations/*.sql
var migrations embed.FS

// Migrate brings the schema up to date, the job queue's included. Any number of processes may call it
// at once: one migrates, the others wait and find it done.
func (d *DB) Migrate(ctx context.Context) error {
	unlock, err := d.lockMigrations(ctx)
	if err != nil {
		return fmt.Errorf("lock for migrations: %w", err)
	}
	defer unlock()

	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return err
	}
	dialect := goose.DialectPostgres
	if d.Dialect == SQLite {
		dialect = goose.DialectSQLite3
	}
	provider, err := goose.NewProvider(dialect, d.write, files, goose.WithDisableGlobalRegistry(true))
	if err != nil {
		return err
	}
	if _, err := provider.Up(ctx); err != nil {
		return fmt.Errorf("migrate: %w", err)
	}
	queue, err := rivermigrate.New(d.RiverDriver(), &rivermigrate.Config{Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		return err
	}
	if _, err := queue.Migrate(ctx, rivermigrate.DirectionUp, nil); err != nil {
		return fmt.Errorf("migrate the job queue: %w", err)
	}
	return nil
}

// RiverDriver is the job queue's view of the store.
func (d *DB) RiverDriver() riverdriver.Driver[*sql.Tx] {
	if d.Dialect == SQLite {
		return riversqlite.New(d.write)
	}
	return riverdatabasesql.New(d.write)
}

// migrationLock is any fixed number; it is the key of PostgreSQL's advisory lock.
const migrationLock = 0x7472696770

func (d *DB) lockMigrations(ctx context.Context) (unlock func(), err error) {
	if d.Dialect == SQLite {
		return LockFile(filepath.Join(d.dir, "migrate.lock"), true)
	}
	conn, err := d.write.Conn(ctx)
	if err != nil {
		return nil, err
	}
	if _, err := conn.ExecContext(ctx, "SELECT pg_advisory_lock($1)", migrationLock); err != nil {
		_ = conn.Close()
		return nil, err
	}
	return func() {
		_, _ = conn.ExecContext(context.WithoutCancel(ctx), "SELECT pg_advisory_unlock($1)", migrationLock)
		_ = conn.Close()
	}, nil
}

// LockFile takes an exclusive lock that the system drops when the process dies. Without wait it fails
// at once when another process holds it.
func LockFile(path string, wait bool) (unlock func(), err error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	how := syscall.LOCK_EX
	if !wait {
		how |= syscall.LOCK_NB
	}
	if err := syscall.Flock(int(f.Fd()), how); err != nil {
		_ = f.Close()
		return nil, err
	}
	return func() { _ = f.Close() }, nil
}
