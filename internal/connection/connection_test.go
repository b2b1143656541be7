package connection_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/trigpoint/trigpoint/internal/account"
	"github.com/trigpoint/trigpoint/internal/app/apptest"
	"github.com/trigpoint/trigpoint/internal/clock"
	"github.com/trigpoint/trigpoint/internal/connection"
	"github.com/trigpoint/trigpoint/internal/connection/connectiontest"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/db/dbtest"
	"github.com/trigpoint/trigpoint/internal/httpapi"
	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/secret"
)

const (
	consoleScope = "https://www.googleapis.com/auth/webmasters.readonly"
	profileScope = "https://www.googleapis.com/auth/business.manage"
)

// world is the program beside a fake Google.
type world struct {
	*apptest.Program
	google *connectiontest.Google
	clock  *clock.Fake
}

func each(t *testing.T, test func(t *testing.T, w *world)) {
	t.Helper()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := &world{google: connectiontest.Start(t), clock: clock.NewFake(time.Date(2026, 11, 15, 12, 0, 0, 0, time.UTC))}
		w.Program = apptest.Start(t, d, func(s *apptest.Setup) {
			s.NoWorker, s.Options.Clock = true, w.clock
			w.google.Configure(&s.Config)
		})
		test(t, w)
		w.wantNoSecrets(t)
	})
}

// wantNoSecrets looks for what must never be shown in all that is kept of connections.
func (w *world) wantNoSecrets(t *testing.T) {
	t.Helper()
	for _, query := range []string{
		"SELECT account_id || service || kind || identity || sealed || scopes || broken FROM connections",
		"SELECT account_id || service || verifier FROM connection_consents",
	} {
		rows, err := db.All(t.Context(), w.DB, db.Value[string], query)
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range rows {
			wantNone(t, w.google, row)
		}
	}
}

func wantNone(t *testing.T, g *connectiontest.Google, text string) {
	t.Helper()
	for _, hidden := range g.Secrets() {
		if strings.Contains(text, hidden) {
			t.Errorf("%q shows the secret %s", text, hidden)
		}
	}
}

func (w *world) call(t *testing.T, method, path string, body any) *apptest.Answer {
	t.Helper()
	answer := w.Do(t, apptest.Call{Method: method, Path: httpapi.AccountPrefix + path, Body: body})
	if !strings.Contains(string(answer.Raw), "consent_url") {
		wantNone(t, w.google, string(answer.Raw))
	}
	return answer
}

func (w *world) consent(t *testing.T, service connection.Service) string {
	t.Helper()
	return w.call(t, "POST", "/connections", map[string]any{"service": service}).Want(t, 200).Text("data.consent_url")
}

// visit is a browser that is sent to an address, where nobody is signed in.
func (w *world) visit(t *testing.T, address string, status int) string {
	t.Helper()
	return w.visitAs(t, "", address, status)
}

// visitAs is a browser that has a cookie.
func (w *world) visitAs(t *testing.T, cookie, address string, status int) string {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Cookie", cookie)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	page, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode != status {
		t.Fatalf("%s: status %d, want %d; %v: %s", address, res.StatusCode, status, err, page)
	}
	wantNone(t, w.google, string(page))
	return string(page)
}

func (w *world) connectToken(t *testing.T, token string) {
	t.Helper()
	credential, err := connection.NewRefreshToken(token + "\n")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Connections.Connect(t.Context(), w.Owner.ID, connection.SearchConsole, credential); err != nil {
		t.Fatal(err)
	}
}

func (w *world) token(t *testing.T) string {
	t.Helper()
	token, err := w.Connections.Token(t.Context(), w.Owner.ID, connection.SearchConsole)
	if err != nil {
		t.Fatal(err)
	}
	return token
}

// wantRefused wants a token to be refused with words that teach.
func (w *world) wantRefused(t *testing.T, kind provider.Kind, words string) {
	t.Helper()
	_, err := w.Connections.Token(t.Context(), w.Owner.ID, connection.SearchConsole)
	if provider.KindOf(err) != kind || !strings.Contains(fmt.Sprint(err), words) {
		t.Errorf("a token: %v (%s), want %s with %q", err, provider.KindOf(err), kind, words)
	}
	wantNone(t, w.google, fmt.Sprint(err))
}

