package doctor_test

import (
	"bytes"
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/trigpoint/trigpoint/internal/app"
	"github.com/trigpoint/trigpoint/internal/config"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/db/dbtest"
	"github.com/trigpoint/trigpoint/internal/doctor"
	"github.com/trigpoint/trigpoint/internal/job"
	"github.com/trigpoint/trigpoint/internal/secret"
	"github.com/trigpoint/trigpoint/internal/trace/tracetest"
)

func configOf(t *testing.T, o db.Options) *config.Config {
	t.Helper()
	c := &config.Config{Data: o.Dir, DatabaseURL: o.URL, MaxConns: 8, Listen: "127.0.0.1:0", JobTakeover: time.Minute}
	if c.Data == "" {
		c.Data = t.TempDir()
	}
	return c
}

// examine wants a finding for each text, and no others.
func examine(t *testing.T, d *doctor.Doctor, want ...string) {
	t.Helper()
	if d.Free == nil {
		d.Free = func(string) (float64, error) { return 0.5, nil }
	}
	if d.LookupHost == nil {
		d.LookupHost = func(context.Context, string) ([]string, error) { return []string{"127.0.0.1"}, nil }
	}
	found, looked := d.Examine(t.Context())
	if looked < 3 {
		t.Errorf("only %d things were looked at", looked)
	}
	for i, f := range found {
		if i >= len(want) || !strings.Contains(f.Wrong, want[i]) {
			t.Errorf("found, in place of %q: %s", append(want, "nothing")[min(i, len(want))], f.Wrong)
		}
		if f.Do == "" {
			t.Errorf("nothing is to be done about: %s", f.Wrong)
		}
	}
	if len(found) < len(want) {
		t.Errorf("not found: %q", want[len(found):])
	}
}

func change(t *testing.T, o db.Options, texts ...string) {
	t.Helper()
	d, err := db.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = d.Close() }()
	for _, text := range texts {
		if _, err := d.Writer().ExecContext(t.Context(), text); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
	}
}

func TestWhatIsWellIsLeftAlone(t *testing.T) {
	t.Parallel()
	dbtest.EachOptions(t, func(t *testing.T, o db.Options) {
		c := configOf(t, o)
		collector := tracetest.New(t)
		d := &doctor.Doctor{Config: c, Getenv: collectorAt(collector.Settings.Endpoint.Host)}
		examine(t, d)
		change(t, o,
			"INSERT INTO accounts (id, email, plan, feed_token, created_at) VALUES ('a', 'a@example.com', 'free', 'f', 0)",
			"INSERT INTO report_schedules (id, account_id, kind, subject_id, frequency, day, hour, created_at, next_at, due_at, failures, told_day, problem) VALUES ('s', 'a', 'account', '', 'WEEKLY', 1, 8, 0, 0, 1, 0, '', ''), ('paused', 'a', 'account', '', 'WEEKLY', 1, 8, 0, 0, NULL, 0, '', '')",
		)
		examine(t, &doctor.Doctor{Config: c, Getenv: d.Getenv}, "schedules of reports: 1, alert rules: 0")
		if want := "Traces are sent to " + collector.Settings.Endpoint.Host + "."; !slices.Equal(d.Notes, []string{want}) {
			t.Errorf("noted is %q, want %q", d.Notes, want)
		}
		if left, err := filepath.Glob(filepath.Join(c.Data, "images", "*", "*")); err != nil || len(left) > 0 {
			t.Errorf("%q is left of the examination, %v", left, err)
		}
	})
}

// collectorAt is an environment that names a collector of traces.
func collectorAt(address string) func(string) string {
	return func(name string) string {
		if name == "OTEL_EXPORTER_OTLP_ENDPOINT" {
			return "http://" + address
		}
		return ""
	}
}

type chore struct{}

// Kind implements job.Args.
func (chore) Kind() string { return "test.chore" }

