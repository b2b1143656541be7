// Package dbtest runs a test on each engine, on a store of its own.
package dbtest

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/id"
	"github.com/trigpoint/trigpoint/internal/job"
)

// patience is how long tests wait for PostgreSQL, which a busy machine may keep from working for many seconds.
const patience = time.Minute

// serverVariable names the PostgreSQL server for tests; `make test` starts one and sets it.
const serverVariable = "TRIGPOINT_TEST_POSTGRES"

// Each runs the test on SQLite and on PostgreSQL with a fresh, migrated store.
func Each(t *testing.T, test func(t *testing.T, d *db.DB)) {
	t.Helper()
	EachOptions(t, func(t *testing.T, o db.Options) { test(t, open(t, o)) })
}

func open(t testing.TB, o db.Options) *db.DB {
	t.Helper()
	d, err := db.Open(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	return d
}

// EachOptions is Each for tests that open the store themselves, such as those that start the program.
func EachOptions(t *testing.T, test func(t *testing.T, o db.Options)) {
	t.Helper()
	t.Run("sqlite", func(t *testing.T) {
		t.Parallel()
		test(t, sqliteStore(t))
	})
	t.Run("postgres", func(t *testing.T) {
		t.Parallel()
		test(t, postgresStore(t))
	})
}

// EachEmpty is EachOptions with a store in which nothing has been made yet.
func EachEmpty(t *testing.T, test func(t *testing.T, o db.Options)) {
	t.Helper()
	t.Run("sqlite", func(t *testing.T) {
		t.Parallel()
		test(t, db.Options{Dir: t.TempDir()})
	})
	t.Run("postgres", func(t *testing.T) {
		t.Parallel()
		test(t, EmptyPostgres(t))
	})
}

// Postgres gives the place of a fresh store on PostgreSQL only, for tests of what only it has.
func Postgres(t testing.TB) db.Options {
	t.Helper()
	return postgresStore(t)
}

// EmptyPostgres gives the place of an empty database on PostgreSQL only.
func EmptyPostgres(t testing.TB) db.Options {
	t.Helper()
	return postgresDatabase(t, postgresServer(t), "template0")
}

// SQLite gives a fresh store on SQLite only, for tests of what does not depend on the engine.
func SQLite(t testing.TB) *db.DB {
	t.Helper()
	return open(t, sqliteStore(t))
}

// template is a migrated SQLite file, made once for all tests of a process.
var template = sync.OnceValues(func() ([]byte, error) {
	dir, err := os.MkdirTemp("", "trigpoint-template")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	d, err := db.Open(context.Background(), db.Options{Dir: dir})
	if err != nil {
		return nil, err
	}
	if err := job.Migrate(context.Background(), d); err != nil {
		return nil, err
	}
	if err := d.Close(); err != nil {
		return nil, err
	}
	return os.ReadFile(filepath.Join(dir, "trigpoint.db"))
})

func sqliteStore(t testing.TB) db.Options {
	t.Helper()
	migrated, err := template()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "trigpoint.db"), migrated, 0o600); err != nil {
		t.Fatal(err)
	}
	return db.Options{Dir: dir}
}

func postgresStore(t testing.TB) db.Options {
	t.Helper()
	server := postgresServer(t)
	base, err := postgresTemplate(server)
	if err != nil {
		t.Fatal(err)
	}
	return postgresDatabase(t, server, base)
}

// postgresServer is the URL of the server for tests.
func postgresServer(t testing.TB) string {
	t.Helper()
	server := os.Getenv(serverVariable)
	switch server {
	case "":
		t.Fatalf("no PostgreSQL: run the tests with `make test` or `scripts/with-postgres go test ./...`, or set %s=skip to leave PostgreSQL out knowingly", serverVariable)
	case "skip":
		t.Skipf("%s=skip", serverVariable)
	}
	return server
}

// postgresDatabase makes a copy of a database, for one test.
func postgresDatabase(t testing.TB, server, base string) db.Options {
	t.Helper()
	admin, err := sql.Open("pgx", server)
	if err != nil {
		t.Fatal(err)
	}
	name := "test_" + id.New()
	if err := whenUnused(admin, fmt.Sprintf("CREATE DATABASE %s TEMPLATE %s STRATEGY FILE_COPY", name, base)); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := whenUnused(admin, "DROP DATABASE "+name+" WITH (FORCE)"); err != nil {
			t.Error(err)
		}
		_ = admin.Close()
	})
	return db.Options{URL: withDatabase(server, name), MaxConns: 8, Silence: patience}
}

// whenUnused runs a statement that wants a database for itself. Those whose connections were closed leave in their own time,
// and PostgreSQL waits five seconds for them.
func whenUnused(admin *sql.DB, statement string) error {
	for deadline := time.Now().Add(patience); ; {
		_, err := admin.Exec(statement)
		var inUse *pgconn.PgError
		if !errors.As(err, &inUse) || inUse.Code != "55006" || time.Now().After(deadline) {
			return err
		}
	}
}

// postgresTemplate is a migrated database, made once for all tests of a process.
var postgresTemplates sync.Map // server -> func() (string, error)

func postgresTemplate(server string) (string, error) {
	build, _ := postgresTemplates.LoadOrStore(server, sync.OnceValues(func() (string, error) {
		admin, err := sql.Open("pgx", server)
		if err != nil {
			return "", err
		}
		defer func() { _ = admin.Close() }()
		name := "template_" + id.New()
		if _, err := admin.Exec("CREATE DATABASE " + name); err != nil {
			return "", err
		}
		d, err := db.Open(context.Background(), db.Options{URL: withDatabase(server, name), MaxConns: 4})
		if err != nil {
			return "", err
		}
		if err := job.Migrate(context.Background(), d); err != nil {
			return "", err
		}
		return name, d.Close()
	}))
	return build.(func() (string, error))()
}

func withDatabase(server, name string) string {
	u, err := url.Parse(server)
	if err != nil {
		return server
	}
	u.Path = "/" + name
	query := u.Query()
	query.Set("connect_timeout", strconv.Itoa(int(patience.Seconds())))
	u.RawQuery = query.Encode()
	return u.String()
}
