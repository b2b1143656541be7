package providertest

import (
	"context"
	"fmt"
	"net/http"
	"testing"

	"github.com/trigpoint/trigpoint/internal/provider"
)

// FoursquareKey is the only key that the fake Foursquare accepts.
const FoursquareKey = "foursquare-test-key-3c5e"

// Foursquare is a fake of places-api.foursquare.com with a market of 60 businesses around Decatur, ranked by distance. Their
// ids are Foursquare's own, and they have no cids.
type Foursquare struct {
	*Fake
	Market []provider.Business
}

// NewFoursquare serves the fake until the test ends.
func NewFoursquare(t testing.TB) *Foursquare {
	t.Helper()
	f := &Foursquare{Market: Market(Decatur, 60)}
	for i := range f.Market {
		f.Market[i].PlaceID, f.Market[i].CID = fmt.Sprintf("4b%022d", i+1), ""
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /places/search", f.search)
	mux.HandleFunc("GET /places/{id}", func(w http.ResponseWriter, r *http.Request) {
		b, err := Known(f.Market)(r.Context(), r.PathValue("id"))
		if err != nil {
			Status(http.StatusNotFound, "Place not found.")(w, r)
			return
		}
		answerJSON(w, foursquareRow(b))
	})
	f.Fake = NewFake(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.Header.Get("Authorization") != "Bearer "+FoursquareKey:
			Status(http.StatusUnauthorized, "Invalid request token.")(w, r)
		case r.Header.Get("X-Places-Api-Version") == "":
			Status(http.StatusBadRequest, "Missing X-Places-Api-Version.")(w, r)
		default:
			mux.ServeHTTP(w, r)
		}
	}))
	return f
}

func (f *Foursquare) search(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	var at provider.Point
	var limit int
	_, errAt := fmt.Sscanf(q.Get("ll"), "%f,%f", &at.Lat, &at.Lng)
	_, errLimit := fmt.Sscanf(q.Get("limit"), "%d", &limit)
	found, err := NearestFirst(f.Market)(context.Background(), provider.MapQuery{Keyword: q.Get("query"), At: at, Depth: limit})
	if errAt != nil || errLimit != nil || err != nil {
		Status(http.StatusBadRequest, "Bad parameters.")(w, r)
		return
	}
	rows := []map[string]any{}
	for _, b := range found {
		rows = append(rows, foursquareRow(b))
	}
	answerJSON(w, map[string]any{"results": rows})
}

func foursquareRow(b provider.Business) map[string]any {
	var categories []map[string]any
	for _, name := range b.Categories {
		categories = append(categories, map[string]any{"name": name})
	}
	return map[string]any{
		"fsq_place_id": b.PlaceID, "name": b.Name, "latitude": b.Lat, "longitude": b.Lng, "categories": categories,
		"location": map[string]any{"country": "US", "formatted_address": b.Address}, "tel": b.Phone, "website": b.Website,
	}
}
