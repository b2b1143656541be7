// Package apptest starts the whole program in a test, on a real store and a real port, and checks every
// answer against the OpenAPI document of its area.
package apptest

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/trigpoint/trigpoint/internal/account"
	"github.com/trigpoint/trigpoint/internal/app"
	"github.com/trigpoint/trigpoint/internal/config"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/db/dbtest"
	"github.com/trigpoint/trigpoint/internal/httpapi"
)

// Program is the running program with a first account.
type Program struct {
	*app.App
	URL   string
	Owner Account
	Areas []*httpapi.Area
	Admin http.Handler // metrics and profiles

	server *httptest.Server
	check  map[string]*checker
}

// Account is an account with its credentials.
type Account struct {
	ID, Email  string
	Key, Token string
}

// Setup changes how the program starts.
type Setup struct {
	Config   config.Config
	Options  app.Options
	Plan     string
	Email    string // of the first account; "" for none
	NoWorker bool
	Log      *slog.Logger // the test's own, of warnings, when nil
}

// Each starts the program once on each engine.
func Each(t *testing.T, test func(t *testing.T, p *Program), changes ...func(*Setup)) {
	t.Helper()
	dbtest.Each(t, func(t *testing.T, d *db.DB) { test(t, Start(t, d, changes...)) })
}

// Start starts the program on a migrated store. It ends with the test.
func Start(t testing.TB, d *db.DB, changes ...func(*Setup)) *Program {
	t.Helper()
	s := Setup{Plan: "agency", Email: "owner@trigpoint.example", Options: app.Options{Poll: 20 * time.Millisecond, Dashboard: fstest.MapFS{}, PasswordCost: account.Cost{KiB: 64, Passes: 1, Lanes: 1}}}
	s.Config = config.Config{Data: t.TempDir(), MaxConns: 8, RequestMemory: 512, ShutdownGrace: 10 * time.Second, WebhookAllowPrivate: true, Plans: `{"free":{"rate":0},"pro":{"rate":0},"agency":{"rate":0}}`}
	for _, change := range changes {
		change(&s)
	}
	server := httptest.NewUnstartedServer(nil)
	s.Config.Listen = server.Listener.Addr().String()
	if s.Log == nil {
		s.Log = slog.New(slog.NewTextHandler(testWriter{t}, &slog.HandlerOptions{Level: slog.LevelWarn}))
	}
	a, err := app.New(&s.Config, d, s.Log, s.Options)
	if err != nil {
		t.Fatal(err)
	}
	mounted := a.Server("test")
	server.Config.Handler = mounted.Handler()
	server.Config.WriteTimeout = 5 * time.Minute // as the real one
	server.Start()
	p := &Program{App: a, URL: server.URL, server: server, Areas: mounted.Areas(), Admin: mounted.Admin(), check: map[string]*checker{}}
	t.Cleanup(server.Close)
	if !s.NoWorker {
		stop, err := a.Work(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(stop)
	}
	for _, area := range p.Areas {
		p.check[area.Prefix] = newChecker(t, area)
	}
	if s.Email != "" {
		p.Owner = p.NewAccount(t, s.Email, s.Plan)
	}
	return p
}

// testWriter sends the program's log to the test's.
type testWriter struct{ t testing.TB }

func (w testWriter) Write(line []byte) (int, error) {
	w.t.Logf("%s", bytes.TrimRight(line, "\n"))
	return len(line), nil
}

// NewAccount makes an account with a key and a token.
func (p *Program) NewAccount(t testing.TB, email, plan string) Account {
	t.Helper()
	acc, err := p.Accounts.Create(t.Context(), email, plan)
	if err != nil {
		t.Fatal(err)
	}
	made := Account{ID: acc.ID, Email: acc.Email}
	if made.Key, _, err = p.Accounts.Issue(t.Context(), acc.ID, account.Issue{Kind: account.Key}); err != nil {
		t.Fatal(err)
	}
	if made.Token, _, err = p.Accounts.Issue(t.Context(), acc.ID, account.Issue{Kind: account.Token}); err != nil {
		t.Fatal(err)
	}
	return made
}

// Call is a request to make. A string body is sent as it is, anything else as JSON.
type Call struct {
	Method, Path string
	Body         any
	As           *Account // the owner when nil
	Header       http.Header
}

// Do makes a request to the area that the path belongs to, with its credential, and checks the answer
// against the area's document.
func (p *Program) Do(t testing.TB, c Call) *Answer {
	t.Helper()
	var body io.Reader
	if text, ok := c.Body.(string); ok {
		body = strings.NewReader(text)
	} else if c.Body != nil {
		encoded, err := json.Marshal(c.Body)
		if err != nil {
			t.Fatal(err)
		}
		body = bytes.NewReader(encoded)
	}
	req, err := http.NewRequestWithContext(t.Context(), c.Method, p.URL+c.Path, body)
	if err != nil {
		t.Fatal(err)
	}
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	area := p.area(c.Path)
	if area != nil {
		who := c.As
		if who == nil {
			who = &p.Owner
		}
		secret := who.Key
		if area.Scheme.Kind == account.Token {
			secret = who.Token
		}
		req.Header.Set(area.Scheme.Header, strings.TrimSpace(area.Scheme.Word+" "+secret))
	}
	for name, values := range c.Header {
		req.Header[name] = values
	}
	res, err := p.server.Client().Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	raw, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	if area != nil {
		p.check[area.Prefix].answer(t, req, res, raw)
	}
	return &Answer{Status: res.StatusCode, Header: res.Header, Raw: raw}
}

func (p *Program) area(path string) *httpapi.Area {
	for _, a := range p.Areas {
		if strings.HasPrefix(path, a.Prefix) {
			return a
		}
	}
	return nil
}

// Patience is how long tests wait for what is sure to come: a busy machine may be many times slower than a person's.
const Patience = 5 * time.Minute

// Told lists the events of a kind that an account has been told of, newest first; the owner's without one.
func (p *Program) Told(t testing.TB, kind string, as *Account) *Answer {
	t.Helper()
	return p.Do(t, Call{Method: "GET", Path: httpapi.AccountPrefix + "/events?kind=" + kind, As: as}).Want(t, 200)
}

// Eventually calls until the condition holds; background work has a while to make it so.
func (p *Program) Eventually(t testing.TB, c Call, holds func(*Answer) bool) *Answer {
	t.Helper()
	deadline := time.Now().Add(Patience)
	for {
		answer := p.Do(t, c)
		if holds(answer) {
			return answer
		}
		if time.Now().After(deadline) {
			t.Fatalf("%s %s never became as expected; last: %d %s", c.Method, c.Path, answer.Status, answer.Raw)
		}
		time.Sleep(5 * time.Millisecond)
	}
}
