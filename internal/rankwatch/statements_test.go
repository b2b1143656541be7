package rankwatch_test

import (
	"fmt"
	"testing"

	"github.com/trigpoint/trigpoint/internal/app/apptest"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/db/dbtest"
)

// However much an account holds, a request takes the same few statements.
func TestARequestTakesFewStatements(t *testing.T) {
	t.Parallel()
	dbtest.EachTraced(t, func(t *testing.T, d *db.DB, asked *dbtest.Statements) {
		w := start(t, d, func(s *apptest.Setup) { s.NoWorker = true })
		statements := func(call apptest.Call) int {
			t.Helper()
			asked.Taken()
			if answer := w.Do(t, call); answer.Status >= 300 {
				t.Fatalf("%s %s answered %d %s", call.Method, call.Path, answer.Status, answer.Raw)
			}
			n := len(asked.Taken())
			if n == 0 {
				t.Errorf("%s %s: no statement was counted", call.Method, call.Path)
			}
			return n
		}
		create := func(n int) apptest.Call {
			keywords := make([]string, 20)
			for i := range keywords {
				keywords[i] = fmt.Sprintf("keyword %d", i)
			}
			return apptest.Call{Method: "POST", Path: trackings, Body: map[string]any{"domain": fmt.Sprintf("site%d.com", n), "location_id": london, "platform_id": 1, "keywords": keywords}}
		}
		path, ids := w.track(t, "pizza", "pasta")
		tag := w.post(t, path+"/tags", map[string]any{"name": "food", "color": "#112233"}).Want(t, 201).Text("_id")
		w.post(t, path+"/tags/assign", map[string]any{"keyword_ids": ids, "tag_ids": []string{tag}}).Want(t, 204)
		requests := []struct {
			call apptest.Call
			most int
		}{
			{apptest.Call{Method: "GET", Path: trackings}, 7},
			{apptest.Call{Method: "GET", Path: path + "/tracked-keywords?fields=history"}, 7},
			{apptest.Call{Method: "GET", Path: path + "/tracked-keywords/" + ids[0]}, 7},
			{apptest.Call{Method: "GET", Path: path + "/detail"}, 8},
			{apptest.Call{Method: "POST", Path: path + "/stats"}, 6},
		}
		few := make([]int, len(requests))
		for i, r := range requests {
			if few[i] = statements(r.call); few[i] > r.most {
				t.Errorf("%s %s takes %d statements, want at most %d", r.call.Method, r.call.Path, few[i], r.most)
			}
		}
		for n := range 20 {
			if got := statements(create(n)); got > 12 { // two of them for its event, one for the rules that watch it
				t.Errorf("tracking %d is made with %d statements, want at most 12", n, got)
			}
		}
		for i, r := range requests {
			if got := statements(r.call); got != few[i] {
				t.Errorf("%s %s takes %d statements with 20 more trackings, %d before", r.call.Method, r.call.Path, got, few[i])
			}
		}
	})
}
