package providertest

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"github.com/trigpoint/trigpoint/internal/provider"
)

// SerpAPIKey is the only key that the fake SerpApi accepts.
const SerpAPIKey = "serpapi-test-key-91d4"

// SerpAPI is a fake of serpapi.com: a market of 60 businesses around Decatur, ranked by distance, with an ad beside
// them and one row without a place id; 100 web results and three suggestions for every keyword.
type SerpAPI struct {
	*Fake
	Market []provider.Business
}

// NewSerpAPI serves the fake until the test ends.
func NewSerpAPI(t testing.TB) *SerpAPI {
	t.Helper()
	s := &SerpAPI{Market: Market(Decatur, 60)}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /search.json", s.search)
	mux.HandleFunc("GET /account.json", func(w http.ResponseWriter, _ *http.Request) {
		answerJSON(w, map[string]any{"api_key": SerpAPIKey, "plan_name": "Big Data Plan", "total_searches_left": 5958, "account_rate_limit_per_hour": 6000})
	})
	s.Fake = NewFake(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Query().Get("api_key") != SerpAPIKey {
			SerpAPIError(http.StatusUnauthorized, "Invalid API key. Your API key should be here: https://serpapi.com/manage-api-key")(w, r)
			return
		}
		mux.ServeHTTP(w, r)
	}))
	return s
}

// SerpAPIError answers with a status and {"error"}.
func SerpAPIError(status int, words string) Fault {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_ = json.NewEncoder(w).Encode(map[string]any{"error": words})
	}
}

func (s *SerpAPI) search(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	answer := map[string]any{"search_metadata": map[string]any{"id": "66c7", "status": "Success"}, "search_parameters": serpAPIEcho(q)}
	switch q.Get("engine") {
	case "google_maps":
		s.maps(q, answer)
	case "google":
		serpAPIResults(q, answer)
	case "google_autocomplete":
		var suggestions []map[string]any
		for _, more := range []string{" near me", " open now", " delivery"} {
			suggestions = append(suggestions, map[string]any{"value": q.Get("q") + more, "relevance": 601, "type": "QUERY"})
		}
		answer["suggestions"] = suggestions
	default:
		SerpAPIError(http.StatusBadRequest, "Unsupported `"+q.Get("engine")+"` search engine.")(w, r)
		return
	}
	answerJSON(w, answer)
}

// serpAPIEcho is the question without the key; numbers are repeated as numbers.
func serpAPIEcho(q url.Values) map[string]any {
	echo := map[string]any{}
	for name := range q {
		echo[name] = q.Get(name)
	}
	delete(echo, "api_key")
	if start, err := strconv.Atoi(q.Get("start")); err == nil {
		echo["start"] = start
	}
	return echo
}

func (s *SerpAPI) maps(q url.Values, answer map[string]any) {
	if id := q.Get("place_id") + q.Get("data_cid"); id != "" {
		b, err := Known(s.Market)(context.Background(), id)
		if err != nil {
			serpAPINothing("local_results_state", answer)
			return
		}
		row := serpAPIRow(b)
		row["type"] = b.Categories
		answer["place_results"] = row
		return
	}
	var at provider.Point
	_, _ = fmt.Sscanf(q.Get("ll"), "@%f,%f,15z", &at.Lat, &at.Lng)
	found, _ := NearestFirst(s.Market)(context.Background(), provider.MapQuery{Keyword: q.Get("q"), At: at})
	var rows []map[string]any
	for i, b := range found {
		row := serpAPIRow(b)
		row["position"] = i + 1
		if i == 1 {
			delete(row, "place_id")
		}
		rows = append(rows, row)
	}
	answer["search_information"] = map[string]any{"local_results_state": "Results for exact spelling"}
	answer["ads"] = []map[string]any{{"position": 1, "title": "Paid Business", "data_cid": "42"}}
	answer["local_results"] = rows
}

func serpAPIRow(b provider.Business) map[string]any {
	return map[string]any{
		"title": b.Name, "place_id": b.PlaceID, "data_cid": b.CID, "gps_coordinates": map[string]any{"latitude": b.Lat, "longitude": b.Lng},
		"rating": b.Rating, "reviews": b.Reviews, "type": b.Categories[0], "types": b.Categories, "address": b.Address,
		"phone": b.Phone, "website": b.Website,
	}
}

// serpAPIResults has ten pages of ten results; positions start again on each.
func serpAPIResults(q url.Values, answer map[string]any) {
	start, _ := strconv.Atoi(q.Get("start"))
	if start >= 100 {
		serpAPINothing("organic_results_state", answer)
		return
	}
	var organic []map[string]any
	for i := range 10 {
		organic = append(organic, map[string]any{
			"position": i + 1, "title": fmt.Sprintf("Result %d", start+i+1), "snippet": "All about " + q.Get("q") + ".",
			"link": fmt.Sprintf("https://www.site-%03d.example/%s", start+i+1, strings.ReplaceAll(q.Get("q"), " ", "-")),
		})
	}
	answer["search_information"] = map[string]any{"organic_results_state": "Results for exact spelling", "total_results": 1230000}
	answer["organic_results"] = organic
	answer["related_searches"] = []map[string]any{{"query": q.Get("q") + " near me"}}
}

// serpAPINothing is how SerpApi says that Google found nothing: an error inside a success.
func serpAPINothing(state string, answer map[string]any) {
	answer["search_information"] = map[string]any{state: "Fully empty"}
	answer["error"] = "Google hasn't returned any results for this query."
}
