package dataforseo

import (
	"context"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/provider/wire"
)

const (
	pendingFor = 10 * time.Second // before a task that is worked on is asked for again

	// DataForSEO lists finished tasks 20 times a minute. There are two queues.
	listEvery = 6 * time.Second

	maxTag = 255 // characters
)

// taskQueue hands tasks in, lists those that are done and fetches their results.
type taskQueue[Question, Item, Answer any] struct {
	p      *Provider
	engine engine[Question, Item, Answer]
	done   finished
}

// finished is what DataForSEO last said is done, without what was fetched since.
type finished struct {
	turn chan struct{} // held by the only one who asks

	mu      sync.Mutex
	at      time.Time
	tickets []provider.Ticket
}

func newTaskQueue[Question, Item, Answer any](p *Provider, e engine[Question, Item, Answer]) *taskQueue[Question, Item, Answer] {
	return &taskQueue[Question, Item, Answer]{p: p, engine: e, done: finished{turn: make(chan struct{}, 1)}}
}

// MapQueue answers map searches later; nil in live mode.
func (p *Provider) MapQueue() provider.Queue[provider.MapQuery, []provider.Business] {
	if p.opts.Mode != queue {
		return nil
	}
	return p.maps
}

// WebQueue answers web searches later; nil in live mode.
func (p *Provider) WebQueue() provider.Queue[provider.WebQuery, provider.WebPage] {
	if p.opts.Mode != queue {
		return nil
	}
	return p.web
}

// Post hands orders in. Each is taken or refused by itself: its ticket says which, and what it has cost. That is not charged to the
// bill of the context, since the orders of one request may be for several accounts.
func (s *taskQueue[Question, Item, Answer]) Post(ctx context.Context, orders []provider.Order[Question]) ([]provider.Ticket, error) {
	if len(orders) > provider.MaxPost {
		return nil, provider.Errorf(provider.BadQuery, title, "DataForSEO takes %d tasks at once, not %d.", provider.MaxPost, len(orders))
	}
	tickets := make([]provider.Ticket, len(orders))
	var tasks []searchTask
	var sent []int // the order of each task
	for i, o := range orders {
		tickets[i].Tag = o.Tag
		task, err := s.task(o)
		if err != nil {
			tickets[i].Err = err
			continue
		}
		tasks, sent = append(tasks, task), append(sent, i)
	}
	if len(tasks) == 0 {
		return tickets, nil
	}
	var a answers[wire.Text]
	if err := s.p.do(ctx, provider.Request{Method: http.MethodPost, Path: s.engine.path("task_post"), Body: tasks}, &a); err != nil {
		return nil, err
	}
	for i, order := range sent {
		s.fill(&tickets[order], answerTo(tasks[i], a.Tasks, i), tasks[i])
	}
	return tickets, nil
}

func (s *taskQueue[Question, Item, Answer]) task(o provider.Order[Question]) (searchTask, error) {
	if utf8.RuneCountInString(o.Tag) > maxTag {
		return searchTask{}, provider.Errorf(provider.BadQuery, title, "A tag has at most %d characters.", maxTag)
	}
	task, err := s.engine.write(o.Question)
	task.Tag, task.Priority = o.Tag, s.p.opts.Priority
	return task, err
}

// answerTo finds the answer to a task that was sent: the one in its place, unless that bears another tag.
func answerTo(sent searchTask, answers []task[wire.Text], i int) task[wire.Text] {
	tag := wire.Clean(sent.Tag)
	if i < len(answers) && (answers[i].Data.Tag == "" || answers[i].Data.Tag == tag) {
		return answers[i]
	}
	for _, t := range answers {
		if t.Data.Tag == tag {
			return t
		}
	}
	return task[wire.Text]{}
}

// fill writes what became of a task on its ticket.
func (s *taskQueue[Question, Item, Answer]) fill(ticket *provider.Ticket, t task[wire.Text], sent searchTask) {
	ticket.Cost = t.cost(s.p.opts.Price * s.p.share() * float64(sent.pages()))
	switch {
	case t.Code == 0:
		ticket.Err = s.p.fault("a task that was sent and not answered")
	case t.Code != codeCreated && t.Code != codeOK:
		ticket.Err = s.p.refused(t.Code, t.Message)
	case !ticketID.MatchString(string(t.ID)):
		ticket.Err = s.p.fault("a task was created without an id")
	default:
		ticket.ID = string(t.ID)
	}
}

// Ready lists finished tasks, at most a thousand, those of other programs with the same account too. They stay listed until they are fetched.
// Who asks more often than DataForSEO allows is told what it said last.
func (s *taskQueue[Question, Item, Answer]) Ready(ctx context.Context) ([]provider.Ticket, error) {
	select {
	case s.done.turn <- struct{}{}:
		defer func() { <-s.done.turn }()
	case <-ctx.Done():
		return nil, fmt.Errorf("wait for %s's list of finished tasks: %w", title, ctx.Err())
	}
	if tickets, fresh := s.done.recent(s.p.clock.Now()); fresh {
		return tickets, nil
	}
	type row struct {
		ID  wire.Text `json:"id"`
		Tag wire.Text `json:"tag"`
	}
	var a answers[row]
	if err := s.p.do(ctx, provider.Request{Path: s.engine.path("tasks_ready")}, &a); err != nil {
		return nil, err
	}
	if t := a.Tasks[0]; t.Code != codeOK && t.Code != codeNothing {
		return nil, s.p.refused(t.Code, t.Message)
	}
	var tickets []provider.Ticket // none at all is no fault here: nothing is done yet
	for _, row := range a.Tasks[0].Result {
		tickets = append(tickets, provider.Ticket{ID: string(row.ID), Tag: string(row.Tag)})
	}
	return s.done.keep(tickets), nil
}

// ticketID is DataForSEO's form of an id, which becomes a part of a path.
var ticketID = regexp.MustCompile(`^[0-9a-zA-Z-]{1,64}$`)

// Fetch gets the result of a task, which DataForSEO keeps for 30 days. One that has failed stays so, and is NotFound as one that is no
// longer kept: only handing it in again helps.
func (s *taskQueue[Question, Item, Answer]) Fetch(ctx context.Context, ticket string, q Question) (answer Answer, err error) {
	if !ticketID.MatchString(ticket) {
		return answer, provider.Errorf(provider.NotFound, title, "DataForSEO has no task with such an id.")
	}
	var a answers[listing[Item]]
	if err := s.p.do(ctx, provider.Request{Path: s.engine.path("task_get/advanced/" + ticket)}, &a); err != nil {
		return answer, err
	}
	if t := a.Tasks[0]; t.Code.failed() {
		s.done.drop(ticket)
		return answer, provider.Errorf(provider.NotFound, title, "DataForSEO could not do the task: it has to be handed in again.").Because(s.p.refused(t.Code, t.Message))
	}
	rows, err := a.only(s.p)
	if err != nil {
		return answer, err
	}
	s.done.drop(ticket)
	return readSearch(s.p, s.engine, q, rows)
}

// recent is the list where it is too early to ask for another one; otherwise the caller asks, and has until then the only turn.
func (f *finished) recent(now time.Time) ([]provider.Ticket, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if age := now.Sub(f.at); age >= 0 && age < listEvery {
		return slices.Clone(f.tickets), true
	}
	f.at = now
	return nil, false
}

func (f *finished) keep(tickets []provider.Ticket) []provider.Ticket {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.tickets = tickets
	return slices.Clone(tickets)
}

func (f *finished) drop(id string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.tickets = slices.DeleteFunc(f.tickets, func(t provider.Ticket) bool { return t.ID == id })
}
