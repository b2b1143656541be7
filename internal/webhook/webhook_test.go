package webhook_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"github.com/trigpoint/trigpoint/internal/app/apptest"
	"github.com/trigpoint/trigpoint/internal/clock"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/event"
	"github.com/trigpoint/trigpoint/internal/httpapi"
	"github.com/trigpoint/trigpoint/internal/local"
	"github.com/trigpoint/trigpoint/internal/secret"
)

type object = map[string]any

const webhooks = httpapi.AccountPrefix + "/webhooks"

var deli = object{
	"business_name": "Decatur Deli", "phone_number": "+1 404-555-0123", "country": "US", "region": "GA", "city": "Decatur", "zip": "30030",
	"address_line_1": "1 Main Street", "category_ids": []string{"amenity.fast_food.sandwich"},
}

// message is what a receiver got.
type message struct {
	ID   string
	Type string
	Data object
}

// receiver is a real one that checks every signature. Reply says what it answers, 200 when nil.
type receiver struct {
	*httptest.Server
	Reply func(w http.ResponseWriter, r *http.Request)

	t      *testing.T
	mu     sync.Mutex
	secret string
	got    []message
}

func newReceiver(t *testing.T) *receiver {
	r := &receiver{t: t}
	r.Server = httptest.NewServer(http.HandlerFunc(r.serve))
	t.Cleanup(r.Close)
	return r
}

func (r *receiver) serve(w http.ResponseWriter, req *http.Request) {
	raw, err := io.ReadAll(req.Body)
	if err != nil {
		r.t.Error(err)
	}
	r.mu.Lock()
	key := r.secret
	r.mu.Unlock()
	if key != "" {
		verifier, err := standardwebhooks.NewWebhook(key)
		if err != nil {
			r.t.Error(err)
		} else if err := verifier.VerifyIgnoringTimestamp(raw, req.Header); err != nil {
			r.t.Errorf("signature: %v", err)
		}
	}
	m := message{ID: req.Header.Get("webhook-id")}
	if err := json.Unmarshal(raw, &m); err != nil {
		r.t.Error(err)
	}
	r.mu.Lock()
	r.got = append(r.got, m)
	r.mu.Unlock()
	if r.Reply != nil {
		r.Reply(w, req)
	}
}

func (r *receiver) messages() []message {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.got)
}

// until waits until as many messages have come.
func (r *receiver) until(n int) []message {
	r.t.Helper()
	deadline := time.Now().Add(apptest.Patience)
	for {
		if all := r.messages(); len(all) >= n {
			return all
		}
		if time.Now().After(deadline) {
			r.t.Fatalf("only %d of %d messages have come: %v", len(r.messages()), n, r.messages())
		}
		time.Sleep(5 * time.Millisecond)
	}
}

func post(path string, body any) apptest.Call {
	return apptest.Call{Method: "POST", Path: path, Body: body}
}

func get(path string) apptest.Call { return apptest.Call{Method: "GET", Path: path} }

// listen makes a webhook for a receiver.
func (r *receiver) listen(p *apptest.Program, kinds ...string) (id string) {
	r.t.Helper()
	made := p.Do(r.t, post(webhooks, object{"url": r.URL, "kinds": kinds})).Want(r.t, 200)
	r.mu.Lock()
	r.secret = made.Text("data.secret")
	r.mu.Unlock()
	return made.Text("data.id")
}

var noon = time.Date(2026, 11, 15, 12, 0, 0, 0, time.UTC)

func each(t *testing.T, test func(t *testing.T, p *apptest.Program, now *clock.Fake)) {
	apptest.Each(t, func(t *testing.T, p *apptest.Program) { test(t, p, p.Clock.(*clock.Fake)) }, func(s *apptest.Setup) {
		s.Options.Clock = clock.NewFake(noon)
		s.Config.SecretKey = strings.Repeat("ab", 32)
	})
}

func status(want string) func(*apptest.Answer) bool {
	return func(a *apptest.Answer) bool { return a.Len("data") > 0 && a.Text("data.0.status") == want }
}