func TestConsentConnects(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		w.wantRefused(t, provider.Unauthorized, "trigpoint google connect --service search-console")
		back := w.google.Allow(t, w.consent(t, connection.SearchConsole), "")
		if page := w.visit(t, back, 200); !strings.Contains(page, "Google Search Console is connected") || !strings.Contains(page, w.Owner.Email) {
			t.Errorf("the page says %s", page)
		}
		listed := w.call(t, "GET", "/connections", nil).Want(t, 200)
		if listed.Len("data") != 1 || listed.Text("data.0.status") != "connected" || listed.Text("data.0.scopes.0") != consoleScope {
			t.Errorf("listed %s", listed.Raw)
		}
		if token := w.token(t); !strings.HasPrefix(token, "ya29.") {
			t.Errorf("token %s", token)
		}
		other := w.NewAccount(t, "other@trigpoint.example", "pro")
		if listed := w.Do(t, apptest.Call{Method: "GET", Path: httpapi.AccountPrefix + "/connections", As: &other}); listed.Len("data") != 0 {
			t.Errorf("another account sees %s", listed.Raw)
		}
		w.Do(t, apptest.Call{Method: "DELETE", Path: httpapi.AccountPrefix + "/connections/search-console", As: &other}).Want(t, 404)
		if page := w.visit(t, back, 400); !strings.Contains(page, "has been used") {
			t.Errorf("a second visit: %s", page)
		}
	})
}

// signIn is the cookie of a browser that somebody signs in with.
func (w *world) signIn(t *testing.T, who apptest.Account) string {
	t.Helper()
	const password = "nine lives and a tin roof"
	if err := w.SignIn.SetPassword(t.Context(), account.Account{ID: who.ID, Email: who.Email}, password); err != nil {
		t.Fatal(err)
	}
	set := w.call(t, "POST", "/session", map[string]any{"email": who.Email, "password": password}).Want(t, 200).Header.Get("Set-Cookie")
	cookie, _, _ := strings.Cut(set, ";")
	return cookie
}

// What a person begins in the dashboard nobody else can finish: somebody who is lured to the end of it would have
// their data connected with another's account.
func TestConsentBegunInASessionIsFinishedThere(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		other := w.NewAccount(t, "other@trigpoint.example", "pro")
		owners, others := w.signIn(t, w.Owner), w.signIn(t, other)
		begin := func() string {
			consent := w.Do(t, apptest.Call{
				Method: "POST", Path: httpapi.AccountPrefix + "/connections", Body: map[string]any{"service": connection.SearchConsole},
				Header: http.Header{"Authorization": nil, "Cookie": {owners}},
			}).Want(t, 200).Text("data.consent_url")
			return w.google.Allow(t, consent, "")
		}
		for who, cookie := range map[string]string{"another account": others, "nobody": "", "an ended session": httpapi.SessionCookie(false) + "=tps_ended"} {
			back := begin()
			if page := w.visitAs(t, cookie, back, 400); !strings.Contains(page, "Nothing was connected") || !strings.Contains(page, "sign in and connect again") {
				t.Errorf("%s is told %s", who, page)
			}
			if page := w.visitAs(t, owners, back, 400); !strings.Contains(page, "has been used") {
				t.Errorf("after %s had the link the owner is told %s", who, page)
			}
		}
		for _, who := range []apptest.Account{w.Owner, other} {
			if listed := w.Do(t, apptest.Call{Method: "GET", Path: httpapi.AccountPrefix + "/connections", As: &who}); listed.Len("data") != 0 {
				t.Errorf("%s has %s", who.Email, listed.Raw)
			}
		}
		if page := w.visitAs(t, owners, begin(), 200); !strings.Contains(page, "Google Search Console is connected") {
			t.Errorf("the owner is told %s", page)
		}
		byKey := w.google.Allow(t, w.consent(t, connection.SearchConsole), "")
		w.visitAs(t, others, byKey, 200) // a program may hand its link to anybody
	})
}

func TestConsentThatFailsTeaches(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		late := w.google.Allow(t, w.consent(t, connection.SearchConsole), "")
		w.clock.Advance(10 * time.Minute)
		if page := w.visit(t, late, 400); !strings.Contains(page, "older than ten minutes") {
			t.Errorf("late: %s", page)
		}
		if page := w.visit(t, w.google.Deny(t, w.consent(t, connection.BusinessProfile)), 400); !strings.Contains(page, "Google Business Profile was not allowed") {
			t.Errorf("denied: %s", page)
		}
		if page := w.visit(t, w.google.Allow(t, w.consent(t, connection.BusinessProfile), "openid"), 400); !strings.Contains(page, profileScope) {
			t.Errorf("without the scope: %s", page)
		}
		w.google.Fail(connectiontest.Failure{Status: 200, Body: `{"access_token":"ya29.x","expires_in":3599,"token_type":"Bearer"}`})
		if page := w.visit(t, w.google.Allow(t, w.consent(t, connection.SearchConsole), ""), 400); !strings.Contains(page, "myaccount.google.com/permissions") {
			t.Errorf("without a refresh token: %s", page)
		}
		back := w.google.Allow(t, w.consent(t, connection.SearchConsole), "")
		if page := w.visit(t, strings.Replace(back, "code=", "code=x", 1), 502); !strings.Contains(page, "Nothing was connected") {
			t.Errorf("another code: %s", page)
		}
		w.visit(t, strings.Replace(w.google.Allow(t, w.consent(t, connection.SearchConsole), ""), "state=", "state=x", 1), 400)
		w.visit(t, w.URL+connection.CallbackPath, 400)
		w.visit(t, w.URL+connection.CallbackPath+"?state="+strings.Repeat("x", 3000), 400)
		if listed := w.call(t, "GET", "/connections", nil); listed.Len("data") != 0 {
			t.Errorf("connected all the same: %s", listed.Raw)
		}
		w.call(t, "POST", "/connections", map[string]any{"service": "gmail"}).Want(t, 400)
		w.call(t, "POST", "/connections", map[string]any{}).Want(t, 400)
		w.call(t, "DELETE", "/connections/gmail", nil).Want(t, 404)
	})
}

