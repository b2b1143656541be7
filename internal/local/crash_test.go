package local_test

import (
	"encoding/json"
	"sync"
	"testing"
	"time"

	"github.com/trigpoint/trigpoint/internal/app/apptest"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/db/dbtest"
)

// The real process is killed during a burst of creates; after a restart every location that was
// acknowledged is there and published.
func TestKilledDuringABurstOfCreates(t *testing.T) {
	t.Parallel()
	dbtest.EachOptions(t, func(t *testing.T, o db.Options) {
		env := append(apptest.Environment(o), `TRIGPOINT_PLANS={"agency":{"rate":0}}`)
		var owner struct {
			Key string `json:"api_key"`
		}
		if err := json.Unmarshal([]byte(apptest.Run(t, env, "account", "create", "--email", "a@b.example", "--plan", "agency", "--json")), &owner); err != nil {
			t.Fatal(err)
		}
		auth := "Apikey " + owner.Key
		body, err := json.Marshal(valid(t))
		if err != nil {
			t.Fatal(err)
		}

		process := apptest.Launch(t, env, "serve")
		var mu sync.Mutex
		var acknowledged []string
		enough := make(chan struct{})
		var clients sync.WaitGroup
		for range 8 {
			clients.Go(func() {
				for {
					status, answer := process.Send(t.Context(), "POST", base+"/locations", auth, string(body))
					if status == 0 {
						return // it is dead
					}
					if status != 200 {
						t.Errorf("create answered %d %s", status, answer)
						return
					}
					var made struct {
						Data struct {
							ID string `json:"location_id"`
						}
					}
					if err := json.Unmarshal(answer, &made); err != nil {
						t.Error(err)
					}
					mu.Lock()
					acknowledged = append(acknowledged, made.Data.ID)
					if len(acknowledged) == 150 {
						close(enough)
					}
					mu.Unlock()
				}
			})
		}
		select {
		case <-enough:
		case <-time.After(apptest.Patience):
			t.Error("the burst did not get going")
		}
		process.Kill()
		clients.Wait()

		again := apptest.Launch(t, env, "serve")
		deadline := time.Now().Add(apptest.Patience)
		for _, id := range acknowledged {
			for {
				var got struct {
					Data struct {
						Status string `json:"location_status"`
					}
				}
				status, answer := again.Send(t.Context(), "GET", base+"/locations/"+id, auth, "")
				if err := json.Unmarshal(answer, &got); err != nil || status != 200 {
					t.Fatalf("acknowledged location %s: %d %s", id, status, answer)
				}
				if got.Data.Status == "COMPLETED" {
					break
				}
				if time.Now().After(deadline) {
					t.Fatalf("location %s is still %s", id, got.Data.Status)
				}
				time.Sleep(5 * time.Millisecond)
			}
		}
		if status, page := again.Send(t.Context(), "GET", "/l/"+acknowledged[len(acknowledged)-1], "", ""); status != 200 {
			t.Errorf("the last one's page: %d %s", status, page)
		}
		again.Interrupt()
	})
}