// An account learns what happens to a location, each thing once, signed, and nothing of other accounts.
func TestReceiversAreTold(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, p *apptest.Program, now *clock.Fake) {
		all, some, other := newReceiver(t), newReceiver(t), newReceiver(t)
		id := some.listen(p, "location.deleted", "location.created")
		all.listen(p) // which is not told of itself
		stranger := p.NewAccount(t, "stranger@trigpoint.example", "free")
		p.Do(t, apptest.Call{Method: "POST", Path: webhooks, Body: object{"url": other.URL}, As: &stranger}).Want(t, 200)

		made := p.Do(t, post(local.Prefix+"/locations", deli)).Want(t, 200).Text("data.location_id")
		p.Do(t, post(local.Prefix+"/locations?validate_only=true", deli)).Want(t, 200)
		first := all.until(2)
		if first[0].Type == "location.published" {
			first[0], first[1] = first[1], first[0]
		}
		if first[0].Type != "location.created" || first[1].Type != "location.published" || first[0].Data["location_id"] != made || first[0].Data["business_name"] != "Decatur Deli" {
			t.Errorf("told %v", first)
		}
		p.Do(t, apptest.Call{Method: "PATCH", Path: local.Prefix + "/locations/" + made + "?update_mask=city", Body: object{"city": "Atlanta"}}).Want(t, 200)
		p.Do(t, apptest.Call{Method: "PATCH", Path: local.Prefix + "/locations/" + made + "?update_mask=city,zip", Body: object{"city": "Atlanta", "zip": "30031"}}).Want(t, 200)
		p.Do(t, apptest.Call{Method: "PATCH", Path: local.Prefix + "/locations/" + made + "?update_mask=city", Body: object{"city": "Atlanta"}}).Want(t, 200)
		if told := p.Told(t, "location.changed", nil); told.Len("data") != 2 || told.Len("data.0.data.changed") != 1 || told.Text("data.0.data.changed.0") != "zip" {
			t.Errorf("told of what has not changed: %s", told.Raw)
		}
		if changed := all.until(4); !slices.ContainsFunc(changed, func(m message) bool { return m.Type == "location.changed" }) {
			t.Errorf("told %v", changed)
		}
		some.until(1) // messages that wait together are sent side by side
		p.Do(t, apptest.Call{Method: "DELETE", Path: local.Prefix + "/locations/" + made}).Want(t, 200)
		told := some.until(2)
		if len(told) != 2 || told[1].Type != "location.deleted" || told[0].ID == told[1].ID {
			t.Errorf("told %v", told)
		}
		if got := other.messages(); len(got) > 0 {
			t.Errorf("a stranger was told %v", got)
		}
		kinds := p.Do(t, get(httpapi.AccountPrefix+"/events?kind=location.created")).Want(t, 200)
		if kinds.Len("data") != 1 || kinds.Text("data.0.data.location_id") != made {
			t.Errorf("events: %s", kinds.Raw)
		}
		for _, path := range []string{"/" + id + "/deliveries"} {
			p.Do(t, apptest.Call{Method: "GET", Path: webhooks + path, As: &stranger}).Want(t, 404)
		}
		p.Do(t, apptest.Call{Method: "DELETE", Path: webhooks + "/" + id, As: &stranger}).Want(t, 404)
		p.Do(t, apptest.Call{Method: "PATCH", Path: webhooks + "/" + id, As: &stranger, Body: object{"paused": true}}).Want(t, 404)
		for _, path := range []string{"/test", "/replay"} {
			p.Do(t, apptest.Call{Method: "POST", Path: webhooks + "/" + id + path, As: &stranger, Body: object{"since": noon}}).Want(t, 404)
		}

		// Replayed, they keep their ids; forgotten after a week, they cannot be.
		replayed := p.Do(t, post(webhooks+"/"+id+"/replay", object{"since": noon})).Want(t, 200)
		if replayed.At("data.events") != float64(2) {
			t.Errorf("replayed %s", replayed.Raw)
		}
		again := some.until(4)
		if again[2].ID != told[0].ID && again[2].ID != told[1].ID {
			t.Errorf("told again %v", again)
		}
		p.Do(t, post(webhooks+"/"+id+"/replay", object{"event_id": told[0].ID})).Want(t, 200)
		some.until(5)
		p.Do(t, post(webhooks+"/"+id+"/replay", object{"event_id": made})).Want(t, 404)
		p.Do(t, post(webhooks+"/"+id+"/replay", object{})).Want(t, 400)
		now.Advance(event.Kept + time.Hour)
		if more, err := event.ForgetOld(t.Context(), p.DB, now.Now()); err != nil || more {
			t.Fatal(more, err)
		}
		if left := p.Do(t, get(httpapi.AccountPrefix+"/events")).Want(t, 200); left.Len("data") != 0 {
			t.Errorf("after a week: %s", left.Raw)
		}
		if left := p.Do(t, get(webhooks+"/"+id+"/deliveries")).Want(t, 200); left.Len("data") != 0 {
			t.Errorf("after a week: %s", left.Raw)
		}
	})
}

