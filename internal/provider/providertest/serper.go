package providertest

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/trigpoint/trigpoint/internal/provider"
)

// SerperKey is the only key that the fake Serper accepts.
const SerperKey = "serper-test-key-5e0c"

// Serper is a fake of google.serper.dev. Out of the box it knows a market of 60 businesses around
// Decatur, ranked by distance, with an ad on top and one row without a place id, and 100 web results
// for every keyword. Change Places and Page before the first request to script other answers.
type Serper struct {
	*Fake
	Market []provider.Business
	Places func(q SerperMaps) []SerperPlace
	Page   func(q SerperSearch) any // encoded as JSON

	FreeAccount bool // refuses quotes, operators and a num of 20 and more
}

// SerperMaps is a request to /maps.
type SerperMaps struct {
	Q       string `json:"q"`
	LL      string `json:"ll"`
	PlaceID string `json:"placeId"`
	CID     string `json:"cid"`
	GL      string `json:"gl"`
	HL      string `json:"hl"`
	Page    int    `json:"page"`
}

// SerperSearch is a request to /search.
type SerperSearch struct {
	Q        string `json:"q"`
	GL       string `json:"gl"`
	HL       string `json:"hl"`
	Location string `json:"location"`
	Num      int    `json:"num"`
	Page     int    `json:"page"`
}

// SerperPlace is a row of Serper's answer; empty fields are left out, as Serper does.
type SerperPlace struct {
	Position    int      `json:"position"`
	Title       string   `json:"title,omitempty"`
	Address     string   `json:"address,omitempty"`
	Latitude    float64  `json:"latitude,omitempty"`
	Longitude   float64  `json:"longitude,omitempty"`
	Rating      float64  `json:"rating,omitempty"`
	RatingCount int      `json:"ratingCount,omitempty"`
	Type        string   `json:"type,omitempty"`
	Types       []string `json:"types,omitempty"`
	Website     string   `json:"website,omitempty"`
	PhoneNumber string   `json:"phoneNumber,omitempty"`
	CID         string   `json:"cid,omitempty"`
	FID         string   `json:"fid,omitempty"`
	PlaceID     string   `json:"placeId,omitempty"`
	Sponsored   bool     `json:"sponsored,omitempty"`
}

// Decatur is where the market of the fake is.
var Decatur = provider.Point{Lat: 33.7744675, Lng: -84.2950871}

// NewSerper serves the fake until the test ends.
func NewSerper(t testing.TB) *Serper {
	t.Helper()
	s := &Serper{Market: Market(Decatur, 60)}
	s.Places = s.nearest
	s.Page = hundredPages
	mux := http.NewServeMux()
	mux.HandleFunc("POST /maps", s.maps)
	mux.HandleFunc("POST /search", s.search)
	mux.HandleFunc("POST /autocomplete", s.suggest)
	mux.HandleFunc("GET /account", func(w http.ResponseWriter, r *http.Request) {
		if serperAllows(w, r) {
			answerJSON(w, map[string]any{"balance": 2492, "rateLimit": 50})
		}
	})
	s.Fake = NewFake(t, mux)
	return s
}

func (s *Serper) maps(w http.ResponseWriter, r *http.Request) {
	var q SerperMaps
	if !serperRequest(w, r, &q) {
		return
	}
	rows := []SerperPlace{}
	switch id := q.PlaceID + q.CID; {
	case id != "":
		if b, err := Known(s.Market)(r.Context(), id); err == nil {
			rows = append(rows, SerperRow(b))
		}
	case q.Q == "":
		Status(http.StatusBadRequest, "Missing query parameter")(w, r)
		return
	case q.Page > 1 && q.LL == "":
		Status(http.StatusBadRequest, "Parameter ll (GPS location) is required for paginated maps search")(w, r)
		return
	default:
		rows = append(rows, s.Places(q)...)
	}
	for i := range rows {
		rows[i].Position = i + 1
	}
	answerJSON(w, map[string]any{"searchParameters": serperMapsEcho{q, "maps"}, "ll": q.LL, "places": rows, "credits": 3})
}

