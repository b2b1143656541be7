package server_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/trigpoint/trigpoint/internal/app/apptest"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/db/dbtest"
	"github.com/trigpoint/trigpoint/internal/maprank"
	"github.com/trigpoint/trigpoint/internal/research"
)

// A parameter that is there is never taken for its default, and never wrapped.
func TestParametersThatDoNotFitTheirType(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, p *apptest.Program) {
		const campaign = maprank.Prefix + "/campaigns/01900000-0000-7000-8000-000000000000"
		for _, c := range []struct {
			path, field string
			status      int
		}{
			{locations + "?limit=", "limit", 400},
			{locations + "?frozen=", "frozen", 400},
			{locations + "?location_statuses=", "location_statuses", 400},
			{locations + "?offset=9223372036854775808", "offset", 400},
			{locations + "?limit=1.5", "limit", 400},
			{maprank.Prefix + "/campaigns?page=", "page", 400},
			{maprank.Prefix + "/campaigns?page=2147483648", "page", 400},
			{maprank.Prefix + "/campaigns?size=4294967306", "size", 400},
			{maprank.Prefix + "/campaigns?sort=", "sort", 400},
			{campaign + "/top-competitors?keywordId=x&reportDate=2026-01-01T00:00:00Z&page=2147483648", "page", 400},
			{research.Prefix + "/keywordtool/related-keywords?kw=pizza&location_id=", "location_id", 422},
			{research.Prefix + "/keywordtool/competitor-keywords?url=example.com&page=", "page", 422},
			{research.Prefix + "/serpcheck/serps/x/snapshot?domain=", "domain", 422},
			{trackings + "?is_with_deleted=", "is_with_deleted", 422},
			{trackings + "?from=", "from", 422},
		} {
			answer := p.Do(t, apptest.Call{Method: "GET", Path: c.path})
			if answer.Status != c.status || !strings.Contains(string(answer.Raw), c.field+" must ") {
				t.Errorf("%s answered %d %s", c.path, answer.Status, answer.Raw)
			}
		}
		p.Do(t, apptest.Call{Method: "POST", Path: locations + "?validate_only=", Body: "{}"}).Want(t, 400)
		p.Do(t, apptest.Call{Method: "GET", Path: maprank.Prefix + "/campaigns?page=2147483647&unknown="}).Want(t, 200)
	}, func(s *apptest.Setup) { s.NoWorker = true })
}

func TestInAreaBNullIsNotGivenAndEmptyIsAValue(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, p *apptest.Program) {
		fields := []string{"placeId", "name", "keywords", "gridSettings", "points", "collectingFrequency"}
		send := func(value func(field string) string) map[string]string {
			body := map[string]json.RawMessage{}
			for _, f := range fields {
				body[f] = json.RawMessage(value(f))
			}
			answer := p.Do(t, apptest.Call{Method: "POST", Path: maprank.Prefix + "/campaigns", Body: body}).Want(t, 400)
			var refusal struct {
				Error struct {
					Details []struct{ Field, Error_status string } //nolint:revive // as it is spelled
				}
			}
			answer.Into(t, &refusal)
			found := map[string]string{}
			for _, d := range refusal.Error.Details {
				found[d.Field] = d.Error_status
			}
			return found
		}
		empty := send(func(f string) string {
			if f == "keywords" || f == "points" {
				return `""`
			}
			return "[]"
		})
		for _, f := range fields {
			if empty[f] != "INVALID_TYPE" {
				t.Errorf("an empty value of another type as %s: %q", f, empty[f])
			}
		}
		null := send(func(string) string { return "null" })
		if len(null) != 2 || null["placeId"] != "NOT_SPECIFIED" || null["keywords"] == "" {
			t.Errorf("null everywhere: %v", null)
		}
	}, func(s *apptest.Setup) { s.NoWorker = true })
}

func TestAPIAnswersAreNeitherKeptNorSniffed(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, p *apptest.Program) {
		for _, path := range []string{locations, locations + "?limit=", trackings, maprank.Prefix + "/limits", maprank.Prefix + "/nothing"} {
			h := p.Do(t, apptest.Call{Method: "GET", Path: path}).Header
			if h.Get("Cache-Control") != "no-store" || h.Get("X-Content-Type-Options") != "nosniff" {
				t.Errorf("%s: %v", path, h)
			}
		}
		res, err := http.Get(p.URL + "/docs")
		if err != nil {
			t.Fatal(err)
		}
		_ = res.Body.Close()
		if policy := res.Header.Get("Content-Security-Policy"); !strings.Contains(policy, "frame-ancestors 'none'") {
			t.Errorf("the documents may be framed: %q", policy)
		}
	}, func(s *apptest.Setup) { s.NoWorker = true })
}

