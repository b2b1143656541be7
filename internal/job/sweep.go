package job

import (
	"context"
	"time"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/trace"
)

// Sweep does work that rows call for by their own state. Run is called at start, unless that can wait, every interval and at
// each Wake; when it says that there is more, it is called again at once.
type Sweep struct {
	Name    string
	Every   time.Duration
	Gather  time.Duration // from a Wake to the call, so that what comes in a burst is done together; may be 0
	Run     func(ctx context.Context) (more bool, err error)
	Reclaim func(ctx context.Context, tx *db.Tx) error // frees what a dead process had claimed; may be nil
	Later   bool                                       // it is not called at start
	Renews  bool                                       // it only holds on to what this process has, which no trace tells of
	Due     string                                     // SELECT of the earliest microsecond at which a row is due, for the operator; may be empty

	wake chan struct{}
}

// Sweep adds a sweep.
func (r *Runner) Sweep(s *Sweep) *Sweep {
	s.wake = make(chan struct{}, 1)
	r.sweeps = append(r.sweeps, s)
	return s
}

// Wake makes the sweep look now, in this process.
func (s *Sweep) Wake() {
	select {
	case s.wake <- struct{}{}:
	default: // it will look anyway
	}
}

func (s *Sweep) loop(ctx context.Context, r *Runner) {
	tick := time.NewTicker(s.Every)
	defer tick.Stop()
	for first := true; ; first = false {
		if (!first || !s.Later) && s.round(ctx, r) && ctx.Err() == nil {
			continue
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		case <-s.wake:
			select {
			case <-ctx.Done():
				return
			case <-time.After(s.Gather):
			}
		}
	}
}

// round runs the sweep once and tells whether there is more to do at once.
func (s *Sweep) round(ctx context.Context, r *Runner) (more bool) {
	began := time.Now()
	traced, span := ctx, trace.Span{}
	if !s.Renews {
		traced, span = r.tracer.Sweep(ctx, s.Name)
	}
	defer span.End()
	more, err := s.Run(traced)
	outcome := outcomeOf(err)
	endWork(span, outcome)
	r.meter.sweep(s.Name, outcome, began)
	if err != nil && ctx.Err() == nil {
		log := r.log
		if id := span.TraceID(); id != "" {
			log = log.With("trace_id", id)
		}
		log.Error("background work failed; it is tried again", "work", s.Name, "error", err)
	}
	return more && err == nil
}