func TestTokensAreHeldUntilTheyEndAndAskedForOnce(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		w.connectToken(t, w.google.Grant(consoleScope))
		before := w.google.Asked()
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() {
				if _, err := w.Connections.Token(t.Context(), w.Owner.ID, connection.SearchConsole); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		first := w.token(t)
		if asked := w.google.Asked() - before; asked != 1 {
			t.Errorf("nine calls asked Google %d times", asked)
		}
		w.clock.Advance(58 * time.Minute)
		if w.token(t) != first {
			t.Error("a token is not used to its end")
		}
		w.clock.Advance(time.Minute)
		second := w.token(t)
		if second == first {
			t.Error("a token is used after its end")
		}
		w.Connections.Reject(w.Owner.ID, connection.SearchConsole, second)
		if w.token(t) == second {
			t.Error("a rejected token is given again")
		}
		gone, cancel := context.WithCancel(t.Context())
		cancel()
		w.clock.Advance(2 * time.Hour)
		if _, err := w.Connections.Token(gone, w.Owner.ID, connection.SearchConsole); err == nil {
			t.Error("a caller that has gone gets a token")
		}
	})
}

func TestRotatedRefreshTokenIsKept(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		w.google.Rotate()
		w.connectToken(t, w.google.Grant(consoleScope))
		for range 3 {
			w.token(t)
			w.clock.Advance(2 * time.Hour)
		}
	})
}

func TestRevokedConnectionSaysSoAndIsMendedByConnecting(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		w.connectToken(t, w.google.Grant(consoleScope))
		w.google.RevokeAll()
		w.wantRefused(t, provider.Unauthorized, "Token has been expired or revoked. Connect it with POST")
		listed := w.call(t, "GET", "/connections", nil)
		if listed.Text("data.0.status") != "broken" || listed.Text("data.0.status_detail") != "Token has been expired or revoked." {
			t.Errorf("listed %s", listed.Raw)
		}
		asked := w.google.Asked()
		w.wantRefused(t, provider.Unauthorized, "has ended")
		if w.google.Asked() != asked {
			t.Error("Google is asked again with a token that has ended")
		}
		w.visit(t, w.google.Allow(t, w.consent(t, connection.SearchConsole), ""), 200)
		w.token(t)
	})
}

func TestFailuresOfGoogleDoNotBreakAConnection(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		w.connectToken(t, w.google.Grant(consoleScope))
		for _, f := range []struct {
			failure connectiontest.Failure
			kind    provider.Kind
			words   string
		}{
			{connectiontest.Failure{Status: 503, Body: "<html>"}, provider.Transient, "503"},
			{connectiontest.Failure{Status: 400, Body: `{"error":"internal_failure"}`}, provider.Transient, "failed"},
			{connectiontest.Failure{Status: 200, Body: "{}"}, provider.Transient, "no token"},
			{connectiontest.Failure{Status: 200, Body: "<html>"}, provider.Transient, "no token"},
			{connectiontest.Failure{Status: 302, Body: ""}, provider.Transient, "302"},
			{connectiontest.Failure{Status: 429, Body: "{}"}, provider.RateLimited, "fewer"},
			{connectiontest.Failure{Status: 401, Body: `{"error":"invalid_client","error_description":"The OAuth client was not found."}`}, provider.Unauthorized, "google-client-id"},
		} {
			w.google.Fail(f.failure)
			if f.kind == provider.Transient {
				w.google.Fail(f.failure) // the first is asked again
			}
			w.wantRefused(t, f.kind, f.words)
		}
		w.google.Fail(connectiontest.Failure{Status: 500, Body: ""})
		w.token(t)
	})
}

