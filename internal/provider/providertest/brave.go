package providertest

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"
)

// BraveKey is the only key that the fake Brave accepts.
const BraveKey = "brave-test-key-71ab"

// NewBrave serves a fake of Brave's Search API until the test ends. It has 200 results for every keyword, on ten
// pages of twenty, each of which begins with the last result of the page before.
func NewBrave(t testing.TB) *Fake {
	t.Helper()
	mux := http.NewServeMux()
	mux.HandleFunc("GET /web/search", func(w http.ResponseWriter, r *http.Request) {
		q := r.URL.Query()
		offset, _ := strconv.Atoi(q.Get("offset")) // absent on the first page
		count, err := strconv.Atoi(q.Get("count"))
		switch {
		case r.Header.Get("X-Subscription-Token") != BraveKey:
			BraveError(http.StatusUnprocessableEntity, "SUBSCRIPTION_TOKEN_INVALID", "The provided subscription token is invalid.", "{}")(w, r)
		case q.Get("q") == "" || err != nil || count > 20 || offset > 9:
			BraveError(http.StatusUnprocessableEntity, "VALIDATION", "Unable to validate request parameter(s)", "{}")(w, r)
		default:
			answerJSON(w, bravePage(q.Get("q"), offset, count))
		}
	})
	return NewFake(t, mux)
}

func bravePage(keyword string, offset, count int) any {
	results, main := []map[string]any{}, []map[string]any{}
	for i := range count {
		n := offset*count + i + 1
		if i == 0 && offset > 0 {
			n-- // pages overlap
		}
		results = append(results, map[string]any{
			"type": "search_result", "subtype": "generic", "title": fmt.Sprintf("Result %d", n), "description": "All about " + keyword + ".",
			"url": fmt.Sprintf("https://www.site-%03d.example/%s", n, strings.ReplaceAll(keyword, " ", "-")),
		})
		main = append(main, map[string]any{"type": "web", "index": i, "all": false})
	}
	return map[string]any{
		"type":  "search",
		"query": map[string]any{"original": keyword, "more_results_available": offset < 9, "country": "us"},
		"mixed": map[string]any{"type": "mixed", "main": main, "top": []any{}, "side": []any{}},
		"web":   map[string]any{"type": "search", "results": results, "family_friendly": true},
	}
}

// BraveError refuses as Brave does; meta is JSON. A limit is told by headers of its own.
func BraveError(status int, code, detail, meta string) Fault {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("X-RateLimit-Reset", "3, 1419704")
		w.WriteHeader(status)
		fmt.Fprintf(w, `{"type":"ErrorResponse","error":{"id":"00000000-0000-4000-8000-000000000001","status":%d,"code":%q,"detail":%q,"meta":%s},"time":1787389452}`, status, code, detail, meta)
	}
}
