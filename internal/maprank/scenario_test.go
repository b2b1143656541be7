package maprank_test

import (
	"context"
	"fmt"
	"net/url"
	"sync/atomic"
	"testing"
	"time"

	"github.com/trigpoint/trigpoint/internal/app/apptest"
	"github.com/trigpoint/trigpoint/internal/clock"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/httpapi"
	"github.com/trigpoint/trigpoint/internal/maprank"
	"github.com/trigpoint/trigpoint/internal/maprank/grid"
	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/provider/providertest"
)

// start is when every scenario begins, unless it says otherwise.
var start = time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)

// market is 40 invented businesses around Decatur; the first is the campaigns' own.
var market = providertest.Market(providertest.Decatur, 40)

// world is a running program with a scripted map and a clock that stands still.
type world struct {
	*apptest.Program
	t     testing.TB
	clock *clock.Fake
	maps  *providertest.Scripted
}

// quick makes a collection lose no time over faults.
var quick = maprank.Pace{Flush: 5 * time.Millisecond, Pause: time.Millisecond, Stalls: 2, Look: 20 * time.Millisecond}

// eachEngine runs a scenario on SQLite and on PostgreSQL.
func eachEngine(t *testing.T, test func(w *world), changes ...func(*apptest.Setup)) {
	t.Helper()
	apptest.Each(t, func(t *testing.T, p *apptest.Program) {
		w := &world{Program: p, t: t, clock: p.Clock.(*clock.Fake)}
		w.maps, _ = p.MapProvider().(*providertest.Scripted)
		test(w)
	}, append([]func(*apptest.Setup){prepare}, changes...)...)
}

func prepare(s *apptest.Setup) {
	s.Options.Clock = clock.NewFake(start)
	s.Options.Map.Provider = &providertest.Scripted{Place: providertest.Known(market), Map: providertest.NearestFirst(market)}
	s.Options.Map.Pace = quick
	s.Options.Map.Caller = provider.CallerOptions{Attempts: 2, Backoff: time.Millisecond, MaxBackoff: time.Millisecond, BreakerCalls: 1_000_000}
}

func path(format string, args ...any) string { return maprank.Prefix + fmt.Sprintf(format, args...) }

func (w *world) get(format string, args ...any) *apptest.Answer {
	w.t.Helper()
	return w.Do(w.t, apptest.Call{Method: "GET", Path: path(format, args...)})
}

func (w *world) send(method, at string, body any) *apptest.Answer {
	w.t.Helper()
	return w.Do(w.t, apptest.Call{Method: method, Path: path("%s", at), Body: body})
}

// events are those of a kind that the owner was told of.
func (w *world) events(kind string) *apptest.Answer {
	w.t.Helper()
	return w.Do(w.t, apptest.Call{Method: "GET", Path: httpapi.AccountPrefix + "/events?kind=" + kind}).Want(w.t, 200)
}

type object = map[string]any

// campaign creates one for the market's first business.
func (w *world) campaign(keywords ...string) *apptest.Answer {
	w.t.Helper()
	return w.send("POST", "/campaigns", object{"placeId": market[0].PlaceID, "keywords": keywords}).Want(w.t, 200)
}

// collect runs a collection to its end and returns the report's date.
func (w *world) collect(id string) string {
	w.t.Helper()
	date := w.send("PUT", "/campaigns/"+id+"/collect", nil).Want(w.t, 200).Text("data.collectingReportDate")
	w.ended(id)
	return date
}

// ended waits until no collection of the campaign runs.
func (w *world) ended(id string) *apptest.Answer {
	w.t.Helper()
	return w.becomes(id, func(a *apptest.Answer) bool { return a.Text("data.status") != "COLLECTING" })
}

// becomes waits until the campaign is as expected.
func (w *world) becomes(id string, expected func(*apptest.Answer) bool) (a *apptest.Answer) {
	w.t.Helper()
	w.until("the campaign to change", func() bool {
		a = w.get("/campaigns/%s", id).Want(w.t, 200)
		return expected(a)
	})
	return a
}

func query(pairs ...string) string {
	q := url.Values{}
	for i := 0; i < len(pairs); i += 2 {
		q.Set(pairs[i], pairs[i+1])
	}
	return "?" + q.Encode()
}

// held makes all but the first n searches wait until hold is closed.
func held(search search, hold <-chan struct{}, n int64) search {
	var asked atomic.Int64
	return func(ctx context.Context, q provider.MapQuery) ([]provider.Business, error) {
		if asked.Add(1) > n {
			select {
			case <-hold:
			case <-ctx.Done():
				return nil, ctx.Err()
			}
		}
		return search(ctx, q)
	}
}

type search = func(context.Context, provider.MapQuery) ([]provider.Business, error)

// until waits for background work to make something so.
func (w *world) until(what string, holds func() bool) {
	w.t.Helper()
	deadline := time.Now().Add(apptest.Patience)
	for !holds() {
		if time.Now().After(deadline) {
			w.t.Fatalf("waited in vain for %s", what)
		}
		time.Sleep(20 * time.Millisecond)
	}
}

func (w *world) count(table string) int {
	w.t.Helper()
	n, err := db.One(w.t.Context(), w.DB, db.Value[int], "SELECT count(*) FROM "+table)
	if err != nil {
		w.t.Fatal(err)
	}
	return n
}

// imports makes a report of an instant without searching for it.
func (w *world) imports(id string, at time.Time) {
	w.t.Helper()
	search := providertest.NearestFirst(market)
	err := w.MapRank.ImportReport(w.t.Context(), id, at, func(keyword string, at grid.Coordinates) []provider.Business {
		found, err := search(w.t.Context(), provider.MapQuery{Keyword: keyword, At: provider.Point(at)})
		if err != nil {
			w.t.Fatal(err)
		}
		return found
	})
	if err != nil {
		w.t.Fatal(err)
	}
}
