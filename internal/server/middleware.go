package server

import (
	"context"
	"log/slog"
	"net/http"
	"path"
	"runtime/debug"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/trigpoint/trigpoint/internal/directory"
	"github.com/trigpoint/trigpoint/internal/errs"
	"github.com/trigpoint/trigpoint/internal/httpapi"
	"github.com/trigpoint/trigpoint/internal/id"
	"github.com/trigpoint/trigpoint/internal/trace"
)

// recorder remembers what was answered.
type recorder struct {
	http.ResponseWriter
	status int
	bytes  int64
}

func (r *recorder) WriteHeader(status int) {
	if r.status == 0 {
		r.status = status
	}
	r.ResponseWriter.WriteHeader(status)
}

func (r *recorder) Write(p []byte) (int, error) {
	if r.status == 0 {
		r.status = http.StatusOK
	}
	n, err := r.ResponseWriter.Write(p)
	r.bytes += int64(n)
	return n, err
}

// Unwrap lets http.ResponseController reach the connection.
func (r *recorder) Unwrap() http.ResponseWriter { return r.ResponseWriter }

// requestTime bounds any request; operations bound themselves more tightly.
const requestTime = 3 * time.Minute

// wrap gives every request its id, and an entry in the log and the metrics, whatever happens to it.
func (s *Server) wrap(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		start := time.Now()
		s.noteProxy(r)
		req := &httpapi.Request{ID: requestID(r.Header), Client: clientAddr(r, s.options.TrustedProxies), HTTPS: httpapi.IsHTTPS(s.options.PublicURL)}
		w.Header().Set("X-Request-Id", req.ID)
		w.Header().Set("X-Content-Type-Options", "nosniff")
		if _, api := s.areaOf(r.URL.Path); api {
			w.Header().Set("Cache-Control", "no-store")
		}
		rec := &recorder{ResponseWriter: w}
		ctx, span := s.options.Tracer.Request(r.Context(), method(r), r.Header)
		defer span.End()
		ctx, cancel := context.WithTimeout(httpapi.WithRequest(ctx, req), requestTime)
		defer cancel()
		r = r.WithContext(ctx)
		defer func() {
			p := recover()
			if p != nil && p != http.ErrAbortHandler { //nolint:errorlint // net/http compares it this way
				s.afterPanic(rec, r, req, p)
				p = nil
			}
			s.note(rec, r, req, time.Since(start), span)
			if p != nil {
				panic(p) // which drops the connection
			}
		}()
		if !servable(r.URL.Path) {
			s.fail(rec, r, errs.New(errs.NotFound, "There is nothing at this path."))
			return
		}
		next.ServeHTTP(rec, r)
	})
}

// noteProxy warns, once, of a proxy that was not told of: all who come through it share its address in the limits.
func (s *Server) noteProxy(r *http.Request) {
	if len(s.options.TrustedProxies) > 0 || r.Header.Get("X-Forwarded-For") == "" && r.Header.Get("Forwarded") == "" {
		return
	}
	s.proxied.Do(func() {
		s.options.Log.Warn("requests come through a proxy, and no proxy is trusted: all people share its address, and with it the limit on failed sign-ins. Set TRIGPOINT_TRUSTED_PROXIES to its network", "proxy", r.RemoteAddr)
	})
}

// servable refuses paths that no record has, such as those with a NUL, and those that the mux would
// redirect to a cleaner spelling.
func servable(p string) bool {
	return utf8.ValidString(p) && !strings.ContainsRune(p, 0) && (p == "/" || strings.TrimSuffix(path.Clean(p), "/") == strings.TrimSuffix(p, "/"))
}

// requestID takes the client's id when it is sane.
func requestID(h http.Header) string {
	given := h.Get("X-Request-Id")
	if given == "" || len(given) > 128 {
		return id.New()
	}
	for i := range len(given) {
		if given[i] < 0x21 || given[i] > 0x7e {
			return id.New()
		}
	}
	return given
}

func (s *Server) afterPanic(rec *recorder, r *http.Request, req *httpapi.Request, p any) {
	s.options.Log.Error("panic", "request_id", req.ID, "panic", p, "stack", string(debug.Stack()))
	if rec.status == 0 {
		s.fail(rec, r, errs.New(errs.Internal, "Internal error; the request id helps to find it in the log."))
	}
}

// note writes the access log. Bodies, queries and credentials are never in it.
func (s *Server) note(rec *recorder, r *http.Request, req *httpapi.Request, took time.Duration, span trace.Span) {
	if rec.status == 0 {
		rec.status = http.StatusOK
	}
	s.metrics.observe(r.Pattern, method(r), rec.status, took)
	if span.On() {
		tell(span, rec.status, r, req)
	}
	level := slog.LevelInfo
	if rec.status >= 500 {
		level = slog.LevelError
	}
	if !s.options.Log.Enabled(r.Context(), level) {
		return
	}
	shown := r.URL.Path
	if strings.Contains(shown, strings.Trim(directory.FeedPath, "/")) {
		shown = directory.FeedPath + "…" // the rest is a secret
	}
	attrs := []slog.Attr{
		slog.String("request_id", req.ID), slog.String("method", r.Method), slog.String("path", shown),
		slog.Int("status", rec.status), slog.Int64("bytes", rec.bytes), slog.Duration("took", took),
		slog.String("client", req.Client.String()),
	}
	if req.Principal.AccountID != "" {
		attrs = append(attrs, slog.String("account", req.Principal.AccountID))
	}
	if id := span.TraceID(); id != "" {
		attrs = append(attrs, slog.String("trace_id", id))
	}
	if req.Fault != nil {
		attrs = append(attrs, slog.String("error", req.Fault.Error()))
	}
	s.options.Log.LogAttrs(r.Context(), level, "request", attrs...)
}

// method is a request's, or "other": a client's invention must not grow the tables of metrics and traces.
func method(r *http.Request) string {
	switch r.Method {
	case "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS":
		return r.Method
	}
	return "other"
}

// tell notes a request by its route. Its path is left out, for it may hold a share token or the secret of a feed.
func tell(span trace.Span, status int, r *http.Request, req *httpapi.Request) {
	route := r.Pattern
	if _, path, ok := strings.Cut(route, " "); ok {
		route = path
	}
	span.Rename(strings.TrimSpace(method(r) + " " + route))
	span.Set("http.request.method", method(r))
	span.Set("http.route", route)
	span.SetInt("http.response.status_code", status)
	span.Set("trigpoint.request_id", req.ID)
	if req.Principal.AccountID != "" {
		span.Set("trigpoint.account", req.Principal.AccountID)
	}
	if status >= http.StatusInternalServerError {
		span.Fail(strconv.Itoa(status))
	}
}
