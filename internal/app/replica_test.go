package app_test

import (
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/trigpoint/trigpoint/internal/app/apptest"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/db/dbtest"
	"github.com/trigpoint/trigpoint/internal/local"
)

// reads counts the requests that the replica has served.
func reads(t *testing.T, p *apptest.Program) (n int) {
	t.Helper()
	told := httptest.NewRecorder()
	p.Admin.ServeHTTP(told, httptest.NewRequest("GET", "/metrics", nil))
	for line := range strings.Lines(told.Body.String()) {
		if strings.HasPrefix(line, "trigpoint_replica_requests_total{") {
			fields := strings.Fields(line)
			n, _ = strconv.Atoi(fields[len(fields)-1])
		}
	}
	return n
}

// Reads go to a real replica while it keeps up, and nobody misses what was written: not through another process, not while the
// replica stands still, not when it dies.
func TestReplicaAnswersWhatWasWritten(t *testing.T) {
	t.Parallel()
	primary, copies := dbtest.Servers(t, 1)
	replica := copies[0]
	one := apptest.Start(t, primary.Open(replica), func(s *apptest.Setup) { s.NoWorker = true })
	two := apptest.Start(t, primary.Open(replica), func(s *apptest.Setup) { s.NoWorker, s.Email = true, "" })
	two.Owner = one.Owner
	made := 0
	// written makes a location through one process and wants the other to list it.
	written := func() {
		t.Helper()
		made++
		one.Do(t, apptest.Call{Method: "POST", Path: local.Prefix + "/locations", Body: map[string]any{
			"business_name": "Deli " + strconv.Itoa(made), "phone_number": "+1 404-555-0123", "country": "US", "region": "GA", "city": "Decatur", "zip": "30030",
			"address_line_1": "1 Main Street", "category_ids": []string{"amenity.fast_food.sandwich"},
		}}).Want(t, 200)
		newest := two.Do(t, apptest.Call{Method: "GET", Path: local.Prefix + "/locations?limit=1"}).Want(t, 200)
		if newest.Text("data.0.business_name") != "Deli "+strconv.Itoa(made) || newest.At("meta.total") != float64(made) {
			t.Fatalf("location %d is not listed: %s", made, newest.Raw)
		}
	}
	// used writes until the replica has served a list.
	used := func(when string) {
		t.Helper()
		before := reads(t, two)
		for deadline := time.Now().Add(apptest.Patience); reads(t, two) == before; written() {
			if time.Now().After(deadline) {
				t.Fatalf("%s the replica is never read from: %+v", when, two.DB.Replicas(t.Context()))
			}
		}
	}
	used("at first")

	at, err := db.Open(t.Context(), replica.Options())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = at.Close() }()
	if _, err := at.Writer().ExecContext(t.Context(), "SELECT pg_wal_replay_pause()"); err != nil {
		t.Fatal(err)
	}
	for state := ""; state != "paused"; time.Sleep(10 * time.Millisecond) { // it was asked to, and does so in its own time
		if state, err = db.One(t.Context(), at, db.Value[string], "SELECT pg_get_wal_replay_pause_state()"); err != nil {
			t.Fatal(err)
		}
	}
	for range 5 {
		written()
	}
	before := reads(t, two)
	written()
	if state := two.DB.Replicas(t.Context())[0]; reads(t, two) != before || state.Used || state.Behind == 0 || state.Age <= 0 || state.Fault != nil {
		t.Errorf("a replica that stands still has served %d lists and tells %+v", reads(t, two)-before, state)
	}
	if _, err := at.Writer().ExecContext(t.Context(), "SELECT pg_wal_replay_resume()"); err != nil {
		t.Fatal(err)
	}
	used("after a pause")

	replica.Kill()
	for range 5 {
		written()
	}
	if state := two.DB.Replicas(t.Context())[0]; state.Used || state.Fault == nil {
		t.Errorf("a dead replica tells %+v", state)
	}
	replica.Start()
	used("after its death")
}
