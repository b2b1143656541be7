package db_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/db/dbtest"
)

// tryStore opens and migrates as the program does at its start.
func tryStore(t *testing.T, o db.Options) error {
	t.Helper()
	d, err := db.Open(t.Context(), o)
	if err != nil {
		return err
	}
	defer func() { _ = d.Close() }()
	return d.Migrate(t.Context())
}

func change(t *testing.T, o db.Options, text string) {
	t.Helper()
	d, err := db.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = d.Close() }()
	if _, err := d.Writer().ExecContext(t.Context(), text); err != nil {
		t.Fatal(err)
	}
}

func TestStoreOfALaterVersionIsRefused(t *testing.T) {
	t.Parallel()
	dbtest.EachOptions(t, func(t *testing.T, o db.Options) {
		if err := tryStore(t, o); err != nil {
			t.Fatalf("our own store: %v", err)
		}
		change(t, o, "INSERT INTO goose_db_version (version_id, is_applied) VALUES (90000, TRUE)")
		err := tryStore(t, o)
		if err == nil || !strings.Contains(err.Error(), "later version of Trigpoint: its schema is 90000") {
			t.Errorf("%v", err)
		}
	})
}

func TestSomebodyElsesDatabaseIsRefused(t *testing.T) {
	t.Parallel()
	for name, made := range map[string]string{
		"plain":              "CREATE TABLE wp_posts (id BIGINT)",
		"with its own goose": "CREATE TABLE invoices (id BIGINT); CREATE TABLE goose_db_version (version_id BIGINT, is_applied BOOLEAN); INSERT INTO goose_db_version VALUES (3, TRUE)",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dbtest.EachEmpty(t, func(t *testing.T, o db.Options) {
				change(t, o, made)
				err := tryStore(t, o)
				if err == nil || !strings.Contains(err.Error(), "not Trigpoint's") || !strings.Contains(err.Error(), "of its own") {
					t.Errorf("%v", err)
				}
			})
		})
	}
}

func TestReadingMakesNoStore(t *testing.T) {
	t.Parallel()
	dbtest.EachEmpty(t, func(t *testing.T, o db.Options) {
		if o.URL == "" {
			o.Dir = filepath.Join(o.Dir, "dtaa")
		}
		o.Existing = true
		if err := tryStore(t, o); err == nil || !strings.Contains(err.Error(), "check --data") {
			t.Errorf("%v", err)
		}
		if _, err := os.Stat(o.Dir); o.URL == "" && err == nil {
			t.Error("the mistyped folder was made")
		}
		o.Existing = false
		if err := tryStore(t, o); err != nil {
			t.Fatal(err)
		}
		o.Existing = true
		if err := tryStore(t, o); err != nil {
			t.Errorf("a store that is there: %v", err)
		}
	})
}

func TestStoreIsForItsOwnerOnly(t *testing.T) {
	t.Parallel()
	parent := t.TempDir()
	loose := filepath.Join(parent, "loose")
	if err := os.Mkdir(loose, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{filepath.Join(parent, "made"), loose} {
		file := filepath.Join(dir, "trigpoint.db")
		for _, run := range []string{"at first", "loosened"} {
			if run == "loosened" {
				for name, mode := range map[string]fs.FileMode{dir: 0o755, file: 0o644} {
					if err := os.Chmod(name, mode); err != nil {
						t.Fatal(err)
					}
				}
			}
			d, err := db.Open(t.Context(), db.Options{Dir: dir})
			if err != nil {
				t.Fatal(err)
			}
			if err := d.Migrate(t.Context()); err != nil {
				t.Fatal(err)
			}
			for name, want := range map[string]fs.FileMode{dir: 0o700, file: 0o600, file + "-wal": 0o600, file + "-shm": 0o600} {
				if info, err := os.Stat(name); err != nil || info.Mode().Perm() != want {
					t.Errorf("%s: %s is %v, want %v: %v", run, name, info.Mode().Perm(), want, err)
				}
			}
			if err := d.Close(); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// Any number of processes start at once; one migrates, the others wait.
func TestMigrateFromManyProcessesAtOnce(t *testing.T) {
	t.Parallel()
	dbtest.EachEmpty(t, func(t *testing.T, o db.Options) {
		o.MaxConns = 4
		faults := make(chan error, 4)
		for range cap(faults) {
			go func() { faults <- tryStore(t, o) }()
		}
		for range cap(faults) {
			if err := <-faults; err != nil {
				t.Error(err)
			}
		}
	})
}
