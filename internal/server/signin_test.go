package server_test

import (
	"fmt"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/trigpoint/trigpoint/internal/account"
	"github.com/trigpoint/trigpoint/internal/app/apptest"
	"github.com/trigpoint/trigpoint/internal/clock"
	"github.com/trigpoint/trigpoint/internal/config"
	"github.com/trigpoint/trigpoint/internal/rankwatch"
)

const trackings = rankwatch.Prefix + "/rankwatch/trackings"

// noKey calls area C without a credential.
var noKey = http.Header{"X-Access-Token": nil}

// track makes a tracking and returns its path and share token.
func track(t *testing.T, p *apptest.Program) (path, token string) {
	t.Helper()
	made := p.Do(t, apptest.Call{Method: "POST", Path: trackings, Body: map[string]any{
		"domain": "example.com", "location_id": 0, "platform_id": 1, "keywords": []string{"pizza"},
	}}).Want(t, 201)
	return trackings + "/" + made.Text("tracking._id"), made.Text("tracking.share_token")
}

func TestCredentialComesBeforeEverythingElse(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, p *apptest.Program) {
		path, token := track(t, p)
		wrong := "?share_token=" + strings.Repeat("x", len(token))
		for _, c := range []apptest.Call{
			{Method: "GET", Path: path + "/detail?to=never"},
			{Method: "GET", Path: path + "/detail" + wrong + "&to=never&is_with_deleted=perhaps"},
			{Method: "GET", Path: path + "/detail" + wrong + "&x=%ff"},
			{Method: "GET", Path: trackings + "/nothing/detail?share_token=" + token},
			{Method: "POST", Path: path + "/stats", Body: "{"},
			{Method: "POST", Path: path + "/stats" + wrong, Body: `{"from":1}`},
			{Method: "POST", Path: path + "/stats" + wrong, Body: strings.Repeat("x", 2<<20)},
			{Method: "POST", Path: trackings + "?x=%00", Body: "{"},
		} {
			c.Header = noKey
			if answer := p.Do(t, c); answer.Status != 401 {
				t.Errorf("%s %.100s answered %d %s", c.Method, c.Path, answer.Status, answer.Raw)
			}
		}
		p.Do(t, apptest.Call{Method: "GET", Path: path + "/detail?to=never&share_token=" + token, Header: noKey}).Want(t, 422)
		p.Do(t, apptest.Call{Method: "GET", Path: path + "/detail?share_token=" + token, Header: noKey}).Want(t, 200)
	})
}

// Who follows a link is limited by link and address, all together by the owner's plan, and none at the owner's cost.
func TestVisitorsOfAShareLinkDoNotLockTheOwnerOut(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, p *apptest.Program) {
		path, token := track(t, p)
		from := func(address, at string) *apptest.Answer {
			header := noKey.Clone()
			header.Set("X-Forwarded-For", address)
			return p.Do(t, apptest.Call{Method: "GET", Path: at + "/detail?share_token=" + token, Header: header})
		}
		for range 4 {
			from("203.0.113.7", path).Want(t, 200)
		}
		refused := from("203.0.113.7", path).Want(t, 429)
		if refused.Header.Get("Retry-After") != "1" || refused.Text("error.type") != "RateLimit" {
			t.Errorf("%v %s", refused.Header, refused.Raw)
		}
		for range 4 {
			from("198.51.100.1", path).Want(t, 200)
		}
		from("192.0.2.1", path).Want(t, 429) // the third address finds the plan's rate used up
		for range 7 {
			p.Do(t, apptest.Call{Method: "GET", Path: trackings}).Want(t, 200)
		}
		stranger := p.NewAccount(t, "stranger@trigpoint.example", "agency")
		p.Do(t, apptest.Call{Method: "GET", Path: path + "/detail?share_token=" + token, As: &stranger}).Want(t, 200)
	}, behindProxy, func(s *apptest.Setup) {
		s.Config.Plans, s.Options.Clock = `{"agency":{"rate":4}}`, clock.NewFake(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
	})
}

// behindProxy lets a test say where a request comes from.
func behindProxy(s *apptest.Setup) {
	s.Config.TrustedProxies = []config.Network{{Prefix: netip.MustParsePrefix("127.0.0.0/8")}}
}

