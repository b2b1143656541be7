package maprank_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/trigpoint/trigpoint/internal/app/apptest"
	"github.com/trigpoint/trigpoint/internal/clock"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/db/dbtest"
	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/provider/providertest"
	"github.com/trigpoint/trigpoint/internal/provider/serper"
)

// eachVendor runs a scenario on each engine against a fake of a real vendor of its own. The campaign has
// two keywords and nine points, and the vendor has been asked once, for the place.
func eachVendor(t *testing.T, test func(w *world, vendor *providertest.Serper, campaign string)) {
	t.Helper()
	dbtest.Each(t, func(t *testing.T, d *db.DB) { withVendor(t, d, time.Minute, test) })
}

func withVendor(t *testing.T, d *db.DB, patience time.Duration, test func(w *world, vendor *providertest.Serper, campaign string)) {
	t.Helper()
	vendor := providertest.NewSerper(t)
	maps, err := serper.New(serper.Options{
		APIKey: providertest.SerperKey, Timeout: patience, Access: provider.Access{URL: vendor.URL, Concurrency: 4, Rate: 100_000},
	}, clock.System{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(maps.Close)
	p := apptest.Start(t, d, prepare, func(s *apptest.Setup) { s.Options.Map.Provider = maps })
	w := &world{Program: p, t: t}
	made := w.send("POST", "/campaigns", object{
		"placeId": vendor.Market[0].PlaceID, "keywords": []string{"pizza", "pasta"}, "gridSettings": object{"template": "3x3"},
	}).Want(t, 200)
	test(w, vendor, made.Text("data.id"))
}

func TestFaultsThatPass(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]providertest.Fault{
		"429 with Retry-After":    providertest.TooManyRequests("1"),
		"429 without Retry-After": providertest.TooManyRequests(""),
		"503":                     providertest.Unavailable(""),
		"500":                     providertest.Status(http.StatusInternalServerError, "Oops"),
		"stalled":                 providertest.Stalled(),
		"dropped":                 providertest.Dropped(),
		"truncated":               providertest.Truncated(),
		"cut JSON":                providertest.CutJSON(),
		"a web page":              providertest.InvalidJSON(),
		"ten megabytes":           providertest.Huge(10 << 20),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			patience := time.Minute
			if name == "stalled" {
				patience = 4 * time.Second // which what does not stall must keep, on a busy machine
			}
			withVendor(t, dbtest.SQLite(t), patience, func(w *world, vendor *providertest.Serper, id string) {
				vendor.Next(nil, fault, nil, fault, nil)
				w.collect(id)
				done := w.ended(id)
				if done.Text("data.status") != "COLLECTED" || done.At("data.statusDetail") != nil || w.spent() != 18 {
					w.t.Errorf("%d spent: %s", w.spent(), done.Raw)
				}
				if n := vendor.Requests(); n < 1+18+2 || n > 1+18+8 {
					w.t.Errorf("asked %d times", n)
				}
			})
		})
	}
}