// A receiver that fails is tried again as Standard Webhooks says; one that is gone is paused; one that hangs holds up nobody; one whose
// secret's key is away is told once that is back.
func TestReceiversThatFail(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, p *apptest.Program, now *clock.Fake) {
		failing, gone, hanging, well := newReceiver(t), newReceiver(t), newReceiver(t), newReceiver(t)
		failing.Reply = func(w http.ResponseWriter, _ *http.Request) {
			http.Error(w, "out of order", http.StatusInternalServerError)
		}
		gone.Reply = func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusGone) }
		released := make(chan struct{})
		hanging.Reply = func(http.ResponseWriter, *http.Request) { <-released }
		defer close(released)
		const kind = "location.created"
		hanging.listen(p, kind)
		failingID, goneID := failing.listen(p, kind), gone.listen(p, kind)
		well.listen(p, kind)
		restored := newReceiver(t) // from a backup, without its key
		restoredID := restored.listen(p, kind)
		own := sealedAnew(t, p, restoredID)
		created := event.Event{AccountID: p.Owner.ID, Kind: event.LocationCreated, Data: event.Location{}}
		err := p.DB.Tx(t.Context(), func(tx *db.Tx) error { // at once: a receiver that refuses one is not told of the next for a while
			return event.Emit(t.Context(), tx, now.Now(), created, created, created)
		})
		if err != nil {
			t.Fatal(err)
		}
		well.until(3) // though another hangs
		failing.until(3)
		// turned tells whether so many turns of the receiver have ended: what ends after the clock has moved counts from then on.
		turned := func(n int) bool {
			turns, err := db.One(t.Context(), p.DB, db.Value[int], "SELECT faults FROM webhooks WHERE id = $1", failingID)
			return err == nil && turns == n
		}
		failed := p.Eventually(t, get(webhooks+"/"+failingID+"/deliveries?status=pending"), func(a *apptest.Answer) bool {
			return a.Len("data") == 3 && a.At("data.0.attempts") == float64(1) && turned(1)
		})
		if failed.At("data.0.code") != float64(500) || failed.Text("data.0.answer") != "out of order" || failed.Text("data.0.next_at") != "2026-11-15T12:00:05Z" {
			t.Errorf("the log: %s", failed.Raw)
		}
		paused := p.Eventually(t, get(webhooks), func(a *apptest.Answer) bool { return strings.Contains(string(a.Raw), "410 Gone") })
		if !strings.Contains(string(paused.Raw), goneID) {
			t.Errorf("webhooks: %s", paused.Raw)
		}
		if told := p.Told(t, "webhook.changed", nil); told.Len("data") != 1 || told.Text("data.0.data.webhook_id") != goneID || told.Text("data.0.data.reason") != "The receiver answered 410 Gone." {
			t.Errorf("told of its pause: %s", told.Raw)
		}
		p.Do(t, post(webhooks+"/"+goneID+"/replay", object{"since": noon})).Want(t, 409)
		p.Eventually(t, get(webhooks+"/"+restoredID+"/deliveries?status=pending"), func(a *apptest.Answer) bool {
			return a.Len("data") == 3 && a.At("data.0.attempts") == float64(0) && strings.Contains(a.Text("data.0.answer"), "set TRIGPOINT_SECRET_KEY")
		})
		if tested := p.Do(t, post(webhooks+"/"+restoredID+"/test", nil)).Want(t, 200); tested.Text("data.status") != "failed" || !strings.Contains(tested.Text("data.answer"), "TRIGPOINT_SECRET_KEY") {
			t.Errorf("tested without the key: %s", tested.Raw)
		}
		keep(t, p, restoredID, own)

		attempts := 3
		for _, pause := range []time.Duration{
			5 * time.Second, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour, 5 * time.Hour, 10 * time.Hour, 14 * time.Hour, 20 * time.Hour, 24 * time.Hour,
		} {
			now.Advance(pause)
			attempts += 3
			failing.until(attempts)
			p.Eventually(t, get(webhooks+"/"+failingID+"/deliveries"), func(a *apptest.Answer) bool {
				return a.At("data.0.attempts") == float64(attempts/3) && a.At("data.1.attempts") == float64(attempts/3) && a.At("data.2.attempts") == float64(attempts/3) && turned(attempts/3)
			})
		}
		p.Eventually(t, get(webhooks+"/"+failingID+"/deliveries"), status("failed"))
		restored.until(3) // by itself, once the key was back
		ids := map[string]int{}
		for _, m := range failing.messages() {
			ids[m.ID]++
		}
		for id, n := range ids {
			if n != 10 {
				t.Errorf("%s was tried %d times", id, n)
			}
		}
	})
}

// sealedAnew seals the secret of a webhook with a key that the program does not have, and returns it as it was.
func sealedAnew(t *testing.T, p *apptest.Program, id string) (own string) {
	t.Helper()
	own, err := db.One(t.Context(), p.DB, db.Value[string], "SELECT secret FROM webhooks WHERE id = $1", id)
	if err != nil {
		t.Fatal(err)
	}
	keys, err := secret.ParseKeys(strings.Repeat("cd", secret.KeySize))
	if err != nil {
		t.Fatal(err)
	}
	other, err := keys.Seal([]byte("whsec_"), id)
	if err != nil {
		t.Fatal(err)
	}
	keep(t, p, id, other)
	return own
}

