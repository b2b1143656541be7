package foursquare_test

import (
	"errors"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"go.uber.org/goleak"

	"github.com/trigpoint/trigpoint/internal/clock"
	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/provider/foursquare"
	"github.com/trigpoint/trigpoint/internal/provider/providertest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const (
	manana  = "4b0000000000000000000001"
	bakery  = "4b0000000000000000000005"
	nowhere = "4b0000000000000000000009"
)

func TestSuite(t *testing.T) {
	t.Parallel()
	providertest.Suite(t, providertest.Subject{
		New: func(t testing.TB, s providertest.Setup) provider.Provider {
			return start(t, foursquare.Options{APIKey: s.Secret, Access: provider.Access{URL: s.BaseURL}, Timeout: s.Timeout})
		},
		Vendor: recorded(t),
		Secret: "key-of-the-recording",
		Unprove: func(answer map[string]any) {
			delete(answer, "results")
			delete(answer, "fsq_place_id")
		},
		Nothing:      []string{`{"results":[]}`},
		Place:        manana,
		PlaceName:    "Café Mañana & Söhne",
		UnknownPlace: nowhere,
		Map:          provider.MapQuery{Keyword: "coffee", At: provider.Point{Lat: 40.1, Lng: -75.2}, Country: "US", Language: "en"},
		MapNames:     []string{"Café Mañana & Söhne", "No Rating Garage", "Closed For Good Bakery"},
		Lacks:        []string{"with a cid but no place id"},
	})
}

func start(t testing.TB, opts foursquare.Options) *foursquare.Provider {
	t.Helper()
	p, err := foursquare.New(opts, clock.System{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	return p
}

// fake starts the scriptable vendor and a provider that asks it.
func fake(t testing.TB) (*providertest.Foursquare, *foursquare.Provider) {
	t.Helper()
	vendor := providertest.NewFoursquare(t)
	return vendor, start(t, foursquare.Options{APIKey: providertest.FoursquareKey, Access: provider.Access{URL: vendor.URL, Price: 0.01}})
}

// recorded replays the files of testdata.
func recorded(t testing.TB) http.Handler {
	t.Helper()
	replay := func(w http.ResponseWriter, r *http.Request, name string) {
		raw, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			providertest.Status(http.StatusNotFound, "Place not found.")(w, r)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		w.Write(raw)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /places/search", func(w http.ResponseWriter, r *http.Request) { replay(w, r, "search.json") })
	mux.HandleFunc("GET /places/{id}", func(w http.ResponseWriter, r *http.Request) { replay(w, r, "place-"+r.PathValue("id")+".json") })
	return mux
}

func TestPlacesOfTheRecording(t *testing.T) {
	t.Parallel()
	server := providertest.NewFake(t, recorded(t))
	p := start(t, foursquare.Options{APIKey: "k", Access: provider.Access{URL: server.URL}})
	b, err := p.FindPlace(t.Context(), manana)
	want := provider.Business{
		PlaceID: manana, Name: "Café Mañana & Söhne", Address: "12 Invented St, Springfield, IL 00001", Lat: 40.1000001, Lng: -75.2000001,
		Categories: []string{"Coffee Shop"}, CountryCode: "US", Phone: "(555) 010-0001", Website: "https://manana.example.org/",
	}
	if err != nil || !reflect.DeepEqual(b, want) {
		t.Errorf("got %+v, want %+v; %v", b, want, err)
	}
	if b, err := p.FindPlace(t.Context(), bakery); err != nil || b.Closed != provider.ClosedForGood || b.Lat != 0 {
		t.Errorf("closed and without coordinates: %+v, %v", b, err)
	}
}

func TestRefusalsInPlainWords(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		fault   providertest.Fault
		kind    provider.Kind
		message string
	}{
		{"wrong key", providertest.Status(401, "Invalid request token."), provider.Unauthorized, "Foursquare refused the API key: check TRIGPOINT_FOURSQUARE_API_KEY."},
		{"no credits", providertest.Status(402, "No API credits remaining."), provider.QuotaSpent, "The account at Foursquare has no credits left."},
		{"rate", providertest.TooManyRequests(""), provider.RateLimited, "Foursquare asks for fewer requests."},
		{"bad query", providertest.Status(422, "Cannot resolve."), provider.BadQuery, "Foursquare did not accept the request: Cannot resolve."},
		{"another server", providertest.Status(404, ""), provider.BadQuery, "Foursquare did not accept the request (status 404)."},
		{"another place", providertest.Body(`{"fsq_place_id":"` + bakery + `"}`), provider.Transient, "Foursquare sent no answer to what was asked."},
		{"nothing", providertest.Body(`{"results":[]}`), provider.Transient, "Foursquare sent no answer to what was asked."},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			vendor, p := fake(t)
			vendor.Always(c.fault)
			_, err := p.FindPlace(t.Context(), manana)
			var e *provider.Error
			if !errors.As(err, &e) || e.Kind != c.kind || e.Message != c.message {
				t.Errorf("got %#v (%v), want %q: %s", e, err, c.kind, c.message)
			}
		})
	}
}

