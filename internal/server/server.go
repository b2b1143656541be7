// Package server is the listener: it mounts the areas, the public pages, the documents, the assistants' door and health, and
// wraps them in what holds for every request; a listener apart serves metrics and profiles. It knows no
// operation.
package server

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/trigpoint/trigpoint/internal/account"
	"github.com/trigpoint/trigpoint/internal/alert"
	"github.com/trigpoint/trigpoint/internal/basemap"
	"github.com/trigpoint/trigpoint/internal/clock"
	"github.com/trigpoint/trigpoint/internal/connection"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/desk"
	"github.com/trigpoint/trigpoint/internal/errs"
	"github.com/trigpoint/trigpoint/internal/httpapi"
	"github.com/trigpoint/trigpoint/internal/local"
	"github.com/trigpoint/trigpoint/internal/maprank"
	"github.com/trigpoint/trigpoint/internal/mcp"
	"github.com/trigpoint/trigpoint/internal/rankwatch"
	"github.com/trigpoint/trigpoint/internal/recipient"
	"github.com/trigpoint/trigpoint/internal/report"
	"github.com/trigpoint/trigpoint/internal/research"
	"github.com/trigpoint/trigpoint/internal/signin"
	"github.com/trigpoint/trigpoint/internal/source"
	"github.com/trigpoint/trigpoint/internal/spending"
	"github.com/trigpoint/trigpoint/internal/trace"
	"github.com/trigpoint/trigpoint/internal/webhook"
)

// Options are what the server serves.
type Options struct {
	DB        *db.DB
	Accounts  *account.Accounts
	Clock     clock.Clock
	Log       *slog.Logger
	PublicURL string
	Version   string // shown in the metrics
	Local     *local.Service
	MapRank   *maprank.Service
	Research  *research.Service
	RankWatch *rankwatch.Service

	Connections *connection.Connections
	Ledger      *source.Ledger
	SignIn      *signin.Service
	Desk        *desk.Desk
	Webhooks    *webhook.Service
	Alerts      *alert.Service
	Recipients  *recipient.Service
	Reports     *report.Service

	Dashboard fs.FS  // the web application as it was built; empty where it was not
	Start     Start  // what it is told as it starts
	Tokens    string // its colours and sizes, as CSS
	BaseMap   basemap.Map

	Tracer *trace.Tracer // of requests; nil is off

	TrustedProxies []netip.Prefix // whose word on a client's address is taken
	RequestMemory  int64          // bytes that the requests under way may hold
	Metrics        []prometheus.Collector
}

// Server answers HTTP requests.
type Server struct {
	options    Options
	mux        *http.ServeMux
	handler    http.Handler
	areas      []*httpapi.Area
	documents  []*document
	limits     *httpapi.Limiter
	metrics    *metrics
	assistants *mcp.Door
	origins    *http.CrossOriginProtection
	stopping   atomic.Bool
	proxied    sync.Once // a proxy that is not trusted has been told of
}

// New mounts everything.
func New(o Options) *Server {
	s := &Server{options: o, mux: http.NewServeMux(), limits: httpapi.NewLimiter(), metrics: newMetrics(o.Version, o.Metrics...), origins: crossOrigin(o.PublicURL)}
	edge := &httpapi.Edge{DB: o.DB, Accounts: o.Accounts, Clock: o.Clock, Limits: s.limits, Memory: httpapi.NewMemory(o.RequestMemory), Mux: s.mux, CrossOrigin: s.origins}
	s.mountAreas(edge)
	s.addDocuments()
	s.mountHome()
	o.Local.MountPublic(s.mux)
	o.Connections.MountPublic(s.mux)
	o.Desk.MountPublic(s.mux)
	o.Recipients.MountPublic(s.mux, s.limits)
	s.mux.HandleFunc("POST /oauth2/token", s.issueToken)
	s.assistants = mcp.NewDoor(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { s.handler.ServeHTTP(w, r) }), o.Version)
	s.mux.HandleFunc("/mcp", s.serveMCP)
	s.mux.HandleFunc("GET /openapi/{file}", s.serveDocument)
	s.mux.HandleFunc("GET /docs", s.serveDocs)
	s.mux.HandleFunc("GET /docs/{area}", s.serveDocs)
	s.mux.HandleFunc("GET /docs/try.js", serveDocsScript)
	s.mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("ok\n")) })
	s.mux.HandleFunc("GET /readyz", s.serveReady)
	s.mux.HandleFunc("/", s.serveUnknown)
	s.handler = s.wrap(compress(s.mux))
	return s
}

// crossOrigin lets pages of the public URL change things, also where a proxy in between changes the Host header.
func crossOrigin(publicURL string) *http.CrossOriginProtection {
	protection := http.NewCrossOriginProtection()
	if u, err := url.Parse(publicURL); err == nil {
		_ = protection.AddTrustedOrigin(u.Scheme + "://" + u.Host) // the configuration has been checked
	}
	return protection
}

