package server_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/trigpoint/trigpoint/internal/account"
	"github.com/trigpoint/trigpoint/internal/app/apptest"
	"github.com/trigpoint/trigpoint/internal/clock"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/db/dbtest"
	"github.com/trigpoint/trigpoint/internal/local"
)

const locations = local.Prefix + "/locations"

func TestCredentialsThatAreRefusedAllAnswerTheSame(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, p *apptest.Program) {
		now := p.Clock.(*clock.Fake)
		expired, _, err := p.Accounts.Issue(t.Context(), p.Owner.ID, account.Issue{Kind: account.Key, Life: time.Minute})
		if err != nil {
			t.Fatal(err)
		}
		revoked, _, err := p.Accounts.Issue(t.Context(), p.Owner.ID, account.Issue{Kind: account.Key})
		if err != nil {
			t.Fatal(err)
		}
		if err := p.Accounts.Revoke(t.Context(), account.Key, revoked); err != nil {
			t.Fatal(err)
		}
		now.Advance(time.Hour)
		var first []byte
		for name, value := range map[string]string{
			"missing": "", "no word": p.Owner.Key, "wrong word": "Bearer " + p.Owner.Key, "unknown": "Apikey tpk_nothing",
			"a token": "Apikey " + p.Owner.Token, "expired": "Apikey " + expired, "revoked": "Apikey " + revoked, "empty": "Apikey ",
		} {
			answer := p.Do(t, apptest.Call{Method: "GET", Path: locations, Header: http.Header{"Authorization": {value}, "X-Request-Id": {"same"}}}).Want(t, 401)
			if !strings.HasPrefix(answer.Header.Get("WWW-Authenticate"), "Apikey") {
				t.Errorf("%s: WWW-Authenticate %q", name, answer.Header.Get("WWW-Authenticate"))
			}
			if first == nil {
				first = answer.Raw
			}
			if !bytes.Equal(first, answer.Raw) {
				t.Errorf("%s answered %s, another %s", name, answer.Raw, first)
			}
		}
		p.Do(t, apptest.Call{Method: "GET", Path: locations, Header: http.Header{"Authorization": {"apikey " + p.Owner.Key}}}).Want(t, 200)
	}, func(s *apptest.Setup) { s.Options.Clock = clock.NewFake(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)) })
}

func TestReadOnlyKeyReads(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, p *apptest.Program) {
		key, _, err := p.Accounts.Issue(t.Context(), p.Owner.ID, account.Issue{Kind: account.Key, ReadOnly: true})
		if err != nil {
			t.Fatal(err)
		}
		as := apptest.Account{Key: key}
		p.Do(t, apptest.Call{Method: "GET", Path: locations, As: &as}).Want(t, 200)
		if answer := p.Do(t, apptest.Call{Method: "POST", Path: locations, Body: "{}", As: &as}).Want(t, 403); answer.Text("error.details.0.error_status") != "READ_ONLY_KEY" {
			t.Errorf("answered %s", answer.Raw)
		}
	})
}

func TestBodiesThatAreRefused(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, p *apptest.Program) {
		for name, c := range map[string]struct {
			body   string
			status int
			says   string
		}{
			"nothing":          {"", 400, "body is required"},
			"broken":           {`{"business_name": "x"`, 400, "not valid JSON at byte"},
			"trailing garbage": {`{} {}`, 400, "not valid JSON at byte 4"},
			"an array":         {`[]`, 400, "must be a JSON object"},
			"a string":         {`"x"`, 400, "must be a JSON object"},
			"invalid UTF-8":    {"{\"city\":\"\xff\"}", 400, "not valid UTF-8 at byte 9"},
			"a NUL":            {`{"city":"a\u0000b"}`, 400, "NUL character at byte 10"},
			"not a NUL":        {`{"city":"a\\u0000b"}`, 400, "NOT_SPECIFIED"},
			"deep nesting":     {strings.Repeat("[", 100_000), 400, "nested deeper"},
			"10 MB":            {`{"city":"` + strings.Repeat("x", 10<<20) + `"}`, 413, "too large"},
			"wrong types":      {`{"city":1,"coordinates":"here","category_ids":{}}`, 400, "coordinates must be an object"},
		} {
			answer := p.Do(t, apptest.Call{Method: "POST", Path: locations, Body: c.body})
			if answer.Status != c.status || !strings.Contains(string(answer.Raw), c.says) || answer.At("meta.success") != false {
				t.Errorf("%s: %d %.300s", name, answer.Status, answer.Raw)
			}
		}
		for _, kind := range []string{"text/plain", "application/x-www-form-urlencoded", "application/vnd.api+json", ""} {
			p.Do(t, apptest.Call{Method: "POST", Path: locations, Body: "{}", Header: http.Header{"Content-Type": {kind}}}).Want(t, 415)
		}
		p.Do(t, apptest.Call{Method: "POST", Path: locations, Body: "{}", Header: http.Header{"Content-Type": {"application/json; charset=utf-8"}}}).Want(t, 400)
		for _, query := range []string{"?x=%00", "?x=%ff", "?limit=1&limit=2", "?frozen=yes"} {
			p.Do(t, apptest.Call{Method: "GET", Path: locations + query}).Want(t, 400)
		}
		p.Do(t, apptest.Call{Method: "GET", Path: locations + "/%00%ff"}).Want(t, 404)
	})
}

