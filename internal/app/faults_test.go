package app_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"

	"github.com/trigpoint/trigpoint/internal/app/apptest"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/db/dbtest"
	"github.com/trigpoint/trigpoint/internal/local"
	"github.com/trigpoint/trigpoint/internal/maprank"
	"github.com/trigpoint/trigpoint/internal/provider/providertest"
)

// roundsVariable says how often a process is killed; `make faults` asks for twelve.
const roundsVariable = "TRIGPOINT_TEST_ROUNDS"

const deli = `{"business_name":"Decatur Deli","phone_number":"+1 404-555-0123","country":"US","region":"GA","city":"Decatur","zip":"30030","address_line_1":"1 Main Street","category_ids":["amenity.fast_food.sandwich"]}`

// told is a receiver that drops what it has seen before, by webhook-id, as receivers should.
type told struct {
	mu    sync.Mutex
	kinds map[string]string // by id
}

// ServeHTTP implements http.Handler.
func (r *told) ServeHTTP(_ http.ResponseWriter, req *http.Request) {
	var m struct{ Type string }
	_ = json.NewDecoder(req.Body).Decode(&m) // what cannot be read has no kind, and is missed
	r.mu.Lock()
	defer r.mu.Unlock()
	r.kinds[req.Header.Get("webhook-id")] = m.Type
}

func (r *told) count(kind string) (n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, k := range r.kinds {
		if k == kind {
			n++
		}
	}
	return n
}

// pair is two processes on one store, of which one may be dead.
type pair struct {
	mu    sync.RWMutex
	alive [2]*apptest.Process
	key   string
	token string
}