// Whatever is tried in vain counts for the client's address: keys, tokens, share tokens, OAuth clients.
func TestFailedSignInsAreLimitedByAddress(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, p *apptest.Program) {
		path, _ := track(t, p)
		now := p.Clock.(*clock.Fake)
		now.Advance(time.Hour) // no secret has been proved of late
		from := func(address string, c apptest.Call) *apptest.Answer {
			c.Header = c.Header.Clone()
			c.Header.Set("X-Forwarded-For", address)
			return p.Do(t, c)
		}
		exchange := func(address, key string) (int, http.Header) {
			form := url.Values{"grant_type": {"client_credentials"}, "client_id": {p.Owner.ID}, "client_secret": {key}}
			req, err := http.NewRequestWithContext(t.Context(), "POST", p.URL+"/oauth2/token", strings.NewReader(form.Encode()))
			if err != nil {
				t.Fatal(err)
			}
			req.Header = http.Header{"Content-Type": {"application/x-www-form-urlencoded"}, "X-Forwarded-For": {address}}
			res, err := http.DefaultClient.Do(req)
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = res.Body.Close() }()
			return res.StatusCode, res.Header
		}
		good := apptest.Call{Method: "GET", Path: locations, Header: http.Header{}}
		key := apptest.Call{Method: "GET", Path: locations, Header: http.Header{"Authorization": {"Apikey tpk_wrong"}}}
		bearer := apptest.Call{Method: "GET", Path: "/_api/apis/v4/map-rank-tracker/v0/limits", Header: http.Header{"Authorization": {"Bearer tpt_wrong"}}}
		share := apptest.Call{Method: "GET", Path: path + "/detail?share_token=wrong", Header: http.Header{"X-Access-Token": nil}}

		const attacker = "203.0.113.7"
		for range 25 {
			for _, c := range []apptest.Call{key, bearer, share} {
				from(attacker, c).Want(t, 401)
			}
			if status, _ := exchange(attacker, "tpk_wrong"); status != 401 {
				t.Fatalf("an exchange answered %d", status)
			}
		}
		for _, c := range []apptest.Call{key, bearer, share} {
			if refused := from(attacker, c).Want(t, 429); refused.Header.Get("Retry-After") == "" {
				t.Errorf("%v %s", refused.Header, refused.Raw)
			}
		}
		if status, header := exchange(attacker, "tpk_wrong"); status != 429 || header.Get("Retry-After") == "" {
			t.Errorf("an exchange answered %d %v", status, header)
		}
		from(attacker, good).Want(t, 429)       // it might as well be a guess
		from("198.51.100.1", good).Want(t, 200) // another address is not concerned
		from(attacker, good).Want(t, 200)       // now it is known to be good, wherever it comes from
		from(attacker, key).Want(t, 429)
		missing := apptest.Call{Method: "GET", Path: locations, Header: http.Header{"Authorization": {""}}}
		from(attacker, missing).Want(t, 401) // nothing was tried

		now.Advance(time.Second)
		from(attacker, key).Want(t, 401)
	}, behindProxy, func(s *apptest.Setup) {
		s.Options.Clock = clock.NewFake(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
	})
}

func TestRevokingAKeyEndsItsTokens(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, p *apptest.Program) {
		ctx := t.Context()
		key, _, err := p.Accounts.Issue(ctx, p.Owner.ID, account.Issue{Kind: account.Key, Life: time.Hour})
		if err != nil {
			t.Fatal(err)
		}
		who, err := p.Accounts.Client(ctx, p.Owner.Email, key)
		if err != nil {
			t.Fatal(err)
		}
		token, life, err := p.Accounts.Exchange(ctx, who)
		if err != nil || life > time.Hour {
			t.Fatalf("a token for %v: %v; its key has an hour left", life, err)
		}
		if _, err := p.Accounts.Authenticate(ctx, account.Token, token); err != nil {
			t.Fatal(err)
		}
		if err := p.Accounts.Revoke(ctx, account.Key, key); err != nil {
			t.Fatal(err)
		}
		if _, err := p.Accounts.Authenticate(ctx, account.Token, token); err == nil {
			t.Error("the token outlived its key")
		}
		if _, err := p.Accounts.Authenticate(ctx, account.Token, p.Owner.Token); err != nil {
			t.Errorf("another token ended too: %v", err)
		}
		if _, _, err := p.Accounts.Exchange(ctx, who); err == nil {
			t.Error("a sign-in from before the key was revoked gave a token after it")
		}
	}, func(s *apptest.Setup) { s.NoWorker = true })
}

func TestTokensOfAnAccountAreBounded(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, p *apptest.Program) {
		ctx := t.Context()
		who, err := p.Accounts.Client(ctx, p.Owner.ID, p.Owner.Key)
		if err != nil {
			t.Fatal(err)
		}
		var tokens []string
		for range 102 {
			token, _, err := p.Accounts.Exchange(ctx, who)
			if err != nil {
				t.Fatal(err)
			}
			tokens = append(tokens, token)
		}
		for i, token := range tokens {
			if _, err := p.Accounts.Authenticate(ctx, account.Token, token); (err == nil) != (i >= 2) {
				t.Errorf("token %d of 102: %v", i+1, err)
			}
		}
		for range 99 { // the owner has one
			if _, _, err := p.Accounts.Issue(ctx, p.Owner.ID, account.Issue{Kind: account.Token}); err != nil {
				t.Fatal(err)
			}
		}
		if _, _, err := p.Accounts.Issue(ctx, p.Owner.ID, account.Issue{Kind: account.Token}); err == nil || !strings.Contains(fmt.Sprint(err), "token list") {
			t.Errorf("token 101 by hand: %v", err)
		}
	}, func(s *apptest.Setup) { s.NoWorker = true })
}
