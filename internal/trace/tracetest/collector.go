// Package tracetest is a collector of traces for tests, which takes OTLP over HTTP as real ones do.
package tracetest

import (
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"github.com/trigpoint/trigpoint/internal/trace"
)

// Collector keeps what it is sent.
type Collector struct {
	Settings trace.Settings // with which traces are sent to it

	server *httptest.Server
	mu     sync.Mutex
	raw    []byte
	spans  []*tracepb.Span
	of     []*commonpb.KeyValue // the resource
	asked  []http.Header
}

// New starts a collector. It ends with the test.
func New(t testing.TB) *Collector {
	t.Helper()
	c := &Collector{}
	c.server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := c.take(r); err != nil {
			t.Errorf("the collector was sent what it cannot read: %v", err)
			w.WriteHeader(http.StatusBadRequest)
		}
	}))
	t.Cleanup(c.server.Close)
	at, err := url.Parse(c.server.URL + "/v1/traces")
	if err != nil {
		t.Fatal(err)
	}
	c.Settings = trace.Settings{Endpoint: at, Timeout: 10 * time.Second}
	return c
}

// Tracer sends to the collector until the test ends.
func (c *Collector) Tracer(t testing.TB) *trace.Tracer {
	t.Helper()
	tracer, err := trace.Start(t.Context(), c.Settings, "test", slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { tracer.Stop(context.Background()) })
	return tracer
}

func (c *Collector) take(r *http.Request) error {
	body := io.Reader(r.Body)
	if r.Header.Get("Content-Encoding") == "gzip" {
		unpacked, err := gzip.NewReader(r.Body)
		if err != nil {
			return err
		}
		body = unpacked
	}
	raw, err := io.ReadAll(body)
	if err != nil {
		return err
	}
	var sent tracepb.TracesData
	if err := proto.Unmarshal(raw, &sent); err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.raw, c.asked = append(c.raw, raw...), append(c.asked, r.Header)
	for _, of := range sent.ResourceSpans {
		c.of = of.Resource.Attributes
		for _, within := range of.ScopeSpans {
			c.spans = append(c.spans, within.Spans...)
		}
	}
	return nil
}

// Spans are those that have arrived.
func (c *Collector) Spans() Spans {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.spans)
}

// Await flushes the tracer until what has arrived is enough.
func (c *Collector) Await(t testing.TB, tracer *trace.Tracer, enough func(Spans) bool) Spans {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	for {
		if err := tracer.Flush(ctx); err != nil {
			t.Fatalf("%v; what has arrived:\n%s", err, strings.Join(c.Spans().Names(), "\n"))
		}
		if all := c.Spans(); enough(all) {
			return all
		}
		select {
		case <-time.After(10 * time.Millisecond):
		case <-ctx.Done():
		}
	}
}

// Holds tells whether anything that was sent holds a text.
func (c *Collector) Holds(text string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return bytes.Contains(c.raw, []byte(text))
}

// Resource is what was told of the program.
func (c *Collector) Resource(key string) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return valueOf(c.of, key)
}

// Asked are the headers of the requests.
func (c *Collector) Asked() []http.Header {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.asked)
}

// Spans are parts of traces.
type Spans []*tracepb.Span

// Named are those of a name.
func (s Spans) Named(name string) (found Spans) {
	for _, one := range s {
		if one.Name == name {
			found = append(found, one)
		}
	}
	return found
}

// Below are those that hang on a span, at any depth.
func (s Spans) Below(top *tracepb.Span) (found Spans) {
	for _, one := range s {
		if bytes.Equal(one.ParentSpanId, top.SpanId) {
			found = append(append(found, one), s.Below(one)...)
		}
	}
	return found
}

// Names are the names.
func (s Spans) Names() []string {
	names := make([]string, len(s))
	for i, one := range s {
		names[i] = one.Name
	}
	return names
}

// Value is an attribute as text; "" when it is missing.
func Value(of *tracepb.Span, key string) string { return valueOf(of.Attributes, key) }

func valueOf(all []*commonpb.KeyValue, key string) string {
	for _, a := range all {
		if a.Key == key {
			if text, ok := a.Value.Value.(*commonpb.AnyValue_StringValue); ok {
				return text.StringValue
			}
			return strings.TrimPrefix(a.Value.String(), "int_value:")
		}
	}
	return ""
}
