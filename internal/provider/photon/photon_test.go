package photon_test

import (
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/trigpoint/trigpoint/internal/clock"
	"github.com/trigpoint/trigpoint/internal/placeid"
	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/provider/photon"
	"github.com/trigpoint/trigpoint/internal/provider/placeindex"
	"github.com/trigpoint/trigpoint/internal/provider/providertest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var springfield = provider.Point{Lat: 40.1, Lng: -75.2}

func TestSuite(t *testing.T) {
	t.Parallel()
	mux := http.NewServeMux()
	for _, path := range []string{"api", "reverse", "status"} {
		mux.HandleFunc("GET /"+path, func(w http.ResponseWriter, _ *http.Request) {
			raw, err := os.ReadFile(filepath.Join("testdata", path+".json"))
			if err != nil {
				t.Error(err)
			}
			w.Write(raw)
		})
	}
	// What SearchMap gives for node 900000001 at 40.1000001,-75.2000001.
	_, cid := placeindex.Identify("osm:node/900000001")
	manana := idAt(t, cid, 40.1000001, -75.2000001)
	providertest.Suite(t, providertest.Subject{
		New: func(t testing.TB, s providertest.Setup) provider.Provider {
			return start(t, photon.Options{Access: provider.Access{URL: s.BaseURL}, Timeout: s.Timeout})
		},
		Vendor: mux,
		Unprove: func(answer map[string]any) {
			delete(answer, "type")
			delete(answer, "import_date")
		},
		Place: manana, PlaceName: "Café Mañana", UnknownPlace: idAt(t, "12345", 40.1, -75.2),
		Map:      provider.MapQuery{Keyword: "coffee", At: springfield, Country: "US", Language: "en"},
		MapNames: []string{"Café Mañana", "東京ラーメン本舗", "From Another Source", "Tidy Name", "Corner Shop"},
		Lacks:    []string{"with a cid but no place id", "without coordinates"},
	})
}

// idAt is the place id that carries a cid and a position.
func idAt(t testing.TB, cid string, lat, lng float64) string {
	t.Helper()
	var number uint64
	for _, digit := range cid {
		number = number*10 + uint64(digit-'0')
	}
	return placeid.New(0x1a5e<<51|uint64((lat+90)*1e5+0.5)<<26|uint64((lng+180)*1e5+0.5), number)
}

func start(t testing.TB, opts photon.Options) *photon.Provider {
	t.Helper()
	p, err := photon.New(opts, clock.System{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	return p
}

func fake(t testing.TB) (*providertest.Photon, *photon.Provider) {
	t.Helper()
	vendor := providertest.NewPhoton(t)
	return vendor, start(t, photon.Options{Access: provider.Access{URL: vendor.URL}})
}

func TestWhatIsFoundCanBeLookedUp(t *testing.T) {
	t.Parallel()
	_, p := fake(t)
	found, err := p.SearchMap(t.Context(), provider.MapQuery{Keyword: "restaurant", At: providertest.Decatur})
	if err != nil || len(found) != 20 {
		t.Fatalf("%d places, %v", len(found), err)
	}
	for _, b := range found {
		again, err := p.FindPlace(t.Context(), b.PlaceID)
		if err != nil || again.PlaceID != b.PlaceID || again.CID != b.CID || again.Name != b.Name || again.Phone == "" || again.CountryCode != "US" {
			t.Errorf("%+v, %v, want %+v", again, err, b)
		}
		if carried, ok := placeid.CID(b.PlaceID); !ok || carried != b.CID {
			t.Errorf("%s does not carry the cid %s", b.PlaceID, b.CID)
		}
	}
	// A place that has moved some metres keeps its cid, and is found by the old id.
	if _, want := placeindex.Identify("osm:node/900000001"); found[0].CID != want {
		t.Errorf("cid %s, but %s when imported", found[0].CID, want)
	}
	moved := idAt(t, found[0].CID, found[0].Lat+0.0005, found[0].Lng)
	if b, err := p.FindPlace(t.Context(), moved); err != nil || b.Name != found[0].Name || b.PlaceID != moved {
		t.Errorf("%+v, %v", b, err)
	}
}

func TestIDsOfOthersAreRefused(t *testing.T) {
	t.Parallel()
	vendor, p := fake(t)
	for _, id := range []string{"4242", "osm:n42", "EicxMyBNYXJrZXQgU3QsIFNhbiBGcmFuY2lzY28sIENBLCBVU0E", providertest.Market(providertest.Decatur, 1)[0].PlaceID, placeid.New(0x1a5e<<51|1<<51-1, 1)} {
		if _, err := p.FindPlace(t.Context(), id); provider.KindOf(err) != provider.BadQuery {
			t.Errorf("%s: %v", id, err)
		}
	}
	if vendor.Requests() != 0 {
		t.Errorf("%d requests", vendor.Requests())
	}
}

func TestKeywordsAreUnderstood(t *testing.T) {
	t.Parallel()
	for keyword, want := range map[string]struct{ words, include string }{
		"restaurant":           {"", "osm.amenity.restaurant"},
		"best restaurants now": {"", "osm.amenity.restaurant"},
		"Zahnarzt":             {"", "osm.amenity.dentist,osm.healthcare.dentist"},
		"zahnarzt Köln":        {"Köln", "osm.amenity.dentist,osm.healthcare.dentist"},
		"vegan restaurant":     {"vegan", "osm.amenity.restaurant"},
		"pizza restaurant":     {"pizza", "osm.amenity.restaurant"},
		"pizzeria":             {"pizzeria", "osm.amenity.restaurant"},
		"Joe's Diner Palace":   {"Joe's Diner Palace", "osm.shop"},
	} {
		t.Run(keyword, func(t *testing.T) {
			t.Parallel()
			vendor, p := fake(t)
			var asked url.Values
			vendor.Always(func(w http.ResponseWriter, r *http.Request) {
				asked = r.URL.Query()
				providertest.Body(`{"type":"FeatureCollection","features":[]}`)(w, r)
			})
			found, err := p.SearchMap(t.Context(), provider.MapQuery{Keyword: keyword, At: springfield})
			if err != nil || len(found) != 0 {
				t.Fatalf("%v, %v", found, err)
			}
			if asked.Get("q") != want.words || !strings.Contains(asked.Get("include"), want.include) {
				t.Errorf("asked for %q among %s", asked.Get("q"), asked.Get("include"))
			}
			if asked.Get("lat") != "40.1000000" || asked.Get("lon") != "-75.2000000" || asked.Get("dedupe") != "false" {
				t.Errorf("asked %v", asked)
			}
		})
	}
}

func TestTheBoxStaysOnTheMap(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		at   provider.Point
		want string
	}{
		{provider.Point{Lat: 0, Lng: 0}, "-0.44966"},
		{provider.Point{Lat: 0, Lng: 179.9}, ",180.0000000,"},
		{provider.Point{Lat: 90, Lng: 10}, "-180.0000000,89.5"},
		{provider.Point{Lat: -90, Lng: 10}, "-180.0000000,-90.0000000,180.0000000,-89.5"},
	} {
		vendor, p := fake(t)
		var box string
		vendor.Always(func(w http.ResponseWriter, r *http.Request) {
			box = r.URL.Query().Get("bbox")
			providertest.Body(`{"type":"FeatureCollection","features":[]}`)(w, r)
		})
		if _, err := p.SearchMap(t.Context(), provider.MapQuery{Keyword: "cafe", At: c.at}); err != nil || !strings.Contains(box, c.want) {
			t.Errorf("around %v: %s, %v", c.at, box, err)
		}
	}
}

func TestRefusalsInPlainWords(t *testing.T) {
	t.Parallel()
	vendor, p := fake(t)
	vendor.Next(providertest.Status(400, "Invalid category pattern in 'include'."), providertest.Status(404, "Not found"))
	for _, words := range []string{"Invalid category pattern", "TRIGPOINT_PHOTON_URL"} {
		_, err := p.SearchMap(t.Context(), provider.MapQuery{Keyword: "cafe", At: springfield})
		if provider.KindOf(err) != provider.BadQuery || !strings.Contains(err.Error(), words) {
			t.Errorf("%v, want %q", err, words)
		}
	}
}
