package searxng_test

import (
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/trigpoint/trigpoint/internal/clock"
	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/provider/providertest"
	"github.com/trigpoint/trigpoint/internal/provider/searxng"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestSuite(t *testing.T) {
	t.Parallel()
	mux := http.NewServeMux()
	mux.HandleFunc("GET /search", func(w http.ResponseWriter, r *http.Request) { replay(t, w, "search-"+r.FormValue("pageno")+".json") })
	mux.HandleFunc("GET /config", func(w http.ResponseWriter, _ *http.Request) { replay(t, w, "config.json") })
	providertest.Suite(t, providertest.Subject{
		New: func(t testing.TB, s providertest.Setup) provider.Provider {
			return start(t, searxng.Options{Engine: "google", Access: provider.Access{URL: s.BaseURL}, Timeout: s.Timeout})
		},
		Vendor: mux,
		Unprove: func(answer map[string]any) {
			delete(answer, "query")
			delete(answer, "engines")
		},
		Web: provider.WebQuery{Keyword: "best coffee springfield", Country: "US", Language: "en", Depth: 50},
		WebURLs: []string{
			"https://guide.example.org/cafes", "https://manana.example.org/menu", "https://zh.example.org/%E5%92%96%E5%95%A1",
			"https://www.Site-4.example/", "https://site-5.example/", "https://site-6.example/", "https://site-7.example/",
			"https://site-8.example/", "https://site-9.example/", "https://site-10.example/", "https://site-11.example/", "https://site-12.example/",
		},
	})
}

func replay(t testing.TB, w http.ResponseWriter, name string) {
	raw, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Error(err)
	}
	w.Header().Set("Content-Type", "application/json")
	w.Write(raw)
}

func start(t testing.TB, opts searxng.Options) *searxng.Provider {
	t.Helper()
	p, err := searxng.New(opts, clock.System{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	return p
}

func fake(t testing.TB) (*providertest.SearXNG, *searxng.Provider) {
	t.Helper()
	vendor := providertest.NewSearXNG(t)
	return vendor, start(t, searxng.Options{Engine: "google", Access: provider.Access{URL: vendor.URL}})
}

func TestAnEngineThatFailedIsNoEmptyAnswer(t *testing.T) {
	t.Parallel()
	for reason, want := range map[string]struct {
		kind  provider.Kind
		after time.Duration
	}{
		"CAPTCHA":                      {provider.RateLimited, 10 * time.Minute},
		"Suspended: CAPTCHA":           {provider.RateLimited, 10 * time.Minute},
		"too many requests":            {provider.RateLimited, 3 * time.Minute},
		"Suspended: access denied":     {provider.RateLimited, 3 * time.Minute},
		"timeout":                      {provider.Transient, 0},
		"HTTP connection error":        {provider.Transient, 0},
		"parsing error":                {provider.Transient, 0},
		"unexpected crash":             {provider.Transient, 0},
		"Zeitüberschreitung der Suche": {provider.Transient, 0},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			vendor, p := fake(t)
			vendor.Failure = reason
			page, err := p.SearchWeb(t.Context(), provider.WebQuery{Keyword: "pizza"})
			var e *provider.Error
			if !errors.As(err, &e) || e.Kind != want.kind || e.RetryAfter != want.after || page.Pages != 0 {
				t.Errorf("%#v (%v), want %s after %s", e, err, want.kind, want.after)
			}
		})
	}
}

func TestRefusalsSayWhatToChange(t *testing.T) {
	t.Parallel()
	html := func(status int) providertest.Fault {
		return func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "<title>no</title>", status) }
	}
	for name, c := range map[string]struct {
		fault providertest.Fault
		kind  provider.Kind
		words string
	}{
		"JSON is off":  {html(403), provider.Unauthorized, "search.formats"},
		"limiter":      {html(429), provider.RateLimited, "limiter.toml"},
		"proxy":        {html(401), provider.Unauthorized, "TRIGPOINT_SEARXNG_PASSWORD"},
		"another path": {html(404), provider.BadQuery, "TRIGPOINT_SEARXNG_URL"},
		"a parameter":  {providertest.Body(""), provider.Transient, "cannot be read"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			vendor, p := fake(t)
			vendor.Always(c.fault)
			_, err := p.SearchWeb(t.Context(), provider.WebQuery{Keyword: "pizza"})
			if provider.KindOf(err) != c.kind || !strings.Contains(err.Error(), c.words) {
				t.Errorf("%v, want %s with %q", err, c.kind, c.words)
			}
		})
	}
}

