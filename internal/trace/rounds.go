package trace

import (
	"context"
	"slices"
	"strings"
	"sync"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	otel "go.opentelemetry.io/otel/trace"
)

const (
	sweepPrefix = "sweep "
	maxHeld     = 256 // spans of a round; one that asks so much has something to tell
)

// inVain marks a statement that found no row, such as one that claims what is due.
var inVain = attribute.Int(rows, 0)

// rounds holds back the spans of a sweep's round until one of them does more than look. Sweeps look every few seconds and
// mostly find nothing to do; a collector would be told of little else.
type rounds struct {
	sdk.SpanProcessor
	mu   sync.Mutex
	held map[otel.TraceID][]sdk.ReadOnlySpan
}

func newRounds(next sdk.SpanProcessor) *rounds {
	return &rounds{SpanProcessor: next, held: map[otel.TraceID][]sdk.ReadOnlySpan{}}
}

// OnStart implements sdk.SpanProcessor.
func (r *rounds) OnStart(ctx context.Context, s sdk.ReadWriteSpan) {
	if !s.Parent().IsValid() && strings.HasPrefix(s.Name(), sweepPrefix) {
		r.mu.Lock()
		r.held[s.SpanContext().TraceID()] = nil
		r.mu.Unlock()
	}
	r.SpanProcessor.OnStart(ctx, s)
}

// OnEnd implements sdk.SpanProcessor.
func (r *rounds) OnEnd(s sdk.ReadOnlySpan) {
	for _, free := range r.take(s) {
		r.SpanProcessor.OnEnd(free)
	}
}

// take returns the spans that are to be sent now.
func (r *rounds) take(s sdk.ReadOnlySpan) []sdk.ReadOnlySpan {
	r.mu.Lock()
	defer r.mu.Unlock()
	of := s.SpanContext().TraceID()
	held, holding := r.held[of]
	if !holding {
		return []sdk.ReadOnlySpan{s}
	}
	held = append(held, s)
	switch {
	case !looks(s) || len(held) > maxHeld:
		delete(r.held, of)
		return held
	case !s.Parent().IsValid(): // the round has ended
		delete(r.held, of)
		return nil
	}
	r.held[of] = held
	return nil
}

// looks tells whether a span has changed nothing and asked nobody but the store.
func looks(s sdk.ReadOnlySpan) bool {
	name := s.Name()
	return s.Status().Code != codes.Error &&
		(name == Transaction || strings.HasPrefix(name, "SELECT") || strings.HasPrefix(name, sweepPrefix) || slices.Contains(s.Attributes(), inVain))
}
