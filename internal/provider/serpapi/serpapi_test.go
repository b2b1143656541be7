package serpapi_test

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
	"github.com/trigpoint/trigpoint/internal/provider/serpapi"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const (
	manana  = "ChIJInvented000000000001"
	nowhere = "ChIJInventedNowhere0000000"
)

var atSpringfield = provider.MapQuery{Keyword: "coffee", At: provider.Point{Lat: 40.1, Lng: -75.2}, Country: "US", Language: "en"}

func TestSuite(t *testing.T) {
	t.Parallel()
	providertest.Suite(t, providertest.Subject{
		New: func(t testing.TB, s providertest.Setup) provider.Provider {
			return start(t, serpapi.Options{APIKey: s.Secret, Access: provider.Access{URL: s.BaseURL}, Timeout: s.Timeout})
		},
		Vendor: recorded(t),
		Secret: "key-of-the-recording",
		Unprove: func(answer map[string]any) {
			delete(answer, "search_metadata")
			delete(answer, "total_searches_left")
		},
		Place:        manana,
		PlaceName:    "Café Mañana & Söhne",
		UnknownPlace: nowhere,
		Map:          atSpringfield,
		MapNames:     []string{"Café Mañana & Söhne", "東京ラーメン本舗", "No Rating Garage", "Row Without Place Id", "Somewhere In Springfield"},
		Web:          provider.WebQuery{Keyword: "best coffee springfield", Country: "US", Language: "en", Location: "Springfield,Illinois,United States", Depth: 100},
		WebURLs: []string{
			"https://guide.example.org/cafes", "https://manana.example.org/menu", "https://zh.example.org/%E5%92%96%E5%95%A1",
			"https://www.Site-1.example/", "https://www.Site-2.example/", "https://www.Site-3.example/",
		},
		Ideas:     provider.IdeaQuery{Keywords: []string{"coffee sh"}, Country: "US", Language: "en"},
		IdeaNames: []string{"coffee shop near me"},
	})
}