// beside opens the same connections as another process does, with these keys and this log.
func (w *world) beside(t *testing.T, keys string, log io.Writer) *connection.Connections {
	t.Helper()
	ring, err := secret.ParseKeys(keys)
	if err != nil {
		t.Fatal(err)
	}
	c, err := connection.New(connection.Options{
		DB: w.DB, Accounts: w.Accounts, Clock: w.clock, Log: slog.New(slog.NewTextHandler(log, &slog.HandlerOptions{Level: slog.LevelDebug})), Keys: ring,
		ClientID: connectiontest.ClientID, ClientSecret: connectiontest.ClientSecret, TokenURL: w.google.URL + "/token", RevokeURL: w.google.URL + "/revoke",
	})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestKeysAreRotatedByUse(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		w.connectToken(t, w.google.Grant(consoleScope))
		newKey := strings.Repeat("ab", secret.KeySize)
		open := func(keys string) error {
			_, err := w.beside(t, keys, io.Discard).Token(t.Context(), w.Owner.ID, connection.SearchConsole)
			return err
		}
		if err := open(newKey); provider.KindOf(err) != provider.Unauthorized || !strings.Contains(err.Error(), "secret-key") {
			t.Errorf("with another key: %v", err)
		}
		if err := open(newKey + "," + connectiontest.SecretKey); err != nil {
			t.Errorf("with both: %v", err)
		}
		if err := open(newKey); err != nil {
			t.Errorf("after it was used with both: %v", err)
		}
	})
}

func TestLogShowsNoSecret(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		w.connectToken(t, w.google.Grant(consoleScope))
		var log bytes.Buffer
		c := w.beside(t, connectiontest.SecretKey, &log)
		w.google.RevokeAll()
		if err := c.Disconnect(t.Context(), w.Owner.ID, connection.SearchConsole); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(log.String(), "was not ended at Google") {
			t.Errorf("the log says %q", log.String())
		}
		wantNone(t, w.google, log.String())
	})
}

func TestServiceAccountOpensSearchConsoleOnly(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		file := w.google.ServiceAccount(t)
		credential, err := connection.NewServiceAccount(file)
		if err != nil {
			t.Fatal(err)
		}
		made, err := w.Connections.Connect(t.Context(), w.Owner.ID, connection.SearchConsole, credential)
		if err != nil || !strings.HasSuffix(made.Identity, ".gserviceaccount.com") || made.Kind != connection.ServiceAccount {
			t.Fatalf("connected %+v, %v", made, err)
		}
		w.token(t)
		if _, err := w.Connections.Connect(t.Context(), w.Owner.ID, connection.BusinessProfile, credential); err == nil || !strings.Contains(err.Error(), "person's consent") {
			t.Errorf("Business Profile: %v", err)
		}
		for _, bad := range []string{"", "{}", `{"type":"authorized_user"}`, strings.Replace(string(file), "BEGIN PRIVATE KEY", "BEGIN", 1), strings.Replace(string(file), `\n`, `\nAAAA`, 1)} {
			if _, err := connection.NewServiceAccount([]byte(bad)); err == nil {
				t.Errorf("%.40q is taken for a key file", bad)
			} else {
				wantNone(t, w.google, err.Error())
			}
		}
	})
}

func TestDisconnectEndsTheTokenAtGoogle(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		w.connectToken(t, w.google.Grant(consoleScope))
		w.token(t)
		live := len(w.google.Live())
		w.call(t, "DELETE", "/connections/search-console", nil).Want(t, 200)
		if len(w.google.Live()) != live-1 {
			t.Errorf("at Google these still work: %v", w.google.Live())
		}
		w.wantRefused(t, provider.Unauthorized, "is not connected")
		w.call(t, "DELETE", "/connections/search-console", nil).Want(t, 404)
		w.connectToken(t, w.google.Grant(consoleScope))
		w.google.RevokeAll() // Google answers 400 to the revocation
		w.call(t, "DELETE", "/connections/search-console", nil).Want(t, 200)
	})
}

func TestWithoutAKeyConnectingIsRefused(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, p *apptest.Program) {
		refused := p.Do(t, apptest.Call{Method: "POST", Path: httpapi.AccountPrefix + "/connections", Body: map[string]any{"service": "search-console"}}).Want(t, 409)
		for _, setting := range []string{"TRIGPOINT_SECRET_KEY", "TRIGPOINT_GOOGLE_CLIENT_ID", "TRIGPOINT_GOOGLE_CLIENT_SECRET"} {
			if !strings.Contains(refused.Text("error.message"), setting) {
				t.Errorf("%s is not named: %s", setting, refused.Raw)
			}
		}
	}, func(s *apptest.Setup) { s.NoWorker = true })
}
