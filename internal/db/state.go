package db

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// State is what an engine tells of itself.
type State struct {
	Damage      string    // of a SQLite file; empty when it is well
	LogBytes    int64     // of SQLite's write-ahead log
	Major       int       // version of PostgreSQL
	Connections int       // that PostgreSQL takes from us and others
	Clock       time.Time // of PostgreSQL
}

// State asks the engine. On SQLite that reads the whole file.
func (d *DB) State(ctx context.Context) (s State, err error) {
	if d.Dialect == Postgres {
		return One(ctx, d, func(row Scanner) (s State, err error) {
			var micros int64
			err = row.Scan(&s.Major, &s.Connections, &micros)
			s.Clock = Time(micros)
			return s, err
		}, `SELECT current_setting('server_version_num')::int / 10000, current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int,
			(extract(epoch FROM clock_timestamp()) * 1000000)::bigint`)
	}
	if s.Damage, err = One(ctx, d, Value[string], "PRAGMA quick_check(1)"); err != nil {
		if IsUnavailable(err) || ctx.Err() != nil {
			return s, err
		}
		s.Damage = err.Error() // too damaged to be checked
	}
	if s.Damage == "ok" {
		s.Damage = ""
	}
	log, err := os.Stat(filepath.Join(d.dir, "trigpoint.db-wal"))
	if errors.Is(err, fs.ErrNotExist) {
		return s, nil
	}
	if err != nil {
		return s, err
	}
	s.LogBytes = log.Size()
	return s, nil
}
