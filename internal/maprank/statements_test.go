package maprank_test

import (
	"strings"
	"testing"

	"github.com/trigpoint/trigpoint/internal/app/apptest"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/db/dbtest"
)

// What a request asks the store is bounded, the look-up of the credential and two for an event included. The collection is of one
// keyword: on SQLite the queue inserts each job by a statement of its own.
func TestStatementsOfARequest(t *testing.T) {
	t.Parallel()
	dbtest.EachTraced(t, func(t *testing.T, d *db.DB, asked *dbtest.Statements) {
		w := &world{Program: apptest.Start(t, d, prepare, func(s *apptest.Setup) { s.NoWorker = true }), t: t}
		atMost := func(most int, what string, request func() *apptest.Answer) *apptest.Answer {
			asked.Taken()
			a := request().Want(t, 200)
			if texts := asked.Taken(); len(texts) > most {
				t.Errorf("%s: %d statements, want at most %d:\n%s", what, len(texts), most, strings.Join(texts, "\n"))
			} else if len(texts) == 0 {
				t.Errorf("%s: no statement was counted", what)
			}
			return a
		}
		made := atMost(10, "create", func() *apptest.Answer { return w.campaign("pizza") })
		id := made.Text("data.id")
		w.imports(id, start.AddDate(0, 0, -2))
		w.imports(id, start.AddDate(0, 0, -1))
		atMost(12, "collect", func() *apptest.Answer { return w.send("PUT", "/campaigns/"+id+"/collect", nil) })
		heatmap := func(cid string) func() *apptest.Answer {
			asked := query("keywordId", made.Text("data.keywords.0.id"), "reportDate", start.AddDate(0, 0, -1).Format("2006-01-02T15:04:05Z"), "cid", cid)
			return func() *apptest.Answer { return w.get("/campaigns/%s/heatmap%s", id, asked) }
		}
		atMost(4, "heatmap of the own business", heatmap(market[0].CID))
		atMost(5, "heatmap of a competitor", heatmap(market[3].CID))
		view := func(pairs ...string) func() *apptest.Answer {
			return func() *apptest.Answer { return w.get("/campaigns/%s/view%s", id, query(pairs...)) }
		}
		atMost(9, "view of the own business, while it is collected", view())
		atMost(10, "view of a competitor, while it is collected", view("cid", market[3].CID))
		atMost(2, "progress", func() *apptest.Answer { return w.get("/campaigns/%s/progress", id) })
		atMost(3, "list of campaigns", func() *apptest.Answer { return w.get("/campaigns") })
	})
}
