package searchconsole_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/trigpoint/trigpoint/internal/clock"
	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/provider/searchconsole"
	"github.com/trigpoint/trigpoint/internal/provider/searchconsole/searchconsoletest"
)

// tokens gives another token whenever one was rejected.
type tokens struct{ rejected int }

func (t *tokens) Token(context.Context, string) (string, error) {
	return fmt.Sprintf("ya29.hidden-%d", t.rejected), nil
}
func (t *tokens) Reject(string, string) { t.rejected++ }

func open(t *testing.T, url string, from *tokens) *searchconsole.Console {
	t.Helper()
	c, err := searchconsole.New(url, from, clock.System{})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// serve answers every request alike.
func serve(t *testing.T, status int, body string) *searchconsole.Console {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		_, _ = w.Write([]byte(body))
	}))
	t.Cleanup(server.Close)
	return open(t, server.URL, &tokens{})
}

func sample(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func byQueryAndPage(rows int) searchconsole.Query {
	return searchconsole.Query{Site: "sc-domain:example.org", From: "2026-07-01", To: "2026-07-01", MaxRows: rows, Dimensions: []searchconsole.Dimension{searchconsole.ByQuery, searchconsole.ByPage}}
}

func TestSitesInBothSpellings(t *testing.T) {
	t.Parallel()
	sites, err := serve(t, 200, sample(t, "sites.json")).Sites(t.Context(), "a")
	if err != nil || len(sites) != 3 || sites[0].Domain() != "example.org" || sites[1].Domain() != "" || !sites[1].Readable() || sites[2].Readable() {
		t.Errorf("%+v, %v", sites, err)
	}
	sites, err = serve(t, 200, `{"siteEntry":[{"siteUrl":"https://x.example/","permissionLevel":"SITE_FULL_USER"},{"siteUrl":"https://y.example/","permissionLevel":"SITE_EMPEROR"}]}`).Sites(t.Context(), "a")
	if err != nil || sites[0].Permission != searchconsole.FullUser || sites[1].Readable() {
		t.Errorf("%+v, %v", sites, err)
	}
	if sites, err := serve(t, 200, "{}").Sites(t.Context(), "a"); err != nil || len(sites) != 0 {
		t.Errorf("no property: %+v, %v", sites, err)
	}
}

func TestRows(t *testing.T) {
	t.Parallel()
	report, err := serve(t, 200, sample(t, "query.json")).Query(t.Context(), "a", byQueryAndPage(1000))
	if err != nil || len(report.Rows) != 3 || report.Rows[0].Impressions != 340 || report.Rows[2].Keys[0] != "東京 ラーメン" || report.Cut {
		t.Errorf("%+v, %v", report, err)
	}
	report, err = serve(t, 200, sample(t, "query_empty.json")).Query(t.Context(), "a", byQueryAndPage(1000))
	if err != nil || len(report.Rows) != 0 {
		t.Errorf("no rows: %+v, %v", report, err)
	}
}

func TestPagesAreJoinedUpToTheBound(t *testing.T) {
	t.Parallel()
	fake := searchconsoletest.Start(t, func(*http.Request) bool { return true })
	const site = "https://www.example.org/"
	fake.AddSite(site, "siteOwner")
	for i := range 26_000 {
		fake.Add(site, searchconsoletest.Row{Date: "2026-07-01", Query: fmt.Sprintf("query %d", i), Impressions: 1, Position: 3})
	}
	q := byQueryAndPage(50_000)
	q.Site = site
	report, err := open(t, fake.URL, &tokens{}).Query(t.Context(), "a", q)
	seen := map[string]bool{}
	for _, row := range report.Rows {
		seen[row.Keys[0]] = true
	}
	if err != nil || len(seen) != 26_000 || report.Cut {
		t.Errorf("%d rows, cut %v, %v", len(seen), report.Cut, err)
	}
	q.MaxRows = 25_500
	if report, err := open(t, fake.URL, &tokens{}).Query(t.Context(), "a", q); err != nil || len(report.Rows) != 25_500 || !report.Cut {
		t.Errorf("%d rows, cut %v, %v", len(report.Rows), report.Cut, err)
	}
}

func TestATokenThatEndedEarlyIsAskedForAgain(t *testing.T) {
	t.Parallel()
	from := &tokens{}
	fake := searchconsoletest.Start(t, func(r *http.Request) bool { return r.Header.Get("Authorization") == "Bearer ya29.hidden-1" })
	if _, err := open(t, fake.URL, from).Sites(t.Context(), "a"); err != nil || from.rejected != 1 {
		t.Errorf("%d tokens were rejected, %v", from.rejected, err)
	}
	never := searchconsoletest.Start(t, func(*http.Request) bool { return false })
	_, err := open(t, never.URL, from).Sites(t.Context(), "a")
	if provider.KindOf(err) != provider.Unauthorized || strings.Contains(err.Error(), "hidden") {
		t.Errorf("a token that is never taken: %v", err)
	}
}

func TestRefusalsAndWhatProvesNothing(t *testing.T) {
	t.Parallel()
	refused := func(reason, message string) string {
		return fmt.Sprintf(`{"error":{"message":%q,"errors":[{"reason":%q}]}}`, message, reason)
	}
	for name, c := range map[string]struct {
		status int
		body   string
		kind   provider.Kind
		words  string
	}{
		"no permission":  {403, sample(t, "error_403.json"), provider.Unauthorized, "no access to the property"},
		"API disabled":   {403, refused("accessNotConfigured", "Google Search Console API has not been used in project 1 before or it is disabled."), provider.Unauthorized, "Enable"},
		"rate":           {403, refused("rateLimitExceeded", "Quota exceeded"), provider.RateLimited, "fewer"},
		"quota":          {403, refused("quotaExceeded", "Quota exceeded"), provider.RateLimited, "fewer"},
		"too many":       {429, "", provider.RateLimited, "fewer"},
		"bad request":    {400, refused("invalid", "x"), provider.BadQuery, "400"},
		"unknown":        {404, "", provider.NotFound, ""},
		"down":           {503, "<html>", provider.Transient, "503"},
		"moved":          {302, "", provider.BadQuery, "SEARCH_CONSOLE_URL"},
		"empty object":   {200, "{}", provider.Transient, ""},
		"null":           {200, "null", provider.Transient, ""},
		"a message":      {200, `{"message":"busy"}`, provider.Transient, ""},
		"HTML":           {200, "<html>", provider.Transient, ""},
		"cut off":        {200, `{"rows":[{"keys":["a"`, provider.Transient, ""},
		"missing key":    {200, `{"rows":[{"keys":["a"],"clicks":1}],"responseAggregationType":"byPage"}`, provider.Transient, ""},
		"absurd figures": {200, `{"rows":[{"keys":["a","b"],"clicks":-1}],"responseAggregationType":"byPage"}`, provider.Transient, ""},
	} {
		_, err := serve(t, c.status, c.body).Query(t.Context(), "a", byQueryAndPage(10))
		if provider.KindOf(err) != c.kind || !strings.Contains(fmt.Sprint(err), c.words) {
			t.Errorf("%s: %v (%s), want %s with %q", name, err, provider.KindOf(err), c.kind, c.words)
		}
	}
	for _, body := range []string{"null", `{"message":"busy"}`, `{"siteEntry":[{}]}`, "[]"} {
		if _, err := serve(t, 200, body).Sites(t.Context(), "a"); provider.KindOf(err) != provider.Transient {
			t.Errorf("%s is taken for a list of properties: %v", body, err)
		}
	}
}
