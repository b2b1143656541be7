package dbtest

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/job"
)

// Server is a PostgreSQL of the test's own, for tests that stop it. It listens on a socket in its folder only.
type Server struct {
	t       testing.TB
	bin     string // folder of its programs
	home    string
	process *exec.Cmd
}

// binVariable names the folder of PostgreSQL's programs; scripts/with-postgres sets it.
const binVariable = "TRIGPOINT_PG_BIN"

// Servers starts a PostgreSQL with an empty database, and so many replicas that stream from it. They end with the test, which
// is skipped where the programs are not at hand.
func Servers(t testing.TB, replicas int) (primary *Server, copies []*Server) {
	t.Helper()
	primary = newCluster(t, ShortDir(t))
	for range replicas { // a cluster that has never been started is its own base backup
		replica := newServer(t, ShortDir(t))
		replica.run("cp", "-R", primary.data(), replica.data())
		replica.configure("hot_standby = on", fmt.Sprintf("primary_conninfo = 'host=%s user=postgres'", primary.home), "wal_retrieve_retry_interval = 100ms")
		replica.run("touch", filepath.Join(replica.data(), "standby.signal"))
		copies = append(copies, replica)
	}
	primary.configure("wal_keep_size = 1GB")
	for _, s := range append([]*Server{primary}, copies...) {
		s.Start()
	}
	return primary, copies
}

// ServerIn starts a PostgreSQL with an empty database in a folder such as that of ShortDir, which may be on a disk of its own.
func ServerIn(t testing.TB, home string) *Server {
	t.Helper()
	s := newCluster(t, home)
	s.configure()
	s.Start()
	return s
}

// ShortDir is a folder of the test's own. A socket's path may have about 100 characters, and the name of a test is in T.TempDir's.
func ShortDir(t testing.TB) string {
	t.Helper()
	dir, err := os.MkdirTemp("/tmp", "trigpoint-pg")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}

func newCluster(t testing.TB, home string) *Server {
	t.Helper()
	_ = postgresServer(t) // which may say that PostgreSQL is left out
	s := newServer(t, home)
	s.run("initdb", "--pgdata="+s.data(), "--username=postgres", "--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync")
	return s
}

func newServer(t testing.TB, home string) *Server {
	t.Helper()
	bin := os.Getenv(binVariable)
	if bin == "" {
		installed, _ := filepath.Glob("/usr/lib/postgresql/*/bin")
		if len(installed) == 0 {
			t.Skipf("a PostgreSQL of the test's own needs its programs: name their folder in %s", binVariable)
		}
		bin = slices.Max(installed)
	}
	s := &Server{t: t, bin: bin, home: home}
	t.Cleanup(s.Kill)
	if who := s.unprivileged(); who != nil {
		if err := os.Chown(home, int(who.Uid), int(who.Gid)); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// unprivileged is who runs the server in place of root, which it refuses; nil when we are not root.
func (s *Server) unprivileged() *syscall.Credential {
	if os.Geteuid() != 0 {
		return nil
	}
	nobody, err := user.Lookup("nobody")
	if err != nil {
		s.t.Fatal(err)
	}
	uid, _ := strconv.ParseUint(nobody.Uid, 10, 32)
	gid, _ := strconv.ParseUint(nobody.Gid, 10, 32)
	return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
}

func (s *Server) data() string { return filepath.Join(s.home, "data") }

func (s *Server) command(program string, args ...string) *exec.Cmd {
	if own := filepath.Join(s.bin, program); program != "cp" && program != "touch" {
		program = own
	}
	cmd := exec.CommandContext(context.Background(), program, args...)
	cmd.Dir = s.home
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: s.unprivileged()}
	return cmd
}

func (s *Server) run(program string, args ...string) {
	s.t.Helper()
	if said, err := s.command(program, args...).CombinedOutput(); err != nil {
		s.t.Fatalf("%s: %v\n%s", program, err, said)
	}
}

func (s *Server) configure(lines ...string) {
	s.t.Helper()
	f, err := os.OpenFile(filepath.Join(s.data(), "postgresql.conf"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		s.t.Fatal(err)
	}
	for _, line := range append(lines, "listen_addresses = ''", fmt.Sprintf("unix_socket_directories = '%s'", s.home), "fsync = off", "shared_buffers = 16MB") {
		fmt.Fprintln(f, line)
	}
	if err := f.Close(); err != nil {
		s.t.Fatal(err)
	}
}

// Options is the place of its database, in which nothing has been made yet.
func (s *Server) Options() db.Options {
	return db.Options{URL: "postgres://postgres@/postgres?sslmode=disable&host=" + s.home, MaxConns: 8}
}

// Open opens its store, migrated, with replicas.
func (s *Server) Open(replicas ...*Server) *db.DB {
	s.t.Helper()
	o := s.Options()
	for _, r := range replicas {
		o.Replicas = append(o.Replicas, r.Options().URL)
	}
	d := open(s.t, o)
	if err := job.Migrate(s.t.Context(), d); err != nil {
		s.t.Fatal(err)
	}
	return d
}

// Start starts the server and waits until it answers.
func (s *Server) Start() {
	s.t.Helper()
	s.process = s.command("postgres", "-D", s.data())
	log, err := os.Create(filepath.Join(s.home, "log"))
	if err != nil {
		s.t.Fatal(err)
	}
	defer func() { _ = log.Close() }()
	s.process.Stderr = log
	if err := s.process.Start(); err != nil {
		s.t.Fatal(err)
	}
	for deadline := time.Now().Add(5 * patience); ; time.Sleep(20 * time.Millisecond) {
		d, err := db.Open(s.t.Context(), s.Options())
		if err == nil {
			_ = d.Close()
			return
		}
		if time.Now().After(deadline) {
			said, _ := os.ReadFile(log.Name())
			s.t.Fatalf("PostgreSQL did not start: %v\n%s", err, said)
		}
	}
}

// Kill ends the server at once, as a fault does. Start brings it back.
func (s *Server) Kill() {
	if s.process == nil {
		return
	}
	_ = s.process.Process.Signal(syscall.SIGQUIT) // its children go with it
	_ = s.process.Wait()
	s.process = nil
}
