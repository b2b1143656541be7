package brave_test

import (
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/trigpoint/trigpoint/internal/clock"
	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/provider/brave"
	"github.com/trigpoint/trigpoint/internal/provider/providertest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestSuite(t *testing.T) {
	t.Parallel()
	mux := http.NewServeMux()
	mux.HandleFunc("GET /web/search", func(w http.ResponseWriter, r *http.Request) {
		name := "search-" + r.FormValue("offset") + ".json"
		if r.FormValue("q") == "brave" {
			name = "nothing.json"
		}
		raw, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			t.Error(err)
		}
		w.Header().Set("Content-Type", "application/json")
		w.Write(raw)
	})
	urls := []string{"https://guide.example.org/cafes", "https://manana.example.org/menu", "https://www.site-3.example/"}
	for n := 4; n <= 23; n++ {
		urls = append(urls, "https://site-"+strconv.Itoa(n)+".example/")
	}
	providertest.Suite(t, providertest.Subject{
		New: func(t testing.TB, s providertest.Setup) provider.Provider {
			return start(t, brave.Options{APIKey: s.Secret, Access: provider.Access{URL: s.BaseURL}, Timeout: s.Timeout})
		},
		Vendor:  mux,
		Secret:  "token-of-the-recording",
		Unprove: func(answer map[string]any) { delete(answer, "query") },
		Web:     provider.WebQuery{Keyword: "best coffee springfield", Country: "US", Language: "en", Location: "Springfield,Illinois,United States", Depth: 100},
		WebURLs: urls,
	})
}

func start(t testing.TB, opts brave.Options) *brave.Provider {
	t.Helper()
	p, err := brave.New(opts, clock.System{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	return p
}

func fake(t testing.TB) (*providertest.Fake, *brave.Provider) {
	t.Helper()
	vendor := providertest.NewBrave(t)
	return vendor, start(t, brave.Options{APIKey: providertest.BraveKey, Access: provider.Access{URL: vendor.URL, Price: 0.005}})
}

func TestPartsOfThePageStandWhereBraveShowsThem(t *testing.T) {
	t.Parallel()
	recording, err := os.ReadFile("testdata/search-0.json")
	if err != nil {
		t.Fatal(err)
	}
	vendor, p := fake(t)
	vendor.Always(providertest.Body(string(recording)))
	page, err := p.SearchWeb(t.Context(), provider.WebQuery{Keyword: "best coffee springfield"})
	if err != nil {
		t.Fatal(err)
	}
	var types []provider.ItemType
	for _, item := range page.Items {
		types = append(types, item.Type)
	}
	want := []provider.ItemType{
		provider.LocalPack, provider.Organic, provider.TopStories, provider.Organic, provider.VideoPack, provider.SimilarQuestions, provider.Other,
	}
	if !slices.Equal(types[:len(want)], want) || types[len(types)-1] != provider.KnowledgeGraph || len(types) != 16 {
		t.Errorf("the page is %v", types)
	}
	local := page.Items[0].Items[0]
	if local.Title != "Café Mañana" || local.Description != "12 Invented Street, Springfield" || local.Domain != "manana.example.org" {
		t.Errorf("local pack: %+v", local)
	}
	if links := page.Items[1].Items; len(links) != 1 || links[0].Title != "Map" {
		t.Errorf("links below the first result: %+v", links)
	}
}

func TestPagesOverlapAndEnd(t *testing.T) {
	t.Parallel()
	vendor, p := fake(t)
	bill := &provider.Bill{}
	page, err := p.SearchWeb(provider.WithBill(t.Context(), bill), provider.WebQuery{Keyword: "pizza", Depth: 200})
	if err != nil || page.Pages != 10 || vendor.Requests() != 10 || page.Depth() != 191 {
		t.Errorf("depth %d on %d pages after %d requests, %v", page.Depth(), page.Pages, vendor.Requests(), err)
	}
	if requests, cost := bill.Total(); requests != 10 || cost != provider.USD(0.05) {
		t.Errorf("%d requests for %s", requests, cost)
	}
}

func TestNothingFoundIsAnAnswer(t *testing.T) {
	t.Parallel()
	vendor, p := fake(t)
	vendor.Always(providertest.Body(`{"type":"search","query":{"original":"zzqx","more_results_available":false},"mixed":{"type":"mixed","main":[],"top":[],"side":[]}}`))
	page, err := p.SearchWeb(t.Context(), provider.WebQuery{Keyword: "zzqx", Depth: 100})
	if err != nil || page.Depth() != 0 || page.Pages != 1 {
		t.Errorf("%+v, %v", page, err)
	}
}

func TestRefusals(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		fault providertest.Fault
		kind  provider.Kind
		after time.Duration
		words string
	}{
		"wrong token":    {providertest.BraveError(422, "SUBSCRIPTION_TOKEN_INVALID", "The provided subscription token is invalid.", "{}"), provider.Unauthorized, 0, "TRIGPOINT_BRAVE_API_KEY"},
		"bad parameter":  {providertest.BraveError(422, "VALIDATION", "Unable to validate request parameter(s)", `{"errors":[]}`), provider.BadQuery, 0, "Unable to validate"},
		"second's limit": {providertest.BraveError(429, "RATE_LIMITED", "Request rate limit exceeded for plan", `{"rate_limit":1,"rate_current":1,"quota_limit":2000,"quota_current":210}`), provider.RateLimited, 3 * time.Second, "fewer requests"},
		"paid plan":      {providertest.BraveError(429, "RATE_LIMITED", "Request rate limit exceeded for plan", `{"rate_limit":50,"rate_current":50,"quota_limit":0,"quota_current":0}`), provider.RateLimited, 3 * time.Second, "fewer requests"},
		"month's quota":  {providertest.BraveError(429, "RATE_LIMITED", "Request rate limit exceeded for plan", `{"rate_limit":1,"rate_current":0,"quota_limit":2000,"quota_current":2000}`), provider.QuotaSpent, 0, "no credits left"},
		"another server": {func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "<html>404</html>", 404) }, provider.BadQuery, 0, "status 404"},
		"inside success": {providertest.Body(`{"type":"ErrorResponse","error":{"status":500,"code":"INTERNAL","detail":"x"}}`), provider.Transient, 0, "status 500"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			vendor, p := fake(t)
			vendor.Always(c.fault)
			_, err := p.SearchWeb(t.Context(), provider.WebQuery{Keyword: "pizza"})
			var e *provider.Error
			if !errors.As(err, &e) || e.Kind != c.kind || e.RetryAfter != c.after || !strings.Contains(e.Error(), c.words) {
				t.Errorf("%#v (%v), want %s after %s with %q", e, err, c.kind, c.after, c.words)
			}
		})
	}
}