func TestOnlyIDsOfFoursquareAreLookedUp(t *testing.T) {
	t.Parallel()
	vendor, p := fake(t)
	for _, id := range []string{"ChIJAQAAADoH9YgRh9YSAAAAAI8", "osm:n123", "../search", "a/b"} {
		if _, err := p.FindPlace(t.Context(), id); provider.KindOf(err) != provider.NotFound {
			t.Errorf("%s: %v", id, err)
		}
	}
	if vendor.Requests() != 0 {
		t.Errorf("%d requests", vendor.Requests())
	}
}

func TestSearchAsksAtThePoint(t *testing.T) {
	t.Parallel()
	var asked url.Values
	var header http.Header
	server := providertest.NewFake(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked, header = r.URL.Query(), r.Header
		providertest.Body(`{"results":[]}`)(w, r)
	}))
	p := start(t, foursquare.Options{APIKey: "k", Access: provider.Access{URL: server.URL}})
	found, err := p.SearchMap(t.Context(), provider.MapQuery{Keyword: "fish & chips", At: provider.Point{Lat: 51.5, Lng: -0.1}})
	if err != nil || found == nil || len(found) != 0 {
		t.Errorf("nothing found: %v, %v", found, err)
	}
	want := url.Values{
		"query": {"fish & chips"}, "ll": {"51.500000,-0.100000"}, "sort": {"RELEVANCE"}, "limit": {"20"},
		"fields": {"fsq_place_id,name,latitude,longitude,categories,location,tel,website,date_closed"},
	}
	if asked.Encode() != want.Encode() || header.Get("Authorization") != "Bearer k" || header.Get("X-Places-Api-Version") != "2025-06-17" {
		t.Errorf("asked %v with %v, want %v", asked, header, want)
	}
}

func TestAnswersAreCharged(t *testing.T) {
	t.Parallel()
	vendor, p := fake(t)
	var bill provider.Bill
	ctx := provider.WithBill(t.Context(), &bill)
	found, err := p.SearchMap(ctx, provider.MapQuery{Keyword: "pizza", At: providertest.Decatur})
	if err != nil || len(found) != 20 || found[7].PlaceID != vendor.Market[7].PlaceID {
		t.Fatalf("%d results, %v", len(found), err)
	}
	if _, err := p.FindPlace(ctx, found[7].PlaceID); err != nil {
		t.Error(err)
	}
	vendor.Next(providertest.Unavailable(""))
	if _, err := p.FindPlace(ctx, found[7].PlaceID); err == nil {
		t.Error("a fault was an answer")
	}
	if n, cost := bill.Total(); n != 2 || cost != provider.USD(0.02) {
		t.Errorf("%d answers cost %s", n, cost)
	}
}

func TestKeyIsNeeded(t *testing.T) {
	t.Parallel()
	vendor := providertest.NewFoursquare(t)
	_, err := start(t, foursquare.Options{Access: provider.Access{URL: vendor.URL}}).FindPlace(t.Context(), manana)
	if provider.KindOf(err) != provider.Unauthorized || vendor.Requests() != 0 {
		t.Errorf("without a key: %v after %d requests", err, vendor.Requests())
	}
}
