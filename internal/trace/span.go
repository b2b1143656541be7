package trace

import (
	"context"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	otel "go.opentelemetry.io/otel/trace"
)

// Transaction is the name of spans around statements that are committed together.
const Transaction = "transaction"

const (
	traceparent = "traceparent"
	rows        = "trigpoint.rows"
)

// Span is a part of a trace. The zero Span is off: all of its methods do nothing, and cost nothing.
type Span struct{ of otel.Span }

// On tells whether what is done with the context is noted. It is asked where a name or value would cost something to make.
func On(ctx context.Context) bool { return otel.SpanFromContext(ctx).IsRecording() }

// Begin notes a part of what the program does within the span of the context.
func Begin(ctx context.Context, name string) (context.Context, Span) {
	return begin(ctx, name, otel.SpanKindInternal)
}

// BeginCall is Begin for asking another program, such as a database or a vendor.
func BeginCall(ctx context.Context, name string) (context.Context, Span) {
	return begin(ctx, name, otel.SpanKindClient)
}

func begin(ctx context.Context, name string, kind otel.SpanKind) (context.Context, Span) {
	within := otel.SpanFromContext(ctx)
	if !within.IsRecording() {
		return ctx, Span{}
	}
	ctx, s := within.TracerProvider().Tracer(scope).Start(ctx, name, otel.WithSpanKind(kind))
	return ctx, Span{s}
}

// BeginApart begins a trace of its own, linked to the span of the context: for one of so many pieces of work that a single
// trace of all would be of no use.
func BeginApart(ctx context.Context, name string) (context.Context, Span) {
	cause := otel.SpanFromContext(ctx)
	if !cause.SpanContext().IsValid() {
		return ctx, Span{}
	}
	ctx, s := cause.TracerProvider().Tracer(scope).Start(ctx, name,
		otel.WithNewRoot(), otel.WithSpanKind(otel.SpanKindConsumer), otel.WithLinks(otel.Link{SpanContext: cause.SpanContext()}))
	return ctx, Span{s}
}

// Cause names the span of the context, for work that is done later; "" without one.
func Cause(ctx context.Context) string {
	if !otel.SpanContextFromContext(ctx).IsValid() {
		return ""
	}
	carried := propagation.MapCarrier{}
	propagation.TraceContext{}.Inject(ctx, carried)
	return carried[traceparent]
}

// On tells whether the span is noted, and not left out by the sampler.
func (s Span) On() bool { return s.of != nil && s.of.IsRecording() }

// In is a context within the span.
func (s Span) In(ctx context.Context) context.Context {
	if s.of == nil {
		return ctx
	}
	return otel.ContextWithSpan(ctx, s.of)
}

// TraceID names the trace; "" when it is off.
func (s Span) TraceID() string {
	if s.of == nil {
		return ""
	}
	return s.of.SpanContext().TraceID().String()
}

// Rename names the span by what was not known when it began.
func (s Span) Rename(name string) {
	if s.of != nil {
		s.of.SetName(name)
	}
}

// Set notes a text. It must be no secret.
func (s Span) Set(key, value string) {
	if s.On() {
		s.of.SetAttributes(attribute.String(key, value))
	}
}

// SetInt notes a number.
func (s Span) SetInt(key string, value int) {
	if s.On() {
		s.of.SetAttributes(attribute.Int(key, value))
	}
}

// Rows notes how many rows a statement has found or changed.
func (s Span) Rows(n int) { s.SetInt(rows, n) }

// Fail notes that what was done has failed, and a word for why. The text of an error is no such word: it may hold a secret.
func (s Span) Fail(why string) {
	if s.On() {
		s.of.SetAttributes(attribute.String("error.type", why))
		s.of.SetStatus(codes.Error, "")
	}
}

// End ends the span.
func (s Span) End() {
	if s.of != nil {
		s.of.End()
	}
}