// One installation with all that can be wrong at once.
func TestEverythingIsWrong(t *testing.T) {
	t.Parallel()
	dbtest.EachOptions(t, func(t *testing.T, o db.Options) {
		c := configOf(t, o)
		breakWork(t, o, c)
		keys, err := secret.ParseKeys(strings.Repeat("ab", secret.KeySize))
		if err != nil {
			t.Fatal(err)
		}
		sealed, err := keys.Seal([]byte("{}"), "whoever")
		if err != nil {
			t.Fatal(err)
		}
		change(t, o,
			"INSERT INTO accounts (id, email, plan, feed_token, created_at) VALUES ('a', 'a@example.com', 'free', 'f', 0)",
			"INSERT INTO connections (account_id, service, kind, identity, sealed, scopes, connected_at) VALUES ('a', 'search-console', 'refresh_token', '', '"+sealed+"', '', 0)",
			"INSERT INTO webhooks (id, account_id, url, kinds, secret, created_at) VALUES ('w', 'a', 'https://a.example', '', '"+sealed+"', 0), ('v', 'a', 'https://a.example', '', '"+sealed+"', 0)",
			"INSERT INTO console_properties (id, account_id, site_url, first_day, next_fetch_at) VALUES ('p', 'a', 'https://a.example/', 0, 1)",
			"INSERT INTO objects (name, refs, deleting, due_at) VALUES ('lost.png', 1, FALSE, 0)",
		)
		nobody, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		_ = nobody.Close()
		c.SMTPURL, c.MailFrom = "smtp://"+nobody.Addr().String(), "trigpoint@example.com"
		c.Listen = "0.0.0.0:0"
		want := []string{"no public address is set", "The mail server takes no mail", "Traces are lost: the collector at " + nobody.Addr().String() + " takes no traces"}
		if o.URL != "" {
			c.MaxConns, c.ReplicaURL = 100_000, []string{c.DatabaseURL}
			want = append(want, "Each process may open 100000 connections", "cannot be read from: the server is no replica", "The clocks of this machine and of the database are 1h0m")
		} else {
			log := filepath.Join(o.Dir, "trigpoint.db-wal") // of holes: it takes no room
			if err := errors.Join(os.WriteFile(log, nil, 0o600), os.Truncate(log, 2<<30)); err != nil {
				t.Fatal(err)
			}
			want = append(want, "write-ahead log of the database has grown to 2.0 GiB")
		}
		want = append(want, ": jobs of the queue default", ": fetch search performance",
			"Jobs of the kind test.chore were given up of late (1 of them), the last because: it broke", "cannot be opened (credentials of connected services: 1, secrets of webhooks: 2): secret-key is not set",
			"has 4 % of its space left", "1 of the 1 that were looked at, such as lost.png")
		full := func(string) (float64, error) { return 0.04, nil }
		fast := func() time.Time { return time.Now().Add(time.Hour) }
		examine(t, &doctor.Doctor{Config: c, Free: full, Now: fast, Getenv: collectorAt(nobody.Addr().String())}, want...)
	})
}

// breakWork leaves a job that nobody has done for an hour, and one that was given up.
func breakWork(t *testing.T, o db.Options, c *config.Config) {
	t.Helper()
	d, err := app.OpenForCommand(t.Context(), c, true)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = d.Close() }()
	jobs, err := job.New(d, job.Options{})
	if err != nil {
		t.Fatal(err)
	}
	err = d.Tx(t.Context(), func(tx *db.Tx) error {
		return jobs.EnqueueMany(t.Context(), tx, []job.Order{{Args: chore{}}, {Args: chore{}, InsertOpts: &job.Insert{MaxAttempts: 1}}})
	})
	if err != nil {
		t.Fatal(err)
	}
	hourAgo, broke := "datetime('now', '-1 hour')", `'[{"at":"2026-01-01T00:00:00Z","attempt":1,"error":"it broke","trace":""}]'`
	if o.URL != "" {
		hourAgo, broke = "now() - interval '1 hour'", `ARRAY['{"at":"2026-01-01T00:00:00Z","attempt":1,"error":"it broke","trace":""}']::jsonb[]`
	}
	change(t, o,
		"UPDATE river_job SET scheduled_at = "+hourAgo+" WHERE max_attempts > 1",
		"UPDATE river_job SET state = 'discarded', finalized_at = "+hourAgo+", errors = "+broke+" WHERE max_attempts = 1")
}

