package googleplaces_test

import (
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"go.uber.org/goleak"

	"github.com/trigpoint/trigpoint/internal/clock"
	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/provider/googleplaces"
	"github.com/trigpoint/trigpoint/internal/provider/providertest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const (
	manana  = "ChIJInvented000000000001"
	plumber = "ChIJInvented000000000006"
	bakery  = "ChIJInvented000000000005"
	nowhere = "ChIJInvented000000000009"
)

func TestSuite(t *testing.T) {
	t.Parallel()
	providertest.Suite(t, providertest.Subject{
		New: func(t testing.TB, s providertest.Setup) provider.Provider {
			return start(t, googleplaces.Options{APIKey: s.Secret, Details: "enterprise", Access: provider.Access{URL: s.BaseURL}, Timeout: s.Timeout})
		},
		Vendor: recorded(t),
		Secret: "key-of-the-recording",
		Unprove: func(answer map[string]any) {
			delete(answer, "id")
			answer["status"] = "ok"
		},
		Nothing:      []string{"{}"},
		Place:        manana,
		PlaceName:    "Café Mañana & Söhne",
		UnknownPlace: nowhere,
		Map:          provider.MapQuery{Keyword: "coffee", At: provider.Point{Lat: 40.1, Lng: -75.2}, Country: "US", Language: "en"},
		MapNames:     []string{"Café Mañana & Söhne", "東京ラーメン本舗", "No Rating Garage", "Pipe Visitors", "Closed For Good Bakery", ""},
		Lacks:        []string{"with a cid but no place id"},
	})
}

func start(t testing.TB, opts googleplaces.Options) *googleplaces.Provider {
	t.Helper()
	p, err := googleplaces.New(opts, clock.System{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	return p
}

// recorded replays the files of testdata.
func recorded(t testing.TB) http.Handler {
	t.Helper()
	replay := func(w http.ResponseWriter, r *http.Request, name string) {
		raw, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			providertest.GoogleError(http.StatusNotFound, "NOT_FOUND", "The Place ID is no longer valid.", "")(w, r)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		w.Write(raw)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/places:searchText", func(w http.ResponseWriter, r *http.Request) { replay(w, r, "search.json") })
	mux.HandleFunc("GET /v1/places/{id}", func(w http.ResponseWriter, r *http.Request) { replay(w, r, "place-"+r.PathValue("id")+".json") })
	return mux
}

func TestRefusalsInPlainWords(t *testing.T) {
	t.Parallel()
	const keyRefused = "Google Places refused the API key: check TRIGPOINT_GOOGLEPLACES_API_KEY."
	recording := func(status int, name string) providertest.Fault {
		raw, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		return func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(status)
			w.Write(raw)
		}
	}
	for _, c := range []struct {
		name    string
		fault   providertest.Fault
		kind    provider.Kind
		message string
	}{
		{"a bad key is a bad request", recording(400, "error-key.json"), provider.Unauthorized, keyRefused},
		{"too many a minute", recording(429, "error-quota.json"), provider.RateLimited, "Google Places asks for fewer requests."},
		{"too many a day", providertest.GoogleError(429, "RESOURCE_EXHAUSTED", "Quota exceeded for limit 'SearchTextRequest per day'.", ""), provider.QuotaSpent, "The account at Google Places has no credits left."},
		{"not enabled", providertest.GoogleError(403, "PERMISSION_DENIED", "Places API (New) has not been used", "SERVICE_DISABLED"), provider.Unauthorized, keyRefused + " Enable the Places API (New) in its Google Cloud project."},
		{"no billing", providertest.GoogleError(403, "PERMISSION_DENIED", "requires billing", "BILLING_DISABLED"), provider.Unauthorized, keyRefused + " Enable billing in its Google Cloud project; what is free needs it too."},
		{"restricted", providertest.GoogleError(403, "PERMISSION_DENIED", "blocked", "API_KEY_HTTP_REFERRER_BLOCKED"), provider.Unauthorized, keyRefused + " It is restricted: allow it the Places API (New) and the address of this server."},
		{"bad mask", recording(400, "error-mask.json"), provider.BadQuery, "Google Places did not accept the request: FieldMask is a required parameter. See https://cloud.google.com/apis/docs/system-parameters on how to provide it."},
		{"another server", providertest.Status(404, "no route"), provider.BadQuery, "Google Places did not accept the request (status 404)."},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			vendor, p := fake(t, "pro")
			vendor.Always(c.fault)
			_, err := p.FindPlace(t.Context(), manana)
			var e *provider.Error
			if !errors.As(err, &e) || e.Kind != c.kind || e.Message != c.message {
				t.Errorf("got %#v (%v), want %q: %s", e, err, c.kind, c.message)
			}
		})
	}
}

func TestKeyIsNeeded(t *testing.T) {
	t.Parallel()
	vendor := providertest.NewGooglePlaces(t)
	for key, asked := range map[string]int{"": 0, "wrong": 1} {
		before := vendor.Requests()
		_, err := start(t, googleplaces.Options{APIKey: key, Access: provider.Access{URL: vendor.URL}}).CheckAccess(t.Context())
		if provider.KindOf(err) != provider.Unauthorized || vendor.Requests()-before != asked {
			t.Errorf("with the key %q: %v after %d requests", key, err, vendor.Requests()-before)
		}
	}
}
