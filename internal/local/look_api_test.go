package local_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/trigpoint/trigpoint/internal/app/apptest"
	"github.com/trigpoint/trigpoint/internal/clock"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/db/dbtest"
	"github.com/trigpoint/trigpoint/internal/httpapi"
	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/provider/providertest"
)

// worldMap is a map whose places a test changes.
type worldMap struct {
	providertest.Scripted
	mu     sync.Mutex
	places map[string]provider.Business
	err    error
}

func newWorldMap() *worldMap {
	m := &worldMap{places: map[string]provider.Business{}}
	m.Title, m.Account, m.Google = "World map", "an account at the vendor", true
	m.Place = func(_ context.Context, placeID string) (provider.Business, error) {
		m.mu.Lock()
		defer m.mu.Unlock()
		b, ok := m.places[placeID]
		if !ok && m.err == nil {
			return b, provider.Errorf(provider.NotFound, m.Title, "There is no such place.")
		}
		return b, m.err
	}
	return m
}

func (m *worldMap) show(placeID string, change func(*provider.Business)) {
	m.mu.Lock()
	defer m.mu.Unlock()
	b, ok := m.places[placeID]
	if !ok {
		b = provider.Business{PlaceID: placeID, CID: "42", Name: "Decatur Deli", Phone: "(404) 555-0123", Address: "1 Main St, Decatur, GA 30030"}
	}
	change(&b)
	m.places[placeID] = b
}

func (m *worldMap) fail(err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.err = err
}

func (m *worldMap) forget(placeID string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.places, placeID)
}

func awaitMap(t testing.TB, p *apptest.Program, id string, holds func(listing) bool) listing {
	t.Helper()
	var last listing
	p.Eventually(t, apptest.Call{Method: "GET", Path: base + "/locations/" + id + "/listings"}, func(*apptest.Answer) bool {
		last = listings(t, p, id)["Google Maps"]
		return holds(last)
	})
	return last
}

func isStatus(status string) func(listing) bool {
	return func(l listing) bool { return l.Status == status }
}

func TestListingWatchFindsAChangedPhoneNumber(t *testing.T) {
	t.Parallel()
	eachWithMap(t, func(t *testing.T, p *apptest.Program, onMap *worldMap, now *clock.Fake) {
		onMap.show("ChIJ-deli", func(*provider.Business) {})
		for _, condition := range []string{"listing_changed", "location_closed"} {
			p.Do(t, apptest.Call{Method: "POST", Path: httpapi.AccountPrefix + "/alerts/rules", Body: map[string]any{"condition": condition}}).Want(t, 200)
		}
		plain := create(t, p, valid(t))
		id := create(t, p, with(valid(t), "place_id", "ChIJ-deli"))
		l := awaitMap(t, p, id, isStatus("CONNECTED"))
		if l.Controllable || l.URL != "https://maps.google.com/?cid=42" || l.Detail != "" {
			t.Errorf("the listing of a location that agrees with the map: %+v", l)
		}
		switchTo(t, p, l, "disable", 409)
		published(t, p, plain)
		if l, ok := listings(t, p, plain)["Google Maps"]; ok {
			t.Errorf("a location without a place id has the listing %+v", l)
		}

		onMap.show("ChIJ-deli", func(b *provider.Business) { b.Phone = "+1 404-555-0199" })
		asked := onMap.Calls()
		published(t, p, create(t, p, with(valid(t), "place_id", "ChIJ-other"))) // wakes the watch, which finds only this one due
		now.Advance(8 * 24 * time.Hour)
		l = awaitMap(t, p, id, isStatus("UNAVAILABLE"))
		if want := "The map shows the phone number +1 404-555-0199, not +1 404-555-0123."; l.Detail != want {
			t.Errorf("detail %q, want %q", l.Detail, want)
		}
		if n := onMap.Calls() - asked; n > 3 { // the other location at once and a week later
			t.Errorf("the map was asked %d times in a week", n)
		}

		p.Do(t, apptest.Call{Method: "PATCH", Path: base + "/locations/" + id + "?update_mask=phone_number", Body: `{"phone_number":"+1 404-555-0199"}`}).Want(t, 200)
		published(t, p, id)
		now.Advance(2 * time.Minute)
		awaitMap(t, p, id, isStatus("CONNECTED"))

		onMap.show("ChIJ-deli", func(b *provider.Business) { b.Closed = provider.ClosedForGood })
		answer := p.Do(t, apptest.Call{Method: "POST", Path: base + "/locations/" + id + "/look-up"}).Want(t, 200)
		if answer.Text("data.status") != "UNAVAILABLE" || !strings.Contains(answer.Text("data.status_detail"), "permanently closed") {
			t.Errorf("a place that is closed for good: %s", answer.Raw)
		}
		told := p.Do(t, apptest.Call{Method: "GET", Path: httpapi.AccountPrefix + "/alerts"}).Want(t, 200)
		var texts []string
		for i := range told.Len("data") {
			texts = append(texts, told.Text(fmt.Sprintf("data.%d.text", i)))
		}
		slices.Sort(texts)
		closed := "Decatur Deli: its listing in Google Maps went from connected to unavailable. The map shows the place as permanently closed."
		if want := []string{
			"Decatur Deli: its listing in Google Maps went from connected to unavailable. The map shows the phone number +1 404-555-0199, not +1 404-555-0123.", closed, closed,
			"Decatur Deli: its listing in Google Maps went from processing to unavailable. The map does not know the place ChIJ-other, or no longer does.",
		}; !slices.Equal(texts, want) {
			t.Errorf("people are told %q, want %q", texts, want) // and nothing of what they changed themselves
		}
		onMap.forget("ChIJ-deli")
		answer = p.Do(t, apptest.Call{Method: "POST", Path: base + "/locations/" + id + "/look-up"}).Want(t, 200)
		if answer.Text("data.status") != "UNAVAILABLE" || !strings.Contains(answer.Text("data.status_detail"), "does not know the place") {
			t.Errorf("a place that is gone: %s", answer.Raw)
		}

		p.Do(t, apptest.Call{Method: "PATCH", Path: base + "/locations/" + id + "?update_mask=place_id", Body: `{"place_id":null}`}).Want(t, 200)
		awaitMap(t, p, id, isStatus("DISCONNECTED"))
	})
}