func TestSearchIsMadeInItsMarket(t *testing.T) {
	t.Parallel()
	var asked *http.Request
	vendor, p := fake(t)
	vendor.Always(func(w http.ResponseWriter, r *http.Request) {
		asked = r
		providertest.Body(`{"type":"search","query":{"original":"寿司"}}`)(w, r)
	})
	if _, err := p.SearchWeb(t.Context(), provider.WebQuery{Keyword: "寿司", Country: "jp", Language: "ja", Location: "Naha,Okinawa,Japan"}); err != nil {
		t.Fatal(err)
	}
	q := asked.URL.Query()
	for name, want := range map[string]string{"country": "JP", "search_lang": "jp", "count": "20", "offset": "0", "text_decorations": "false", "spellcheck": "false"} {
		if q.Get(name) != want {
			t.Errorf("%s is %q, want %q", name, q.Get(name), want)
		}
	}
	if h := asked.Header; h.Get("X-Loc-City") != "Naha" || h.Get("X-Loc-State-Name") != "Okinawa" {
		t.Errorf("whereabouts: %v", h)
	}
	before := vendor.Requests()
	for _, q := range []provider.WebQuery{
		{Keyword: "a", Device: provider.Mobile},
		{Keyword: "a", Country: "LI"},
		{Keyword: "a", Language: "eo"},
		{Keyword: strings.Repeat("k", 401)},
		{Keyword: strings.Repeat("k ", 51)},
	} {
		if _, err := p.SearchWeb(t.Context(), q); provider.KindOf(err) != provider.BadQuery {
			t.Errorf("%+v was answered: %v", q, err)
		}
	}
	if vendor.Requests() != before {
		t.Error("requests were spent on what cannot be answered")
	}
}

func TestKeyIsNeeded(t *testing.T) {
	t.Parallel()
	vendor, _ := fake(t)
	if _, err := start(t, brave.Options{Access: provider.Access{URL: vendor.URL}}).CheckAccess(t.Context()); provider.KindOf(err) != provider.Unauthorized || vendor.Requests() != 0 {
		t.Errorf("without a key: %v", err)
	}
}