func (s *Serper) search(w http.ResponseWriter, r *http.Request) {
	var q SerperSearch
	if !serperRequest(w, r, &q) {
		return
	}
	if s.FreeAccount && (q.Num >= 20 || strings.ContainsAny(q.Q, `":`)) {
		Status(http.StatusBadRequest, "Query pattern not allowed for free accounts.")(w, r)
		return
	}
	answerJSON(w, s.Page(q))
}

// The echoes are the question as it was asked, and its type.
type (
	serperMapsEcho struct {
		SerperMaps
		Type string `json:"type"`
	}
	serperSearchEcho struct {
		SerperSearch
		Type string `json:"type"`
	}
)

// nearest ranks by distance, with a paid row first and a second organic row that has a cid only.
func (s *Serper) nearest(q SerperMaps) []SerperPlace {
	var at provider.Point
	if _, err := fmt.Sscanf(q.LL, "@%f,%f,15z", &at.Lat, &at.Lng); err != nil {
		return nil
	}
	found, err := NearestFirst(s.Market)(context.Background(), provider.MapQuery{Keyword: q.Q, At: at})
	if err != nil {
		return nil
	}
	rows := []SerperPlace{{Title: "Paid Business", CID: "42", Sponsored: true}}
	for i, b := range found {
		row := SerperRow(b)
		if i == 1 {
			row.PlaceID = ""
		}
		rows = append(rows, row)
	}
	return rows
}

// SerperRow writes a business as Serper does.
func SerperRow(b provider.Business) SerperPlace {
	row := SerperPlace{
		Title: b.Name, Address: b.Address, Latitude: b.Lat, Longitude: b.Lng, Rating: b.Rating,
		RatingCount: b.Reviews, Types: b.Categories, Website: b.Website, PhoneNumber: b.Phone,
		CID: b.CID, PlaceID: b.PlaceID,
	}
	if len(b.Categories) > 0 {
		row.Type = b.Categories[0]
	}
	return row
}

// hundredPages has ten pages of ten results; positions start again on each.
func hundredPages(q SerperSearch) any {
	organic := []map[string]any{}
	for i := range 10 {
		if n := (q.Page-1)*10 + i + 1; n <= 100 {
			organic = append(organic, map[string]any{
				"title": fmt.Sprintf("Result %d", n), "position": i + 1,
				"link":    fmt.Sprintf("https://www.site-%03d.example/%s", n, strings.ReplaceAll(q.Q, " ", "-")),
				"snippet": fmt.Sprintf("All about %s.", q.Q),
			})
		}
	}
	return map[string]any{
		"searchParameters": serperSearchEcho{q, "search"}, "organic": organic, "credits": 1,
		"relatedSearches": []map[string]any{{"query": q.Q + " near me"}},
	}
}

// suggest continues every keyword in three ways.
func (s *Serper) suggest(w http.ResponseWriter, r *http.Request) {
	var q SerperSearch
	if !serperRequest(w, r, &q) {
		return
	}
	suggestions := []map[string]any{}
	for _, more := range []string{" near me", " open now", " delivery"} {
		suggestions = append(suggestions, map[string]any{"value": q.Q + more})
	}
	answerJSON(w, map[string]any{"searchParameters": serperSearchEcho{q, "autocomplete"}, "suggestions": suggestions, "credits": 1})
}

func serperAllows(w http.ResponseWriter, r *http.Request) bool {
	if r.Header.Get("X-API-KEY") != SerperKey {
		Status(http.StatusForbidden, "Unauthorized.")(w, r)
		return false
	}
	return true
}

// serperRequest checks the key before anything else, as Serper does.
func serperRequest(w http.ResponseWriter, r *http.Request, into any) bool {
	if !serperAllows(w, r) {
		return false
	}
	if err := json.NewDecoder(r.Body).Decode(into); err != nil {
		Status(http.StatusBadRequest, "Invalid JSON")(w, r)
		return false
	}
	return true
}
