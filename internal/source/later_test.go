package source_test

import (
	"cmp"
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/source"
)

// slowShop is a map provider that answers later.
type slowShop struct {
	source.Maps
	d provider.Descriptor

	mu      sync.Mutex
	posted  []string // tags, as often as they were billed
	tickets map[string]string
	done    bool
	post    func(tag string) error // why the ticket of an order that was taken did not arrive
	list    error
	hold    chan struct{} // takes a word when orders are posted, and one to answer
	gather  time.Duration // how long questions are waited for; 20 ms when 0
}

func newSlowShop(budget float64) *slowShop {
	d := newShop("slow", 0.1, budget).d
	d.Pace.Concurrent = 10
	return &slowShop{d: d, tickets: map[string]string{}}
}

func (s *slowShop) Describe() provider.Descriptor { return s.d }

func (s *slowShop) Post(_ context.Context, orders []provider.Order[provider.MapQuery]) ([]provider.Ticket, error) {
	s.mu.Lock()
	var tickets []provider.Ticket
	for _, o := range orders {
		s.posted = append(s.posted, o.Tag)
		ticket := fmt.Sprintf("ticket %d", len(s.posted))
		s.tickets[o.Tag] = ticket
		t := provider.Ticket{ID: ticket, Tag: o.Tag, Cost: s.d.Prices.Map}
		if s.post != nil {
			t.Err = s.post(o.Tag)
		}
		tickets = append(tickets, t)
	}
	hold := s.hold
	s.mu.Unlock()
	if hold != nil {
		hold <- struct{}{}
		hold <- struct{}{}
	}
	return tickets, nil
}

func (s *slowShop) Ready(context.Context) ([]provider.Ticket, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var ready []provider.Ticket
	for tag, ticket := range s.tickets {
		if s.done {
			ready = append(ready, provider.Ticket{ID: ticket, Tag: tag})
		}
	}
	return ready, s.list
}

func (s *slowShop) Fetch(_ context.Context, ticket string, _ provider.MapQuery) ([]provider.Business, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.done {
		return nil, provider.Errorf(provider.Pending, s.d.Title, "Wait.")
	}
	return []provider.Business{{Name: ticket}}, nil
}

func (s *slowShop) set(change func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	change()
}

func (s *slowShop) posts() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.posted)
}

// process is one of those that ask through the same store.
type process struct {
	*bench
	maps   source.Maps
	caller *provider.Caller
}

func (b *bench) process(s *slowShop) process { return b.processWith(s, s) }

func (b *bench) processWith(s *slowShop, q provider.Queue[provider.MapQuery, []provider.Business]) process {
	maps, caller := source.LaterMaps(s, q, source.LaterOptions{
		DB: b.db, Clock: b.clock, Ledger: b.ledger, Caller: provider.NewCaller(s.d, provider.CallerOptions{Attempts: 1}), Gather: cmp.Or(s.gather, 20*time.Millisecond),
	})
	return process{b, maps, caller}
}

// ask asks questions at once, and counts those that are answered; the others have to wait.
func (p process) ask(keys ...string) (answered int) {
	p.Helper()
	answered, failed := p.try(keys...)
	for _, err := range failed {
		p.Error(err)
	}
	return answered
}

func (p process) try(keys ...string) (answered int, failed []error) {
	var wg sync.WaitGroup
	var mu sync.Mutex
	for _, key := range keys {
		wg.Go(func() {
			ctx := source.WithPurpose(p.Context(), source.Purpose{AccountID: p.account, Subject: "campaign"})
			_, err := provider.Call(ctx, p.caller, func(ctx context.Context) ([]provider.Business, error) {
				return p.maps.SearchMap(ctx, provider.MapQuery{Keyword: "pizza", Key: key})
			})
			mu.Lock()
			defer mu.Unlock()
			switch {
			case err == nil:
				answered++
			case provider.KindOf(err) != provider.Pending:
				failed = append(failed, fmt.Errorf("%s: %w", key, err))
			}
		})
	}
	wg.Wait()
	return answered, failed
}

func (p process) checkPaid(s *slowShop, want int) {
	p.Helper()
	if s.posts() != want {
		p.Errorf("%d orders were posted, want %d", s.posts(), want)
	}
	if got := p.spent("slow"); got != provider.Money(s.posts())*s.d.Prices.Map {
		p.Errorf("%s is recorded for %d orders", got, s.posts())
	}
}

func TestAQuestionIsPostedOnceThoughItIsAskedTwiceAtOnce(t *testing.T) {
	t.Parallel()
	each(t, func(t *bench) {
		s := newSlowShop(0)
		p := t.process(s)
		p.ask("a", "b", "a", "a")
		s.set(func() { s.done = true })
		if n := p.ask("a", "b", "a"); n != 3 {
			t.Errorf("%d of 3 are answered", n)
		}
		p.checkPaid(s, 2)
	})
}

func TestATicketThatGotLostIsPaidOnce(t *testing.T) {
	t.Parallel()
	each(t, func(t *bench) {
		s := newSlowShop(0)
		p := t.process(s)
		s.post = func(string) error { return provider.Errorf(provider.Transient, s.d.Title, "Lost.") }
		p.ask("a", "b")
		s.set(func() { s.done = true })
		if n := p.ask("a", "b", "a"); n != 3 {
			t.Errorf("%d of 3 are answered", n)
		}
		p.checkPaid(s, 2)
	})
}

