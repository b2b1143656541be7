// Package trace tells a collector, as OpenTelemetry says, what a request or a round of background work did and how long
// each part of it took. It is off, and costs nothing, unless the environment names a collector.
//
// A Tracer begins traces, at the edge and where background work begins. What is done on the way hangs its spans on the one
// that the context holds, and needs no Tracer: without one there, nothing is noted. Spans tell shapes and outcomes. Values,
// error texts, paths and queries stay out of them, for they may hold secrets.
package trace

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/sdk/resource"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	otel "go.opentelemetry.io/otel/trace"
)

// scope names the program as the maker of its spans.
const scope = "github.com/trigpoint/trigpoint"

// Tracer begins traces. Nil is off.
type Tracer struct {
	spans  *sdk.TracerProvider
	tracer otel.Tracer
	sender *sender
}

// Start begins to send traces, if the settings name a collector; else the Tracer is nil. Whether the collector answers is
// seen later, and does not matter to the program.
func Start(ctx context.Context, s Settings, version string, log *slog.Logger) (*Tracer, error) {
	if s.Endpoint == nil {
		return nil, nil //nolint:nilnil // traces that are off are no error
	}
	of, err := resource.New(ctx,
		resource.WithAttributes(attribute.String("service.name", "trigpoint"), attribute.String("service.version", version)),
		resource.WithTelemetrySDK(), resource.WithHost(), resource.WithProcessPID(), resource.WithFromEnv())
	if err != nil {
		return nil, fmt.Errorf("traces: OTEL_RESOURCE_ATTRIBUTES must be name=value pairs with commas between them: %w", err)
	}
	to := newSender(s)
	exporter, err := otlptrace.New(ctx, to)
	if err != nil {
		return nil, fmt.Errorf("traces: %w", err)
	}
	batches := sdk.NewBatchSpanProcessor(&reporter{SpanExporter: exporter, log: log, to: s.Endpoint.Host})
	spans := sdk.NewTracerProvider(sdk.WithResource(of), sdk.WithSpanProcessor(newRounds(batches)))
	return &Tracer{spans: spans, tracer: spans.Tracer(scope), sender: to}, nil
}

// stopTime is what the last spans are given to arrive.
const stopTime = 3 * time.Second

// Stop sends what has not been sent. A collector that takes long goes without.
func (t *Tracer) Stop(ctx context.Context) {
	if t == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopTime)
	defer cancel()
	_ = t.spans.Shutdown(ctx) // what could not be sent has been told of
	t.sender.abort()
}

// Flush sends what has ended by now.
func (t *Tracer) Flush(ctx context.Context) error { return t.spans.ForceFlush(ctx) }

// Request begins the span of a request, within the trace that its headers name.
func (t *Tracer) Request(ctx context.Context, method string, h http.Header) (context.Context, Span) {
	if t == nil {
		return ctx, Span{}
	}
	ctx = propagation.TraceContext{}.Extract(ctx, propagation.HeaderCarrier(h))
	ctx, s := t.tracer.Start(ctx, method, otel.WithSpanKind(otel.SpanKindServer))
	return ctx, Span{s}
}

// Job begins the trace of a job, linked to the span that has caused it: see Cause.
func (t *Tracer) Job(ctx context.Context, kind, cause string) (context.Context, Span) {
	if t == nil {
		return ctx, Span{}
	}
	linked := propagation.TraceContext{}.Extract(context.Background(), propagation.MapCarrier{traceparent: cause})
	return t.begin(ctx, "job "+kind, otel.SpanContextFromContext(linked))
}

// Sweep begins the trace of a round of a sweep. It is sent only if the round has done more than look for work.
func (t *Tracer) Sweep(ctx context.Context, name string) (context.Context, Span) {
	if t == nil {
		return ctx, Span{}
	}
	return t.begin(ctx, sweepPrefix+name, otel.SpanContext{})
}

func (t *Tracer) begin(ctx context.Context, name string, cause otel.SpanContext) (context.Context, Span) {
	options := []otel.SpanStartOption{otel.WithNewRoot(), otel.WithSpanKind(otel.SpanKindConsumer)}
	if cause.IsValid() {
		options = append(options, otel.WithLinks(otel.Link{SpanContext: cause}))
	}
	ctx, s := t.tracer.Start(ctx, name, options...)
	return ctx, Span{s}
}