// One account's uploads under way may not take all memory: the next one is told to come back, small
// requests and other accounts are served.
func TestUploadsUnderWayAreBounded(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, dbtest.SQLite(t), func(s *apptest.Setup) { s.Config.RequestMemory, s.NoWorker = 64, true })
	upload := locations + "/x/images"
	half := func() net.Conn { // an upload of 5 MiB that does not arrive
		conn, err := net.Dial("tcp", strings.TrimPrefix(p.URL, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = conn.Close() })
		fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: x\r\nAuthorization: Apikey %s\r\nContent-Type: application/json\r\nContent-Length: 5242880\r\nExpect: 100-continue\r\n\r\n", upload, p.Owner.Key)
		line := make([]byte, len("HTTP/1.1 100"))
		if _, err := io.ReadFull(conn, line); err != nil || string(line) != "HTTP/1.1 100" { // its body is being read now
			t.Fatalf("%v %s", err, line)
		}
		return conn
	}
	first := half()
	body := `{"content":"` + strings.Repeat("A", 3<<20) + `"}` // more than the sockets take: it is read, or the answer is lost
	refused := p.Do(t, apptest.Call{Method: "POST", Path: upload, Body: body}).Want(t, 503)
	if refused.Header.Get("Retry-After") == "" || refused.At("error.retryable") != true {
		t.Errorf("%v %s", refused.Header, refused.Raw)
	}
	p.Do(t, apptest.Call{Method: "GET", Path: locations}).Want(t, 200)
	other := p.NewAccount(t, "other@trigpoint.example", "agency")
	p.Do(t, apptest.Call{Method: "POST", Path: upload, Body: body, As: &other}).Want(t, 400)
	_ = first.Close()
	p.Eventually(t, apptest.Call{Method: "POST", Path: upload, Body: body}, func(a *apptest.Answer) bool { return a.Status == 400 })
}

// A store that does not answer is said to be unavailable within seconds.
func TestFrozenStoreIsSaidSoon(t *testing.T) {
	t.Parallel()
	dbtest.EachOptions(t, func(t *testing.T, o db.Options) {
		if o.URL == "" {
			t.Skip("SQLite is in the process")
		}
		store := freezer(t, &o)
		o.Silence = 0 // as it is without tests
		d, err := db.Open(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = d.Close() }()
		p := apptest.Start(t, d, func(s *apptest.Setup) { s.NoWorker = true })
		p.Do(t, apptest.Call{Method: "GET", Path: locations}).Want(t, 200)
		store.freeze()
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		req, err := http.NewRequestWithContext(ctx, "GET", p.URL+locations, nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Authorization", "Apikey "+p.Owner.Key)
		res, err := http.DefaultClient.Do(req)
		store.cut()
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = res.Body.Close() }()
		if res.StatusCode != 503 || res.Header.Get("Retry-After") == "" {
			t.Errorf("%d %v", res.StatusCode, res.Header)
		}
	})
}

// frozenProxy passes bytes to the store until it is told to keep them.
type frozenProxy struct {
	mu     sync.Mutex
	conns  []net.Conn
	frozen chan struct{}
}

// freezer puts a proxy before the store.
func freezer(t *testing.T, o *db.Options) *frozenProxy {
	t.Helper()
	config, err := pgconn.ParseConfig(o.URL)
	if err != nil {
		t.Fatal(err)
	}
	network, target := pgconn.NetworkAddress(config.Host, config.Port)
	at, err := url.Parse(o.URL)
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	at.Host, at.RawQuery = l.Addr().String(), "sslmode=disable"
	o.URL = at.String()
	p := &frozenProxy{frozen: make(chan struct{})}
	go func() {
		for {
			client, err := l.Accept()
			if err != nil {
				return
			}
			server, err := net.Dial(network, target)
			if err != nil {
				_ = client.Close()
				continue
			}
			p.mu.Lock()
			p.conns = append(p.conns, client, server)
			p.mu.Unlock()
			go p.pass(server, client)
			go p.pass(client, server)
		}
	}()
	return p
}

func (p *frozenProxy) pass(to, from net.Conn) {
	buffer := make([]byte, 4096)
	for {
		n, err := from.Read(buffer)
		select {
		case <-p.frozen:
			return
		default:
		}
		if err != nil {
			_ = to.Close()
			return
		}
		_, _ = to.Write(buffer[:n])
	}
}

func (p *frozenProxy) freeze() { close(p.frozen) }

func (p *frozenProxy) cut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range p.conns {
		_ = c.Close()
	}
}
