package maprank_test

import (
	"encoding/json"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/trigpoint/trigpoint/internal/app/apptest"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/db/dbtest"
	"github.com/trigpoint/trigpoint/internal/maprank"
	"github.com/trigpoint/trigpoint/internal/provider/providertest"
)

// slowVendor takes a while for each answer and notes how often each point was asked for each keyword.
type slowVendor struct {
	*providertest.Serper
	mu    sync.Mutex
	asked map[string]int
	total int
}

func newSlowVendor(t *testing.T) *slowVendor {
	v := &slowVendor{Serper: providertest.NewSerper(t), asked: map[string]int{}}
	answer := v.Places
	v.Places = func(q providertest.SerperMaps) []providertest.SerperPlace {
		v.mu.Lock()
		v.asked[q.Q+" "+q.LL]++
		v.total++
		v.mu.Unlock()
		<-time.After(10 * time.Millisecond)
		return answer(q)
	}
	return v
}

func (v *slowVendor) count() (total, points, most, twice int) {
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, n := range v.asked {
		if most = max(most, n); n > 1 {
			twice++
		}
	}
	return v.total, len(v.asked), most, twice
}

// The real process is killed in the middle of a collection. What was stored is not asked again, no point is
// asked more than once more, and the report is charged once. On SQLite the same process starts again; on
// PostgreSQL another worker takes over, once the first is known to be dead.
func TestKilledDuringACollection(t *testing.T) {
	t.Parallel()
	dbtest.EachOptions(t, func(t *testing.T, o db.Options) {
		vendor := newSlowVendor(t)
		env := append(
			apptest.Environment(o), "TRIGPOINT_MAP_PROVIDER=serper", "TRIGPOINT_SERPER_URL="+vendor.URL, "TRIGPOINT_SERPER_API_KEY="+providertest.SerperKey,
			"TRIGPOINT_SERPER_CONCURRENCY=8", "TRIGPOINT_SERPER_RATE=10000", "TRIGPOINT_JOB_TAKEOVER=6s", `TRIGPOINT_PLANS={"agency":{"rate":0}}`,
		)
		var owner struct {
			Token string `json:"access_token"`
		}
		if err := json.Unmarshal([]byte(apptest.Run(t, env, "account", "create", "--email", "a@b.example", "--plan", "agency", "--json")), &owner); err != nil {
			t.Fatal(err)
		}
		c := crash{t: t, auth: "Bearer " + owner.Token}
		launch := func() (collecting *apptest.Process) {
			if o.URL == "" {
				c.serving = apptest.Launch(t, env, "serve")
				return c.serving
			}
			if c.serving == nil {
				c.serving = apptest.Launch(t, env, "serve", "--no-worker")
			}
			return apptest.Launch(t, env, "worker")
		}
		collecting := launch()
		const points = 21 * 21 // of which 150 are stored together
		made := c.send("POST", "/campaigns", object{
			"placeId": vendor.Market[0].PlaceID, "keywords": []string{"pizza"}, "gridSettings": object{"template": "21x21"},
		})
		id := made.Text("data.id")
		date := c.send("PUT", "/campaigns/"+id+"/collect", nil).Text("data.collectingReportDate")
		kept := 0.0
		c.until("answers to be kept", func() bool {
			p := c.send("GET", "/campaigns/"+id+"/progress", nil)
			kept, _ = p.At("data.collecting.done").(float64)
			return kept > 0 || p.Text("data.status") != "COLLECTING"
		})
		collecting.Kill()
		launch()
		c.until("the report", func() bool { return c.send("GET", "/campaigns/"+id, nil).Text("data.status") != "COLLECTING" })

		done := c.send("GET", "/campaigns/"+id, nil)
		if done.Text("data.status") != "COLLECTED" || done.At("data.statusDetail") != nil {
			t.Errorf("the campaign: %s", done.Raw)
		}
		total, asked, most, twice := vendor.count()
		t.Logf("%d searches for %d points, %d of them asked again", total, points, twice)
		if asked != points {
			t.Errorf("%d points were asked, want %d", asked, points)
		}
		if most > 2 {
			t.Errorf("a point was asked %d times, want at most twice", most)
		}
		if twice > points-int(kept) {
			t.Errorf("%d of %d were asked again, of which %v had been kept", twice, asked, kept)
		}
		if spent := c.send("GET", "/limits", nil).At("data.credits.spentThisMonth"); spent != float64(points) {
			t.Errorf("%v credits, want %d", spent, points)
		}
		h := c.send("GET", "/campaigns/"+id+"/heatmap"+query("keywordId", made.Text("data.keywords.0.id"), "reportDate", date, "cid", vendor.Market[0].CID), nil)
		if h.Len("data.positions") != points {
			t.Errorf("%d positions, want %d", h.Len("data.positions"), points)
		}
	})
}

// crash talks to a process that may die.
type crash struct {
	t       *testing.T
	auth    string
	serving *apptest.Process
}

func (c *crash) send(method, path string, body any) *apptest.Answer {
	c.t.Helper()
	text := ""
	if body != nil {
		encoded, err := json.Marshal(body)
		if err != nil {
			c.t.Fatal(err)
		}
		text = string(encoded)
	}
	status, raw := c.serving.Send(c.t.Context(), method, maprank.Prefix+path, c.auth, text)
	if status != http.StatusOK {
		c.t.Fatalf("%s %s: %d %s", method, path, status, raw)
	}
	return &apptest.Answer{Status: status, Raw: raw}
}

func (c *crash) until(what string, holds func() bool) {
	c.t.Helper()
	deadline := time.Now().Add(apptest.Patience)
	for !holds() {
		if time.Now().After(deadline) {
			c.t.Fatalf("waited in vain for %s", what)
		}
		time.Sleep(20 * time.Millisecond)
	}
}