func start(t testing.TB, opts serpapi.Options) *serpapi.Provider {
	t.Helper()
	p, err := serpapi.New(opts, clock.System{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	return p
}

// fake starts the scriptable vendor and a provider that asks it.
func fake(t testing.TB) (*providertest.SerpAPI, *serpapi.Provider) {
	t.Helper()
	vendor := providertest.NewSerpAPI(t)
	return vendor, start(t, serpapi.Options{APIKey: providertest.SerpAPIKey, Access: provider.Access{URL: vendor.URL, Price: 0.01}})
}

// recorded replays the files of testdata. A search as another device is repeated as one.
func recorded(t testing.TB) http.Handler {
	t.Helper()
	replay := func(w http.ResponseWriter, r *http.Request, name string) {
		raw, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			http.Error(w, err.Error(), http.StatusTeapot)
			return
		}
		if r.URL.Query().Get("device") == "mobile" {
			raw = []byte(strings.Replace(string(raw), `"device": "desktop"`, `"device": "mobile"`, 1))
		}
		w.Header().Set("Content-Type", "application/json")
		w.Write(raw)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /account.json", func(w http.ResponseWriter, r *http.Request) { replay(w, r, "account.json") })
	mux.HandleFunc("GET /search.json", func(w http.ResponseWriter, r *http.Request) {
		switch q := r.URL.Query(); {
		case q.Get("engine") == "google_autocomplete":
			replay(w, r, "suggest.json")
		case q.Get("engine") == "google":
			replay(w, r, "search-"+max(q.Get("start"), "0")+".json")
		case q.Get("place_id") == manana:
			replay(w, r, "place.json")
		case q.Get("place_id") != "":
			replay(w, r, "place-unknown.json")
		default:
			replay(w, r, "maps.json")
		}
	})
	return mux
}

func TestRefusalsInPlainWords(t *testing.T) {
	t.Parallel()
	const failed = `{"search_metadata":{"id":"66c7","status":"Error"},"error":"We couldn't get valid results for this search. Please try again later."}`
	for _, c := range []struct {
		name    string
		fault   providertest.Fault
		kind    provider.Kind
		message string
	}{
		{"wrong key", providertest.SerpAPIError(401, "Invalid API key."), provider.Unauthorized, "SerpApi refused the API key: check TRIGPOINT_SERPAPI_API_KEY."},
		{"no searches left", providertest.SerpAPIError(429, "Your account has run out of searches."), provider.QuotaSpent, "The account at SerpApi has no credits left."},
		{"too many at once", providertest.SerpAPIError(429, "Too many."), provider.RateLimited, "SerpApi asks for fewer requests."},
		{"failed search", providertest.Body(failed), provider.Transient, "SerpApi sent no answer to what was asked."},
		{"bad query", providertest.SerpAPIError(400, "Missing query `q` parameter."), provider.BadQuery, "SerpApi did not accept the request: Missing query `q` parameter."},
		{"another server", providertest.SerpAPIError(404, "no route"), provider.BadQuery, "SerpApi did not accept the request: no route"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			vendor, p := fake(t)
			vendor.Always(c.fault)
			_, err := p.SearchMap(t.Context(), atSpringfield)
			var e *provider.Error
			if !errors.As(err, &e) || e.Kind != c.kind || e.Message != c.message {
				t.Errorf("got %#v (%v), want %q: %s", e, err, c.kind, c.message)
			}
		})
	}
}

// The hourly limit ends with the hour, which SerpApi does not say; nobody is kept from asking for longer than ten minutes.
func TestHourlyLimitIsSatOut(t *testing.T) {
	t.Parallel()
	for at, want := range map[string]time.Duration{"2026-08-22T09:57:30Z": 150 * time.Second, "2026-08-22T09:04:12Z": 10 * time.Minute} {
		now, err := time.Parse(time.RFC3339, at)
		if err != nil {
			t.Fatal(err)
		}
		vendor := providertest.NewSerpAPI(t)
		vendor.Always(providertest.SerpAPIError(429, "You have exceeded your hourly throughput limit."))
		p, err := serpapi.New(serpapi.Options{APIKey: "k", Access: provider.Access{URL: vendor.URL}}, clock.NewFake(now))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(p.Close)
		_, err = p.SearchMap(t.Context(), atSpringfield)
		var e *provider.Error
		if !errors.As(err, &e) || e.Kind != provider.RateLimited || e.RetryAfter != want {
			t.Errorf("at %s: %+v, want to wait %s", at, e, want)
		}
	}
}

func TestOnlyAnswersThatAreNotCachedCost(t *testing.T) {
	t.Parallel()
	vendor, p := fake(t)
	var bill provider.Bill
	ctx := provider.WithBill(t.Context(), &bill)
	ask := func(fault providertest.Fault) {
		vendor.Next(fault)
		_, _ = p.SearchMap(ctx, atSpringfield)
	}
	ask(providertest.Status(500, "fault"))
	ask(providertest.Body(`{"search_metadata":{"status":"Error"},"error":"We couldn't get valid results for this search."}`))
	ask(providertest.Body(`{"search_metadata":{"status":"Cached"},"search_parameters":{"engine":"google_maps","q":"coffee"},"error":"Google hasn't returned any results for this query."}`))
	if _, err := p.CheckAccess(ctx); err != nil {
		t.Fatal(err)
	}
	if n, cost := bill.Total(); n != 0 || cost != 0 {
		t.Errorf("%d free requests cost %s", n, cost)
	}
	ask(nil)
	ask(providertest.Body(`{"search_metadata":{"status":"Success"},"search_parameters":{"engine":"google_maps","q":"coffee"},"error":"Google hasn't returned any results for this query."}`))
	if n, cost := bill.Total(); n != 2 || cost != provider.USD(0.02) {
		t.Errorf("%d searches cost %s", n, cost)
	}
}

func TestKeyIsNeededAndStaysHidden(t *testing.T) {
	t.Parallel()
	vendor := providertest.NewSerpAPI(t)
	_, err := start(t, serpapi.Options{Access: provider.Access{URL: vendor.URL}}).FindPlace(t.Context(), manana)
	if provider.KindOf(err) != provider.Unauthorized || !strings.Contains(err.Error(), "TRIGPOINT_SERPAPI_API_KEY") || vendor.Requests() != 0 {
		t.Errorf("without a key: %v after %d requests", err, vendor.Requests())
	}
	_, err = start(t, serpapi.Options{APIKey: "wrong-key", Access: provider.Access{URL: "http://127.0.0.1:1"}}).FindPlace(t.Context(), manana)
	if err == nil || strings.Contains(err.Error(), "wrong-key") {
		t.Errorf("an unreachable vendor: %v", err)
	}
}

func TestAccessIsChecked(t *testing.T) {
	t.Parallel()
	_, p := fake(t)
	if learned, err := p.CheckAccess(t.Context()); err != nil || learned != "5,958 searches left" {
		t.Errorf("%q, %v", learned, err)
	}
}
