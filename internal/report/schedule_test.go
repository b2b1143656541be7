package report_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/trigpoint/trigpoint/internal/app/apptest"
	"github.com/trigpoint/trigpoint/internal/clock"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/db/dbtest"
	"github.com/trigpoint/trigpoint/internal/httpapi"
	"github.com/trigpoint/trigpoint/internal/mail/mailtest"
	"github.com/trigpoint/trigpoint/internal/report"
)

const schedules = httpapi.AccountPrefix + "/reports/schedules"

// A report is mailed at the same hour of the wall clock through a change of the clocks, once, to the account alone, and not when nothing is new.
func TestReportsAreMailedOnASchedule(t *testing.T) {
	t.Parallel()
	zone, err := time.LoadLocation("America/New_York")
	if err != nil {
		t.Fatal(err)
	}
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		server := mailtest.Open(t)
		w := begin(t, d, func(s *apptest.Setup) {
			s.Config.SMTPURL, s.Config.MailFrom = server.URL, "Trigpoint <noreply@trigpoint.example>"
		})
		watch := w.Clock.(*clock.Fake)
		body := object{
			"kind": "campaign", "subject_id": w.campaign, "frequency": "WEEKLY", "day": 1, "hour": 8,
		}
		made := w.Do(t, apptest.Call{Method: "POST", Path: schedules, Body: body}).Want(t, http.StatusOK)
		if at := made.Text("data.next_at"); !strings.HasSuffix(at, "T08:00:00Z") {
			t.Errorf("due in UTC at %s", at)
		}
		w.Do(t, apptest.Call{Method: "PUT", Path: httpapi.AccountPrefix + "/time-zone", Body: object{"time_zone": zone.String()}}).Want(t, http.StatusOK)
		next := func() time.Time {
			t.Helper()
			at, err := time.Parse(time.RFC3339, w.Do(t, apptest.Call{Method: "GET", Path: schedules}).Want(t, http.StatusOK).Text("data.0.next_at"))
			if err != nil {
				t.Fatal(err)
			}
			return at
		}
		mailed := func() (to []string) {
			t.Helper()
			for more := true; more; {
				if more, err = report.SendDue(w.Reports, t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			for {
				select {
				case letter := <-server.Took:
					to = append(to, letter.To)
					if len(letter.Attachments) != 1 || !strings.Contains(textOf(t, letter.Attachments[0].Data), market[0].Name) {
						t.Errorf("the letter %q brings %d files", letter.Subject, len(letter.Attachments))
					}
				default:
					return to
				}
			}
		}
		if to := mailed(); len(to) != 0 {
			t.Fatalf("mailed before it was due: %q", to)
		}
		for week := range 18 { // into April
			due := next()
			if local := due.In(zone); local.Weekday() != time.Monday || local.Hour() != 8 || local.Minute() != 0 {
				t.Fatalf("week %d is due at %s", week, local)
			}
			fresh := week%3 != 2
			if fresh {
				w.collect(due.Add(-30*time.Hour), week%2)
			}
			watch.Advance(due.Sub(watch.Now()))
			switch to := mailed(); {
			case fresh && (len(to) != 1 || to[0] != "<"+w.Owner.Email+">"):
				t.Fatalf("week %d was mailed to %q", week, to)
			case !fresh && len(to) != 0:
				t.Fatalf("week %d has nothing new and was mailed to %q", week, to)
			}
			if to := mailed(); len(to) != 0 {
				t.Fatalf("week %d was mailed again to %q", week, to)
			}
		}

		due := next()
		w.collect(due.Add(-time.Hour), 0)
		watch.Advance(due.Sub(watch.Now()))
		server.RefuseNext(1)
		if to := mailed(); len(to) != 0 {
			t.Fatalf("a server that refuses took mail for %q", to)
		}
		watch.Advance(10 * time.Minute)
		if to := mailed(); len(to) != 1 {
			t.Fatalf("after a failure it was mailed to %q", to)
		}

		stranger := w.NewAccount(t, "stranger@trigpoint.example", "free")
		w.Do(t, apptest.Call{Method: "POST", Path: schedules, Body: body, As: &stranger}).Want(t, http.StatusNotFound)
		w.Do(t, apptest.Call{Method: "DELETE", Path: schedules + "/" + made.Text("data.id"), As: &stranger}).Want(t, http.StatusNotFound)
		for field, wrong := range map[string]any{"kind": "planet", "day": 8, "hour": 24, "frequency": "DAILY"} {
			bad := object{}
			for name, value := range body {
				bad[name] = value
			}
			bad[field] = wrong
			w.Do(t, apptest.Call{Method: "POST", Path: schedules, Body: bad}).Want(t, http.StatusBadRequest)
		}
		w.Do(t, apptest.Call{Method: "DELETE", Path: schedules + "/" + made.Text("data.id")}).Want(t, http.StatusOK)
	})
}
