package webhook_test

import (
	"encoding/json"
	"net/http"
	"testing"
	"time"

	"github.com/trigpoint/trigpoint/internal/app/apptest"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/db/dbtest"
	"github.com/trigpoint/trigpoint/internal/local"
)

// The real process is killed while a receiver has a message and has not answered yet. Whoever comes after sends it again, under
// the same id, and what was still to be sent.
func TestKilledBetweenEventAndDelivery(t *testing.T) {
	t.Parallel()
	dbtest.EachOptions(t, func(t *testing.T, o db.Options) {
		env := append(apptest.Environment(o), "TRIGPOINT_WEBHOOK_ALLOW_PRIVATE=true", "TRIGPOINT_JOB_TAKEOVER=12s", `TRIGPOINT_PLANS={"agency":{"rate":0}}`)
		var owner struct {
			Key string `json:"api_key"`
		}
		if err := json.Unmarshal([]byte(apptest.Run(t, env, "account", "create", "--email", "a@b.example", "--plan", "agency", "--json")), &owner); err != nil {
			t.Fatal(err)
		}
		r := newReceiver(t)
		dead := make(chan struct{})
		r.Reply = func(http.ResponseWriter, *http.Request) { <-dead }
		apptest.Run(t, env, "webhook", "add", "--account", "a@b.example", r.URL, "location.created")
		process := apptest.Launch(t, env, "serve")
		body, err := json.Marshal(deli)
		if err != nil {
			t.Fatal(err)
		}
		const locations = 3
		for range locations {
			if status, answer := process.Send(t.Context(), "POST", local.Prefix+"/locations", "Apikey "+owner.Key, string(body)); status != 200 {
				t.Fatalf("%d %s", status, answer)
			}
		}
		r.until(1)
		process.Kill()
		close(dead)
		apptest.Launch(t, env, "serve")
		ids := func() map[string]int {
			all := map[string]int{}
			for _, m := range r.messages() {
				all[m.ID]++
			}
			return all
		}
		for deadline := time.Now().Add(apptest.Patience); len(ids()) < locations || len(r.messages()) <= locations; time.Sleep(20 * time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatalf("told %v", ids())
			}
		}
	})
}
