package signin_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/trigpoint/trigpoint/internal/account"
	"github.com/trigpoint/trigpoint/internal/app/apptest"
	"github.com/trigpoint/trigpoint/internal/clock"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/httpapi"
	"github.com/trigpoint/trigpoint/internal/local"
	"github.com/trigpoint/trigpoint/internal/maprank"
	"github.com/trigpoint/trigpoint/internal/rankwatch"
)

const (
	password  = "nine lives and a tin roof"
	password2 = "eleven geese on the green"
)

var noon = time.Date(2026, 11, 15, 12, 0, 0, 0, time.UTC)

// each runs a scenario on both engines, with a clock that the test moves.
func each(t *testing.T, test func(t *testing.T, p *apptest.Program, now *clock.Fake), changes ...func(*apptest.Setup)) {
	t.Helper()
	changes = append([]func(*apptest.Setup){func(s *apptest.Setup) { s.NoWorker, s.Options.Clock = true, clock.NewFake(noon) }}, changes...)
	apptest.Each(t, func(t *testing.T, p *apptest.Program) { test(t, p, p.Clock.(*clock.Fake)) }, changes...)
}

// person is somebody with a browser: it keeps the session's cookie and sends it with every request.
type person struct {
	*apptest.Program
	token  string
	cookie string // as it was last set
	sends  http.Header
}

func visit(p *apptest.Program) *person { return &person{Program: p, sends: http.Header{}} }

// call makes a request to the account area, or to the area of a whole path.
func (b *person) call(t *testing.T, method, path string, body any) *apptest.Answer {
	t.Helper()
	if !strings.HasPrefix(path, "/_api") {
		path = httpapi.AccountPrefix + path
	}
	header := http.Header{"Authorization": nil, "X-Access-Token": nil, "User-Agent": {"Firefox"}}
	for name, values := range b.sends {
		header[name] = values
	}
	name := httpapi.SessionCookie(httpapi.IsHTTPS(b.Config.Public()))
	if b.token != "" {
		header.Set("Cookie", name+"="+b.token)
	}
	answer := b.Do(t, apptest.Call{Method: method, Path: path, Body: body, Header: header})
	for _, line := range answer.Header.Values("Set-Cookie") {
		set, err := http.ParseSetCookie(line)
		if err != nil || set.Name != name {
			t.Fatalf("set %q, %v", line, err)
		}
		b.token, b.cookie = set.Value, line
	}
	return answer
}

func (b *person) signIn(t *testing.T, email, password string) *apptest.Answer {
	t.Helper()
	return b.call(t, "POST", "/session", map[string]any{"email": email, "password": password})
}

// signedIn is the owner, with a password, signed in.
func signedIn(t *testing.T, p *apptest.Program) *person {
	t.Helper()
	givePassword(t, p, p.Owner, password)
	b := visit(p)
	b.signIn(t, p.Owner.Email, password).Want(t, 200)
	return b
}

func givePassword(t *testing.T, p *apptest.Program, who apptest.Account, password string) {
	t.Helper()
	if err := p.SignIn.SetPassword(t.Context(), account.Account{ID: who.ID, Email: who.Email}, password); err != nil {
		t.Fatal(err)
	}
}

func TestSignInAndOut(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, p *apptest.Program, _ *clock.Fake) {
		b := visit(p)
		if start := b.call(t, "GET", "/session", nil).Want(t, 200); start.At("data.account") != nil || start.At("data.setup_required") != false ||
			start.Text("data.signup") != "closed" || start.Text("data.version") != "test" || start.Text("data.map.kind") != "style" {
			t.Errorf("nobody is told %s", start.Raw)
		}
		b.call(t, "GET", local.Prefix+"/locations", nil).Want(t, 401)
		b.call(t, "POST", "/session/demo", nil).Want(t, 404) // there is none
		b.call(t, "POST", "/password-reset", map[string]any{"email": p.Owner.Email}).Want(t, 200)
		if jobs, err := db.One(t.Context(), p.DB, db.Value[int], "SELECT count(*) FROM river_job WHERE kind = 'reset_mail'"); err != nil || jobs != 0 {
			t.Errorf("%d mails wait where no mail is configured, %v", jobs, err)
		}
		b.signIn(t, p.Owner.Email, password).Want(t, 401) // it has none yet
		givePassword(t, p, p.Owner, password)
		start := b.signIn(t, " "+strings.ToUpper(p.Owner.Email), password).Want(t, 200)
		if start.Text("data.account.email") != p.Owner.Email || start.Text("data.account.plan") != "agency" {
			t.Errorf("signed in as %s", start.Raw)
		}
		for _, want := range []string{"HttpOnly", "SameSite=Lax", "Path=/", "Max-Age=7776000"} {
			if !strings.Contains(b.cookie, want) || strings.Contains(b.cookie, "Secure") {
				t.Errorf("the cookie %s, over plain http, has no %s", b.cookie, want)
			}
		}
		for _, path := range []string{local.Prefix + "/locations", maprank.Prefix + "/limits", rankwatch.Prefix + "/rankwatch/trackings", httpapi.AccountPrefix + "/connections"} {
			b.call(t, "GET", path, nil).Want(t, 200)
		}
		if again := b.call(t, "GET", "/session", nil).Want(t, 200); again.Text("data.account.account_id") != p.Owner.ID {
			t.Errorf("the session is told %s", again.Raw)
		}
		token := b.token
		b.call(t, "DELETE", "/session", nil).Want(t, 200)
		if b.token != "" || !strings.Contains(b.cookie, "Max-Age=0") {
			t.Errorf("after signing out the cookie is %s", b.cookie)
		}
		b.token = token // kept by somebody
		b.call(t, "GET", local.Prefix+"/locations", nil).Want(t, 401)
		b.call(t, "DELETE", "/session", nil).Want(t, 401)
		if start := b.call(t, "GET", "/session", nil).Want(t, 200); start.At("data.account") != nil {
			t.Errorf("an ended session is told %s", start.Raw)
		}
	})
}

