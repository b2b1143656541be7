package providertest

import (
	"fmt"
	"net/http"
	"slices"
	"sync"

	"github.com/trigpoint/trigpoint/internal/provider"
)

// dataForSEOQueue is the state of the fake: the tasks that were handed in, and what all has cost.
type dataForSEOQueue struct {
	mu      sync.Mutex
	ids     int
	spent   float64
	order   []string
	tasks   map[string]*dataForSEOOrder
	listed  int
	expired bool
}

// dataForSEOOrder is a task that was handed in.
type dataForSEOOrder struct {
	engine  string
	task    DataForSEOTask
	done    bool
	failed  bool
	fetched int
}

// Finish has every task done that waits now.
func (d *DataForSEO) Finish() {
	d.queue.each(func(o *dataForSEOOrder) { o.done = true })
}

// FinishTag has the tasks with a tag done.
func (d *DataForSEO) FinishTag(tag string) {
	d.queue.each(func(o *dataForSEOOrder) { o.done = o.done || o.task.Tag == tag })
}

// Fail gives the tasks with a tag up: Google has failed.
func (d *DataForSEO) Fail(tag string) {
	d.queue.each(func(o *dataForSEOOrder) {
		if o.task.Tag == tag {
			o.done, o.failed = true, true
		}
	})
}

// Expire forgets all results, as DataForSEO does after 30 days.
func (d *DataForSEO) Expire() {
	d.queue.mu.Lock()
	defer d.queue.mu.Unlock()
	d.queue.expired = true
}

// Posts counts how often a task with the tag was handed in, and billed.
func (d *DataForSEO) Posts(tag string) int {
	n := 0
	d.queue.each(func(o *dataForSEOOrder) {
		if o.task.Tag == tag {
			n++
		}
	})
	return n
}

// Posted are the tags of all tasks that were handed in, in order.
func (d *DataForSEO) Posted() []string {
	var tags []string
	d.queue.each(func(o *dataForSEOOrder) { tags = append(tags, o.task.Tag) })
	return tags
}

// Unfetched are the tags of tasks that were paid and whose results nobody has fetched.
func (d *DataForSEO) Unfetched() []string {
	var tags []string
	d.queue.each(func(o *dataForSEOOrder) {
		if o.fetched == 0 {
			tags = append(tags, o.task.Tag)
		}
	})
	return tags
}

// Listed counts the requests for the list of finished tasks.
func (d *DataForSEO) Listed() int {
	d.queue.mu.Lock()
	defer d.queue.mu.Unlock()
	return d.queue.listed
}

// Spent is what all requests have cost.
func (d *DataForSEO) Spent() provider.Money {
	d.queue.mu.Lock()
	defer d.queue.mu.Unlock()
	return provider.USD(d.queue.spent)
}

func (q *dataForSEOQueue) each(do func(*dataForSEOOrder)) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, id := range q.order {
		do(q.tasks[id])
	}
}

// charge bills a request and makes the id of its task.
func (q *dataForSEOQueue) charge(cost float64) string {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.bill(cost)
}

func (q *dataForSEOQueue) bill(cost float64) string {
	q.ids++
	q.spent += cost
	return fmt.Sprintf("08220904-1234-0139-0000-%012x", q.ids)
}

// post takes tasks, each by itself; those beyond a hundred are refused.
func (d *DataForSEO) post(w http.ResponseWriter, r *http.Request) {
	tasks, ok := dataForSEOTasks[DataForSEOTask](w, r)
	if !ok {
		return
	}
	engine := r.PathValue("engine")
	var answers []map[string]any
	for i, t := range tasks {
		code, message := t.fault(engine)
		if i >= provider.MaxPost {
			code, message = 40006, "The number of tasks exceeds 100."
		}
		if code != 0 {
			answers = append(answers, dataForSEODone("", code, message, 0, t, nil))
			continue
		}
		cost := dataForSEOSearchCost(engine, 0.0006*float64(max(1, t.Priority)), max(1, t.Depth/10))
		answers = append(answers, dataForSEODone(d.queue.add(engine, t, cost, d.Instant), 20100, "Task Created.", cost, t, nil))
	}
	dataForSEOAnswers(w, answers...)
}

func (q *dataForSEOQueue) add(engine string, t DataForSEOTask, cost float64, done bool) string {
	q.mu.Lock()
	defer q.mu.Unlock()
	id := q.bill(cost)
	q.order = append(q.order, id)
	q.tasks[id] = &dataForSEOOrder{engine: engine, task: t, done: done}
	return id
}

// ready lists what is done and not yet fetched, a thousand at most.
func (d *DataForSEO) ready(w http.ResponseWriter, r *http.Request) {
	d.queue.mu.Lock()
	d.queue.listed++
	engine, rows := r.PathValue("engine"), []map[string]any{}
	for _, id := range d.queue.order {
		if o := d.queue.tasks[id]; o.engine == engine && o.done && o.fetched == 0 && len(rows) < 1000 {
			rows = append(rows, map[string]any{
				"id": id, "se": "google", "se_type": engine, "date_posted": "2026-08-22 09:04:12 +00:00", "tag": o.task.Tag,
				"endpoint_regular": nil, "endpoint_advanced": "/v3/serp/google/" + engine + "/task_get/advanced/" + id, "endpoint_html": nil,
			})
		}
	}
	d.queue.mu.Unlock()
	dataForSEOAnswers(w, dataForSEODone("", 20000, "Ok.", 0, map[string]string{"function": "tasks_ready"}, rows))
}

// get answers a task that is done, as often as it is asked for, for nothing.
func (d *DataForSEO) get(w http.ResponseWriter, r *http.Request) {
	id, engine := r.PathValue("id"), r.PathValue("engine")
	o, state := d.queue.take(engine, id)
	switch state {
	case 20000:
		result, _ := d.search(engine, o.task)
		if result == nil {
			dataForSEOAnswers(w, dataForSEODone(id, 40102, "No Search Results.", 0, o.task, nil))
			return
		}
		dataForSEOAnswers(w, dataForSEODone(id, 20000, "Ok.", 0, o.task, []any{result}))
	case 40101:
		dataForSEOAnswers(w, dataForSEODone(id, state, "Internal SE Server Error.", 0, o.task, nil))
	case 40602:
		dataForSEOAnswers(w, dataForSEODone(id, state, "Task In Queue.", 0, o.task, nil))
	default:
		dataForSEOAnswers(w, dataForSEODone(id, state, "Task Not Found.", 0, nil, nil))
	}
}

// take notes that a task was fetched, and tells the code of its state.
func (q *dataForSEOQueue) take(engine, id string) (dataForSEOOrder, int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if !slices.Contains(q.order, id) || q.tasks[id].engine != engine || q.expired {
		return dataForSEOOrder{}, 40401
	}
	o := q.tasks[id]
	if !o.done {
		return *o, 40602
	}
	o.fetched++
	if o.failed {
		return *o, 40101
	}
	return *o, 20000
}
