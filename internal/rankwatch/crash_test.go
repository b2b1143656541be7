package rankwatch_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/trigpoint/trigpoint/internal/app/apptest"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/db/dbtest"
	"github.com/trigpoint/trigpoint/internal/provider/providertest"
	"github.com/trigpoint/trigpoint/internal/rankwatch"
	"github.com/trigpoint/trigpoint/internal/rankwatch/series"
)

// vendor is a fake Serper that counts who is asked for what.
type vendor struct {
	*providertest.Serper
	mu    sync.Mutex
	asked map[string]int
	seen  chan struct{} // one for each request
}

func newVendor(t testing.TB, requests int) *vendor {
	v := &vendor{Serper: providertest.NewSerper(t), asked: map[string]int{}, seen: make(chan struct{}, requests)}
	page := v.Page
	v.Page = func(q providertest.SerperSearch) any {
		v.mu.Lock()
		v.asked[q.Q]++
		v.mu.Unlock()
		v.seen <- struct{}{}
		return page(q)
	}
	return v
}

func (v *vendor) await(t testing.TB, requests int) {
	t.Helper()
	for range requests {
		select {
		case <-v.seen:
		case <-time.After(apptest.Patience):
			t.Fatal("the vendor is not asked any more")
		}
	}
}

// repeated is how many keywords were asked for more than once, and by how often at most.
func (v *vendor) repeated() (keywords, most int) {
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, n := range v.asked {
		if n > 1 {
			keywords++
		}
		most = max(most, n)
	}
	return keywords, most
}

type client struct {
	t   testing.TB
	key string
}

func (c client) send(p *apptest.Process, method, path, body string) (status int, answer []byte) {
	c.t.Helper()
	req, err := http.NewRequestWithContext(c.t.Context(), method, p.URL+path, strings.NewReader(body))
	if err != nil {
		c.t.Fatal(err)
	}
	req.Header.Set("X-Access-Token", c.key)
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		c.t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	if answer, err = io.ReadAll(res.Body); err != nil {
		c.t.Fatal(err)
	}
	return res.StatusCode, answer
}

// The real process is killed twice in the middle of a day's checks. Afterwards every keyword has exactly
// one check, and only what was in flight was asked for again.
func TestKilledDuringADailyRun(t *testing.T) {
	t.Parallel()
	const keywords, inFlight = 150, 60 // the vendor allows 50 requests at once
	dbtest.EachOptions(t, func(t *testing.T, o db.Options) {
		v := newVendor(t, 4*keywords)
		v.Delay(20 * time.Millisecond)
		env := append(apptest.Environment(o), `TRIGPOINT_PLANS={"agency":{"rate":0}}`, "TRIGPOINT_SERP_PROVIDER=serper",
			"TRIGPOINT_SERPER_API_KEY="+providertest.SerperKey, "TRIGPOINT_SERPER_URL="+v.URL, "TRIGPOINT_SERP_DEPTH=10")
		var owner struct {
			Key string `json:"api_key"`
		}
		if err := json.Unmarshal([]byte(apptest.Run(t, env, "account", "create", "--email", "a@b.example", "--plan", "agency", "--json")), &owner); err != nil {
			t.Fatal(err)
		}
		c := client{t, owner.Key}
		list := make([]string, keywords)
		for i := range list {
			list[i] = fmt.Sprintf("keyword %d", i)
		}
		body, err := json.Marshal(map[string]any{"domain": "site-003.example", "location_id": london, "platform_id": 1, "keywords": list})
		if err != nil {
			t.Fatal(err)
		}
		began := series.DayOf(time.Now())
		process := apptest.Launch(t, env, "serve")
		status, answer := c.send(process, "POST", trackings, string(body))
		var made rankwatch.TrackingCreated
		if err := json.Unmarshal(answer, &made); err != nil || status != 201 {
			t.Fatalf("create answered %d %s", status, answer)
		}
		for range 2 {
			v.await(t, keywords/4)
			process.Kill()
			expireClaims(t, o)
			process = apptest.Launch(t, env, "serve")
		}
		path := trackings + "/" + made.Tracking.ID
		deadline := time.Now().Add(apptest.Patience)
		var checked []rankwatch.TrackedKeyword
		for done := false; !done; time.Sleep(20 * time.Millisecond) {
			if _, answer = c.send(process, "GET", path+"/tracked-keywords?fields=history", ""); json.Unmarshal(answer, &checked) != nil {
				t.Fatalf("list answered %s", answer)
			}
			done = true
			for _, k := range checked {
				done = done && k.LastCheckedAt != nil
			}
			if time.Now().After(deadline) {
				t.Fatalf("not all keywords were checked: %s", answer)
			}
		}
		process.Interrupt()
		if series.DayOf(time.Now()) != began {
			t.Skip("midnight passed meanwhile")
		}
		for _, k := range checked {
			if k.Rank == nil || *k.Rank != 3 || len(k.History.NotChecked) != 1 {
				t.Errorf("%s: rank %v, not checked %v", k.Text, k.Rank, k.History.NotChecked)
			}
		}
		if again, most := v.repeated(); again > 2*inFlight || most > 3 {
			t.Errorf("%d keywords were asked for again, up to %d times", again, most)
		} else {
			t.Logf("%d of %d keywords were asked for again", again, keywords)
		}
	})
}

// expireClaims does what three minutes of waiting would on PostgreSQL. On SQLite, where nobody else can
// be at work, a new process frees claims by itself.
func expireClaims(t testing.TB, o db.Options) {
	t.Helper()
	if o.URL == "" {
		return
	}
	d, err := db.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = d.Close() }()
	if _, err := d.Writer().ExecContext(t.Context(), "UPDATE rank_states SET claimed_until = 1 WHERE claimed_until > 0"); err != nil {
		t.Fatal(err)
	}
}
