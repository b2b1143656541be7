package providertest

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/trigpoint/trigpoint/internal/provider"
)

// GooglePlacesKey is the only key that the fake Places API accepts.
const GooglePlacesKey = "googleplaces-test-key-77b0"

// GooglePlaces is a fake of places.googleapis.com with a market of 60 businesses around Decatur, ranked by distance.
// The last of each search is gone: its details are not found.
type GooglePlaces struct {
	*Fake
	Market []provider.Business

	mu     sync.Mutex
	billed map[string]int
}

// NewGooglePlaces serves the fake until the test ends.
func NewGooglePlaces(t testing.TB) *GooglePlaces {
	t.Helper()
	g := &GooglePlaces{Market: Market(Decatur, 60), billed: map[string]int{}}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/places:searchText", g.search)
	mux.HandleFunc("GET /v1/places/{id}", g.details)
	g.Fake = NewFake(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.Header.Get("X-Goog-Api-Key") != GooglePlacesKey:
			GoogleError(http.StatusBadRequest, "INVALID_ARGUMENT", "API key not valid. Please pass a valid API key.", "API_KEY_INVALID")(w, r)
		case r.Header.Get("X-Goog-FieldMask") == "":
			GoogleError(http.StatusBadRequest, "INVALID_ARGUMENT", "FieldMask is a required parameter.", "")(w, r)
		default:
			mux.ServeHTTP(w, r)
		}
	}))
	return g
}

// Billed is how often the details of a place were asked, by place id. Searches for ids are free.
func (g *GooglePlaces) Billed() map[string]int {
	g.mu.Lock()
	defer g.mu.Unlock()
	counts := map[string]int{}
	for id, n := range g.billed {
		counts[id] = n
	}
	return counts
}

// GoogleError answers as APIs of Google Cloud refuse; the reason may be "".
func GoogleError(status int, name, message, reason string) Fault {
	return func(w http.ResponseWriter, _ *http.Request) {
		e := map[string]any{"code": status, "status": name, "message": message}
		if reason != "" {
			e["details"] = []map[string]any{{"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": reason, "domain": "googleapis.com"}}
		}
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_ = json.NewEncoder(w).Encode(map[string]any{"error": e})
	}
}

func (g *GooglePlaces) search(w http.ResponseWriter, r *http.Request) {
	var q struct {
		TextQuery    string
		LocationBias struct {
			Circle struct {
				Center struct{ Latitude, Longitude float64 }
			}
		}
	}
	if err := json.NewDecoder(r.Body).Decode(&q); err != nil || q.TextQuery == "" {
		GoogleError(http.StatusBadRequest, "INVALID_ARGUMENT", "Empty text_query.", "")(w, r)
		return
	}
	if mask := r.Header.Get("X-Goog-FieldMask"); mask != "places.id" {
		GoogleError(http.StatusBadRequest, "INVALID_ARGUMENT", fmt.Sprintf("The search for %s would be billed.", mask), "")(w, r)
		return
	}
	at := provider.Point{Lat: q.LocationBias.Circle.Center.Latitude, Lng: q.LocationBias.Circle.Center.Longitude}
	found, _ := NearestFirst(g.Market)(context.Background(), provider.MapQuery{Keyword: q.TextQuery, At: at, Depth: provider.MaxMapResults - 1})
	var ids []map[string]any
	for _, b := range found {
		ids = append(ids, map[string]any{"id": b.PlaceID})
	}
	ids = append(ids, map[string]any{"id": PlaceID(404, 404)})
	answerJSON(w, map[string]any{"places": ids})
}

func (g *GooglePlaces) details(w http.ResponseWriter, r *http.Request) {
	b, err := Known(g.Market)(r.Context(), r.PathValue("id"))
	if err != nil {
		GoogleError(http.StatusNotFound, "NOT_FOUND", "The Place ID is no longer valid.", "")(w, r)
		return
	}
	g.mu.Lock()
	g.billed[b.PlaceID]++
	g.mu.Unlock()
	all := map[string]any{
		"id": b.PlaceID, "displayName": map[string]any{"text": b.Name, "languageCode": "en"}, "formattedAddress": b.Address,
		"location": map[string]any{"latitude": b.Lat, "longitude": b.Lng}, "types": []string{"pizza_restaurant", "restaurant", "point_of_interest"},
		"primaryTypeDisplayName": map[string]any{"text": "Pizza Restaurant"}, "postalAddress": map[string]any{"regionCode": "US"},
		"businessStatus": "OPERATIONAL", "rating": b.Rating, "userRatingCount": b.Reviews, "internationalPhoneNumber": b.Phone, "websiteUri": b.Website,
	}
	place := map[string]any{}
	for field := range strings.SplitSeq(r.Header.Get("X-Goog-FieldMask"), ",") {
		name, _, _ := strings.Cut(field, ".")
		if value, ok := all[name]; ok {
			place[name] = value
		}
	}
	answerJSON(w, place)
}
