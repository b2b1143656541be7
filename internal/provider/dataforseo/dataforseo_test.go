package dataforseo_test

import (
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/trigpoint/trigpoint/internal/clock"
	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/provider/dataforseo"
	"github.com/trigpoint/trigpoint/internal/provider/providertest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const (
	manana  = "ChIJInvented000000000001"
	unknown = "ChIJInvented000000000404"
)

func TestSuite(t *testing.T) {
	t.Parallel()
	providertest.Suite(t, providertest.Subject{
		New: func(t testing.TB, s providertest.Setup) provider.Provider {
			opts := settings(s.BaseURL)
			opts.Password, opts.Timeout, opts.KeywordRate = s.Secret, s.Timeout, 1000
			return start(t, opts)
		},
		Vendor:       recorded(t),
		Secret:       "password-of-the-recording",
		Unprove:      func(answer map[string]any) { delete(answer["tasks"].([]any)[0].(map[string]any), "status_code") },
		Place:        manana,
		PlaceName:    "Café Mañana & Söhne",
		UnknownPlace: unknown,
		Map:          provider.MapQuery{Keyword: "coffee", At: provider.Point{Lat: 40.1, Lng: -75.2}, Country: "US", Language: "en"},
		MapNames: []string{
			"Café Mañana & Söhne", "東京ラーメン本舗", "No Rating Garage", "Closed For Good Bakery", "Somewhere In Springfield",
		},
		Web: provider.WebQuery{Keyword: "best coffee springfield", Country: "US", Language: "en", Depth: 100},
		WebURLs: []string{
			"https://guide.example.org/cafes", "https://manana.example.org/menu", "https://www.Site-3.example/", "https://site-4.example/",
			"https://site-5.example/", "https://site-6.example/", "https://site-7.example/", "https://site-8.example/", "https://site-9.example/",
			"https://site-10.example/", "https://site-11.example/", "https://site-12.example/", "https://site-13.example/",
		},
		Ideas:        provider.IdeaQuery{Keywords: []string{"Coffee"}, Country: "US", Language: "en"},
		IdeaNames:    []string{"coffee near me", "coffee beans", "how to brew coffee"},
		Keywords:     provider.KeywordQuery{Keywords: []string{"Coffee Shop Springfield", "zzqx unknown"}, Country: "US", Language: "en"},
		KeywordNames: []string{"Coffee Shop Springfield"},
		Domain:       provider.DomainQuery{Target: "manana.example.org", Country: "US", Language: "en", Limit: 10},
		DomainNames:  []string{"coffee shop springfield", "café mañana menu", "espresso bar"},
		Rivals:       []string{"rival.example.net"},
		Links:        "manana.example.org",
	})
}

// settings are the defaults, for an account that a test knows.
func settings(url string) dataforseo.Options {
	return dataforseo.Options{
		Login: providertest.DataForSEOLogin, Password: providertest.DataForSEOPassword, Mode: "live", Priority: 1, Difficulty: true,
		Access: provider.Access{URL: url, Price: 0.002},
	}
}

func start(t testing.TB, opts dataforseo.Options) *dataforseo.Provider {
	t.Helper()
	p, err := dataforseo.New(opts, clock.System{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	return p
}

// fake starts the scriptable vendor and a provider that asks it.
func fake(t testing.TB) (*providertest.DataForSEO, *dataforseo.Provider) {
	t.Helper()
	vendor := providertest.NewDataForSEO(t)
	return vendor, start(t, settings(vendor.URL))
}

// recorded replays the files of testdata by the last words of the path.
func recorded(t testing.TB) http.Handler {
	t.Helper()
	files := map[string]string{
		"maps/live/advanced": "maps", "organic/live/advanced": "organic", "my_business_info/live": "place", "search_volume/live": "search_volume",
		"bulk_keyword_difficulty/live": "bulk_keyword_difficulty", "related_keywords/live": "related_keywords", "keyword_suggestions/live": "keyword_suggestions",
		"ranked_keywords/live": "ranked_keywords", "competitors_domain/live": "competitors_domain", "summary/live": "backlinks_summary", "appendix/user_data": "user_data",
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		name := ""
		for suffix, file := range files {
			if strings.HasSuffix(r.URL.Path, suffix) {
				name = file
			}
		}
		switch {
		case strings.Contains(string(body), unknown):
			name = "maps_no_results"
		case name == "organic" && strings.Contains(string(body), "stop_crawl_on_match"):
			name = "organic_stopped"
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(recording(t, name))
	})
}

func recording(t testing.TB, name string) []byte {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("testdata", name+".json"))
	if err != nil {
		t.Errorf("no recording: %v", err)
	}
	return raw
}

// asked keeps the tasks of the last request that a vendor was sent.
func asked(t testing.TB, vendor http.Handler, tasks *[]map[string]any) http.Handler {
	t.Helper()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		*tasks = nil
		if err := json.Unmarshal(body, tasks); err != nil && len(body) > 0 {
			t.Errorf("request: %v", err)
		}
		r.Body = io.NopCloser(strings.NewReader(string(body)))
		vendor.ServeHTTP(w, r)
	})
}