func TestStoreThatCannotBeServed(t *testing.T) {
	t.Parallel()
	for name, made := range map[string]struct{ text, want string }{
		"behind":        {"DELETE FROM goose_db_version WHERE version_id = (SELECT max(version_id) FROM goose_db_version)", "an older version has served it last"},
		"later":         {"INSERT INTO goose_db_version (version_id, is_applied) VALUES (90000, TRUE)", "later version of Trigpoint"},
		"half restored": {"CREATE TABLE restore_unfinished (here BOOLEAN)", "is being restored from a backup, or that was interrupted"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dbtest.EachOptions(t, func(t *testing.T, o db.Options) {
				change(t, o, made.text)
				examine(t, &doctor.Doctor{Config: configOf(t, o)}, made.want)
			})
		})
	}
	t.Run("missing", func(t *testing.T) {
		t.Parallel()
		examine(t, &doctor.Doctor{Config: configOf(t, db.Options{Dir: t.TempDir()})}, "There is no store in")
	})
	t.Run("away", func(t *testing.T) {
		t.Parallel()
		examine(t, &doctor.Doctor{Config: configOf(t, db.Options{URL: "postgres://127.0.0.1:1/none"})}, "The store cannot be opened")
	})
	for name, made := range map[string]struct {
		free float64
		want string
	}{"no database": {0.5, "The database file is damaged: "}, "no space": {0, "has 0 % of its space left"}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			file := filepath.Join(dir, "trigpoint.db")
			if err := os.WriteFile(file, bytes.Repeat([]byte("no database "), 1000), 0o600); err != nil {
				t.Fatal(err)
			}
			if made.free == 0 { // what cannot be opened for whatever reason, as on a full disk
				if err := errors.Join(os.Remove(file), os.Mkdir(file, 0o700)); err != nil {
					t.Fatal(err)
				}
			}
			examine(t, &doctor.Doctor{Config: configOf(t, db.Options{Dir: dir}), Free: func(string) (float64, error) { return made.free, nil }}, made.want)
		})
	}
	t.Run("damaged", func(t *testing.T) {
		t.Parallel()
		d := dbtest.SQLite(t)
		if err := d.Tx(t.Context(), func(tx *db.Tx) error {
			_, err := tx.Exec(t.Context(), "INSERT INTO pages (address, url, title, description, body, country, language) VALUES ('a', '', '', '', $1, '', '')", strings.Repeat("x", 100_000))
			return err
		}); err != nil {
			t.Fatal(err)
		}
		dir := d.Dir()
		if err := d.Close(); err != nil {
			t.Fatal(err)
		}
		f, err := os.OpenFile(filepath.Join(dir, "trigpoint.db"), os.O_RDWR, 0)
		if err != nil {
			t.Fatal(err)
		}
		info, err := f.Stat()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.WriteAt(make([]byte, 20_000), info.Size()-60_000); err != nil {
			t.Fatal(err)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
		examine(t, &doctor.Doctor{Config: configOf(t, db.Options{Dir: dir})}, "The database file is damaged")
	})
}

func TestSettingsAndObjectStoreThatFail(t *testing.T) {
	t.Parallel()
	c := configOf(t, db.Options{Dir: dbtest.SQLite(t).Dir()})
	if err := os.WriteFile(filepath.Join(c.Data, "images"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	c.PublicURL = "https://trigpoint.example.com"
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("WWW-Authenticate", `Bearer realm="trigpoint"`)
		w.WriteHeader(http.StatusUnauthorized)
	}))
	defer other.Close()
	c.Listen, c.FontDir = other.Listener.Addr().String(), filepath.Join(c.Data, "none")
	unlock, err := db.LockFile(filepath.Join(c.Data, "worker.lock"), false) // as the service of this store does
	if err != nil {
		t.Fatal(err)
	}
	examine(t, &doctor.Doctor{Config: c}, "no proxy is trusted", "Fonts of TRIGPOINT_FONT_DIR cannot be used", "The object store does not keep images: put: ")
	unlock()
	nowhere := func(_ context.Context, host string) ([]string, error) {
		return nil, &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
	}
	d := &doctor.Doctor{Config: c, LookupHost: nowhere}
	examine(t, d, "no proxy is trusted", "cannot be used (1 fault), the first because", "a Trigpoint of another store has it", "The object store does not keep images: put: ")
	if len(d.Notes) == 0 || !strings.Contains(d.Notes[0], "trigpoint.example.com, is not known here") {
		t.Errorf("noted is %q", d.Notes)
	}
	stranger := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("ok\n")) }))
	defer stranger.Close()
	c.Listen, c.FontDir = stranger.Listener.Addr().String(), ""
	examine(t, &doctor.Doctor{Config: c}, "no proxy is trusted", "another program has it", "The object store does not keep images: put: ")
}