func (s *Server) mountAreas(edge *httpapi.Edge) {
	area := httpapi.NewArea(edge, "local", local.Prefix, local.Scheme, httpapi.EnvelopeErrors, httpapi.Info{
		Title: "Trigpoint locations", Version: "1", Server: s.options.PublicURL,
		Description: "Business locations, their listings in directories, and their images.", Words: local.Words,
	})
	s.options.Local.Mount(area)
	s.areas = append(s.areas, area)

	area = httpapi.NewArea(edge, "map-rank-tracker", maprank.Prefix, maprank.Scheme, httpapi.EnvelopeErrors, httpapi.Info{
		Title: "Trigpoint map rank tracker", Version: "0", Server: s.options.PublicURL,
		Description: "Campaigns that track how visible a business is in map search results.", Words: maprank.Words,
	})
	s.options.MapRank.Mount(area)
	s.areas = append(s.areas, area)

	area = httpapi.NewArea(edge, "keyword", research.Prefix, research.Scheme, httpapi.PlainErrors, httpapi.Info{
		Title: "Trigpoint keywords", Version: "3", Server: s.options.PublicURL,
		Description: "Keyword rank tracking, keyword research and result pages.", Words: rankwatch.Words.Merge(research.Words),
	})
	s.options.RankWatch.Mount(area)
	s.options.Research.Mount(area)
	s.areas = append(s.areas, area)

	area = httpapi.NewArea(edge, "account", httpapi.AccountPrefix, httpapi.AccountScheme, httpapi.EnvelopeErrors, httpapi.Info{
		Title: "Trigpoint account", Version: "1", Server: s.options.PublicURL,
		Description: "What belongs to an account and to no area: who is signed in and how, its keys and tokens, what it uses of its plan, its brand, what it shares, services of Google's that it has connected, who is told of what happens in it, alerts, reports of it to hand over, and what asking data providers has cost it.",
		Words:       signin.Words.Merge(connection.Words, spending.Words, desk.Words, webhook.Words, alert.Words, report.Words),
	})
	s.options.SignIn.Mount(area)
	s.options.Connections.Mount(area)
	spending.Routes{Ledger: s.options.Ledger}.Mount(area)
	s.options.Desk.Mount(area)
	s.options.Webhooks.Mount(area)
	s.options.Alerts.Mount(area)
	s.options.Recipients.Mount(area)
	s.options.Reports.Mount(area)
	s.describeTokens(area)
	s.areas = append(s.areas, area)
}

// Handler is the whole service.
func (s *Server) Handler() http.Handler { return s.handler }

// Areas lists what is mounted, for tests that walk every operation.
func (s *Server) Areas() []*httpapi.Area { return s.areas }

// Serve answers on the listener until ctx ends, then finishes the requests under way within grace.
func (s *Server) Serve(ctx context.Context, l net.Listener, grace time.Duration) error {
	h := &http.Server{
		Handler:           s.handler,
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       2 * time.Minute, // operations bound their bodies and answers more tightly
		WriteTimeout:      5 * time.Minute,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    64 << 10,
		ErrorLog:          slog.NewLogLogger(s.options.Log.Handler(), slog.LevelDebug),
	}
	context.AfterFunc(ctx, func() { s.stopping.Store(true) })
	err := serve(ctx, h, l, grace)
	if errors.Is(err, context.DeadlineExceeded) {
		s.options.Log.Warn("requests were still under way after the grace period")
		err = h.Close()
	}
	return err
}

// serve answers until ctx ends, then waits for the requests under way; DeadlineExceeded says that some
// still were when grace was over.
func serve(ctx context.Context, h *http.Server, l net.Listener, grace time.Duration) error {
	served := make(chan error, 1)
	go func() { served <- h.Serve(l) }()
	select {
	case err := <-served:
		return err
	case <-ctx.Done():
	}
	end, cancel := context.WithTimeout(context.WithoutCancel(ctx), grace)
	defer cancel()
	return h.Shutdown(end)
}

func (s *Server) serveReady(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), 2*time.Second)
	defer cancel()
	if s.stopping.Load() {
		http.Error(w, "stopping", http.StatusServiceUnavailable)
		return
	}
	if err := s.options.DB.Ping(ctx); err != nil {
		s.options.Log.Warn("not ready", "error", err)
		http.Error(w, "the store does not answer", http.StatusServiceUnavailable)
		return
	}
	_, _ = w.Write([]byte("ready\n"))
}

// areaOf finds the area that a path belongs to; paths outside all areas answer as the first does.
func (s *Server) areaOf(path string) (area *httpapi.Area, inside bool) {
	for _, a := range s.areas {
		if strings.HasPrefix(path, a.Prefix) {
			return a, true
		}
	}
	return s.areas[0], false
}

// fail answers with an error in the shape of the area that the path belongs to.
func (s *Server) fail(w http.ResponseWriter, r *http.Request, err error) {
	area, _ := s.areaOf(r.URL.Path)
	area.Fail(w, httpapi.From(r.Context()), err)
}

// serveUnknown answers what no pattern matches: 405 when the path is known with another method.
func (s *Server) serveUnknown(w http.ResponseWriter, r *http.Request) {
	var allowed []string
	for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete} {
		other := r.Clone(r.Context())
		other.Method = method
		if _, pattern := s.mux.Handler(other); pattern != "/" {
			allowed = append(allowed, method)
			_, r.Pattern, _ = strings.Cut(pattern, " ") // as which metrics and traces know the path
		}
	}
	var err *errs.Error
	if len(allowed) > 0 {
		w.Header().Set("Allow", strings.Join(allowed, ", "))
		err = errs.New(errs.Method, "%s is not allowed here; use %s.", r.Method, strings.Join(allowed, " or "))
	} else {
		err = errs.New(errs.NotFound, "There is nothing at %.200s.", r.URL.Path)
	}
	s.fail(w, r, err)
}