// One process finds the ticket of an order before the one that has posted it knows.
func TestATicketThatTwoProcessesLearnIsPaidOnce(t *testing.T) {
	t.Parallel()
	each(t, func(t *bench) {
		s := newSlowShop(0)
		s.done, s.hold = true, make(chan struct{})
		first, second := t.process(s), t.process(s)
		var wg sync.WaitGroup
		wg.Go(func() { first.ask("a") })
		<-s.hold
		if n := second.ask("a"); n != 1 {
			t.Error("the second process has no answer")
		}
		<-s.hold
		wg.Wait()
		first.checkPaid(s, 1)
	})
}

func TestALostOrderIsPostedAgainByOneProcess(t *testing.T) {
	t.Parallel()
	each(t, func(t *bench) {
		s := newSlowShop(0)
		s.post = func(string) error { return provider.Errorf(provider.Transient, s.d.Title, "Lost.") }
		processes := []process{t.process(s), t.process(s), t.process(s)}
		processes[0].ask("a")
		s.set(func() { s.posted, s.tickets = nil, map[string]string{} }) // the vendor has never seen it
		t.clock.Advance(2 * time.Hour)
		var wg sync.WaitGroup
		for _, p := range processes {
			wg.Go(func() { p.ask("a", "a") })
		}
		wg.Wait()
		s.set(func() { s.done = true })
		if n := processes[0].ask("a"); n != 1 {
			t.Error("it is not answered")
		}
		processes[0].checkPaid(s, 1)
	})
}

func TestAnAnswerThatNeverComesIsAFailure(t *testing.T) {
	t.Parallel()
	each(t, func(t *bench) {
		s := newSlowShop(0)
		p := t.process(s)
		p.ask("a")
		t.clock.Advance(2 * time.Hour)
		p.ask("a")
		t.clock.Advance(2 * time.Hour)
		if _, failed := p.try("a"); len(failed) != 1 || provider.KindOf(failed[0]) != provider.Transient {
			t.Errorf("after four hours: %v", failed)
		}
		p.ask("a") // it is posted anew
		p.checkPaid(s, 2)
	})
}

// What may have been posted counts against the budget until it is known.
func TestDoubtfulPostsHoldTheBudget(t *testing.T) {
	t.Parallel()
	each(t, func(t *bench) {
		s := newSlowShop(1)
		p := t.processWith(s, &unansweredShop{s})
		p.ask("0", "1", "2", "3", "4", "5", "6")
		if r, err := t.ledger.Reserve(t.Context(), s.d, t.account, s.d.Prices.Map, 10); err != nil || r.Questions != 3 {
			t.Errorf("leave for %d questions, want the 3 that are left: %v", r.Questions, err)
		}
		s.set(func() { s.done = true })
		p.ask("0", "1", "2", "3", "4", "5", "6")
		p.checkPaid(s, 7)
	})
}

// unansweredShop takes orders, and its answer is lost on the way.
type unansweredShop struct{ *slowShop }

func (s *unansweredShop) Post(ctx context.Context, orders []provider.Order[provider.MapQuery]) ([]provider.Ticket, error) {
	if _, err := s.slowShop.Post(ctx, orders); err != nil {
		return nil, err
	}
	return nil, provider.Errorf(provider.Transient, s.d.Title, "Timed out.")
}

// All questions of a batch fail together: that is one failure of the vendor, not a hundred.
func TestOneFailedListIsNotAVendorThatKeepsFailing(t *testing.T) {
	t.Parallel()
	each(t, func(t *bench) {
		s := newSlowShop(0)
		s.gather = time.Hour // as many as make a batch are not waited for any longer
		p := t.process(s)
		var keys []string
		for i := range provider.MaxPost {
			keys = append(keys, fmt.Sprint(i))
		}
		p.ask(keys...)
		s.set(func() { s.list = provider.Errorf(provider.Transient, s.d.Title, "Down.") })
		if _, failed := p.try(keys...); len(failed) != len(keys) {
			t.Errorf("%d of %d questions failed", len(failed), len(keys))
		}
		if !p.caller.Able() {
			t.Error("the vendor is left alone after one failed request")
		}
	})
}

func TestWhatIsPaidIsRecordedThoughNobodyWaits(t *testing.T) {
	t.Parallel()
	each(t, func(t *bench) {
		only := chainOf(newShop("only", 0.3, 1))
		ctx, leave := context.WithCancel(t.Context())
		_, _, receipt, _ := source.Ask(ctx, t.ledger, only, func(p provider.Prices) provider.Money { return p.Map },
			func(ctx context.Context, s *shop) (string, error) {
				defer leave()
				return s.answer(ctx)
			})
		if err := t.ledger.SettleNow(ctx, receipt); err != nil || t.spent("only") != provider.USD(0.3) || t.reserved() != 0 {
			t.Errorf("%s is recorded and %d reservations are left: %v", t.spent("only"), t.reserved(), err)
		}
	})
}
