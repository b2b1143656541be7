// Package overpasstest is an Overpass API over HTTP for tests. It answers as the real ones do, also in their bad hours.
package overpasstest

import (
	_ "embed" // answers
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync"
	"testing"
)

// Answers of an Overpass API.
var (
	//go:embed interpreter.json
	Interpreter string // a node, a way, a way of which nobody knows where it is, and a relation that is a place no longer
	//go:embed timeout.json
	Timeout string // a query that took too long
)

// query is the form of those that the fake understands.
var query = regexp.MustCompile(`^\[out:json\]\[timeout:\d+\];\s*\(\s*(nwr\["[a-z_:]+"\](\[~"[^"]+"~"[^"]*"\])?\(around:\d+,-?[\d.]+,-?[\d.]+\);\s*)+\);\s*out center tags;\s*$`)

// Server is the fake.
type Server struct {
	base  string
	mu    sync.Mutex
	asked map[string]int // by mood
	last  string         // query
}

// Start runs the fake until the test ends.
func Start(t testing.TB) *Server {
	t.Helper()
	s := &Server{asked: map[string]int{}}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /{mood}/api/interpreter", s.interpreter)
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	s.base = server.URL
	return s
}

// URL is that of the interpreter in a mood: well, or one of moods.
func (s *Server) URL(mood string) string { return s.base + "/" + mood + "/api/interpreter" }

// Asked tells how often the interpreter was asked in a mood.
func (s *Server) Asked(mood string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.asked[mood]
}

// Query is what was asked last.
func (s *Server) Query() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.last
}

func (s *Server) interpreter(w http.ResponseWriter, r *http.Request) {
	mood := r.PathValue("mood")
	s.mu.Lock()
	s.asked[mood]++
	s.last = r.PostFormValue("data")
	first := s.asked[mood] <= 2
	s.mu.Unlock()
	switch {
	case r.UserAgent() == "" || strings.HasPrefix(r.UserAgent(), "Go-http-client"):
		page(w, http.StatusNotAcceptable, "Please tell who you are.")
	case !query.MatchString(r.PostFormValue("data")):
		page(w, http.StatusBadRequest, "line 1: parse error: Unknown type &quot;data&quot;")
	case mood == "recovering" && first:
		w.Header().Set("Retry-After", "7")
		page(w, http.StatusTooManyRequests, "Please check /api/status for the quota of your IP address.")
	case moods[mood] != nil:
		moods[mood](w, r)
	default:
		data(w, Interpreter)
	}
}

// moods are what may become of a query, by name. A recovering server is busy twice, and then well.
var moods = map[string]func(http.ResponseWriter, *http.Request){
	"slow":        func(w http.ResponseWriter, _ *http.Request) { data(w, Timeout) },
	"interrupted": func(w http.ResponseWriter, _ *http.Request) { data(w, Interrupted()) },
	"cut":         func(w http.ResponseWriter, _ *http.Request) { data(w, Interpreter[:len(Interpreter)/2]) },
	"elsewhere":   func(w http.ResponseWriter, _ *http.Request) { data(w, `{"message":"hello"}`) },
	"refusing": func(w http.ResponseWriter, _ *http.Request) {
		page(w, http.StatusBadRequest, "line 2: parse error: Unknown query clause &quot;nwr&quot;")
	},
	"full": func(w http.ResponseWriter, _ *http.Request) {
		page(w, http.StatusTooManyRequests, "Please check /api/status for the quota of your IP address.")
	},
	"hours": func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "7200")
		page(w, http.StatusTooManyRequests, "rate_limited")
	},
	"overloaded": func(w http.ResponseWriter, _ *http.Request) {
		page(w, http.StatusGatewayTimeout, "runtime error: open64: 0 Success /osm3s_osm_base Dispatcher_Client::request_read_and_idx::timeout. The server is probably too busy to handle your request.")
	},
	"page": func(w http.ResponseWriter, _ *http.Request) {
		page(w, http.StatusOK, "runtime error: The server is probably too busy to handle your request.")
	},
	"website": func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, "<!doctype html><title>A map</title>")
	},
	"moved": func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "https://overpass.example/api/interpreter", http.StatusMovedPermanently)
	},
	"aborting": func(w http.ResponseWriter, _ *http.Request) {
		data(w, Interpreter[:len(Interpreter)/2])
		_ = http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler)
	},
	"silent": func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		<-r.Context().Done()
	},
}

// Interrupted is an answer whose query ran out of memory after its elements had been sent.
func Interrupted() string {
	end := strings.LastIndex(Interpreter, "}")
	return Interpreter[:end] + `, "remark": "runtime error: Query run out of memory in \"query\" at line 3 using about 512 MB of RAM."}`
}

func data(w http.ResponseWriter, text string) {
	w.Header().Set("Content-Type", "application/json")
	fmt.Fprint(w, text)
}

func page(w http.ResponseWriter, status int, message string) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	fmt.Fprintf(w, `<?xml version="1.0" encoding="UTF-8"?>
<html xmlns="http://www.w3.org/1999/xhtml"><head><title>OSM3S Response</title></head><body>
<p>The data included in this document is from www.openstreetmap.org. The data is made available under ODbL.</p>
<p><strong style="color:#FF0000">Error</strong>: %s </p>
</body></html>
`, message)
}
