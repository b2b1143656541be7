package job_test

import (
	"context"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/db/dbtest"
	"github.com/trigpoint/trigpoint/internal/job"
)

// pooler puts a PgBouncer in transaction mode before the database: each transaction may run on another
// connection of the server, and nothing of a session holds.
func pooler(t *testing.T, o db.Options) db.Options {
	t.Helper()
	program, err := exec.LookPath("pgbouncer")
	if err != nil {
		if program, err = exec.LookPath("/usr/sbin/pgbouncer"); err != nil {
			t.Skip("pgbouncer is not installed (Debian, Ubuntu: apt-get install pgbouncer); the pooler is not tried")
		}
	}
	u, err := url.Parse(o.URL)
	if err != nil {
		t.Fatal(err)
	}
	host, port := u.Hostname(), u.Port()
	if socket := u.Query().Get("host"); socket != "" {
		host = socket
	}
	if port == "" {
		port = "5432"
	}
	free, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := free.Addr().(*net.TCPAddr)
	_ = free.Close()
	dir, err := os.MkdirTemp("/tmp", "trigpoint-pooler") // another user reads it when we are root
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	file := filepath.Join(dir, "pgbouncer.ini")
	settings := fmt.Sprintf("[databases]\n* = host=%s port=%s user=%s\n[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = %d\nunix_socket_dir =\n"+
		"auth_type = any\npool_mode = transaction\ndefault_pool_size = 4\n", host, port, u.User.Username(), address.Port)
	if err := os.WriteFile(file, []byte(settings), 0o644); err != nil { //nolint:gosec // it holds no secret
		t.Fatal(err)
	}
	args := []string{file}
	if os.Geteuid() == 0 {
		if err := os.Chmod(dir, 0o755); err != nil { //nolint:gosec // as above
			t.Fatal(err)
		}
		args = []string{"-u", "nobody", file}
	}
	cmd := exec.CommandContext(context.Background(), program, args...)
	var said strings.Builder
	cmd.Stderr = &said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _, _ = cmd.Process.Kill(), cmd.Wait() })
	u.Host, u.RawQuery = address.String(), "sslmode=disable"
	for deadline := time.Now().Add(2 * time.Minute); ; time.Sleep(10 * time.Millisecond) {
		conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", u.Host)
		if err == nil {
			_ = conn.Close()
			return db.Options{URL: u.String(), MaxConns: o.MaxConns}
		}
		if time.Now().After(deadline) {
			t.Fatalf("pgbouncer did not start: %v\n%s", err, said.String())
		}
	}
}

// Two processes behind the pooler migrate at once, write, read and work jobs.
func TestStoreBehindATransactionPooler(t *testing.T) {
	t.Parallel()
	o := pooler(t, dbtest.EmptyPostgres(t))
	stores := make([]*db.DB, 2)
	var wg sync.WaitGroup
	for i := range stores {
		d, err := db.Open(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = d.Close() })
		stores[i] = d
		wg.Go(func() {
			if err := job.Migrate(t.Context(), d); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if t.Failed() {
		return
	}
	worked := make(chan string, 100)
	runners := make([]*job.Runner, 2)
	for i, d := range stores {
		runners[i] = soon(t, d, worked)
		start(t, runners[i])
	}
	for i := range 40 {
		wg.Go(func() {
			d := stores[i%2]
			name := fmt.Sprint(i)
			err := d.Tx(t.Context(), func(tx *db.Tx) error {
				_, err := tx.Exec(t.Context(), "INSERT INTO accounts (id, email, plan, feed_token, created_at) VALUES ($1, $1, 'free', $1, 0)", name)
				if err != nil {
					return err
				}
				return runners[i%2].Enqueue(t.Context(), tx, note{name}, nil)
			})
			if err != nil {
				t.Error(err)
				return
			}
			if plan, err := db.One(t.Context(), d, db.Value[string], "SELECT plan FROM accounts WHERE id = $1", name); err != nil || plan != "free" {
				t.Errorf("%q: %v", plan, err)
			}
		})
	}
	wg.Wait()
	seen := map[string]bool{}
	for len(seen) < 40 && !t.Failed() {
		seen[receive(t, worked)] = true
	}
}