func keep(t *testing.T, p *apptest.Program, id, sealed string) {
	t.Helper()
	if err := p.DB.Tx(t.Context(), func(tx *db.Tx) error {
		_, err := tx.Exec(t.Context(), "UPDATE webhooks SET secret = $2 WHERE id = $1", id, sealed)
		return err
	}); err != nil {
		t.Fatal(err)
	}
}

func TestRulesOfWebhooks(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, p *apptest.Program, _ *clock.Fake) {
		for _, wrong := range []object{{}, {"url": "ftp://x.example"}, {"url": "https://x.example/" + strings.Repeat("x", 2000)}, {"url": "https://x.example", "kinds": []string{"nothing.happened"}}, {"url": 1}, {"url": "https://ada:pass@x.example"}} {
			p.Do(t, post(webhooks, wrong)).Want(t, 400)
		}
		r := newReceiver(t)
		oneself := r.listen(p)
		p.Do(t, apptest.Call{Method: "PATCH", Path: webhooks + "/" + oneself, Body: object{"paused": true}}).Want(t, 200)
		p.Do(t, apptest.Call{Method: "PATCH", Path: webhooks + "/" + oneself, Body: object{"paused": true, "url": r.URL}}).Want(t, 200)
		p.Do(t, apptest.Call{Method: "DELETE", Path: webhooks + "/" + oneself}).Want(t, 200)
		for kind, paused := range map[string]bool{"webhook.created": false, "webhook.changed": true, "webhook.deleted": true} {
			if told := p.Told(t, kind, nil); told.Len("data") != 1 || told.Text("data.0.data.webhook_id") != oneself || told.At("data.0.data.paused") != paused || !strings.HasSuffix(told.Text("data.0.data.url"), "/…") {
				t.Errorf("%s: %s", kind, told.Raw)
			}
		}
		if got := r.messages(); len(got) > 0 {
			t.Errorf("it was told of itself: %v", got)
		}
		held := make(chan struct{})
		release := sync.OnceFunc(func() { close(held) })
		defer release()
		r.Reply = func(http.ResponseWriter, *http.Request) {
			if len(r.messages()) == 2 {
				<-held
			}
		}
		id := r.listen(p)
		if tested := p.Do(t, post(webhooks+"/"+id+"/test", nil)).Want(t, 200); tested.Text("data.status") != "delivered" || tested.At("data.code") != float64(200) {
			t.Errorf("tested: %s", tested.Raw)
		}
		if got := r.until(1); got[0].Type != "webhook.tested" || got[0].Data["webhook_id"] != id {
			t.Errorf("tested with %v", got)
		}
		p.Do(t, apptest.Call{Method: "PATCH", Path: webhooks + "/" + id, Body: object{"paused": true}}).Want(t, 200)
		made := p.Do(t, post(local.Prefix+"/locations", deli)).Want(t, 200).Text("data.location_id")
		p.Eventually(t, get(local.Prefix+"/locations/"+made), func(a *apptest.Answer) bool { return a.Text("data.location_status") == "COMPLETED" })
		p.Do(t, apptest.Call{Method: "PATCH", Path: webhooks + "/" + id, Body: object{"paused": false, "kinds": []string{"location.deleted"}}}).Want(t, 200)
		p.Do(t, apptest.Call{Method: "DELETE", Path: local.Prefix + "/locations/" + made}).Want(t, 200)
		if got := r.until(2); got[1].Type != "location.deleted" {
			t.Errorf("while it was paused it was told %v", got)
		}
		p.Do(t, post(webhooks+"/"+id+"/replay", object{"since": noon})).Want(t, 200) // while the same is under way
		release()
		if got := r.until(3); got[2].ID != got[1].ID {
			t.Errorf("told again %v", got)
		}
		for range 9 {
			p.Do(t, post(webhooks, object{"url": "https://x.example"})).Want(t, 200)
		}
		p.Do(t, post(webhooks, object{"url": "https://x.example"})).Want(t, 409)
		p.Do(t, apptest.Call{Method: "DELETE", Path: webhooks + "/" + id}).Want(t, 200)
		if left := p.Do(t, get(webhooks)).Want(t, 200); left.Len("data") != 9 || strings.Contains(string(left.Raw), "whsec_") {
			t.Errorf("webhooks: %s", left.Raw)
		}
		stored, err := p.DB.Query(t.Context(), "SELECT count(*) FROM webhooks WHERE secret LIKE 'whsec_%'")
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = stored.Close() }()
		if n := 0; !stored.Next() || stored.Scan(&n) != nil || n != 0 {
			t.Errorf("%d secrets are not sealed", n)
		}
		if err := p.DeleteAccount(t.Context(), p.Owner.ID); err != nil {
			t.Fatal(err)
		}
	})
}