func TestAnEngineThatTheServerDoesNotHave(t *testing.T) {
	t.Parallel()
	vendor, _ := fake(t)
	p := start(t, searxng.Options{Engine: "gogle", Access: provider.Access{URL: vendor.URL}})
	if _, err := p.CheckAccess(t.Context()); provider.KindOf(err) != provider.BadQuery || !strings.Contains(err.Error(), "TRIGPOINT_SEARXNG_ENGINE") {
		t.Errorf("check: %v", err)
	}
	// A server asks its usual engines in place of one that it does not know.
	vendor.Always(providertest.Body(`{"query":"pizza","results":[{"url":"https://a.example/","engines":["bing"],"positions":[1]}],"unresponsive_engines":[]}`))
	if _, err := p.SearchWeb(t.Context(), provider.WebQuery{Keyword: "pizza"}); provider.KindOf(err) != provider.BadQuery {
		t.Errorf("results of another engine were believed: %v", err)
	}
}

func TestNothingFoundIsAnAnswer(t *testing.T) {
	t.Parallel()
	vendor, p := fake(t)
	vendor.Always(providertest.Body(`{"query":"pizza","results":[],"unresponsive_engines":[["bing","timeout"]]}`))
	page, err := p.SearchWeb(t.Context(), provider.WebQuery{Keyword: "pizza", Depth: 100})
	if err != nil || page.Depth() != 0 || page.Pages != 1 {
		t.Errorf("%+v, %v", page, err)
	}
}

func TestSearchIsMadeInItsMarket(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ country, language, want string }{
		{"DE", "de", "de-DE"}, {"at", "de", "de-AT"}, {"", "pt-BR", "pt-BR"}, {"PT", "pt-BR", "pt-PT"}, {"JP", "", "ja-JP"}, {"", "fr", "fr"}, {"", "", ""}, {"TW", "zh-Hant", "zh-TW"},
	} {
		var asked []string
		vendor, p := fake(t)
		vendor.Always(func(w http.ResponseWriter, r *http.Request) {
			asked = append(asked, r.URL.Query().Get("language")+" "+r.URL.Query().Get("engines"))
			providertest.Body(`{"query":"kaffee","results":[],"unresponsive_engines":[]}`)(w, r)
		})
		if _, err := p.SearchWeb(t.Context(), provider.WebQuery{Keyword: "kaffee", Country: c.country, Language: c.language}); err != nil || asked[0] != c.want+" google" {
			t.Errorf("%s, %s: asked %q, want %q; %v", c.country, c.language, asked, c.want, err)
		}
	}
	vendor, p := fake(t)
	for _, q := range []provider.WebQuery{
		{Keyword: "kaffee", Device: provider.Mobile}, {Keyword: "kaffee", Location: "Berlin,Germany"}, {Keyword: "!!g kaffee"}, {Keyword: "kaffee :fr"},
	} {
		if _, err := p.SearchWeb(t.Context(), q); provider.KindOf(err) != provider.BadQuery {
			t.Errorf("%+v was answered: %v", q, err)
		}
	}
	if vendor.Requests() != 0 {
		t.Errorf("%d requests were spent on what cannot be answered", vendor.Requests())
	}
}

func TestAProxyIsToldThePassword(t *testing.T) {
	t.Parallel()
	vendor, _ := fake(t)
	p := start(t, searxng.Options{Engine: "google", Username: "me", Password: "pass-word-9", Access: provider.Access{URL: vendor.URL}})
	vendor.Next(func(w http.ResponseWriter, r *http.Request) {
		user, password, _ := r.BasicAuth()
		providertest.Status(http.StatusUnauthorized, user+" "+password)(w, r)
	})
	_, err := p.CheckAccess(t.Context())
	if provider.KindOf(err) != provider.Unauthorized || strings.Contains(err.Error(), "pass-word-9") {
		t.Errorf("%v", err)
	}
}
