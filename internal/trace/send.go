package trace

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"strconv"
	"sync"
	"time"

	sdk "go.opentelemetry.io/otel/sdk/trace"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"
)

const (
	attempts   = 4
	firstPause = time.Second
	reportEach = 10 * time.Minute // while the collector does not take spans
	maxAnswer  = 64 << 10
)

// sender posts spans to a collector. OpenTelemetry's own speaks gRPC too, which would make the program several megabytes larger.
type sender struct {
	settings Settings
	http     *http.Client
	stopped  context.Context //nolint:containedctx // the SDK has no way to end an attempt
	abort    context.CancelFunc
}

func newSender(s Settings) *sender {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.TLSClientConfig = s.TLS
	to := &sender{settings: s, http: &http.Client{Transport: transport, Timeout: s.Timeout}}
	to.stopped, to.abort = context.WithCancel(context.Background())
	return to
}

// Start implements otlptrace.Client.
func (s *sender) Start(context.Context) error { return nil }

// Stop implements otlptrace.Client.
func (s *sender) Stop(context.Context) error {
	s.http.CloseIdleConnections()
	return nil
}

// UploadTraces implements otlptrace.Client. What may work later is tried again a few times.
func (s *sender) UploadTraces(ctx context.Context, spans []*tracepb.ResourceSpans) error {
	body, err := proto.Marshal(&tracepb.TracesData{ResourceSpans: spans}) // on the wire the same as the request that collectors take
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(s.stopped, cancel)()
	pause := firstPause
	for n := 1; ; n++ {
		again, after, err := s.post(ctx, body)
		if err == nil || !again || n == attempts {
			return err
		}
		select {
		case <-time.After(max(pause, after)):
		case <-ctx.Done():
			return err
		}
		pause *= 2
	}
}

// post sends a body once, and tells whether and after what time another attempt is worth it.
func (s *sender) post(ctx context.Context, body []byte) (again bool, after time.Duration, err error) {
	r, err := s.request(ctx, body)
	if err != nil {
		return false, 0, err
	}
	res, err := s.http.Do(r)
	if err != nil {
		var wrapped *url.Error
		if errors.As(err, &wrapped) { // its text repeats the URL, in which some vendors want a key
			err = wrapped.Err
		}
		return true, 0, err
	}
	defer func() { _ = res.Body.Close() }()
	_, _ = io.CopyN(io.Discard, res.Body, maxAnswer) // so that the connection can be used again
	switch res.StatusCode {
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		seconds, _ := strconv.Atoi(res.Header.Get("Retry-After"))
		return true, time.Duration(seconds) * time.Second, errors.New("it answered " + res.Status)
	}
	if res.StatusCode < 200 || res.StatusCode > 299 {
		return false, 0, errors.New("it answered " + res.Status)
	}
	return false, 0, nil
}

func (s *sender) request(ctx context.Context, body []byte) (*http.Request, error) {
	if !s.settings.Plain {
		var packed bytes.Buffer
		w := gzip.NewWriter(&packed)
		_, err := w.Write(body)
		if err := errors.Join(err, w.Close()); err != nil {
			return nil, err
		}
		body = packed.Bytes()
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, s.settings.Endpoint.String(), bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	r.Header = s.settings.Header.Clone()
	if r.Header == nil {
		r.Header = http.Header{}
	}
	r.Header.Set("Content-Type", "application/x-protobuf")
	r.Header.Set("User-Agent", "trigpoint")
	if !s.settings.Plain {
		r.Header.Set("Content-Encoding", "gzip")
	}
	return r, nil
}

// Reach tells whether the collector takes traces, by sending it none.
func Reach(ctx context.Context, s Settings) error {
	to := newSender(s)
	defer to.abort()
	defer to.http.CloseIdleConnections()
	if _, _, err := to.post(ctx, nil); err != nil {
		return fmt.Errorf("the collector at %s takes no traces: %w", s.Endpoint.Host, err)
	}
	return nil
}

// reporter logs that spans do not arrive: when that begins, once in a while, and when it ends.
type reporter struct {
	sdk.SpanExporter
	log *slog.Logger
	to  string

	mu   sync.Mutex
	last time.Time // of a report; zero while spans arrive
	lost int       // since then
}

// ExportSpans implements sdk.SpanExporter.
func (r *reporter) ExportSpans(ctx context.Context, spans []sdk.ReadOnlySpan) error {
	err := r.SpanExporter.ExportSpans(ctx, spans)
	r.mu.Lock()
	defer r.mu.Unlock()
	if err == nil {
		if !r.last.IsZero() {
			r.log.Info("traces are sent again", "collector", r.to)
		}
		r.last, r.lost = time.Time{}, 0
		return nil
	}
	r.lost += len(spans)
	if time.Since(r.last) >= reportEach {
		r.log.Warn("traces could not be sent; everything else goes on", "collector", r.to, "spans_lost", r.lost, "error", err)
		r.last, r.lost = time.Now(), 0
	}
	return nil
}
