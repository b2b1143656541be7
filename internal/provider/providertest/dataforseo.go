package providertest

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/trigpoint/trigpoint/internal/provider"
)

// The only account that the fake DataForSEO knows.
const (
	DataForSEOLogin    = "owner@example.org"
	DataForSEOPassword = "dataforseo-test-password-71c4"
)

// DataForSEO is a fake of api.dataforseo.com: live searches, the queue, places, and figures of keywords, domains and links.
// Out of the box it knows a market of 60 businesses around Decatur, ranked by distance, with an ad on top and one row without a
// place id, and 100 web results for every keyword. Change Places and Items before the first request to script other answers.
//
// Tasks of the queue wait until Finish, unless Instant is set.
type DataForSEO struct {
	*Fake
	Market  []provider.Business
	Places  func(t DataForSEOTask) []map[string]any // rows of a map search
	Items   func(t DataForSEOTask) []map[string]any // elements of a result page, with their page
	Instant bool

	// NoBacklinks is an account without the subscription that links need.
	NoBacklinks bool

	handler http.Handler
	queue   dataForSEOQueue
}

// DataForSEOTask is a search as it is asked for.
type DataForSEOTask struct {
	Keyword            string            `json:"keyword"`
	LocationName       string            `json:"location_name"`
	LocationCode       int               `json:"location_code"`
	LocationCoordinate string            `json:"location_coordinate"`
	LanguageCode       string            `json:"language_code"`
	SEDomain           string            `json:"se_domain"`
	Device             string            `json:"device"`
	OS                 string            `json:"os"`
	Depth              int               `json:"depth"`
	SearchThisArea     *bool             `json:"search_this_area"`
	SearchPlaces       *bool             `json:"search_places"`
	StopAt             []DataForSEOMatch `json:"stop_crawl_on_match"`
	StopIn             []string          `json:"find_targets_in"`
	Tag                string            `json:"tag"`
	Priority           int               `json:"priority"`
}

// DataForSEOMatch is where a web search may end.
type DataForSEOMatch struct {
	Value string `json:"match_value"`
	Type  string `json:"match_type"`
}

// NewDataForSEO serves the fake until the test ends.
func NewDataForSEO(t testing.TB) *DataForSEO {
	t.Helper()
	d := &DataForSEO{Market: Market(Decatur, 60)}
	d.Places, d.Items = d.nearest, hundredResults
	d.queue.tasks = map[string]*dataForSEOOrder{}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v3/serp/google/{engine}/live/advanced", d.live)
	mux.HandleFunc("POST /v3/serp/google/{engine}/task_post", d.post)
	mux.HandleFunc("GET /v3/serp/google/{engine}/tasks_ready", d.ready)
	mux.HandleFunc("GET /v3/serp/google/{engine}/task_get/advanced/{id}", d.get)
	mux.HandleFunc("POST /v3/business_data/google/my_business_info/live", d.profile)
	mux.HandleFunc("POST /v3/keywords_data/google_ads/search_volume/live", d.volumes)
	mux.HandleFunc("POST /v3/dataforseo_labs/google/{question}/live", d.labs)
	mux.HandleFunc("POST /v3/backlinks/summary/live", d.links)
	mux.HandleFunc("GET /v3/appendix/user_data", d.user)
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) {
		dataForSEORefuses(w, http.StatusNotFound, 40402, "Invalid Path.")
	})
	d.handler = dataForSEOLogin(mux)
	d.Fake = NewFake(t, d.handler)
	return d
}

// Lost lets DataForSEO do a request, and its answer never arrive.
func (d *DataForSEO) Lost() Fault {
	return func(_ http.ResponseWriter, r *http.Request) {
		d.handler.ServeHTTP(httptest.NewRecorder(), r)
		panic(http.ErrAbortHandler)
	}
}

// DataForSEOCode answers every task of a request with a status of DataForSEO's own, and the cost that it bills for it.
func DataForSEOCode(code int, message string, cost float64) Fault {
	return func(w http.ResponseWriter, _ *http.Request) {
		dataForSEOAnswers(w, dataForSEODone("08220904-1234-0139-0000-aaaabbbbcccc", code, message, cost, nil, nil))
	}
}

// live answers at once, which takes one task only.
func (d *DataForSEO) live(w http.ResponseWriter, r *http.Request) {
	tasks, ok := dataForSEOTasks[DataForSEOTask](w, r)
	if !ok {
		return
	}
	engine := r.PathValue("engine")
	if code, message := tasks[0].fault(engine); code != 0 {
		dataForSEOAnswers(w, dataForSEODone("", code, message, 0, tasks[0], nil))
		return
	}
	result, pages := d.search(engine, tasks[0])
	dataForSEOAnswers(w, d.bill(dataForSEOSearchCost(engine, 0.002, pages), tasks[0], result))
}