func TestLookUpIsRefusedAndTeaches(t *testing.T) {
	t.Parallel()
	eachWithMap(t, func(t *testing.T, p *apptest.Program, onMap *worldMap, _ *clock.Fake) {
		plain := create(t, p, valid(t))
		answer := p.Do(t, apptest.Call{Method: "POST", Path: base + "/locations/" + plain + "/look-up"}).Want(t, 409)
		if !strings.Contains(answer.Text("error.message"), "place_id") {
			t.Errorf("without a place id: %s", answer.Raw)
		}
		for _, bad := range []string{"with space", "ümlaut", strings.Repeat("x", 256)} {
			answer := p.Do(t, apptest.Call{Method: "POST", Path: base + "/locations", Body: with(valid(t), "place_id", bad)}).Want(t, 400)
			if answer.Text("error.details.0.field") != "place_id" {
				t.Errorf("place_id %.20q: %s", bad, answer.Raw)
			}
		}
		onMap.show("ChIJ-deli", func(*provider.Business) {})
		id := create(t, p, with(valid(t), "place_id", "ChIJ-deli"))
		awaitMap(t, p, id, isStatus("CONNECTED"))
		stranger := p.NewAccount(t, "stranger@trigpoint.example", "free")
		p.Do(t, apptest.Call{Method: "POST", Path: base + "/locations/" + id + "/look-up", As: &stranger}).Want(t, 404)

		lookUpsUsed := func() int64 {
			used, err := p.Accounts.Usage(t.Context(), p.DB, p.Owner.ID, "lookups")
			if err != nil {
				t.Fatal(err)
			}
			return used.Used
		}
		onMap.fail(provider.Errorf(provider.Unauthorized, "World map", "World map refused the API key."))
		answer = p.Do(t, apptest.Call{Method: "POST", Path: base + "/locations/" + id + "/look-up"}).Want(t, 503)
		if !strings.Contains(answer.Text("error.message"), "refused the API key") || lookUpsUsed() != 0 {
			t.Errorf("a map that does not answer: %s, %d look-ups used", answer.Raw, lookUpsUsed())
		}
		if l := listings(t, p, id)["Google Maps"]; l.Status != "CONNECTED" {
			t.Errorf("a look that failed left %+v", l)
		}
		onMap.fail(nil)
		p.Do(t, apptest.Call{Method: "POST", Path: base + "/locations/" + id + "/look-up"}).Want(t, 200)
		if n := lookUpsUsed(); n != 1 {
			t.Errorf("%d look-ups used, want 1", n)
		}
	})
}

func eachWithMap(t *testing.T, test func(t *testing.T, p *apptest.Program, onMap *worldMap, now *clock.Fake)) {
	t.Helper()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		onMap, now := newWorldMap(), clock.NewFake(time.Date(2026, 3, 3, 12, 0, 0, 0, time.UTC))
		test(t, apptest.Start(t, d, func(s *apptest.Setup) { s.Options.Map.Provider, s.Options.Clock = onMap, now }), onMap, now)
	})
}
