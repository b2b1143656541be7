// Package searchconsoletest is Google Search Console for tests, over real HTTP: it adds up rows by the dimensions asked
// for, keeps days that are not final apart, and misbehaves when told to.
package searchconsoletest

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
)

// Row is what the fake knows of a day.
type Row struct {
	Date, Query, Page, Country, Device string
	Clicks, Impressions, Position      float64
}

func (r Row) key(dimension string) string {
	return map[string]string{"date": r.Date, "query": r.Query, "page": r.Page, "country": r.Country, "device": r.Device}[dimension]
}

// Console is the fake.
type Console struct {
	URL string

	admits func(*http.Request) bool

	mu         sync.Mutex
	sites      []map[string]string
	rows       map[string][]Row // by site
	incomplete string           // first day that is not final
	failures   []Failure
	asked      []string
}

// Failure is an answer in place of the right one.
type Failure struct {
	Status     int
	RetryAfter string
	Body       string
}

// Start starts the fake, which ends with the test. admits tells whether a request carries a token that works.
func Start(t testing.TB, admits func(*http.Request) bool) *Console {
	c := &Console{admits: admits, rows: map[string][]Row{}}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /webmasters/v3/sites", c.answer(c.serveSites))
	mux.HandleFunc("POST /webmasters/v3/sites/{site}/searchAnalytics/query", c.answer(c.serveQuery))
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	c.URL = server.URL
	return c
}

// AddSite gives the user a property.
func (c *Console) AddSite(url, permission string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.sites = append(c.sites, map[string]string{"siteUrl": url, "permissionLevel": permission})
}

// Add lets a property be found.
func (c *Console) Add(site string, rows ...Row) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.rows[site] = append(c.rows[site], rows...)
}

// IncompleteFrom says which days are not final; "" is none.
func (c *Console) IncompleteFrom(date string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.incomplete = date
}

// Fail answers the next requests with these failures.
func (c *Console) Fail(failures ...Failure) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.failures = append(c.failures, failures...)
}

// Asked lists the days that rows were asked for, as date/dimensions.
func (c *Console) Asked() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.asked)
}

func refuse(w http.ResponseWriter, status int, reason, message string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]any{"error": map[string]any{
		"code": status, "message": message, "errors": []any{map[string]any{"message": message, "domain": "global", "reason": reason}},
	}})
}

func (c *Console) answer(serve http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		c.mu.Lock()
		defer c.mu.Unlock()
		if len(c.failures) > 0 {
			first := c.failures[0]
			c.failures = c.failures[1:]
			if first.RetryAfter != "" {
				w.Header().Set("Retry-After", first.RetryAfter)
			}
			w.WriteHeader(first.Status)
			_, _ = w.Write([]byte(first.Body))
			return
		}
		if !c.admits(r) {
			refuse(w, http.StatusUnauthorized, "authError", "Invalid Credentials: "+r.Header.Get("Authorization"))
			return
		}
		serve(w, r)
	}
}

func (c *Console) serveSites(w http.ResponseWriter, _ *http.Request) {
	answer := map[string]any{}
	if len(c.sites) > 0 {
		answer["siteEntry"] = c.sites
	}
	_ = json.NewEncoder(w).Encode(answer)
}

type question struct {
	StartDate, EndDate, Type, DataState string
	Dimensions                          []string
	RowLimit, StartRow                  int
}

func (c *Console) serveQuery(w http.ResponseWriter, r *http.Request) {
	site := r.PathValue("site")
	if !slices.ContainsFunc(c.sites, func(s map[string]string) bool {
		return s["siteUrl"] == site && s["permissionLevel"] != "siteUnverifiedUser"
	}) {
		refuse(w, http.StatusForbidden, "forbidden", fmt.Sprintf("User does not have sufficient permission for site '%s'.", site))
		return
	}
	var q question
	if json.NewDecoder(r.Body).Decode(&q) != nil || q.RowLimit < 1 || q.RowLimit > 25_000 || q.Type != "web" || q.StartDate > q.EndDate {
		refuse(w, http.StatusBadRequest, "invalidParameter", "Request contains an invalid argument.")
		return
	}
	if q.StartDate == q.EndDate && q.StartRow == 0 {
		c.asked = append(c.asked, q.StartDate+"/"+strings.Join(q.Dimensions, ","))
	}
	rows := c.addUp(site, q)
	answer := map[string]any{"responseAggregationType": "byProperty"}
	if slices.Contains(q.Dimensions, "page") {
		answer["responseAggregationType"] = "byPage"
	}
	if page := rows[min(q.StartRow, len(rows)):min(q.StartRow+q.RowLimit, len(rows))]; len(page) > 0 {
		answer["rows"] = page
	}
	if q.DataState == "all" && c.incomplete != "" && q.EndDate >= c.incomplete {
		answer["metadata"] = map[string]any{"firstIncompleteDate": c.incomplete}
	}
	_ = json.NewEncoder(w).Encode(answer)
}

type answerRow struct {
	Keys        []string `json:"keys"`
	Clicks      float64  `json:"clicks"`
	Impressions float64  `json:"impressions"`
	CTR         float64  `json:"ctr"`
	Position    float64  `json:"position"`
}

// addUp adds rows up by the dimensions asked for.
func (c *Console) addUp(site string, q question) []answerRow {
	var all []answerRow
	place := map[string]int{}
	for _, row := range c.rows[site] {
		final := c.incomplete == "" || row.Date < c.incomplete
		if row.Date < q.StartDate || row.Date > q.EndDate || !final && q.DataState != "all" {
			continue
		}
		keys := make([]string, len(q.Dimensions))
		for i, dimension := range q.Dimensions {
			keys[i] = row.key(dimension)
		}
		name := strings.Join(keys, "\n")
		i, known := place[name]
		if !known {
			i = len(all)
			place[name] = i
			all = append(all, answerRow{Keys: keys, Position: row.Position})
		}
		sum := &all[i]
		if impressions := sum.Impressions + row.Impressions; known && impressions > 0 {
			sum.Position = (sum.Position*sum.Impressions + row.Position*row.Impressions) / impressions
		}
		sum.Clicks += row.Clicks
		sum.Impressions += row.Impressions
		if sum.Impressions > 0 {
			sum.CTR = sum.Clicks / sum.Impressions
		}
	}
	slices.SortStableFunc(all, func(a, b answerRow) int { return cmp.Compare(b.Clicks, a.Clicks) })
	return all
}
