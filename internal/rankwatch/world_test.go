package rankwatch_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/trigpoint/trigpoint/internal/app/apptest"
	"github.com/trigpoint/trigpoint/internal/clock"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/db/dbtest"
	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/provider/providertest"
	"github.com/trigpoint/trigpoint/internal/rankwatch"
	"github.com/trigpoint/trigpoint/internal/rankwatch/series"
)

const (
	base      = rankwatch.Prefix + "/rankwatch"
	trackings = base + "/trackings"
	london    = 2643743
)

// engine is a search engine whose answers a test decides. Results are ten a page.
type engine struct {
	mu     sync.Mutex
	ranks  map[string]int                                 // by keyword, of https://www.site.com/<keyword>; 0 and absent: not found
	more   []provider.WebItem                             // put before the organic results
	fault  func(q provider.WebQuery, asked int) error     // asked counts the searches of the keyword, from 1
	hook   func(q provider.WebQuery)                      // called before each answer
	page   func(q provider.WebQuery) (p provider.WebPage) // in place of all this
	asked  map[string]int                                 // searches by keyword
	last   map[string]provider.WebQuery                   // newest query by keyword
	day    map[string]series.Day                          // of that query
	failed map[string]bool                                // it was not answered
	clock  *clock.Fake
}

func newEngine() *engine {
	return &engine{ranks: map[string]int{}, asked: map[string]int{}, last: map[string]provider.WebQuery{}, day: map[string]series.Day{}, failed: map[string]bool{}}
}

func (e *engine) search(_ context.Context, q provider.WebQuery) (provider.WebPage, error) {
	if err := q.Check(); err != nil {
		return provider.WebPage{}, err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.asked[q.Keyword]++
	e.last[q.Keyword], e.day[q.Keyword] = q, series.DayOf(e.clock.Now())
	if e.hook != nil {
		e.hook(q)
	}
	if e.fault != nil {
		err := e.fault(q, e.asked[q.Keyword])
		if e.failed[q.Keyword] = err != nil; err != nil {
			return provider.WebPage{}, err
		}
	}
	if e.page != nil {
		return e.page(q), nil
	}
	return resultPage(q, e.ranks[q.Keyword], e.more), nil
}

// resultPage has the target at a rank and others around it, and ends with the page on which Until is content.
func resultPage(q provider.WebQuery, rank int, more []provider.WebItem) provider.WebPage {
	page := provider.WebPage{Items: append([]provider.WebItem{}, more...)}
	done := false
	for n := 1; n <= q.Limit(); n++ {
		if n%10 == 1 {
			if done {
				break
			}
			page.Pages++
		}
		item := provider.WebItem{Type: provider.Organic, Rank: n, URL: fmt.Sprintf("https://other-%d.example/", n), Title: fmt.Sprintf("Other %d", n)}
		if n == rank {
			item.URL, item.Title = "https://www.site.com/"+q.Keyword, "The site"
		}
		page.Items = append(page.Items, item)
		done = done || q.Until != nil && q.Until(item)
	}
	return page
}

func (e *engine) set(ranks map[string]int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for kw, rank := range ranks {
		e.ranks[kw] = rank
	}
}

func (e *engine) do(fn func(*engine)) {
	e.mu.Lock()
	defer e.mu.Unlock()
	fn(e)
}

func (e *engine) searches(kw string) int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.asked[kw]
}

// world is the program with an engine and a clock of its own.
type world struct {
	*apptest.Program
	engine *engine
	clock  *clock.Fake
}

// each runs a scenario on both engines of the store, on a day in March.
func each(t *testing.T, test func(t *testing.T, w *world), changes ...func(*apptest.Setup)) {
	t.Helper()
	dbtest.Each(t, func(t *testing.T, d *db.DB) { test(t, start(t, d, changes...)) })
}

func start(t testing.TB, d *db.DB, changes ...func(*apptest.Setup)) *world {
	t.Helper()
	w := &world{engine: newEngine(), clock: clock.NewFake(time.Date(2026, 3, 10, 9, 30, 0, 0, time.UTC))}
	w.engine.clock = w.clock
	set := func(s *apptest.Setup) {
		s.Options.Clock = w.clock
		s.Options.Web = &providertest.Scripted{Web: w.engine.search}
	}
	w.Program = apptest.Start(t, d, append([]func(*apptest.Setup){set}, changes...)...)
	return w
}

func (w *world) get(t testing.TB, path string) *apptest.Answer {
	t.Helper()
	return w.Do(t, apptest.Call{Method: "GET", Path: path})
}

func (w *world) post(t testing.TB, path string, body any) *apptest.Answer {
	t.Helper()
	return w.Do(t, apptest.Call{Method: "POST", Path: path, Body: body})
}

// track makes a tracking of site.com and returns its path and the ids of its keywords.
func (w *world) track(t testing.TB, keywords ...string) (path string, ids []string) {
	t.Helper()
	made := w.post(t, trackings, map[string]any{"domain": "site.com", "location_id": london, "platform_id": 1, "keywords": keywords}).Want(t, 201)
	for i := range keywords {
		ids = append(ids, made.Text(fmt.Sprintf("keywords.%d._id", i)))
	}
	return trackings + "/" + made.Text("tracking._id"), ids
}

// checked waits until every keyword of a tracking has been checked on the clock's day, and returns them.
func (w *world) checked(t testing.TB, path string) []rankwatch.TrackedKeyword {
	t.Helper()
	var keywords []rankwatch.TrackedKeyword
	today := series.DayOf(w.clock.Now())
	w.Eventually(t, apptest.Call{Method: "GET", Path: path + "/tracked-keywords"}, func(a *apptest.Answer) bool {
		keywords = nil
		a.Want(t, 200).Into(t, &keywords)
		for _, k := range keywords {
			if k.LastCheckedAt == nil || series.DayOf(time.Unix(*k.LastCheckedAt, 0)) != today {
				return false
			}
		}
		return true
	})
	return keywords
}

func (w *world) stats(t testing.TB, path, query string) rankwatch.Stats {
	t.Helper()
	var stats rankwatch.Stats
	w.post(t, path+"/stats"+query, nil).Want(t, 200).Into(t, &stats)
	return stats
}

// tomorrow moves the clock to the same time of the next day.
func (w *world) tomorrow() { w.clock.Advance(24 * time.Hour) }

type query = provider.WebQuery

func failing(fails bool) error {
	if fails {
		return provider.Errorf(provider.BadQuery, "Scripted", "No answer today.")
	}
	return nil
}

// settled waits until each keyword has been asked for on the clock's day, answered or not, and what was
// answered is kept.
func (w *world) settled(t testing.TB, path string, keywords []string) {
	t.Helper()
	today := series.DayOf(w.clock.Now())
	w.Eventually(t, apptest.Call{Method: "GET", Path: path + "/tracked-keywords"}, func(a *apptest.Answer) bool {
		var list []rankwatch.TrackedKeyword
		a.Want(t, 200).Into(t, &list)
		done := 0
		w.engine.do(func(e *engine) {
			for _, k := range list {
				recorded := k.LastCheckedAt != nil && series.DayOf(time.Unix(*k.LastCheckedAt, 0)) == today
				if e.day[k.Text] == today && (recorded || e.failed[k.Text]) {
					done++
				}
			}
		})
		return done == len(keywords)
	})
}
