package signin_test

import (
	"net/http"
	"net/netip"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/trigpoint/trigpoint/internal/app/apptest"
	"github.com/trigpoint/trigpoint/internal/clock"
	"github.com/trigpoint/trigpoint/internal/config"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/httpapi"
)

// Guessing is stopped by email, also of one that nobody has; the wait grows to a quarter of an hour and no further.
func TestTenWrongPasswords(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, p *apptest.Program, now *clock.Fake) {
		givePassword(t, p, p.Owner, password)
		var answers [2]string
		for i, email := range []string{p.Owner.Email, "nobody@trigpoint.example"} {
			b := visit(p)
			b.sends.Set("X-Forwarded-For", "203.0.113."+strconv.Itoa(i))
			for try := range 9 {
				refused := b.signIn(t, email, "wrong "+strconv.Itoa(try)).Want(t, 401)
				answers[i] = refused.Text("error.message")
			}
			if refused := b.signIn(t, email, "wrong").Want(t, 429); refused.Header.Get("Retry-After") != "30" || refused.Text("error.details.0.error_status") != "TOO_MANY_TRIES" {
				t.Errorf("the tenth for %s: %v %s", email, refused.Header, refused.Raw)
			}
			b.sends.Set("X-Forwarded-For", "198.51.100."+strconv.Itoa(i))
			b.signIn(t, email, password).Want(t, 429) // wherever it comes from, and right or not
		}
		if answers[0] != answers[1] || answers[0] == "" {
			t.Errorf("an account is told apart from none: %q", answers)
		}
		waits := []string{"60", "120", "240", "480", "900", "900"}
		for _, want := range waits {
			now.Advance(15 * time.Minute)
			b := visit(p)
			if got := b.signIn(t, p.Owner.Email, "wrong").Want(t, 429).Header.Get("Retry-After"); got != want {
				t.Errorf("then wait %s seconds, want %s", got, want)
			}
		}
		now.Advance(15*time.Minute - time.Second)
		visit(p).signIn(t, p.Owner.Email, password).Want(t, 429)
		now.Advance(time.Second)
		visit(p).signIn(t, p.Owner.Email, password).Want(t, 200)
		visit(p).signIn(t, p.Owner.Email, "wrong").Want(t, 401) // it starts anew
	}, behindProxy)
}

// behindProxy lets a test say where a request comes from.
func behindProxy(s *apptest.Setup) {
	s.Config.TrustedProxies = []config.Network{{Prefix: netip.MustParsePrefix("127.0.0.0/8")}}
}

// One address that tries many emails is stopped too; others are not concerned.
func TestGuessesAreLimitedByAddress(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, p *apptest.Program, now *clock.Fake) {
		givePassword(t, p, p.Owner, password)
		b := visit(p)
		b.sends.Set("X-Forwarded-For", "203.0.113.7")
		b.signIn(t, p.Owner.Email, password).Want(t, 200) // which costs nothing
		for i := range 30 {
			b.signIn(t, "nobody"+strconv.Itoa(i)+"@trigpoint.example", "wrong password").Want(t, 401)
		}
		if refused := b.signIn(t, p.Owner.Email, password).Want(t, 429); refused.Header.Get("Retry-After") == "" {
			t.Errorf("%v", refused.Header)
		}
		b.call(t, "POST", "/password-reset/confirm", map[string]any{"token": "tpl_wrong", "password": password}).Want(t, 429)

		persistent := visit(p) // tries for an email that is blocked count, too
		persistent.sends.Set("X-Forwarded-For", "203.0.113.8")
		for range 30 {
			persistent.signIn(t, "nobody@trigpoint.example", "wrong password")
		}
		persistent.signIn(t, p.Owner.Email, password).Want(t, 429)
		elsewhere := visit(p)
		elsewhere.sends.Set("X-Forwarded-For", "198.51.100.1")
		elsewhere.signIn(t, p.Owner.Email, password).Want(t, 200)
		now.Advance(10 * time.Second)
		b.signIn(t, p.Owner.Email, password).Want(t, 200)
	}, behindProxy)
}