func TestFaultsThatStay(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		fault  providertest.Fault
		reason string
		most   int // requests
	}{
		"wrong key":       {providertest.Status(http.StatusForbidden, "Unauthorized."), "Serper refused the API key: check TRIGPOINT_SERPER_API_KEY.", 1 + 18},
		"no credits":      {providertest.NoCredits(), "The account at Serper has no credits left.", 1 + 18},
		"no credits, 200": {providertest.TaskError(402, "Not enough credits"), "The account at Serper has no credits left.", 1 + 18},
		"bad query":       {providertest.Status(http.StatusBadRequest, "Query too odd"), "Serper did not accept the request: Query too odd", 1 + 18},
		"503":             {providertest.Unavailable(""), "Serper failed to answer (status 503).", 1 + 2*2*18},
		"a web page":      {providertest.InvalidJSON(), "Serper sent an answer that cannot be read.", 1 + 2*2*18},
		"nothing, 200":    {providertest.Body("{}"), "Serper sent no answer to what was asked.", 1 + 2*2*18},
		"a message, 200":  {providertest.Body(`{"message":"Internal error"}`), "Serper sent no answer to what was asked.", 1 + 2*2*18},
		"moved":           {providertest.Redirect("http://127.0.0.1:1/"), "Serper points to another address: check TRIGPOINT_SERPER_URL.", 1 + 18},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			eachVendor(t, func(w *world, vendor *providertest.Serper, id string) {
				vendor.Always(test.fault)
				date := w.send("PUT", "/campaigns/"+id+"/collect", nil).Want(w.t, 200).Text("data.collectingReportDate")
				done := w.ended(id)
				if done.Text("data.status") != "FAILED" || !strings.HasSuffix(done.Text("data.statusDetail"), test.reason) {
					w.t.Errorf("want FAILED because %q: %s", test.reason, done.Raw)
				}
				if w.spent() != 0 || done.Len("data.reportDates") != 0 {
					w.t.Errorf("%d spent: %s", w.spent(), done.Raw)
				}
				statuses := w.get("/campaigns/%s/keywords%s", id, query("reportDate", date)).Want(w.t, 200)
				if statuses.Text("data.keywords.0.status") != "FAILED" || statuses.Text("data.keywords.1.status") != "FAILED" || !strings.HasSuffix(statuses.Text("data.statusDetail"), test.reason) {
					w.t.Errorf("the report: %s", statuses.Raw)
				}
				if n := vendor.Requests(); n > test.most {
					w.t.Errorf("asked %d times, want at most %d", n, test.most)
				}
				for _, table := range []string{"report_slices", "report_batches"} {
					if w.count(table) != 0 {
						w.t.Errorf("%s is not empty", table)
					}
				}
				vendor.Always(nil) // the next collection works
				w.send("PUT", "/campaigns/"+id+"/collect"+query("reportDate", "2026-03-02T11:00:00Z"), nil).Want(w.t, 200)
				if done := w.ended(id); done.Text("data.status") != "COLLECTED" || done.At("data.statusDetail") != nil || w.spent() != 18 {
					w.t.Errorf("after the fault: %s", done.Raw)
				}
			})
		})
	}
}

// A provider that dies half way: what it has answered is kept and paid, the rest is given back. When it
// refuses for good, answers that another slice had in hand may be given back with the rest.
func TestProviderThatDiesHalfWay(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]providertest.Fault{"503": providertest.Unavailable(""), "no credits": providertest.NoCredits()} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			eachVendor(t, func(w *world, vendor *providertest.Serper, id string) {
				vendor.When(func(n int) providertest.Fault {
					if n > 1+6 { // the place, and six points
						return fault
					}
					return nil
				})
				w.send("PUT", "/campaigns/"+id+"/collect", nil).Want(w.t, 200)
				done := w.ended(id)
				told := fmt.Sprintf("%d of 18 searches failed", 18-w.spent())
				if (done.Text("data.status") == "COLLECTED") != (w.spent() > 0) || !strings.HasPrefix(done.Text("data.statusDetail"), told) {
					w.t.Errorf("%d spent: %s", w.spent(), done.Raw)
				}
				if w.spent() > 6 || name == "503" && w.spent() != 6 {
					w.t.Errorf("%d spent of 6", w.spent())
				}
			})
		})
	}
}

// A place that cannot be looked up is no fault of the request.
func TestPlaceThatCannotBeLookedUp(t *testing.T) {
	t.Parallel()
	eachVendor(t, func(w *world, vendor *providertest.Serper, _ string) {
		vendor.Always(providertest.Unavailable(""))
		a := w.send("POST", "/campaigns", object{"placeId": vendor.Market[1].PlaceID, "keywords": []string{"a"}}).Want(w.t, 503)
		if strings.Contains(string(a.Raw), vendor.URL) {
			w.t.Errorf("the answer tells internals: %s", a.Raw)
		}
	})
}
