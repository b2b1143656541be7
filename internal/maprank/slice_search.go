package maprank

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/trigpoint/trigpoint/internal/job"
	"github.com/trigpoint/trigpoint/internal/maprank/result"
	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/source"
)

const (
	batchPoints = 150 // results stored together at most
	lastAnswers = 25 * time.Second
	maxFailures = 10 // in a row, before a round ends early and the provider is left alone
)

// askSlice asks the missing points of a slice, as many at once as the provider allows. It starts no more
// searches when its time is up, and stores results on the way.
func (s *Service) askSlice(ctx context.Context, sl *slice, from source.Source[MapProvider], attempt int) (round, error) {
	missing := sl.missing()
	if len(missing) == 0 {
		return round{}, nil
	}
	d := from.Describe()
	_, others := s.sources.After(d.Name)
	asking := asking{service: s, slice: sl, from: from, until: s.lastSearch(ctx), round: round{others: others, promised: d.Later}}
	var err error
	if asking.round.reserved, err = s.ledger.Reserve(ctx, d, sl.account, d.Prices.Map, len(missing)); err != nil {
		if provider.KindOf(err) == provider.Unknown {
			return round{}, err
		}
		refused := answer{err: err}
		asking.round.take(&refused)
		if refused.Failed {
			asking.round.fault, asking.round.hopeless = asking.round.final, true
		}
		return asking.round, nil
	}
	missing = missing[:asking.round.reserved.Questions] // the rest finds the budget used up
	ctx, cancel := context.WithDeadline(source.WithPurpose(ctx, sl.purpose), asking.until.Add(lastAnswers))
	defer cancel()
	if others {
		ctx = provider.Impatient(ctx)
	}
	crew := job.Crew[int, *answer]{
		Workers: min(max(d.Pace.Concurrent, 1), len(missing)), Work: asking.ask,
		Batch: batchPoints, Every: s.pace.Flush, Keep: func(batch []*answer) error {
			owed := sl.charge(batch)
			err := s.store(ctx, sl, attempt, arrivals(batch), owed)
			if err != nil {
				asking.owe(owed)
			}
			if errors.Is(err, errGone) || errors.Is(err, errMoved) {
				asking.dropped.Store(true) // searches under way go on: they are paid for
			} else if err != nil {
				cancel()
			}
			return err
		},
	}
	left, err := crew.Run(ctx, func(give func(point int) bool) error {
		for _, point := range missing {
			if !give(point) {
				break
			}
		}
		return nil
	})
	if errors.Is(err, errGone) || errors.Is(err, errMoved) {
		err = nil
	}
	asking.round.pending = arrivals(left)
	asking.owe(sl.charge(left))
	return asking.round, err
}

// lastSearch is until when a round starts searches. At least half of the time that its job has is for the answers under
// way: cancelled, they would be asked and paid for again.
func (s *Service) lastSearch(ctx context.Context) time.Time {
	now := time.Now()
	until := now.Add(s.pace.Slice)
	if end, limited := ctx.Deadline(); limited && now.Add(end.Sub(now)/2).Before(until) {
		until = now.Add(end.Sub(now) / 2)
	}
	return until
}

// charge adds up what answers have cost.
func (sl *slice) charge(answers []*answer) source.Charge {
	sum := source.Charge{Provider: sl.from, Purpose: sl.purpose}
	for _, a := range answers {
		requests, cost := a.bill.Total()
		sum.Requests, sum.Cost = sum.Requests+requests, sum.Cost+cost
	}
	return sum
}

// owe keeps a cost in mind that is still to be recorded.
func (q *asking) owe(c source.Charge) {
	q.mu.Lock()
	defer q.mu.Unlock()
	c.Requests, c.Cost = c.Requests+q.round.owed.Requests, c.Cost+q.round.owed.Cost
	q.round.owed = c
}

// arrivals are what there is to store of answers.
func arrivals(answers []*answer) []result.Arrival {
	var arrived []result.Arrival
	for _, a := range answers {
		if a.arrived {
			arrived = append(arrived, a.Arrival)
		}
	}
	return arrived
}

// asking is the searches of one round.
type asking struct {
	service *Service
	slice   *slice
	from    source.Source[MapProvider]
	until   time.Time
	dropped atomic.Bool // searches that wait for their turn are not sent

	mu      sync.Mutex // guards what follows, and what has arrived of the slice
	round   round
	failing int  // answers in a row that were none
	stopped bool // no more searches are started
}

// ask searches at a point, unless the round is over.
func (q *asking) ask(ctx context.Context, point int) *answer {
	a := &answer{Arrival: result.Arrival{Point: point}}
	if q.over() {
		return a
	}
	a.Businesses, a.err = q.search(provider.WithBill(ctx, &a.bill), point)
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.failing++; q.round.take(a) {
		q.failing = 0
	}
	if a.arrived {
		q.slice.arrived[point] = true
	}
	if r := &q.round; r.fatal || r.resting || r.refused || r.wait > 0 || q.failing >= maxFailures {
		q.stopped = true
	}
	return a
}

func (q *asking) over() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.stopped || q.dropped.Load() || !time.Now().Before(q.until)
}

// search asks the provider about one point. One answer that it cannot read must not end the whole program.
func (q *asking) search(ctx context.Context, point int) (businesses []result.Business, err error) {
	defer func() {
		if p := recover(); p != nil {
			businesses, err = nil, fmt.Errorf("panic while searching: %v", p)
			q.service.log.Error("a map search panicked", "report", q.slice.ReportID, "point", point, "panic", p)
		}
	}()
	at := q.slice.points[point].Coordinates
	query := provider.MapQuery{
		Keyword: q.slice.keyword, At: provider.Point{Lat: at.Lat, Lng: at.Lng}, Country: q.slice.country,
		Key: fmt.Sprintf("%s/%s/%d", q.slice.ReportID, q.slice.KeywordID, point),
	}
	found, err := provider.Call(ctx, q.from.Caller, func(ctx context.Context) ([]provider.Business, error) {
		if q.dropped.Load() {
			return nil, errGone
		}
		return q.from.Provider.SearchMap(ctx, query)
	})
	if err != nil {
		return nil, err
	}
	businesses = make([]result.Business, min(len(found), result.MaxRank))
	for i := range businesses {
		businesses[i] = newBusiness(found[i])
	}
	return businesses, nil
}

// take notes an answer and tells whether it was one, or is promised.
func (r *round) take(a *answer) bool {
	var known *provider.Error
	switch errors.As(a.err, &known); {
	case a.err == nil:
		r.progress = true
	case known == nil:
		r.fault = "The searches took too long."
		return false
	case known.Kind == provider.Pending:
		r.later = max(r.later, known.RetryAfter)
		return true
	case provider.Resting(known):
		r.resting, r.fault, r.failing, r.wait = true, known.Message, known.Message, max(r.wait, known.RetryAfter)
		return false
	case source.MovesOn(known) && (r.others || !r.promised && known.Kind != provider.OverBudget):
		r.fatal, r.final = true, known.Message
		if known.Kind != provider.OverBudget {
			r.failing = known.Message
		}
		return false
	case known.Kind.Retryable() || known.Kind == provider.Unknown:
		r.fault, r.wait = known.Message, max(r.wait, known.RetryAfter)
		r.refused = r.refused || known.Kind == provider.RateLimited
		return false
	default: // it will never be answered, or not be paid for; what is promised still comes
		r.final, a.Failed = known.Message, true
	}
	a.arrived = true
	return a.err == nil
}