func TestChangePassword(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, p *apptest.Program, now *clock.Fake) {
		here, elsewhere := signedIn(t, p), visit(p)
		elsewhere.signIn(t, p.Owner.Email, password).Want(t, 200)
		link, err := p.Accounts.NewResetLink(t.Context(), p.Owner.ID, time.Hour)
		if err != nil {
			t.Fatal(err)
		}
		change := func(current, next any) *apptest.Answer {
			return here.call(t, "PUT", "/password", map[string]any{"current": current, "password": next})
		}
		for _, wrong := range []struct{ current, next, field, status any }{
			{"not my password", password2, "current", "PASSWORD_WRONG"},
			{password, "short", "password", "TOO_SHORT"},
			{password, strings.Repeat("x", 201), "password", "TOO_LONG"},
			{password, strings.ToUpper(p.Owner.Email), "password", "PASSWORD_WEAK"},
			{password, "Qwertyuiop", "password", "PASSWORD_WEAK"},
			{nil, password2, "current", "NOT_SPECIFIED"},
			{password, 1234567890, "password", "INVALID_TYPE"},
		} {
			if refused := change(wrong.current, wrong.next).Want(t, 400); refused.At("error.details.0.field") != wrong.field || refused.At("error.details.0.error_status") != wrong.status {
				t.Errorf("%v: %s", wrong, refused.Raw)
			}
		}
		here.sends.Set("Idempotency-Key", "once")
		change(password, password2).Want(t, 200)
		here.call(t, "GET", "/sessions", nil).Want(t, 200)
		elsewhere.call(t, "GET", "/sessions", nil).Want(t, 401)
		elsewhere.signIn(t, p.Owner.Email, password).Want(t, 401)
		elsewhere.signIn(t, p.Owner.Email, password2).Want(t, 200)
		visit(p).call(t, "POST", "/password-reset/confirm", map[string]any{"token": link, "password": password}).Want(t, 403)
		if kept, err := db.One(t.Context(), p.DB, db.Value[int], "SELECT count(*) FROM idempotency"); err != nil || kept != 0 {
			t.Errorf("%d requests with passwords were kept, %v", kept, err)
		}
		key := apptest.Call{Method: "PUT", Path: "/_api/apis/v4/account/v1/password", Body: map[string]any{"current": password2, "password": password}}
		p.Do(t, key).Want(t, 403) // a key is no person
		// A stranger who guesses locks the email for those who are not signed in, and nobody else.
		stranger := visit(p)
		for range 30 {
			stranger.signIn(t, p.Owner.Email, "a guess")
		}
		stranger.signIn(t, p.Owner.Email, password2).Want(t, 429)
		change(password2, password).Want(t, 200)
		change(password, password2).Want(t, 200)
		for range 10 {
			change("not my password", password)
		}
		change(password2, password).Want(t, 429)
		elsewhere.call(t, "GET", "/sessions", nil).Want(t, 401)
		now.Advance(time.Minute)
		elsewhere.signIn(t, p.Owner.Email, password2).Want(t, 200)
		change(password2, password).Want(t, 200)
	})
}

func TestResetLinkWorksOnce(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, p *apptest.Program, now *clock.Fake) {
		signed := signedIn(t, p)
		for range 12 {
			visit(p).signIn(t, p.Owner.Email, "wrong password")
		}
		link := func() string {
			secret, err := p.Accounts.NewResetLink(t.Context(), p.Owner.ID, time.Hour)
			if err != nil {
				t.Fatal(err)
			}
			return secret
		}
		first, late := link(), link()
		reset := func(b *person, token, password string) *apptest.Answer {
			return b.call(t, "POST", "/password-reset/confirm", map[string]any{"token": token, "password": password})
		}
		b := visit(p)
		reset(b, first, p.Owner.Email).Want(t, 400) // which does not use it up
		if start := reset(b, first, password2).Want(t, 200); start.Text("data.account.email") != p.Owner.Email {
			t.Errorf("%s", start.Raw)
		}
		b.call(t, "GET", "/sessions", nil).Want(t, 200)
		signed.call(t, "GET", "/sessions", nil).Want(t, 401)
		for _, token := range []string{first, late, "tpl_wrong"} { // those from before are void too
			if refused := reset(visit(p), token, password).Want(t, 403); refused.Text("error.details.0.error_status") != "LINK_INVALID" {
				t.Errorf("%s", refused.Raw)
			}
		}
		visit(p).signIn(t, p.Owner.Email, password2).Want(t, 200)                                       // and nobody waits for the wrong ones
		p.Do(t, apptest.Call{Method: "GET", Path: httpapi.AccountPrefix + "/connections"}).Want(t, 200) // keys stay, unless one says otherwise
		visit(p).call(t, "POST", "/password-reset/confirm", map[string]any{"token": link(), "password": password2, "revoke_keys": true}).Want(t, 200)
		p.Do(t, apptest.Call{Method: "GET", Path: httpapi.AccountPrefix + "/connections"}).Want(t, 401)
		late = link()
		now.Advance(time.Hour)
		reset(visit(p), late, password).Want(t, 403)
		reset(visit(p), "", "").Want(t, 400)
		b.sends = http.Header{"Origin": {"https://evil.example"}}
		reset(b, link(), password).Want(t, 403)
	})
}
