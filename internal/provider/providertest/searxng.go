package providertest

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// SearXNG is a fake of a SearXNG server with two engines, google (off by default, so it answers only by name) and
// duckduckgo, of which the second never answers. It has 100 results for every keyword, in the order of its own score.
type SearXNG struct {
	*Fake
	Failure string // why google does not answer, as "Suspended: CAPTCHA"; "" when it does
	JSONOff bool   // as a server is that nobody has set up for programs
}

// NewSearXNG serves the fake until the test ends.
func NewSearXNG(t testing.TB) *SearXNG {
	t.Helper()
	s := &SearXNG{}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /search", s.search)
	mux.HandleFunc("GET /config", func(w http.ResponseWriter, _ *http.Request) {
		answerJSON(w, map[string]any{"version": "2026.8.22", "engines": []map[string]any{
			{"name": "google", "enabled": false, "paging": true}, {"name": "duckduckgo", "enabled": true, "paging": true},
		}})
	})
	s.Fake = NewFake(t, mux)
	return s
}

func (s *SearXNG) search(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	if s.JSONOff {
		w.Header().Set("Content-Type", "text/html")
		w.WriteHeader(http.StatusForbidden)
		fmt.Fprint(w, "<!doctype html><title>403 Forbidden</title>")
		return
	}
	page, err := strconv.Atoi(q.Get("pageno"))
	if q.Get("q") == "" || err != nil || page < 1 {
		w.WriteHeader(http.StatusBadRequest)
		fmt.Fprint(w, `{"error":"No query"}`)
		return
	}
	unresponsive := [][]string{{"duckduckgo", "timeout"}}
	results := []map[string]any{}
	switch {
	case q.Get("engines") == "google" && s.Failure != "":
		unresponsive = append(unresponsive, []string{"google", s.Failure})
	case q.Get("engines") == "google":
		for i := range 10 {
			n := (page-1)*10 + i + 1
			if n > 100 {
				break
			}
			results = append(results, map[string]any{
				"url":   fmt.Sprintf("https://www.site-%03d.example/%s", n, strings.ReplaceAll(q.Get("q"), " ", "-")),
				"title": fmt.Sprintf("Result %d", n), "content": "All about " + q.Get("q") + ".",
				"engine": "google", "engines": []string{"google"}, "positions": []int{i + 1}, "category": "general",
			})
		}
		slices.Reverse(results) // whatever its score is, it is not the engine's order
	}
	answerJSON(w, map[string]any{
		"query": q.Get("q"), "results": results, "answers": []any{}, "corrections": []any{}, "infoboxes": []any{},
		"suggestions": []string{q.Get("q") + " near me"}, "unresponsive_engines": unresponsive,
	})
}
