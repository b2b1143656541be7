package source

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/trigpoint/trigpoint/internal/clock"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/id"
	"github.com/trigpoint/trigpoint/internal/provider"
)

// LaterOptions are what asking through a queue needs. Zero durations take the defaults named here.
type LaterOptions struct {
	DB     *db.DB
	Clock  clock.Clock
	Ledger *Ledger
	Caller *provider.Caller // of the vendor

	Gather time.Duration // how long questions wait to be posted together; 50 ms
	Pause  time.Duration // until who asked comes for an answer that is not there; 10 s
}

const (
	// unlisted is when a ticket is tried though the vendor does not list it: its list is bounded, and forgets what was fetched once.
	unlisted = 5 * time.Minute

	// inFlight bounds how long a batch may take to find its tickets, the post of what is new among it.
	inFlight = 2 * time.Minute

	// lost is when an order that is without a ticket, and that the vendor does not list, counts as never posted. Vendors
	// answer within the hour.
	lost = time.Hour

	// overdue is when a promise is not believed any more, and the question is posted anew.
	overdue = 3 * time.Hour

	// ordersKept is how long tickets are remembered; nobody asks so late.
	ordersKept = 7 * 24 * time.Hour
)

// later puts questions to a vendor that answers later. Whoever asks is told to come back, and gets the answer when
// it is there. Each question is posted once, also when the process dies at any moment: its order is stored before it is posted,
// and a ticket that got lost is found again by the order's tag.
type later[Question, Answer any] struct {
	LaterOptions
	queue  provider.Queue[Question, Answer]
	vendor provider.Descriptor
	price  func(Question) provider.Money

	mu      sync.Mutex
	waiting []*waiter[Question]
}

// waiter is a question on its way to its ticket.
type waiter[Question any] struct {
	order
	question Question
	err      error
	done     chan struct{}
}

// order is a question as the store knows it.
type order struct {
	Purpose
	key, tag, ticket string
	postedAt         time.Time
	cost             provider.Money // known with the ticket
}

// charge is what an order has cost.
func (o *order) charge(vendor string) Charge {
	return Charge{Provider: vendor, Purpose: o.Purpose, Requests: 1, Cost: o.cost}
}

func newLater[Question, Answer any](q provider.Queue[Question, Answer], d provider.Descriptor, price func(Question) provider.Money, o LaterOptions) *later[Question, Answer] {
	if o.Gather <= 0 {
		o.Gather = 50 * time.Millisecond
	}
	if o.Pause <= 0 {
		o.Pause = 10 * time.Second
	}
	return &later[Question, Answer]{LaterOptions: o, queue: q, vendor: d, price: price}
}

// ask answers a question, or fails with an error of kind Pending.
func (l *later[Question, Answer]) ask(ctx context.Context, key string, q Question) (answer Answer, err error) {
	w := &waiter[Question]{order: order{Purpose: purposeOf(ctx), key: key}, question: q, done: make(chan struct{})}
	l.wait(w)
	select {
	case <-w.done:
	case <-ctx.Done():
		return answer, ctx.Err()
	}
	if w.err != nil {
		return answer, w.err
	}
	answer, err = provider.Call(ctx, l.Caller, func(ctx context.Context) (Answer, error) { return l.queue.Fetch(ctx, w.ticket, q) })
	never := provider.KindOf(err) == provider.NotFound || provider.KindOf(err) == provider.Pending && l.Clock.Now().Sub(w.postedAt) > overdue
	if never { // the next to ask posts it anew
		if err := l.forget(ctx, []string{key}); err != nil {
			return answer, err
		}
		err = provider.Errorf(provider.Transient, l.vendor.Title, "%s did not carry out a search that it had accepted.", l.vendor.Title).Because(err)
	}
	return answer, err
}

// wait lines a question up with others; together they find their tickets.
func (l *later[Question, Answer]) wait(w *waiter[Question]) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.waiting = append(l.waiting, w)
	switch len(l.waiting) {
	case provider.MaxPost:
		batch := l.waiting
		l.waiting = nil
		go l.serve(batch)
	case 1:
		time.AfterFunc(l.Gather, func() {
			l.mu.Lock()
			batch := l.waiting
			l.waiting = nil
			l.mu.Unlock()
			l.serve(batch)
		})
	}
}

// serve gives each of a batch its ticket, or the reason why it has none yet.
func (l *later[Question, Answer]) serve(batch []*waiter[Question]) {
	if len(batch) == 0 {
		return // those that were to come have filled a batch of their own
	}
	ctx, cancel := context.WithTimeout(context.Background(), inFlight)
	defer cancel()
	err := l.find(ctx, batch)
	for _, w := range batch {
		if w.err == nil && err != nil {
			w.err = err
		}
		close(w.done)
	}
}

func (l *later[Question, Answer]) find(ctx context.Context, batch []*waiter[Question]) error {
	known, err := l.load(ctx, batch)
	if err != nil {
		return err
	}
	now := l.Clock.Now()
	var fresh, posted []*waiter[Question]
	doubtful, asked := false, map[string]bool{}
	for _, w := range batch {
		stored, ok := known[w.key]
		switch {
		case !ok && asked[w.key]: // by another of the batch, which posts it
			w.err = l.pending()
			continue
		case !ok:
			w.tag, w.postedAt, asked[w.key] = id.New(), now, true
			fresh = append(fresh, w)
			continue
		}
		w.order = stored
		posted = append(posted, w)
		doubtful = doubtful || w.ticket == ""
	}
	if len(posted) > 0 {
		ready, err := l.list(ctx)
		if err != nil {
			return err
		}
		if doubtful {
			if err := l.recover(ctx, posted, ready); err != nil {
				return err
			}
		}
		for _, w := range posted {
			switch age := now.Sub(w.postedAt); {
			case w.ticket == "" && age > lost && !asked[w.key]:
				w.postedAt, asked[w.key] = now, true
				fresh = append(fresh, w)
			case w.ticket == "", ready[w.tag] == "" && age < unlisted:
				w.err = l.pending()
			}
		}
	}
	return l.post(ctx, fresh)
}

