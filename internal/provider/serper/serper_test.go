package serper_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/trigpoint/trigpoint/internal/clock"
	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/provider/providertest"
	"github.com/trigpoint/trigpoint/internal/provider/serper"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const (
	antico    = "ChIJAQAAADoH9YgRh9YSAAAAAI8"
	anticoCID = "10304235947424929415"
	elsewhere = "ChIJBQAAAAAAAAARYwAAAAAAAAA"
)

func TestSuite(t *testing.T) {
	t.Parallel()
	providertest.Suite(t, providertest.Subject{
		New: func(t testing.TB, s providertest.Setup) provider.Provider {
			return start(t, serper.Options{APIKey: s.Secret, Access: provider.Access{URL: s.BaseURL}, Timeout: s.Timeout})
		},
		Vendor: recorded(t),
		Secret: "key-of-the-recording",
		Unprove: func(answer map[string]any) {
			delete(answer, "searchParameters")
			delete(answer, "balance")
		},
		Place:        antico,
		PlaceName:    "Antico Decatur",
		UnknownPlace: elsewhere,
		Map:          provider.MapQuery{Keyword: "pizza", At: providertest.Decatur, Country: "US", Language: "en"},
		MapNames: []string{
			"Antico Decatur", "Row Without Place Id", "Pizzeria Über Größe", "Only A Place Id",
			"Nobody Rated Us", "Tidy Name", "Cart Without Any Id", "Somewhere In Decatur",
		},
		Web: provider.WebQuery{Keyword: "pizza decatur", Country: "US", Language: "en", Location: "Decatur,Georgia,United States", Depth: 100},
		WebURLs: []string{
			"https://www.Pizza-1.example/menu", "https://magazine.example/best-pizza", "https://site-3.example/",
			"https://site-4.example/", "https://site-5.example/", "https://site-6.example/", "https://site-7.example/",
			"https://site-8.example/", "https://site-9.example/", "https://site-10.example/", "https://site-11.example/",
			"https://site-12.example/", "https://site-13.example/",
		},
		Ideas:     provider.IdeaQuery{Keywords: []string{"coffee sh"}, Country: "US", Language: "en"},
		IdeaNames: []string{"coffee shop near me", "coffee shops open now", "coffee shop façade"},
	})
}

func start(t testing.TB, opts serper.Options) *serper.Provider {
	t.Helper()
	p, err := serper.New(opts, clock.System{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	return p
}

// fake starts the scriptable vendor and a provider that asks it.
func fake(t testing.TB) (*providertest.Serper, *serper.Provider) {
	t.Helper()
	vendor := providertest.NewSerper(t)
	return vendor, start(t, serper.Options{APIKey: providertest.SerperKey, Access: provider.Access{URL: vendor.URL}})
}

// recorded replays the files of testdata.
func recorded(t testing.TB) http.Handler {
	t.Helper()
	replay := func(w http.ResponseWriter, name string) {
		raw, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			http.Error(w, err.Error(), http.StatusTeapot)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		w.Write(raw)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /maps", func(w http.ResponseWriter, r *http.Request) {
		var q providertest.SerperMaps
		if err := json.NewDecoder(r.Body).Decode(&q); err != nil {
			t.Errorf("request: %v", err)
		}
		switch q.PlaceID {
		case antico:
			replay(w, "place.json")
		case "":
			replay(w, "maps.json")
		default:
			w.Write([]byte(`{"searchParameters":{"placeId":"` + q.PlaceID + `","type":"maps","engine":"google"},"places":[],"credits":3}`))
		}
	})
	mux.HandleFunc("POST /search", func(w http.ResponseWriter, r *http.Request) {
		var q providertest.SerperSearch
		if err := json.NewDecoder(r.Body).Decode(&q); err != nil {
			t.Errorf("request: %v", err)
		}
		replay(w, fmt.Sprintf("search-%d.json", q.Page))
	})
	mux.HandleFunc("POST /autocomplete", func(w http.ResponseWriter, _ *http.Request) { replay(w, "suggest.json") })
	mux.HandleFunc("GET /account", func(w http.ResponseWriter, _ *http.Request) { replay(w, "account.json") })
	return mux
}

func TestRefusalsInPlainWords(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		fault   providertest.Fault
		kind    provider.Kind
		message string
	}{
		{"wrong key", providertest.Status(403, "Unauthorized."), provider.Unauthorized, "Serper refused the API key: check TRIGPOINT_SERPER_API_KEY."},
		{"rate", providertest.TooManyRequests(""), provider.RateLimited, "Serper asks for fewer requests."},
		{"no credits", providertest.NoCredits(), provider.QuotaSpent, "The account at Serper has no credits left."},
		{"free account", providertest.Status(400, "Query pattern not allowed for free accounts."), provider.BadQuery, "Serper did not accept the request: Query pattern not allowed for free accounts. Take quotes and operators such as site: out of the keyword, or buy credits at serper.dev."},
		{"no credits inside a success", providertest.TaskError(400, "Not enough credits"), provider.QuotaSpent, "The account at Serper has no credits left."},
		{"fault inside a success", providertest.TaskError(500, "Internal error"), provider.Transient, "Serper failed to answer (status 500)."},
		{"message inside a success", providertest.Body(`{"message":"Internal error"}`), provider.Transient, "Serper sent no answer to what was asked."},
		{"bad query", providertest.Status(400, "Query is\nmissing"), provider.BadQuery, "Serper did not accept the request: Query is missing"},
		{"another server", providertest.Status(404, "Cannot POST /maps"), provider.BadQuery, "Serper did not accept the request: Cannot POST /maps"},
		{"redirect", providertest.Redirect("https://elsewhere.example/"), provider.BadQuery, "Serper points to another address: check TRIGPOINT_SERPER_URL."},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			vendor, p := fake(t)
			vendor.Always(c.fault)
			_, err := p.SearchMap(t.Context(), provider.MapQuery{Keyword: "pizza", At: providertest.Decatur})
			var e *provider.Error
			if !errors.As(err, &e) || e.Kind != c.kind || e.Message != c.message {
				t.Errorf("got %#v (%v), want %q: %s", e, err, c.kind, c.message)
			}
		})
	}
}