func TestUnknownPathsAndMethodsAnswerInTheShapeOfTheArea(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, p *apptest.Program) {
		for _, area := range p.Areas {
			missing := p.Do(t, apptest.Call{Method: "GET", Path: area.Prefix + "/nothing/here"}).Want(t, 404)
			if missing.Text("error.message") == "" || (area.Name == "keyword") != (missing.Text("error.type") != "") || (area.Name == "keyword") == (missing.At("meta.success") != nil) {
				t.Errorf("%s: %s", area.Name, missing.Raw)
			}
		}
		answer := p.Do(t, apptest.Call{Method: "PUT", Path: locations}).Want(t, 405)
		if answer.Header.Get("Allow") != "GET, POST" {
			t.Errorf("Allow %q", answer.Header.Get("Allow"))
		}
	})
}

func TestRequestIDIsTakenWhenItIsSane(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, p *apptest.Program) {
		for given, taken := range map[string]bool{"abc-1": true, strings.Repeat("x", 128): true, strings.Repeat("x", 129): false, "with space": false, "": false} {
			answer := p.Do(t, apptest.Call{Method: "GET", Path: locations, Header: http.Header{"X-Request-Id": {given}}}).Want(t, 200)
			if got := answer.Text("meta.request_id"); (got == given) != taken || got == "" || got != answer.Header.Get("X-Request-Id") {
				t.Errorf("%q became %q", given, got)
			}
		}
	})
}

func TestRateLimitCountsByAccount(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		now := clock.NewFake(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
		p := apptest.Start(t, d, func(s *apptest.Setup) { s.Config.Plans, s.Options.Clock = `{"agency":{"rate":2}}`, now })
		call := apptest.Call{Method: "GET", Path: locations}
		for range 4 {
			p.Do(t, call).Want(t, 200)
		}
		refused := p.Do(t, call).Want(t, 429)
		if refused.Header.Get("Retry-After") != "1" || refused.Header.Get("RateLimit-Limit") != "4" || refused.Header.Get("RateLimit-Remaining") != "0" || refused.At("error.retryable") != true {
			t.Errorf("refused with %v %s", refused.Header, refused.Raw)
		}
		other := p.NewAccount(t, "other@trigpoint.example", "agency")
		p.Do(t, apptest.Call{Method: "GET", Path: locations, As: &other}).Want(t, 200)
		now.Advance(time.Second)
		p.Do(t, call).Want(t, 200)
	})
}

func TestTokenForAKey(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, p *apptest.Program) {
		ask := func(form url.Values, basic ...string) (int, map[string]any) {
			req, err := http.NewRequestWithContext(t.Context(), "POST", p.URL+"/oauth2/token", strings.NewReader(form.Encode()))
			if err != nil {
				t.Fatal(err)
			}
			req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
			if len(basic) == 2 {
				req.SetBasicAuth(url.QueryEscape(basic[0]), url.QueryEscape(basic[1]))
			}
			res, err := http.DefaultClient.Do(req)
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = res.Body.Close() }()
			var body map[string]any
			if err := json.NewDecoder(res.Body).Decode(&body); err != nil || res.Header.Get("Cache-Control") != "no-store" {
				t.Errorf("%v %v", err, res.Header)
			}
			return res.StatusCode, body
		}
		grant := url.Values{"grant_type": {"client_credentials"}}
		for _, client := range []string{p.Owner.ID, p.Owner.Email} {
			form := url.Values{"grant_type": {"client_credentials"}, "client_id": {client}, "client_secret": {p.Owner.Key}}
			for _, try := range []func() (int, map[string]any){func() (int, map[string]any) { return ask(form) }, func() (int, map[string]any) { return ask(grant, client, p.Owner.Key) }} {
				status, body := try()
				if status != 200 || body["token_type"] != "Bearer" || body["expires_in"] != 604800.0 {
					t.Fatalf("%d %v", status, body)
				}
				if _, err := p.Accounts.Authenticate(t.Context(), account.Token, body["access_token"].(string)); err != nil {
					t.Error(err)
				}
			}
		}
		for want, form := range map[string]url.Values{
			"invalid_client":         {"grant_type": {"client_credentials"}, "client_id": {p.Owner.ID}, "client_secret": {"tpk_wrong"}},
			"unsupported_grant_type": {"grant_type": {"password"}},
			"invalid_request":        {},
		} {
			if status, body := ask(form); status < 400 || body["error"] != want {
				t.Errorf("%v: %d %v", form, status, body)
			}
		}
		other := p.NewAccount(t, "other@trigpoint.example", "free")
		if status, _ := ask(grant, other.ID, p.Owner.Key); status != 401 {
			t.Errorf("another account's id with my key: %d", status)
		}
	})
}