// send asks both in turn until one answers, or the test has ended.
func (p *pair) send(t *testing.T, method, path, body string, header ...string) *apptest.Answer {
	t.Helper()
	auth := "Apikey " + p.key
	if strings.HasPrefix(path, maprank.Prefix) {
		auth = "Bearer " + p.token
	}
	for i := 0; ; i++ {
		p.mu.RLock()
		at := p.alive[i%2].URL
		p.mu.RUnlock()
		req, err := http.NewRequestWithContext(t.Context(), method, at+path, strings.NewReader(body))
		if err != nil {
			t.Error(err)
			return &apptest.Answer{}
		}
		req.Header.Set("Authorization", auth)
		if body != "" {
			req.Header.Set("Content-Type", "application/json")
		}
		if len(header) == 2 {
			req.Header.Set(header[0], header[1])
		}
		res, err := http.DefaultClient.Do(req)
		if err == nil {
			var raw bytes.Buffer
			_, err = raw.ReadFrom(res.Body)
			_ = res.Body.Close()
			if err == nil && res.StatusCode < 500 {
				return &apptest.Answer{Status: res.StatusCode, Header: res.Header, Raw: raw.Bytes()}
			}
		}
		if t.Context().Err() != nil {
			return &apptest.Answer{}
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// Two processes are killed in turn while clients make locations, campaigns are collected and a webhook is told. Nothing that was
// acknowledged is lost, and nothing is made, charged or sent twice.
func TestKilledAgainAndAgain(t *testing.T) {
	t.Parallel()
	rounds := 2
	if text := os.Getenv(roundsVariable); text != "" {
		rounds, _ = strconv.Atoi(text)
	}
	dbtest.EachOptions(t, func(t *testing.T, o db.Options) {
		vendor := providertest.NewSerper(t)
		vendor.Delay(5 * time.Millisecond)
		receiver := &told{kinds: map[string]string{}}
		listening := httptest.NewServer(receiver)
		t.Cleanup(listening.Close)
		env := append(
			apptest.Environment(o), "TRIGPOINT_MAP_PROVIDER=serper", "TRIGPOINT_SERPER_URL="+vendor.URL, "TRIGPOINT_SERPER_API_KEY="+providertest.SerperKey,
			"TRIGPOINT_SERPER_RATE=10000", "TRIGPOINT_JOB_TAKEOVER=6s", "TRIGPOINT_WEBHOOK_ALLOW_PRIVATE=true", `TRIGPOINT_PLANS={"agency":{"rate":0}}`,
		)
		var owner struct {
			Key   string `json:"api_key"`
			Token string `json:"access_token"`
		}
		if err := json.Unmarshal([]byte(apptest.Run(t, env, "account", "create", "--email", "a@b.example", "--plan", "agency", "--json")), &owner); err != nil {
			t.Fatal(err)
		}
		apptest.Run(t, env, "webhook", "add", "--account", "a@b.example", listening.URL, "location.created", "report.collected")
		p := &pair{key: owner.Key, token: owner.Token}
		for i := range p.alive {
			p.alive[i] = apptest.Launch(t, env, "serve")
		}
		const points = 9
		campaign := maprank.Prefix + "/campaigns/" + p.send(t, "POST", maprank.Prefix+"/campaigns",
			`{"placeId":"`+vendor.Market[0].PlaceID+`","keywords":["pizza"],"gridSettings":{"template":"3x3"}}`).Want(t, 200).Text("data.id")
		stop := make(chan struct{})
		var clients sync.WaitGroup
		made := make([]int, 3)
		for c := range made {
			clients.Go(func() {
				for {
					select {
					case <-stop:
						return
					default:
					}
					key := fmt.Sprintf("client %d location %d", c, made[c])
					if status := p.send(t, "POST", local.Prefix+"/locations", deli, "Idempotency-Key", key).Status; status != 200 {
						t.Errorf("a location answered %d", status)
						return
					}
					made[c]++
				}
			})
		}
		reports := 0
		for round := range rounds {
			if p.send(t, "PUT", campaign+"/collect", "", "Idempotency-Key", fmt.Sprintf("report %d", round)).Status == 200 {
				reports++
			}
			victim := p.alive[round%2]
			victim.Kill()
			reborn := apptest.Launch(t, env, "serve")
			p.mu.Lock()
			p.alive[round%2] = reborn
			p.mu.Unlock()
		}
		close(stop)
		clients.Wait()
		want := made[0] + made[1] + made[2]
		deadline := time.Now().Add(apptest.Patience)
		for receiver.count("location.created") < want || receiver.count("report.collected") < reports {
			if time.Now().After(deadline) {
				t.Fatalf("told of %d of %d locations and %d of %d reports", receiver.count("location.created"), want, receiver.count("report.collected"), reports)
			}
			time.Sleep(20 * time.Millisecond)
		}
		if kept := p.send(t, "GET", local.Prefix+"/locations?limit=1", "").At("meta.total"); kept != float64(want) {
			t.Errorf("%v locations are kept, and %d were acknowledged", kept, want)
		}
		if n := receiver.count("location.created"); n != want {
			t.Errorf("%d locations were told of, %d made", n, want)
		}
		if n := receiver.count("report.collected"); n != reports {
			t.Errorf("%d reports were told of, %d ordered", n, reports)
		}
		if spent := p.send(t, "GET", maprank.Prefix+"/limits", "").At("data.credits.spentThisMonth"); spent != float64(points*reports) {
			t.Errorf("%v credits were spent on %d reports", spent, reports)
		}
		t.Logf("%d rounds, %d locations, %d reports", rounds, want, reports)
	})
}

// The database goes away under the service and comes back: health says so, requests are told to come again, work goes on.
func TestDatabaseDownAndBack(t *testing.T) {
	t.Parallel()
	server, _ := dbtest.Servers(t, 0)
	p := apptest.Start(t, server.Open(), withMarket, func(s *apptest.Setup) {
		s.Config.JobTakeover, s.Log = 4*time.Second, slog.New(slog.DiscardHandler) // which is full of it
	})
	id := p.Do(t, apptest.Call{Method: "POST", Path: maprank.Prefix + "/campaigns", Body: map[string]any{
		"placeId": market[0].PlaceID, "keywords": []string{"pizza"}, "gridSettings": map[string]any{"template": "21x21"},
	}}).Want(t, 200).Text("data.id")
	p.Do(t, apptest.Call{Method: "PUT", Path: maprank.Prefix + "/campaigns/" + id + "/collect"}).Want(t, 200)
	server.Kill()
	for _, call := range []apptest.Call{{Method: "GET", Path: local.Prefix + "/locations"}, {Method: "POST", Path: local.Prefix + "/locations", Body: deli}} {
		if away := p.Do(t, call).Want(t, 503); away.Header.Get("Retry-After") == "" || !strings.Contains(string(away.Raw), "store cannot be reached") {
			t.Errorf("%s says %s, to be tried again after %q", call.Method, away.Raw, away.Header.Get("Retry-After"))
		}
	}
	if res, err := http.Get(p.URL + "/readyz"); err != nil || res.Body.Close() != nil || res.StatusCode != 503 {
		t.Errorf("readiness: %v, %v", res, err)
	}
	server.Start()
	p.Eventually(t, apptest.Call{Method: "GET", Path: local.Prefix + "/locations"}, func(a *apptest.Answer) bool { return a.Status == 200 })
	p.Do(t, apptest.Call{Method: "POST", Path: local.Prefix + "/locations", Body: deli}).Want(t, 200)
	// What the process had in hand is taken over like a dead one's, at the next look at the queue.
	campaign := apptest.Call{Method: "GET", Path: maprank.Prefix + "/campaigns/" + id}
	for deadline := time.Now().Add(apptest.Patience); p.Do(t, campaign).Want(t, 200).Text("data.status") != "COLLECTED"; time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("the collection does not go on")
		}
	}
	if res, err := http.Get(p.URL + "/readyz"); err != nil || res.Body.Close() != nil || res.StatusCode != 200 {
		t.Errorf("readiness: %v, %v", res, err)
	}
}

// The object store goes away and comes back: pictures are refused meanwhile, everything else goes on.
func TestObjectStoreDownAndBack(t *testing.T) {
	t.Parallel()
	var down sync.RWMutex // held while it is down
	backend := s3mem.New()
	if err := backend.CreateBucket("pictures"); err != nil {
		t.Fatal(err)
	}
	objects := gofakes3.New(backend).Server()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !down.TryRLock() {
			panic(http.ErrAbortHandler)
		}
		defer down.RUnlock()
		objects.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	p := apptest.Start(t, dbtest.SQLite(t), withMarket, func(s *apptest.Setup) {
		s.Config.S3Endpoint, s.Config.S3Bucket, s.Config.S3Region, s.Config.S3AccessKey, s.Config.S3SecretKey = server.URL, "pictures", "us-east-1", "key", "secret"
	})
	location, _ := fill(t, p, &p.Owner, 720)
	picture := apptest.Call{Method: "POST", Path: location + "/images", Body: map[string]any{"type": "PHOTO", "content": drawn(t, 730)}}
	down.Lock()
	if away := p.Do(t, picture).Want(t, 503); away.Header.Get("Retry-After") == "" || !strings.Contains(string(away.Raw), "image store cannot be reached") {
		t.Errorf("%s", away.Raw)
	}
	p.Do(t, apptest.Call{Method: "GET", Path: location}).Want(t, 200)
	p.Do(t, apptest.Call{Method: "POST", Path: local.Prefix + "/locations", Body: deli}).Want(t, 200)
	down.Unlock()
	p.Do(t, picture).Want(t, 200)
	if n := p.Do(t, apptest.Call{Method: "GET", Path: location + "/images"}).Want(t, 200).Len("data"); n != 2 {
		t.Errorf("%d images, want 2", n)
	}
}
