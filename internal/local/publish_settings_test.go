package local_test

import (
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"github.com/trigpoint/trigpoint/internal/app"
	"github.com/trigpoint/trigpoint/internal/app/apptest"
	"github.com/trigpoint/trigpoint/internal/clock"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/db/dbtest"
)

func accepts(http.ResponseWriter, *http.Request) {}

// A second process with other settings changes nothing of what the first publishes.
func TestProcessWithOtherSettingsPublishesNothing(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		ours, theirs := newPartner(t, accepts), newPartner(t, accepts)
		p := apptest.Start(t, d, withWebhook(ours.URL))
		first := create(t, p, valid(t))
		awaitListing(t, p, first, "CONNECTED")
		page := listings(t, p, first)["Hosted page"].URL

		apptest.Start(t, d, withWebhook(theirs.URL), func(s *apptest.Setup) {
			s.Email, s.Config.PublicURL = "other@trigpoint.example", "https://other.example"
			s.Config.Plans = `{"agency":{"locations":1,"rate":0}}`
		})
		second := create(t, p, valid(t))
		awaitListing(t, p, second, "CONNECTED")
		if theirs.number("") != 0 || ours.number("location.published "+first) != 1 {
			t.Errorf("the other was told %d times, ours %d times of the first location", theirs.number(""), ours.number("location.published "+first))
		}
		if got := p.Do(t, apptest.Call{Method: "GET", Path: base + "/locations?frozen=true"}).At("meta.total"); got != 0.0 {
			t.Errorf("%v locations are frozen by the other's plans", got)
		}
		if got := listings(t, p, first)["Hosted page"].URL; got != page {
			t.Errorf("the page moved to %s", got)
		}
	})
}

// New settings come into force once the processes that had the old ones are gone, and only what they change
// is published again.
func TestNewSettingsArePublishedOnce(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		now := clock.NewFake(time.Now()) // receivers look at the time
		before, after := newPartner(t, accepts), newPartner(t, accepts)
		var owner apptest.Account
		var first string
		run := func(name string, receiver *partner, plans string, test func(t *testing.T, p *apptest.Program)) {
			t.Run(name, func(t *testing.T) {
				p := apptest.Start(t, d, withWebhook(receiver.URL), func(s *apptest.Setup) {
					s.Email, s.Config.PublicURL, s.Config.Plans, s.Options.Clock = name+"@trigpoint.example", "https://maps.example", plans, now
				})
				if owner.ID == "" {
					owner = p.Owner
				}
				p.Owner = owner
				test(t, p)
			})
			now.Advance(time.Minute + time.Second)
		}
		const roomy, narrow = `{"agency":{"rate":0}}`, `{"agency":{"locations":2,"rate":0}}`
		another := func(t *testing.T, p *apptest.Program) {
			now.Advance(time.Second)
			awaitListing(t, p, create(t, p, valid(t)), "CONNECTED")
		}
		run("first", before, roomy, func(t *testing.T, p *apptest.Program) {
			first = create(t, p, valid(t))
			awaitListing(t, p, first, "CONNECTED")
		})
		run("again", before, roomy, another)
		if n := before.number("location.published " + first); n != 1 {
			t.Errorf("told %d times with the same settings", n)
		}
		run("moved", after, roomy, func(t *testing.T, p *apptest.Program) {
			p.Eventually(t, apptest.Call{Method: "GET", Path: base + "/locations/" + first}, func(*apptest.Answer) bool { return after.number("location.published "+first) == 1 })
			another(t, p)
		})
		run("narrowed", after, narrow, func(t *testing.T, p *apptest.Program) {
			p.Eventually(t, apptest.Call{Method: "GET", Path: base + "/locations?frozen=true"}, func(a *apptest.Answer) bool { return a.At("meta.total") == 1.0 })
		})
		if n := after.number("location.published " + first); n != 1 {
			t.Errorf("the new receiver was told %d times", n)
		}
	})
}

// number counts the events of a kind, or all of them.
func (p *partner) number(event string) (n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, e := range p.events {
		if event == "" || e == event {
			n++
		}
	}
	return n
}

// A command that works the store, such as trigpoint collect, leaves locations to the service.
func TestCommandPublishesNothing(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, p *apptest.Program) {
		id := create(t, p, valid(t))
		work := func(command bool) (stop func()) {
			a, err := app.New(p.Config, p.DB, slog.New(slog.DiscardHandler), app.Options{Command: command})
			if err != nil {
				t.Fatal(err)
			}
			if stop, err = a.Work(t.Context()); err != nil {
				t.Fatal(err)
			}
			return stop
		}
		work(true)() // what runs at all has run at the start
		location := apptest.Call{Method: "GET", Path: base + "/locations/" + id}
		if got := p.Do(t, location).Text("data.location_status"); got != "PROCESSING" || count(t, p.DB, "publishing WHERE settings = ''") != 1 {
			t.Errorf("a command made the location %s", got)
		}
		defer work(false)()
		published(t, p, id)
	}, func(s *apptest.Setup) { s.NoWorker = true })
}

// What is served here moves with the public address, and the feed with its token, without being published again.
func TestLinksFollowThePublicAddressAndTheFeedToken(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, p *apptest.Program) {
		id := create(t, p, valid(t))
		published(t, p, id)
		old := listings(t, p, id)["Partner feed"].URL
		err := p.DB.Tx(t.Context(), func(tx *db.Tx) error {
			_, err := tx.Exec(t.Context(), "UPDATE accounts SET feed_token = 'tpf_rotated'")
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		if rotated := listings(t, p, id)["Partner feed"].URL; rotated != p.URL+"/feeds/tpf_rotated.json" {
			t.Errorf("the listing shows %s", rotated)
		}
		if status, _ := fetch(t, old); status != 404 {
			t.Errorf("the old feed answers %d", status)
		}
		if status, _ := fetch(t, p.URL+"/feeds/tpf_rotated.json"); status != 200 {
			t.Errorf("the new feed answers %d", status)
		}
	})
}

// A retry says exactly what the first attempt said, whatever has become of the location meanwhile.
func TestRetriedPushRepeatsItsMessage(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		type message struct{ id, body string }
		arrived := make(chan message, 100)
		var tries atomic.Int32
		receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			body, _ := io.ReadAll(r.Body)
			arrived <- message{r.Header.Get("webhook-id"), string(body)}
			if tries.Add(1) == 1 {
				w.WriteHeader(http.StatusServiceUnavailable)
			}
		}))
		t.Cleanup(receiver.Close)
		p := apptest.Start(t, d, withWebhook(receiver.URL))
		id := create(t, p, valid(t))
		first := <-arrived
		// The change is stored, and not yet published.
		err := d.Tx(t.Context(), func(tx *db.Tx) error {
			_, err := tx.Exec(t.Context(), "UPDATE locations SET profile = '{\"business_name\":\"Other\"}' WHERE id = $1", id)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		if again := <-arrived; again != first {
			t.Errorf("the retry of\n%v was\n%v", first, again)
		}
	})
}
