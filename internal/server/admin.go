package server

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/pprof"
	"time"

	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// Admin is what only the operator may see: metrics and profiles.
func (s *Server) Admin() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(s.metrics.registry, promhttp.HandlerOpts{}))
	mux.HandleFunc("GET /debug/pprof/", pprof.Index)
	mux.HandleFunc("GET /debug/pprof/cmdline", pprof.Cmdline)
	mux.HandleFunc("GET /debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("GET /debug/pprof/symbol", pprof.Symbol)
	mux.HandleFunc("GET /debug/pprof/trace", pprof.Trace)
	return mux
}

// ServeAdmin answers the operator on a listener of its own until ctx ends.
func (s *Server) ServeAdmin(ctx context.Context, l net.Listener) error {
	h := &http.Server{Handler: s.Admin(), ReadHeaderTimeout: 5 * time.Second} // profiles take their time
	err := serve(ctx, h, l, time.Second)
	if errors.Is(err, context.DeadlineExceeded) {
		err = h.Close()
	}
	return err
}
