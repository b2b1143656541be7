package db_test

import (
	"context"
	"errors"
	"io"
	"net"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/db/dbtest"
)

// proxy stands before PostgreSQL and can freeze: connections stay open, nothing passes.
type proxy struct {
	net.Listener
	server func() (net.Conn, error)
	mu     sync.RWMutex // held while frozen
}

func startProxy(t *testing.T, o db.Options) (*proxy, db.Options) {
	t.Helper()
	u, err := url.Parse(o.URL)
	if err != nil {
		t.Fatal(err)
	}
	query := u.Query()
	network, address := "tcp", u.Host
	if socket := query.Get("host"); strings.HasPrefix(socket, "/") {
		network, address = "unix", filepath.Join(socket, ".s.PGSQL.5432")
	}
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &proxy{Listener: listener, server: func() (net.Conn, error) {
		return (&net.Dialer{}).DialContext(context.Background(), network, address)
	}}
	t.Cleanup(func() { _ = listener.Close() })
	go p.accept()
	query.Del("host")
	u.Host, u.RawQuery = listener.Addr().String(), query.Encode()
	o.URL = u.String()
	return p, o
}

func (p *proxy) accept() {
	for {
		client, err := p.Accept()
		if err != nil {
			return
		}
		server, err := p.server()
		if err != nil {
			_ = client.Close()
			continue
		}
		go p.pass(client, server)
		go p.pass(server, client)
	}
}

func (p *proxy) pass(from, to net.Conn) {
	defer func() { _, _ = from.Close(), to.Close() }()
	_, _ = io.Copy(thawed{to, p}, from)
}

// thawed writes when the proxy is not frozen.
type thawed struct {
	io.Writer
	p *proxy
}

func (w thawed) Write(b []byte) (int, error) {
	w.p.mu.RLock()
	defer w.p.mu.RUnlock()
	return w.Writer.Write(b)
}

// A server that has frozen, or is cut off, must not hang those who ask: the store is unavailable, for
// whoever holds a connection and for whoever waits for one, and is there again when the server is.
func TestFrozenServerIsUnavailable(t *testing.T) {
	t.Parallel()
	p, o := startProxy(t, dbtest.Postgres(t))
	o.MaxConns, o.Silence = 4, 2*time.Second // which a server that is only busy must keep
	d, err := db.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = d.Close() }()
	count(t, d)

	p.mu.Lock()
	faults := make(chan error, 40)
	for i := range cap(faults) {
		go func() {
			if i%2 == 0 {
				_, err := db.One(t.Context(), d, db.Value[int64], "SELECT count(*) FROM accounts")
				faults <- err
				return
			}
			faults <- d.Tx(t.Context(), func(tx *db.Tx) error { return insert(t.Context(), tx, "x") })
		}()
	}
	for range cap(faults) {
		select {
		case err := <-faults:
			if !db.IsUnavailable(err) {
				t.Errorf("a frozen server gives %v", err)
			}
		case <-time.After(5 * time.Minute):
			t.Fatal("somebody still waits for the frozen server")
		}
	}
	p.mu.Unlock()

	deadline := time.Now().Add(5 * time.Minute)
	for {
		_, err := db.One(t.Context(), d, db.Value[int64], "SELECT count(*) FROM accounts")
		if err == nil {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("the server is back, and the store is not: %v", err)
		}
	}
}

// A query may work for longer than the server may be silent, as long as rows come; a caller who leaves is
// let go at once.
func TestSlowRowsAreNotSilence(t *testing.T) {
	t.Parallel()
	o := dbtest.Postgres(t)
	o.Silence = 2 * time.Second
	d, err := db.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = d.Close() }()
	rows := 0
	// each row is wide enough to be sent when it is ready
	err = db.Each(t.Context(), d, func(db.Scanner) error { rows++; return nil },
		"SELECT repeat('x', 20000), pg_sleep(0.25) FROM generate_series(1, 10)")
	if err != nil || rows != 10 {
		t.Errorf("%d rows: %v", rows, err)
	}
	if _, err := db.One(t.Context(), d, db.Value[string], "SELECT CAST(pg_sleep(20) AS TEXT)"); !db.IsUnavailable(err) {
		t.Errorf("a query that says nothing for long: %v", err)
	}
	gone, leave := context.WithCancel(t.Context())
	leave()
	if _, err := db.One(gone, d, db.Value[string], "SELECT CAST(pg_sleep(20) AS TEXT)"); !errors.Is(err, context.Canceled) {
		t.Errorf("for a caller who has left: %v", err)
	}
}
