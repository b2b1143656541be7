package providertest

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"testing"

	"github.com/trigpoint/trigpoint/internal/provider"
)

// Photon is a fake of a Photon server: a market of 60 restaurants around Decatur, ranked by distance whatever the words,
// after a house number that has no name. Change Market before the first request to script other places.
type Photon struct {
	*Fake
	Market []provider.Business
}

// NewPhoton serves the fake until the test ends.
func NewPhoton(t testing.TB) *Photon {
	t.Helper()
	p := &Photon{Market: Market(Decatur, 60)}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /api", p.serve("q", "lat", "lon", "zoom", "location_bias_scale", "bbox", "limit", "include", "dedupe"))
	mux.HandleFunc("GET /reverse", p.serve("lat", "lon", "radius", "limit", "include", "dedupe"))
	mux.HandleFunc("GET /status", func(w http.ResponseWriter, _ *http.Request) {
		answerJSON(w, map[string]any{"status": "Ok", "import_date": "2026-07-01T00:00:00Z", "version": "1.2.0", "git_commit": "a7b6562"})
	})
	p.Fake = NewFake(t, mux)
	return p
}

// serve answers the nearest places, and refuses parameters that Photon does not know.
func (p *Photon) serve(allowed ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		q := r.URL.Query()
		for name := range q {
			if !slices.Contains(allowed, name) {
				photonError(w, fmt.Sprintf("Unknown query parameter '%s'.  Allowed parameters are: %v", name, allowed))
				return
			}
		}
		lat, badLat := strconv.ParseFloat(q.Get("lat"), 64)
		lng, badLng := strconv.ParseFloat(q.Get("lon"), 64)
		limit, badLimit := strconv.Atoi(q.Get("limit"))
		if badLat != nil || badLng != nil || badLimit != nil {
			photonError(w, "Invalid value for 'lat' parameter.")
			return
		}
		features := []any{photonFeature(900000000, provider.Business{Lat: lat, Lng: lng}, "place", "house")}
		// At most 50 are answered; as many as a map search may want are enough here.
		found, _ := NearestFirst(p.Market)(context.Background(), provider.MapQuery{Keyword: "any", At: provider.Point{Lat: lat, Lng: lng}})
		for _, b := range found[:min(len(found), limit)] {
			number := slices.IndexFunc(p.Market, func(m provider.Business) bool { return m.Name == b.Name })
			features = append(features, photonFeature(900000001+number, b, "amenity", "restaurant"))
		}
		answerJSON(w, map[string]any{"type": "FeatureCollection", "features": features})
	}
}

func photonFeature(id int, b provider.Business, key, value string) any {
	properties := map[string]any{
		"osm_type": "N", "osm_id": id, "osm_key": key, "osm_value": value, "type": "house", "housenumber": "7", "street": "Test Street",
		"city": "Decatur", "state": "Georgia", "postcode": "30030", "country": "United States", "countrycode": "US",
	}
	if b.Name != "" { // what is missing is left out
		properties["name"] = b.Name
		properties["extra"] = map[string]any{"phone": b.Phone, "website": b.Website}
	}
	return map[string]any{
		"type": "Feature", "properties": properties,
		"geometry": map[string]any{"type": "Point", "coordinates": []float64{b.Lng, b.Lat}},
	}
}

func photonError(w http.ResponseWriter, message string) {
	w.WriteHeader(http.StatusBadRequest)
	fmt.Fprintf(w, `{"message":%q}`, message)
}