// search finds results; none at all are told by a code of their own.
func (d *DataForSEO) search(engine string, t DataForSEOTask) (result map[string]any, pages int) {
	t.Keyword, _ = url.QueryUnescape(t.Keyword)
	pages = 1
	var items []map[string]any
	if engine == "maps" {
		items = d.Places(t)
	} else {
		items = untilMatch(t, d.Items(t))
	}
	for i, item := range items {
		item["rank_absolute"] = i + 1
		if page, ok := item["page"].(int); ok {
			pages = max(pages, page)
		}
	}
	if len(items) == 0 {
		return nil, pages
	}
	return map[string]any{
		"keyword": t.Keyword, "type": engine, "se_domain": "google.com", "location_code": t.LocationCode, "language_code": t.LanguageCode,
		"check_url": "https://www.google.com/", "datetime": "2026-08-22 09:04:12 +00:00", "spell": nil, "refinement_chips": nil,
		"se_results_count": 0, "pages_count": pages, "items_count": len(items), "items": items,
	}, pages
}

// bill charges a task that is done; without a result nothing was found, which costs the same.
func (d *DataForSEO) bill(cost float64, data any, result ...map[string]any) map[string]any {
	id := d.queue.charge(cost)
	if len(result) == 0 || result[0] == nil {
		return dataForSEODone(id, 40102, "No Search Results.", cost, data, nil)
	}
	return dataForSEODone(id, 20000, "Ok.", cost, data, result)
}

// dataForSEOSearchCost is per page of ten of a web search, the further ones for less, and per hundred rows of a map search.
func dataForSEOSearchCost(engine string, price float64, pages int) float64 {
	if engine == "maps" {
		return price
	}
	return price * (1 + 0.75*float64(pages-1))
}

var mapCoordinate = regexp.MustCompile(`^-?\d+(\.\d{1,7})?,-?\d+(\.\d{1,7})?,([3-9]|1\d|2[01])z$`)

// fault is why a task is not taken; 0 takes it.
func (t DataForSEOTask) fault(engine string) (code int, message string) {
	invalid := func(field string) (int, string) { return 40501, "Invalid Field: '" + field + "'." }
	switch {
	case engine != "maps" && engine != "organic":
		return 40402, "Invalid Path."
	case t.Keyword == "" || utf8.RuneCountInString(t.Keyword) > 700:
		return invalid("keyword")
	case t.LocationName == "" && t.LocationCode == 0 && t.LocationCoordinate == "" || strings.Contains(t.LocationName, "Nowhere"):
		return invalid("location_name")
	case engine == "maps" && !mapCoordinate.MatchString(t.LocationCoordinate):
		return invalid("location_coordinate")
	case t.LanguageCode == "":
		return invalid("language_code")
	case t.Device != "desktop" && t.Device != "mobile":
		return invalid("device")
	case engine == "organic" && (t.Depth < 1 || t.Depth > 200):
		return invalid("depth")
	case utf8.RuneCountInString(t.Tag) > 255:
		return invalid("tag")
	}
	return 0, ""
}

// nearest ranks by distance, with a paid row first and a second organic row that has a cid only.
func (d *DataForSEO) nearest(t DataForSEOTask) []map[string]any {
	var at provider.Point
	if _, err := fmt.Sscanf(t.LocationCoordinate, "%f,%f,", &at.Lat, &at.Lng); err != nil {
		return nil
	}
	found, err := NearestFirst(d.Market)(context.Background(), provider.MapQuery{Keyword: t.Keyword, At: at})
	if err != nil {
		return nil
	}
	rows := []map[string]any{{
		"type": "maps_paid_item", "rank_group": 1, "domain": "ads.example.org", "title": "Paid Business", "url": "https://ads.example.org/",
		"rating": nil, "rating_distribution": nil,
	}}
	for i, b := range found[:min(len(found), t.Depth)] {
		row := DataForSEORow(b)
		row["rank_group"] = i + 1
		if i == 1 {
			row["place_id"] = nil
		}
		rows = append(rows, row)
	}
	return rows
}

// DataForSEORow writes a business as a row of a map search.
func DataForSEORow(b provider.Business) map[string]any {
	row := map[string]any{
		"type": "maps_search", "title": b.Name, "original_title": nil, "address": b.Address, "place_id": b.PlaceID, "cid": b.CID,
		"latitude": b.Lat, "longitude": b.Lng, "phone": b.Phone, "url": b.Website, "domain": provider.DomainOf(b.Website),
		"rating":       map[string]any{"rating_type": "Max5", "value": b.Rating, "votes_count": b.Reviews, "rating_max": nil},
		"address_info": map[string]any{"country_code": "US"}, "work_hours": nil, "is_claimed": true,
	}
	if len(b.Categories) > 0 {
		row["category"], row["additional_categories"] = b.Categories[0], b.Categories[1:]
	}
	return row
}