func TestKeyIsNeeded(t *testing.T) {
	t.Parallel()
	vendor := providertest.NewSerper(t)
	_, err := start(t, serper.Options{Access: provider.Access{URL: vendor.URL}}).FindPlace(t.Context(), antico)
	if provider.KindOf(err) != provider.Unauthorized || !strings.Contains(err.Error(), "TRIGPOINT_SERPER_API_KEY") {
		t.Errorf("without a key: %v", err)
	}
	if vendor.Requests() != 0 {
		t.Error("asked without a key")
	}
	_, err = start(t, serper.Options{APIKey: "wrong", Access: provider.Access{URL: vendor.URL}}).FindPlace(t.Context(), antico)
	if provider.KindOf(err) != provider.Unauthorized {
		t.Errorf("with a wrong key: %v", err)
	}
}

func TestBadURLIsRefusedAtStart(t *testing.T) {
	t.Parallel()
	for _, url := range []string{"google.serper.dev", "ftp://google.serper.dev", "https://", "https://user:pw@google.serper.dev", "https://google.serper.dev?key=1", "http://%zz"} {
		_, err := serper.New(serper.Options{APIKey: "k", Access: provider.Access{URL: url}}, clock.System{})
		if err == nil || !strings.Contains(err.Error(), "TRIGPOINT_SERPER_URL") || strings.Contains(err.Error(), "pw") {
			t.Errorf("%s: %v", url, err)
		}
	}
	if d := start(t, serper.Options{Access: provider.Access{URL: "https://google.serper.dev"}}).Describe(); d.Pace.Concurrent < 1 || d.Pace.PerSecond <= 0 {
		t.Errorf("default pace %+v", d.Pace)
	}
}

// What is left of an account costs nothing to know; suggestions cost a credit for each seed.
func TestAccountAndSuggestions(t *testing.T) {
	t.Parallel()
	vendor := providertest.NewSerper(t)
	p := start(t, serper.Options{APIKey: providertest.SerperKey, Access: provider.Access{URL: vendor.URL, Price: 0.001}})
	var bill provider.Bill
	ctx := provider.WithBill(t.Context(), &bill)
	if learned, err := p.CheckAccess(ctx); err != nil || learned != "2,492 credits left" {
		t.Errorf("learned %q, %v", learned, err)
	}
	if n, _ := bill.Total(); n != 0 {
		t.Errorf("looking at the account was billed")
	}
	ideas, err := p.IdeasFor(ctx, provider.IdeaQuery{Keywords: []string{"coffee", "tea"}})
	if err != nil || len(ideas) != 6 || ideas[3].Keyword != "tea near me" || ideas[3].Volume != nil {
		t.Errorf("%+v, %v", ideas, err)
	}
	if n, cost := bill.Total(); n != 2 || cost != provider.USD(0.002) {
		t.Errorf("%d requests cost %s", n, cost)
	}
	vendor.Next(providertest.Body(`{"searchParameters":{"q":"coffee","type":"search"},"suggestions":[]}`))
	if _, err := p.IdeasFor(ctx, provider.IdeaQuery{Keywords: []string{"coffee"}}); provider.KindOf(err) != provider.Transient {
		t.Errorf("an answer to another question: %v", err)
	}
}
