// Package db opens the store, runs transactions and migrations, and holds the little that differs
// between SQLite and PostgreSQL. It knows no table of an area; each area keeps its SQL in its store.go.
//
// Every query is written once with $1 binds. Time is kept as microseconds UTC, JSON as text.
package db

import (
	"context"
	"database/sql"
	"sync/atomic"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib" // registers "pgx"
)

// Dialect is the engine behind a DB.
type Dialect string

// The engines.
const (
	SQLite   Dialect = "sqlite"
	Postgres Dialect = "postgres"
)

// Title is the engine's own name.
func (d Dialect) Title() string {
	if d == Postgres {
		return "PostgreSQL"
	}
	return "SQLite"
}

// Options says where the store is. An empty URL means SQLite in Dir.
type Options struct {
	URL      string
	Dir      string
	MaxConns int
	Replicas []string               // URLs of streaming replicas that may answer reads; PostgreSQL only
	Existing bool                   // refuse to make a new store
	Trace    func(statement string) // is told of every statement, for tests that count them; may be nil
	Silence  time.Duration          // how long PostgreSQL may keep a query waiting without a word; 10 s when 0, for ever below
}

// DB is an open store. On SQLite reads use a pool of their own, and writes share one connection
// whose transactions are committed in groups.
type DB struct {
	Dialect Dialect
	read    *sql.DB
	write   *sql.DB
	dir     string
	group   *groupCommit

	replicas  []*replica
	turn      atomic.Uint64 // whose it is to be asked first
	unwatched func()        // ends the watch over them

	existing bool
	silence  time.Duration
	watch    atomic.Int64 // silence, in nanoseconds, or 0 during migrations
}

// Open connects to the store. It does not migrate.
func Open(ctx context.Context, o Options) (*DB, error) {
	if o.URL != "" {
		return openPostgres(ctx, o)
	}
	return openSQLite(ctx, o)
}

// Close waits for the transactions under way and closes the store.
func (d *DB) Close() error {
	if d.group != nil {
		d.group.stop()
	}
	d.closeReplicas()
	err := d.write.Close()
	if d.read != d.write {
		if rerr := d.read.Close(); err == nil {
			err = rerr
		}
	}
	return err
}

// Writer is the connection pool that writes, for libraries that keep tables of their own.
func (d *DB) Writer() *sql.DB { return d.write }

// Dir is the folder of a SQLite store, empty on PostgreSQL.
func (d *DB) Dir() string { return d.dir }

// Ping tells whether the store answers.
func (d *DB) Ping(ctx context.Context) error { return d.read.PingContext(ctx) }

// Query reads outside a transaction, from a replica where the context says so.
func (d *DB) Query(ctx context.Context, text string, args ...any) (*sql.Rows, error) {
	if r := replicaOf(ctx); r != nil {
		return r.pool.QueryContext(ctx, text, args...)
	}
	return d.read.QueryContext(ctx, text, args...)
}