// hundredResults has up to ten pages of ten results, below an ad and the local pack.
func hundredResults(t DataForSEOTask) []map[string]any {
	items := []map[string]any{
		{"type": "paid", "page": 1, "rank_group": 1, "title": "Paid result", "url": "https://ads.example.org/lp", "domain": "ads.example.org", "links": nil},
		{"type": "local_pack", "page": 1, "rank_group": 1, "title": "Invented Business 1", "url": "https://business-1.example/", "domain": "business-1.example", "is_paid": false, "cid": "1"},
		{"type": "local_pack", "page": 1, "rank_group": 2, "title": "Invented Business 2", "url": nil, "domain": nil, "is_paid": false, "cid": "2"},
	}
	deepest := min(100, t.Depth)
	for n := 1; n <= deepest; n++ {
		domain := fmt.Sprintf("www.site-%03d.example", n)
		items = append(items, map[string]any{
			"type": "organic", "page": (n + 9) / 10, "rank_group": n, "domain": domain, "title": fmt.Sprintf("Result %d", n),
			"url": "https://" + domain + "/" + url.PathEscape(strings.ReplaceAll(t.Keyword, " ", "-")), "description": "All about " + t.Keyword + ".", "links": nil,
		})
		if n == min(10, deepest) {
			items = append(items, map[string]any{"type": "related_searches", "page": 1, "rank_group": 1, "items": []string{t.Keyword + " near me"}})
		}
	}
	return items
}

// untilMatch ends with the page of the first element that matches, among those of the types that are looked at.
func untilMatch(t DataForSEOTask, items []map[string]any) []map[string]any {
	last := 0
	for _, item := range items {
		domain, _ := item["domain"].(string)
		domain = strings.TrimPrefix(domain, "www.")
		looked := len(t.StopIn) == 0 || slices.Contains(t.StopIn, fmt.Sprint(item["type"]))
		for _, m := range t.StopAt {
			if looked && last == 0 && (domain == m.Value || m.Type == "with_subdomains" && strings.HasSuffix(domain, "."+m.Value)) {
				last = item["page"].(int)
			}
		}
	}
	return slices.DeleteFunc(items, func(item map[string]any) bool { return last > 0 && item["page"].(int) > last })
}

// profile finds a business by its id.
func (d *DataForSEO) profile(w http.ResponseWriter, r *http.Request) {
	tasks, ok := dataForSEOTasks[DataForSEOTask](w, r)
	if !ok {
		return
	}
	_, id, _ := strings.Cut(tasks[0].Keyword, ":")
	b, err := Known(d.Market)(r.Context(), id)
	if err != nil {
		dataForSEOAnswers(w, d.bill(0.0054, tasks[0]))
		return
	}
	row := DataForSEORow(b)
	row["type"] = "google_business_info"
	delete(row, "work_hours")
	day := []any{map[string]any{"open": map[string]int{"hour": 9, "minute": 0}, "close": map[string]int{"hour": 17, "minute": 30}}}
	row["work_time"] = map[string]any{"work_hours": map[string]any{
		"timetable":      map[string]any{"sunday": nil, "monday": day, "tuesday": day, "wednesday": day, "thursday": day, "friday": day, "saturday": nil},
		"current_status": "open",
	}}
	dataForSEOAnswers(w, d.bill(0.0054, tasks[0], map[string]any{"keyword": tasks[0].Keyword, "items_count": 1, "items": []any{row}}))
}

// dataForSEOTasks reads the tasks of a live request, of which there may be one. A field that DataForSEO does not know is refused.
func dataForSEOTasks[Task any](w http.ResponseWriter, r *http.Request) ([]Task, bool) {
	var tasks []Task
	in := json.NewDecoder(r.Body)
	in.DisallowUnknownFields()
	if err := in.Decode(&tasks); err != nil || len(tasks) == 0 {
		dataForSEORefuses(w, http.StatusOK, 40503, fmt.Sprintf("POST Data Is Invalid: %v.", err))
		return nil, false
	}
	if len(tasks) > 1 && strings.Contains(r.URL.Path, "/live") {
		dataForSEORefuses(w, http.StatusOK, 40000, "You can set only one task at a time.")
		return nil, false
	}
	return tasks, true
}

func dataForSEOLogin(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if login, password, _ := r.BasicAuth(); login != DataForSEOLogin || password != DataForSEOPassword {
			dataForSEORefuses(w, http.StatusUnauthorized, 40100, "You are not authorized to access this resource.")
			return
		}
		next.ServeHTTP(w, r)
	})
}

// dataForSEODone is what an answer says of one task.
func dataForSEODone(id string, code int, message string, cost float64, data any, result any) map[string]any {
	return map[string]any{
		"id": id, "status_code": code, "status_message": message, "time": "0.18 sec.", "cost": cost, "path": []string{"v3"}, "data": data, "result": result,
	}
}

// dataForSEOAnswers writes an answer; its tasks_error lies, as that of DataForSEO does.
func dataForSEOAnswers(w http.ResponseWriter, tasks ...map[string]any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]any{
		"version": "0.1.20260806", "status_code": 20000, "status_message": "Ok.", "time": "0.2 sec.", "tasks_count": len(tasks), "tasks_error": 0, "tasks": tasks,
	})
}

// dataForSEORefuses answers a request as a whole.
func dataForSEORefuses(w http.ResponseWriter, status, code int, message string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]any{
		"version": "0.1.20260806", "status_code": code, "status_message": message, "time": "0 sec.", "cost": 0, "tasks_count": 0, "tasks_error": 0, "tasks": nil,
	})
}