func (l *later[Question, Answer]) pending() error {
	e := provider.Errorf(provider.Pending, l.vendor.Title, "%s works on it.", l.vendor.Title)
	e.RetryAfter = l.Pause
	return e
}

// recover finds the tickets of orders whose posts were not answered, and records what they cost.
func (l *later[Question, Answer]) recover(ctx context.Context, posted []*waiter[Question], ready map[string]string) error {
	var found []order
	for _, w := range posted {
		ticket := ready[w.tag]
		if w.ticket != "" || ticket == "" {
			continue
		}
		w.ticket, w.cost = ticket, l.price(w.question)
		if !slices.ContainsFunc(found, func(o order) bool { return o.key == w.key }) {
			found = append(found, w.order)
		}
	}
	return l.keep(ctx, found, nil, nil)
}

// list is the tickets whose answers are there, by their tags.
func (l *later[Question, Answer]) list(ctx context.Context) (map[string]string, error) {
	tickets, err := provider.Call(ctx, l.Caller, l.queue.Ready)
	ready := make(map[string]string, len(tickets))
	for _, t := range tickets {
		ready[t.Tag] = t.ID
	}
	return ready, err
}

// post hands questions in that have not been, within the budgets. Their waiters are told to come back.
func (l *later[Question, Answer]) post(ctx context.Context, fresh []*waiter[Question]) error {
	fresh, reserved, err := l.reserve(ctx, fresh)
	if err == nil {
		fresh, err = l.store(ctx, fresh)
	}
	if err != nil || len(fresh) == 0 {
		return l.unwind(ctx, nil, reserved, err)
	}
	orders := make([]provider.Order[Question], len(fresh))
	for i, w := range fresh {
		orders[i] = provider.Order[Question]{Tag: w.tag, Question: w.question}
	}
	// What it costs is told by the tickets; a bill of whoever asks would count it twice.
	tickets, err := provider.CallOnce(provider.WithBill(ctx, &provider.Bill{}), l.Caller, func(ctx context.Context) ([]provider.Ticket, error) { return l.queue.Post(ctx, orders) })
	switch {
	case err != nil && maybeDone(err):
		for _, w := range fresh {
			w.err = l.pending()
		}
		return nil // what is reserved stays so until its time is over: the vendor may bill it
	case err != nil:
		return l.unwind(ctx, fresh, reserved, err)
	}
	var taken []order
	var charges []Charge
	var refused []string
	for i, w := range fresh {
		w.cost = tickets[i].Cost
		switch w.err = tickets[i].Err; {
		case w.err == nil:
			w.ticket, w.err = tickets[i].ID, l.pending()
			taken = append(taken, w.order)
		case maybeDone(w.err): // its cost is recorded when it is found again
			w.err = l.pending()
		default:
			refused, charges = append(refused, w.key), append(charges, w.charge(l.vendor.Name))
		}
	}
	if err := l.keep(ctx, taken, charges, reserved); err != nil {
		return err
	}
	return l.forget(ctx, refused)
}

// maybeDone tells whether a post that failed may have been carried out all the same.
func maybeDone(err error) bool {
	switch provider.KindOf(err) {
	case provider.Transient, provider.Unknown:
		return !provider.Unsent(err)
	}
	return false
}

// unwind gives back what a post that was not made has taken.
func (l *later[Question, Answer]) unwind(ctx context.Context, unposted []*waiter[Question], reserved []Reservation, why error) error {
	keys := make([]string, len(unposted))
	for i, w := range unposted {
		keys[i] = w.key
	}
	if err := l.forget(ctx, keys); err != nil {
		return err
	}
	if err := l.keep(ctx, nil, nil, reserved); err != nil {
		return err
	}
	return why
}

// reserve leaves the questions that fit into the budgets.
func (l *later[Question, Answer]) reserve(ctx context.Context, fresh []*waiter[Question]) (within []*waiter[Question], reserved []Reservation, err error) {
	byAccount := map[string][]*waiter[Question]{}
	for _, w := range fresh {
		byAccount[w.AccountID] = append(byAccount[w.AccountID], w)
	}
	for _, accountID := range slices.Sorted(maps.Keys(byAccount)) {
		list := byAccount[accountID]
		var dearest provider.Money
		for _, w := range list {
			dearest = max(dearest, l.price(w.question))
		}
		r, err := l.Ledger.Reserve(ctx, l.vendor, accountID, dearest, len(list))
		if err != nil && provider.KindOf(err) == provider.Unknown {
			return nil, reserved, err
		}
		if err != nil {
			r.Questions = 0
		} else {
			reserved = append(reserved, r)
		}
		within = append(within, list[:r.Questions]...)
		for _, w := range list[r.Questions:] {
			if w.err = err; w.err == nil {
				w.err = l.pending() // the budget is as good as used up, which the next one is told
			}
		}
	}
	return within, reserved, nil
}