// A header says more than a cookie: a wrong one is refused whoever is signed in, and a good one acts for its holder.
func TestHeaderBeatsCookie(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, p *apptest.Program, _ *clock.Fake) {
		b := signedIn(t, p)
		b.sends.Set("Authorization", "Apikey tpk_wrong")
		b.call(t, "GET", local.Prefix+"/locations", nil).Want(t, 401)
		b.call(t, "GET", "/session", nil).Want(t, 401)
		b.sends.Set("Authorization", "Basic eDp5")
		b.call(t, "GET", local.Prefix+"/locations", nil).Want(t, 401)
		other := p.NewAccount(t, "other@trigpoint.example", "free")
		b.sends.Set("Authorization", "Apikey "+other.Key)
		if start := b.call(t, "GET", "/session", nil).Want(t, 200); start.Text("data.account.email") != other.Email {
			t.Errorf("the key of another acts for %s", start.Raw)
		}
		if refused := b.call(t, "GET", "/sessions", nil).Want(t, 403); refused.Text("error.details.0.error_status") != "SESSION_REQUIRED" {
			t.Errorf("a key is told %s", refused.Raw)
		}
	})
}

// Other sites make browsers send requests with our cookie; what changes something is refused then.
func TestRequestsOfOtherSitesAreRefused(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, p *apptest.Program, _ *clock.Fake) {
		b := signedIn(t, p)
		change := func() *apptest.Answer { return b.call(t, "DELETE", "/connections/search-console", nil) }
		for _, headers := range []http.Header{
			{"Sec-Fetch-Site": {"cross-site"}, "Origin": {"https://evil.example"}},
			{"Sec-Fetch-Site": {"same-site"}},
			{"Origin": {"https://evil.example"}},
			{"Origin": {"null"}},
		} {
			b.sends = headers
			if refused := change().Want(t, 403); refused.Text("error.details.0.error_status") != "CROSS_ORIGIN" {
				t.Errorf("%v is told %s", headers, refused.Raw)
			}
			visitor := visit(p) // signing somebody in to a stranger's account is an attack too
			visitor.sends = headers
			visitor.signIn(t, p.Owner.Email, password).Want(t, 403)
			b.call(t, "GET", local.Prefix+"/locations", nil).Want(t, 200) // which its own policy keeps from being read
		}
		for _, headers := range []http.Header{
			{"Sec-Fetch-Site": {"same-origin"}, "Origin": {p.URL}},
			{"Origin": {p.URL}},
			{},
			{"Sec-Fetch-Site": {"cross-site"}, "Origin": {"https://trigpoint.example.com"}}, // the public URL, behind a proxy
		} {
			b.sends = headers
			change().Want(t, 404) // let in: nothing is connected
		}
		b.sends = http.Header{"Origin": {"https://app.example"}, "Authorization": {"Apikey " + p.Owner.Key}} // nobody is tricked into sending a key
		b.call(t, "DELETE", "/connections/search-console", nil).Want(t, 404)
		if !strings.HasPrefix(b.cookie, "__Host-") || !strings.Contains(b.cookie, "; Secure") {
			t.Errorf("the cookie of an https site is %s", b.cookie)
		}
		planted := visit(p) // by another host of the domain, which cannot set a cookie with the prefix
		planted.sends = http.Header{"Cookie": {httpapi.SessionCookie(false) + "=" + b.token}}
		planted.call(t, "GET", "/sessions", nil).Want(t, 401)
	}, func(s *apptest.Setup) { s.Config.PublicURL = "https://trigpoint.example.com" })
}

// Whoever knows a session from before knows none afterwards.
func TestSignInAlwaysMakesANewSession(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, p *apptest.Program, _ *clock.Fake) {
		b := signedIn(t, p)
		known := b.token
		b.signIn(t, p.Owner.Email, password).Want(t, 200)
		if b.token == known {
			t.Fatal("it is the same session")
		}
		attacker := visit(p)
		attacker.token = known
		attacker.call(t, "GET", "/sessions", nil).Want(t, 401)
		attacker.token = "tps_chosen-by-an-attacker"
		if attacker.signIn(t, p.Owner.Email, password).Want(t, 200); strings.Contains(attacker.token, "chosen") {
			t.Errorf("a session of the attacker's own making: %s", attacker.token)
		}
		kept, err := db.All(t.Context(), p.DB, db.Value[string], "SELECT user_agent FROM sessions WHERE account_id = $1", p.Owner.ID)
		if err != nil || len(kept) != 2 || kept[0] != "Firefox" {
			t.Errorf("sessions %q, %v", kept, err)
		}
	})
}