// Every pattern that the mux serves below an area's prefix is an operation of its document, and the
// other way round.
func TestEveryRouteIsInTheDocument(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, p *apptest.Program) {
		want := map[string]int{"local": 17, "map-rank-tracker": 18}
		for _, area := range p.Areas {
			res, err := http.Get(p.URL + "/openapi/" + area.Name + ".json")
			if err != nil {
				t.Fatal(err)
			}
			var document struct {
				OpenAPI string
				Paths   map[string]map[string]json.RawMessage
			}
			if err := json.NewDecoder(res.Body).Decode(&document); err != nil || document.OpenAPI != "3.1.0" {
				t.Fatalf("%s: %v %s", area.Name, err, document.OpenAPI)
			}
			_ = res.Body.Close()
			n := 0
			for path, item := range document.Paths {
				if item["servers"] != nil { // elsewhere
					continue
				}
				for method, operation := range item {
					n++
					if bytes.Contains(operation, []byte(`"security":[{}]`)) { // public
						continue
					}
					// without a credential a mounted operation answers 401 (or, with another right, 4xx), never 404
					req, _ := http.NewRequestWithContext(t.Context(), strings.ToUpper(method), p.URL+area.Prefix+strings.NewReplacer("{", "", "}", "").Replace(path), nil)
					answer, err := http.DefaultClient.Do(req)
					if err != nil {
						t.Fatal(err)
					}
					_ = answer.Body.Close()
					if answer.StatusCode != 401 {
						t.Errorf("%s %s%s answered %d without a credential", method, area.Prefix, path, answer.StatusCode)
					}
				}
			}
			if want[area.Name] != 0 && n != want[area.Name] {
				t.Errorf("%s documents %d operations, want %d", area.Name, n, want[area.Name])
			}
			if status, html := page(t, p.URL+"/docs/"+area.Name); status != 200 || !strings.Contains(html, area.Prefix) {
				t.Errorf("docs of %s: %d", area.Name, status)
			}
		}
	})
}

func page(t testing.TB, at string) (int, string) {
	t.Helper()
	res, err := http.Get(at)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, string(body)
}

func TestHealthAndMetrics(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, p *apptest.Program) {
		p.Do(t, apptest.Call{Method: "GET", Path: locations}).Want(t, 200)
		for path, says := range map[string]string{"/healthz": "ok", "/readyz": "ready"} {
			if status, body := page(t, p.URL+path); status != 200 || !strings.Contains(body, says) {
				t.Errorf("%s: %d %.200s", path, status, body)
			}
		}
		if status, _ := page(t, p.URL+"/metrics"); status != 404 {
			t.Errorf("strangers see the metrics: %d", status)
		}
		for path, says := range map[string]string{"/metrics": "trigpoint_http_request_seconds", "/debug/pprof/": "goroutine"} {
			rec := httptest.NewRecorder()
			if p.Admin.ServeHTTP(rec, httptest.NewRequest("GET", path, nil)); rec.Code != 200 || !strings.Contains(rec.Body.String(), says) {
				t.Errorf("%s for the operator: %d %.200s", path, rec.Code, rec.Body)
			}
		}
		_ = p.DB.Close() // the store goes away
		if status, _ := page(t, p.URL+"/readyz"); status != 503 {
			t.Errorf("without a store: %d", status)
		}
		if status, _ := page(t, p.URL+"/healthz"); status != 200 {
			t.Errorf("the process itself is healthy: %d", status)
		}
	}, func(s *apptest.Setup) { s.NoWorker = true })
}

func TestSlowBodyIsCutOff(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, p *apptest.Program) {
		conn, err := net.Dial("tcp", strings.TrimPrefix(p.URL, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = conn.Close() }()
		// half a body, and the connection's other half closed: no one waits for the rest
		fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: x\r\nAuthorization: Apikey %s\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{", locations, p.Owner.Key)
		_ = conn.(*net.TCPConn).CloseWrite()
		answer, err := io.ReadAll(conn)
		if err != nil || bytes.Contains(answer, []byte("200 OK")) {
			t.Errorf("%v %s", err, answer)
		}
	})
}
