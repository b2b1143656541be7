package maprank

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/trigpoint/trigpoint/internal/maprank/result"
	"github.com/trigpoint/trigpoint/internal/provider"
)

const (
	batchPoints = 150 // results stored together at most
	lastAnswers = 25 * time.Second
	maxFailures = 10 // in a row, before a round ends early and the provider is left alone
)

// askSlice asks the missing points of a slice, as many at once as the provider allows. It stops to start
// new searches when its time is up, and stores results on the way.
func (s *Service) askSlice(ctx context.Context, sl *slice, attempt int) (round, error) {
	missing := sl.missing()
	if len(missing) == 0 {
		return round{}, nil
	}
	start := time.Now()
	ctx, cancel := context.WithDeadline(ctx, start.Add(s.pace.Slice+lastAnswers))
	defer cancel()
	asking := asking{service: s, slice: sl, missing: missing, until: start.Add(s.pace.Slice)}
	answers := asking.run(ctx)

	var r round
	flush := time.NewTicker(s.pace.Flush)
	defer flush.Stop()
	inARow := 0
	for {
		due := false
		select {
		case a, open := <-answers:
			if !open {
				return r, nil
			}
			inARow++
			if r.take(sl, a) {
				inARow = 0
			}
			if r.fatal || r.refused || r.wait > 0 || inARow >= maxFailures {
				asking.stop()
			}
		case <-flush.C:
			due = true
		}
		if len(r.pending) == 0 || !due && len(r.pending) < batchPoints {
			continue
		}
		err := s.store(ctx, sl, attempt, r.pending)
		if errors.Is(err, errGone) {
			asking.drop()
			for a := range answers { // of the searches under way: they are paid for
				r.take(sl, a)
			}
			return r, nil
		}
		if err != nil {
			cancel()
			for range answers { // the searches under way end with their context
			}
			return r, err
		}
		r.pending = r.pending[:0]
	}
}

// take notes an answer and tells whether it was one.
func (r *round) take(sl *slice, a answer) bool {
	var known *provider.Error
	switch errors.As(a.err, &known); {
	case a.err == nil:
		r.progress = true
	case known == nil:
		r.fault = "The searches took too long."
		return false
	case known.Kind == provider.Unauthorized || known.Kind == provider.QuotaSpent:
		r.fatal, r.final = true, known.Message
		return false
	case known.Kind.Retryable() || known.Kind == provider.Unknown:
		r.fault, r.wait = known.Message, max(r.wait, known.RetryAfter)
		r.refused = r.refused || known.Kind == provider.RateLimited
		return false
	default: // it will never be answered
		r.final, a.Failed = known.Message, true
	}
	sl.arrived[a.Point] = true
	r.pending = append(r.pending, a.Arrival)
	return a.err == nil
}

// asking is the searches of one round.
type asking struct {
	service *Service
	slice   *slice
	missing []int
	until   time.Time
	next    atomic.Int64
	stopped atomic.Bool // starts no more searches
	dropped atomic.Bool // and those that wait for their turn are not sent
}

func (q *asking) stop() { q.stopped.Store(true) }

func (q *asking) drop() {
	q.stop()
	q.dropped.Store(true)
}

// run starts the searches; the channel is closed after the last answer.
func (q *asking) run(ctx context.Context) <-chan answer {
	atOnce := min(max(q.service.provider.Describe().Pace.Concurrent, 1), len(q.missing))
	answers := make(chan answer, atOnce)
	var running sync.WaitGroup
	for range atOnce {
		running.Go(func() {
			for !q.stopped.Load() && ctx.Err() == nil && time.Now().Before(q.until) {
				i := int(q.next.Add(1)) - 1
				if i >= len(q.missing) {
					return
				}
				answers <- q.ask(ctx, q.missing[i])
			}
		})
	}
	go func() {
		running.Wait()
		close(answers)
	}()
	return answers
}

func (q *asking) ask(ctx context.Context, point int) answer {
	at := q.slice.points[point].Coordinates
	query := provider.MapQuery{Keyword: q.slice.keyword, At: provider.Point{Lat: at.Lat, Lng: at.Lng}, Country: q.slice.country}
	found, err := provider.Call(ctx, q.service.caller, func(ctx context.Context) ([]provider.Business, error) {
		if q.dropped.Load() {
			return nil, errGone
		}
		return q.service.provider.SearchMap(ctx, query)
	})
	a := answer{Arrival: result.Arrival{Point: point}, err: err}
	if err == nil {
		found = found[:min(len(found), result.MaxRank)]
		a.Businesses = make([]result.Business, len(found))
		for i := range found {
			a.Businesses[i] = newBusiness(found[i])
		}
	}
	return a
}