func TestSessionsAreListedAndEnded(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, p *apptest.Program, now *clock.Fake) {
		here := signedIn(t, p)
		elsewhere := visit(p)
		elsewhere.sends.Set("User-Agent", strings.Repeat("ü", 300))
		now.Advance(time.Minute)
		elsewhere.signIn(t, p.Owner.Email, password).Want(t, 200)
		other := p.NewAccount(t, "other@trigpoint.example", "free")
		givePassword(t, p, other, password)
		stranger := visit(p)
		stranger.signIn(t, other.Email, password).Want(t, 200)

		list := here.call(t, "GET", "/sessions", nil).Want(t, 200)
		if list.Len("data") != 2 || list.At("data.0.current") != false || list.At("data.1.current") != true || list.Text("data.1.user_agent") != "Firefox" ||
			list.Text("data.0.user_agent") != strings.Repeat("ü", 200) || list.Text("data.0.address") != "127.0.0.1" || strings.Contains(string(list.Raw), "tps_") {
			t.Fatalf("%s", list.Raw)
		}
		path := "/sessions/" + list.Text("data.0.id")
		stranger.call(t, "DELETE", path, nil).Want(t, 404)
		elsewhere.call(t, "GET", "/sessions", nil).Want(t, 200)
		here.call(t, "DELETE", path, nil).Want(t, 200)
		elsewhere.call(t, "GET", "/sessions", nil).Want(t, 401)
		here.call(t, "DELETE", path, nil).Want(t, 404)

		for range 101 {
			now.Advance(time.Second) // no faster than one address may
			visit(p).signIn(t, p.Owner.Email, password).Want(t, 200)
		}
		here.call(t, "GET", "/sessions", nil).Want(t, 401) // the oldest have made room
	})
}

// A session lives 30 days without a request and 90 in all, and is seldom written.
func TestSessionsEnd(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, p *apptest.Program, now *clock.Fake) {
		const day = 24 * time.Hour
		b := signedIn(t, p)
		seen := func() time.Time {
			micros, err := db.One(t.Context(), p.DB, db.Value[int64], "SELECT last_seen_at FROM sessions")
			if err != nil {
				t.Fatal(err)
			}
			return db.Time(micros)
		}
		now.Advance(9 * time.Minute)
		b.call(t, "GET", "/sessions", nil).Want(t, 200)
		if !seen().Equal(noon) {
			t.Errorf("it was written after 9 minutes: %v", seen())
		}
		now.Advance(time.Minute)
		b.call(t, "GET", "/sessions", nil).Want(t, 200)
		if !seen().Equal(noon.Add(10 * time.Minute)) {
			t.Errorf("it was last seen at %v", seen())
		}
		for range 3 {
			now.Advance(29 * day)
			b.call(t, "GET", "/sessions", nil).Want(t, 200)
		}
		now.Advance(3*day - 10*time.Minute)
		b.call(t, "GET", "/sessions", nil).Want(t, 401) // 90 days
		b.signIn(t, p.Owner.Email, password).Want(t, 200)
		now.Advance(30 * day)
		b.call(t, "GET", "/sessions", nil).Want(t, 401)
		if err := p.Accounts.Sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
		if left, err := db.One(t.Context(), p.DB, db.Value[int], "SELECT count(*) FROM sessions"); err != nil || left != 0 {
			t.Errorf("%d sessions are left, %v", left, err)
		}
	})
}

func TestSignInToTheDemo(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, p *apptest.Program, _ *clock.Fake) {
		b := visit(p)
		if start := b.call(t, "GET", "/session", nil).Want(t, 200); start.At("data.demo") != true {
			t.Errorf("visitors are told %s", start.Raw)
		}
		b.sends.Set("Origin", "https://evil.example")
		wantStatus(t, b.call(t, "POST", "/session/demo", nil), 403, "CROSS_ORIGIN")
		b.sends.Del("Origin")
		if start := b.call(t, "POST", "/session/demo", nil).Want(t, 200); start.Text("data.account.account_id") != p.Owner.ID {
			t.Errorf("signed in as %s", start.Raw)
		}
		b.call(t, "GET", local.Prefix+"/locations", nil).Want(t, 200)
		// Nobody takes the demo from the others: it has no password.
		wantStatus(t, b.call(t, "PUT", "/password", map[string]any{"current": "", "password": password}), 400, "NOT_SPECIFIED")
		wantStatus(t, b.call(t, "PUT", "/password", map[string]any{"current": password, "password": password2}), 400, "PASSWORD_WRONG")
	}, func(s *apptest.Setup) { s.Options.DemoEmail = s.Email })
}
