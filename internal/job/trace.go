package job

import (
	"context"
	"encoding/json"

	"github.com/riverqueue/river/rivertype"

	"github.com/trigpoint/trigpoint/internal/trace"
)

// cause is what a job's row says of the request or work that has ordered it.
type cause struct {
	Traceparent string `json:"traceparent"`
}

// withCause notes in a job's row where it comes from.
func withCause(ctx context.Context, o *Insert) *Insert {
	if !trace.On(ctx) {
		return o
	}
	with := Insert{}
	if o != nil {
		with = *o
	}
	if with.Metadata != nil { // it has a use of its own
		return o
	}
	with.Metadata, _ = json.Marshal(cause{trace.Cause(ctx)}) // a text can always be written
	return &with
}

// beginJob begins the trace of a job.
func (r *Runner) beginJob(ctx context.Context, j *rivertype.JobRow) (context.Context, trace.Span) {
	if r.tracer == nil {
		return ctx, trace.Span{}
	}
	var from cause
	_ = json.Unmarshal(j.Metadata, &from) // who has ordered it is not known of every job
	ctx, span := r.tracer.Job(ctx, j.Kind, from.Traceparent)
	span.SetInt("trigpoint.job.id", int(j.ID))
	span.SetInt("trigpoint.job.attempt", j.Attempt)
	return ctx, span
}

// endWork notes what came of a job or of a round.
func endWork(span trace.Span, outcome string) {
	span.Set("trigpoint.outcome", outcome)
	if outcome == failed {
		span.Fail(outcome)
	}
}
