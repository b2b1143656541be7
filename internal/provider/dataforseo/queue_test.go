package dataforseo_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/trigpoint/trigpoint/internal/clock"
	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/provider/dataforseo"
	"github.com/trigpoint/trigpoint/internal/provider/providertest"
)

var began = time.Date(2026, 8, 22, 9, 0, 0, 0, time.UTC)

// queued starts the vendor, a provider in queue mode, and the clock by which it lists finished tasks.
func queued(t testing.TB) (*providertest.DataForSEO, *dataforseo.Provider, *clock.Fake) {
	t.Helper()
	vendor := providertest.NewDataForSEO(t)
	now := clock.NewFake(began)
	opts := settings(vendor.URL)
	opts.Mode = "queue"
	p, err := dataforseo.New(opts, now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	return vendor, p, now
}

func order(tag string) provider.Order[provider.MapQuery] {
	return provider.Order[provider.MapQuery]{Tag: tag, Question: provider.MapQuery{Keyword: "pizza", At: providertest.Decatur}}
}

func TestQueuesAreThereInQueueModeOnly(t *testing.T) {
	t.Parallel()
	if _, p := fake(t); p.MapQueue() != nil || p.WebQueue() != nil {
		t.Error("live mode has queues")
	}
	if _, p, _ := queued(t); p.MapQueue() == nil || p.WebQueue() == nil {
		t.Error("queue mode has none")
	}
}

func TestTasksGoThroughTheQueue(t *testing.T) {
	t.Parallel()
	vendor, p, now := queued(t)
	q := p.MapQueue()
	tickets, err := q.Post(t.Context(), []provider.Order[provider.MapQuery]{order("a"), order("b")})
	if err != nil || len(tickets) != 2 {
		t.Fatalf("%v, %v", tickets, err)
	}
	for i, tag := range []string{"a", "b"} {
		if ticket := tickets[i]; ticket.ID == "" || ticket.Tag != tag || ticket.Err != nil || ticket.Cost != provider.USD(0.0006) {
			t.Errorf("ticket %d is %+v", i, ticket)
		}
	}
	_, err = q.Fetch(t.Context(), tickets[0].ID, order("a").Question)
	var e *provider.Error
	if !errors.As(err, &e) || e.Kind != provider.Pending || e.RetryAfter != 10*time.Second {
		t.Errorf("before it is done: %v", err)
	}
	if ready, err := q.Ready(t.Context()); err != nil || len(ready) != 0 {
		t.Errorf("ready are %v, %v", ready, err)
	}

	vendor.FinishTag("b")
	now.Advance(6 * time.Second)
	ready, err := q.Ready(t.Context())
	if err != nil || len(ready) != 1 || ready[0].ID != tickets[1].ID || ready[0].Tag != "b" {
		t.Fatalf("ready are %v, %v", ready, err)
	}
	var bill provider.Bill
	for range 2 { // fetching again is free
		found, err := q.Fetch(provider.WithBill(t.Context(), &bill), ready[0].ID, order("b").Question)
		if err != nil || len(found) != 20 || found[0].Name != "Invented Business 1" {
			t.Fatalf("%d found, %v", len(found), err)
		}
	}
	if requests, cost := bill.Total(); requests != 0 || cost != 0 {
		t.Errorf("fetching was billed: %d requests, %s", requests, cost)
	}
	if ready, err := q.Ready(t.Context()); err != nil || len(ready) != 0 {
		t.Errorf("a fetched task is still listed: %v, %v", ready, err)
	}
	if vendor.Spent() != provider.USD(0.0012) || !slices.Equal(vendor.Unfetched(), []string{"a"}) {
		t.Errorf("%s spent, %q not fetched", vendor.Spent(), vendor.Unfetched())
	}
}

func TestWebSearchesGoThroughTheQueue(t *testing.T) {
	t.Parallel()
	vendor, p, _ := queued(t)
	vendor.Instant = true
	query := provider.WebQuery{Keyword: "pizza", Depth: 30, Device: provider.Mobile}
	tickets, err := p.WebQueue().Post(t.Context(), []provider.Order[provider.WebQuery]{{Tag: "w", Question: query}})
	if err != nil || tickets[0].Err != nil || tickets[0].Cost != provider.USD(0.0015) {
		t.Fatalf("%+v, %v", tickets, err)
	}
	if ready, err := p.WebQueue().Ready(t.Context()); err != nil || len(ready) != 1 {
		t.Errorf("ready are %v, %v", ready, err)
	}
	if ready, err := p.MapQueue().Ready(t.Context()); err != nil || len(ready) != 0 {
		t.Errorf("the queue of map searches has %v, %v", ready, err)
	}
	page, err := p.WebQueue().Fetch(t.Context(), tickets[0].ID, query)
	if err != nil || page.Depth() != 30 || page.Pages != 3 {
		t.Errorf("depth %d on %d pages, %v", page.Depth(), page.Pages, err)
	}
}

func TestEachOrderIsTakenOrRefusedByItself(t *testing.T) {
	t.Parallel()
	vendor, p, _ := queued(t)
	vendor.Instant = true
	nowhere := provider.WebQuery{Keyword: "pizza", Location: "Nowhere,Georgia"}
	good := provider.WebQuery{Keyword: "pizza"}
	tickets, err := p.WebQueue().Post(t.Context(), []provider.Order[provider.WebQuery]{
		{Tag: "refused by DataForSEO", Question: nowhere}, {Tag: "good", Question: good}, {Tag: "refused by us", Question: provider.WebQuery{}}, {Tag: strings.Repeat("x", 256), Question: good}, {Tag: "also good", Question: good},
	})
	if err != nil {
		t.Fatal(err)
	}
	for i, taken := range []bool{false, true, false, false, true} {
		ticket := tickets[i]
		if (ticket.Err == nil) != taken || (ticket.ID != "") != taken || (ticket.Cost > 0) != taken || (!taken && provider.KindOf(ticket.Err) != provider.BadQuery) {
			t.Errorf("order %q: %+v", ticket.Tag, ticket)
		}
	}
	if got := vendor.Posted(); !slices.Equal(got, []string{"good", "also good"}) {
		t.Errorf("the vendor took %q", got)
	}
	if _, err := p.MapQueue().Post(t.Context(), make([]provider.Order[provider.MapQuery], 101)); provider.KindOf(err) != provider.BadQuery {
		t.Errorf("101 orders: %v", err)
	}
	if tickets, err := p.MapQueue().Post(t.Context(), make([]provider.Order[provider.MapQuery], 2)); err != nil || tickets[0].Err == nil || tickets[1].Err == nil {
		t.Errorf("bad orders only: %+v, %v", tickets, err)
	}
}

func TestTicketsAreMatchedByTheirTag(t *testing.T) {
	t.Parallel()
	vendor, p, _ := queued(t)
	vendor.Next(providertest.Body(`{"status_code":20000,"tasks":[
		{"id":"id-of-b","status_code":20100,"cost":0.0006,"data":{"tag":"b"}},
		{"id":"id-of-a","status_code":20100,"cost":0.0006,"data":{"tag":"a"}}]}`))
	tickets, err := p.MapQueue().Post(t.Context(), []provider.Order[provider.MapQuery]{order("a"), order("b"), order("c")})
	if err != nil || tickets[0].ID != "id-of-a" || tickets[1].ID != "id-of-b" {
		t.Errorf("%+v, %v", tickets, err)
	}
	if provider.KindOf(tickets[2].Err) != provider.Transient || tickets[2].ID != "" {
		t.Errorf("an order without an answer: %+v", tickets[2])
	}
}

// Should the answer to Post be lost, the task is found again by its tag.
func TestATaskWhoseTicketWasLostIsFoundByItsTag(t *testing.T) {
	t.Parallel()
	vendor, p, _ := queued(t)
	vendor.Next(vendor.Lost())
	if _, err := p.MapQueue().Post(t.Context(), []provider.Order[provider.MapQuery]{order("lost")}); provider.KindOf(err) != provider.Transient {
		t.Fatalf("post: %v", err)
	}
	vendor.Finish()
	ready, err := p.MapQueue().Ready(t.Context())
	if err != nil || len(ready) != 1 || ready[0].Tag != "lost" || vendor.Posts("lost") != 1 {
		t.Fatalf("ready are %v, %v", ready, err)
	}
	if found, err := p.MapQueue().Fetch(t.Context(), ready[0].ID, order("lost").Question); err != nil || len(found) == 0 {
		t.Errorf("%d found, %v", len(found), err)
	}
}

func TestTasksThatHaveNoAnswer(t *testing.T) {
	t.Parallel()
	vendor, p, _ := queued(t)
	q := p.MapQueue()
	tickets, err := q.Post(t.Context(), []provider.Order[provider.MapQuery]{order("failed"), order("empty"), order("kept")})
	if err != nil {
		t.Fatal(err)
	}
	vendor.Fail("failed")
	if _, err := q.Fetch(t.Context(), tickets[0].ID, order("").Question); provider.KindOf(err) != provider.NotFound || !strings.Contains(err.Error(), "40101") {
		t.Errorf("a task that failed: %v", err)
	}
	vendor.Places = func(providertest.DataForSEOTask) []map[string]any { return nil }
	vendor.FinishTag("empty")
	if found, err := q.Fetch(t.Context(), tickets[1].ID, order("").Question); err != nil || found == nil || len(found) != 0 {
		t.Errorf("nothing found: %v, %v", found, err)
	}
	vendor.Expire()
	for _, id := range []string{tickets[2].ID, "08220904-1234-0139-0000-ffffffffffff", "", "../../user_data", strings.Repeat("a", 1000)} {
		if _, err := q.Fetch(t.Context(), id, order("").Question); provider.KindOf(err) != provider.NotFound {
			t.Errorf("task %.20q: %v", id, err)
		}
	}
}

func TestFinishedTasksAreListedWithinTheLimit(t *testing.T) {
	t.Parallel()
	vendor, p, now := queued(t)
	vendor.Instant = true
	if _, err := p.MapQueue().Post(t.Context(), []provider.Order[provider.MapQuery]{order("a")}); err != nil {
		t.Fatal(err)
	}
	for second := range 60 {
		ready, err := p.MapQueue().Ready(t.Context())
		if err != nil || len(ready) != 1 {
			t.Fatalf("after %d s: %v, %v", second, ready, err)
		}
		if _, err := p.WebQueue().Ready(t.Context()); err != nil {
			t.Fatal(err)
		}
		now.Advance(time.Second)
	}
	if n := vendor.Listed(); n != 20 {
		t.Errorf("%d requests in a minute for both queues, DataForSEO allows 20", n)
	}
	vendor.Always(providertest.Status(500, "down"))
	if _, err := p.MapQueue().Ready(t.Context()); provider.KindOf(err) != provider.Transient {
		t.Errorf("a list that failed: %v", err)
	}
	if ready, err := p.MapQueue().Ready(t.Context()); err != nil || len(ready) != 1 {
		t.Errorf("right after it failed: %v, %v", ready, err)
	}
}

func TestRecordedAnswersOfTheQueue(t *testing.T) {
	t.Parallel()
	vendor, p, _ := queued(t)
	q := p.MapQueue()
	vendor.Next(
		providertest.Body(string(recording(t, "maps_task_post"))), providertest.Body(string(recording(t, "maps_tasks_ready"))),
		providertest.Body(string(recording(t, "maps_task_get_queued"))), providertest.Body(string(recording(t, "maps_task_get"))),
	)
	tickets, err := q.Post(t.Context(), []provider.Order[provider.MapQuery]{order("grid-7-3")})
	if err != nil || fmt.Sprint(tickets) != "[{08220904-1234-0139-0000-aaaabbbbcccc grid-7-3 $0.0006 <nil>}]" {
		t.Errorf("post: %v, %v", tickets, err)
	}
	ready, err := q.Ready(t.Context())
	if err != nil || len(ready) != 1 || ready[0].Tag != "grid-7-3" {
		t.Errorf("ready: %v, %v", ready, err)
	}
	if _, err := q.Fetch(t.Context(), ready[0].ID, order("").Question); provider.KindOf(err) != provider.Pending {
		t.Errorf("in the queue: %v", err)
	}
	if found, err := q.Fetch(t.Context(), ready[0].ID, order("").Question); err != nil || len(found) != 5 {
		t.Errorf("done: %d found, %v", len(found), err)
	}
}

func TestQueueModeAsksNowWhereNobodyCanWait(t *testing.T) {
	t.Parallel()
	vendor, p, _ := queued(t)
	if _, err := p.FindPlace(t.Context(), vendor.Market[0].PlaceID); err != nil {
		t.Error(err)
	}
	if _, err := p.SearchMap(t.Context(), order("").Question); err != nil {
		t.Error(err)
	}
	if len(vendor.Posted()) != 0 {
		t.Errorf("handed in %q", vendor.Posted())
	}
}
