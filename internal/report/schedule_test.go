package report_test

import (
	"bytes"
	"context"
	"errors"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/trigpoint/trigpoint/internal/app/apptest"
	"github.com/trigpoint/trigpoint/internal/clock"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/db/dbtest"
	"github.com/trigpoint/trigpoint/internal/httpapi"
	"github.com/trigpoint/trigpoint/internal/mail"
	"github.com/trigpoint/trigpoint/internal/mail/mailtest"
	"github.com/trigpoint/trigpoint/internal/maprank"
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
			"kind": "campaign", "subject_id": w.campaign, "frequency": "WEEKLY", "day": 1, "hour": 8, "paper": "letter",
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
			send(t, w)
			for {
				select {
				case letter := <-server.Took:
					to = append(to, letter.To)
					if !strings.HasPrefix(letter.Subject, "Report: "+market[0].Name+", ") || !strings.Contains(letter.Text, "Average position: ") || !strings.Contains(letter.HTML, ">Average position</td>") || !strings.Contains(letter.HTML, "/settings/reports") {
						t.Errorf("the letter %q says\n%s\n%s", letter.Subject, letter.Text, letter.HTML)
					}
					if len(letter.Attachments) != 1 || !bytes.Contains(letter.Attachments[0].Data, []byte("612.00")) || !strings.Contains(textOf(t, letter.Attachments[0].Data), market[0].Name) {
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

		// A server that refuses, or has the mail and dies before it says so, gets it again; so does one to which a process that died was speaking.
		due := next()
		w.collect(due.AddDate(0, 0, -1), 0)
		watch.Advance(due.Sub(watch.Now()))
		server.RefuseNext(1)
		if to := mailed(); len(to) != 0 {
			t.Fatalf("a server that refuses took mail for %q", to)
		}
		if said := w.Do(t, apptest.Call{Method: "GET", Path: schedules}).Text("data.0.problem"); said != "The mail server did not take the mail: 451 \"try again later\"" {
			t.Errorf("of the failure it says %q", said)
		}
		watch.Advance(time.Minute)
		server.VanishNext(1)
		send(t, w)
		first := server.Next(t)
		watch.Advance(2 * time.Minute)
		killed, kill := context.WithCancel(t.Context())
		release := server.Hold()
		stopped := make(chan error)
		go func() {
			_, err := report.SendDue(w.Reports, killed)
			stopped <- err
		}()
		server.UntilRead(t, 14)
		kill()
		server.VanishNext(1)
		release()
		if err := <-stopped; !errors.Is(err, context.Canceled) {
			t.Errorf("it ended with %v", err)
		}
		second := server.Next(t)
		if to := mailed(); len(to) != 0 {
			t.Fatalf("what another process sends was mailed to %q", to)
		}
		watch.Advance(5 * time.Minute)
		send(t, w)
		if last := server.Next(t); first.ID != second.ID || second.ID != last.ID || !strings.HasPrefix(last.ID, "<report-") {
			t.Errorf("one report came as %s, %s and %s", first.ID, second.ID, last.ID)
		}
		if after := w.Do(t, apptest.Call{Method: "GET", Path: schedules}); after.Text("data.0.problem") != "" || after.Text("data.0.sent_at") == "" || !next().After(watch.Now()) {
			t.Errorf("then it says %s", after.Raw)
		}

		one := schedules + "/" + made.Text("data.id")
		paused := w.Do(t, apptest.Call{Method: "PATCH", Path: one, Body: object{"paused": true, "frequency": "MONTHLY", "day": 31}}).Want(t, http.StatusOK)
		if paused.Text("data.paused_at") == "" || paused.At("data.next_at") != nil || paused.Text("data.text") != "On the last day of every month at 8:00" {
			t.Errorf("paused: %s", paused.Raw)
		}
		w.collect(watch.Now(), 0)
		watch.Advance(40 * 24 * time.Hour)
		if to := mailed(); len(to) != 0 {
			t.Fatalf("while it is paused it was mailed to %q", to)
		}
		w.Do(t, apptest.Call{Method: "PATCH", Path: one, Body: object{"paused": false, "frequency": "WEEKLY", "day": 1}}).Want(t, http.StatusOK)

		// Several that are due at once come each on its own.
		whole := w.Do(t, apptest.Call{Method: "POST", Path: schedules, Body: object{"kind": "account", "frequency": "WEEKLY"}}).Want(t, http.StatusOK)
		due = next()
		w.collect(due.AddDate(0, 0, -1), 0)
		watch.Advance(due.Sub(watch.Now()))
		send(t, w)
		subjects := []string{server.Next(t).Subject, server.Next(t).Subject}
		slices.Sort(subjects)
		if !strings.HasPrefix(subjects[0], "Report: "+market[0].Name+", ") || !strings.HasPrefix(subjects[1], "Report: Local search, ") || len(server.Took) != 0 {
			t.Errorf("together came %q, and %d more", subjects, len(server.Took))
		}
		w.Do(t, apptest.Call{Method: "DELETE", Path: schedules + "/" + whole.Text("data.id")}).Want(t, http.StatusOK)

		w.shareAmongRecipients(one, next)

		stranger := w.NewAccount(t, "stranger@trigpoint.example", "free")
		w.Do(t, apptest.Call{Method: "POST", Path: schedules, Body: body, As: &stranger}).Want(t, http.StatusBadRequest)
		w.Do(t, apptest.Call{Method: "PATCH", Path: one, Body: object{"paused": true}, As: &stranger}).Want(t, http.StatusNotFound)
		w.Do(t, apptest.Call{Method: "DELETE", Path: one, As: &stranger}).Want(t, http.StatusNotFound)
		for field, wrong := range map[string]any{"kind": "planet", "day": 8, "hour": 24, "frequency": "DAILY", "paper": "a5", "subject_id": "0198f1b23c4d7e5f8a6b7c8d9e0f1a2b"} {
			bad := maps.Clone(body)
			bad[field] = wrong
			if answer := w.Do(t, apptest.Call{Method: "POST", Path: schedules, Body: bad}).Want(t, http.StatusBadRequest); answer.Text("error.details.0.field") != field {
				t.Errorf("%s: %s", field, answer.Raw)
			}
		}
		for range 49 {
			w.Do(t, apptest.Call{Method: "POST", Path: schedules, Body: object{"kind": "account", "frequency": "WEEKLY", "paused": true}}).Want(t, http.StatusOK)
		}
		w.Do(t, apptest.Call{Method: "POST", Path: schedules, Body: body}).Want(t, http.StatusConflict)

		// Without a mail server it waits and says so; when there is one again, the last of those that were due comes.
		mailer := w.Reports.Mail
		w.Reports.Mail = nil
		due = next()
		w.collect(due.AddDate(0, 0, -1), 0)
		w.collect(due.AddDate(0, 0, 6), 1)
		watch.Advance(due.AddDate(0, 0, 8).Sub(watch.Now()))
		send(t, w)
		if said := w.Do(t, apptest.Call{Method: "GET", Path: schedules}).Text("data.0.problem"); said != "This service sends no mail; whoever runs it sets smtp-url." {
			t.Errorf("without a mail server it says %q", said)
		}
		w.Reports.Mail = mailer
		if to := mailed(); len(to) != 1 {
			t.Errorf("when mail was back it was mailed to %q", to)
		}

		// A schedule outlives what it is about; it is paused at once, and can only be deleted.
		w.Do(t, apptest.Call{Method: "DELETE", Path: maprank.Prefix + "/campaigns/" + w.campaign}).Want(t, http.StatusOK)
		if left := w.Do(t, apptest.Call{Method: "GET", Path: schedules}); left.Text("data.0.paused_at") == "" || left.At("data.0.next_at") != nil || left.Text("data.0.problem") != "The campaign was deleted." {
			t.Errorf("of a campaign that is gone: %.600s", left.Raw)
		}
		if told := w.Told(t, "schedule.changed", nil); told.Text("data.0.data.subject_id") != w.campaign || told.At("data.0.data.paused") != true {
			t.Errorf("told of its pause: %.600s", told.Raw)
		}
		watch.Advance(40 * 24 * time.Hour)
		if to := mailed(); len(to) != 0 {
			t.Fatalf("of a campaign that is gone it was mailed to %q", to)
		}
		w.Do(t, apptest.Call{Method: "PATCH", Path: one, Body: object{"paused": false}}).Want(t, http.StatusBadRequest)
		w.Do(t, apptest.Call{Method: "DELETE", Path: one}).Want(t, http.StatusOK)
		if told := w.Told(t, "schedule.deleted", nil); told.Text("data.0.data.schedule_id") != made.Text("data.id") {
			t.Errorf("told of its end: %.600s", told.Raw)
		}
	})
}

// shareAmongRecipients mails one report to several, and kills the process between two of them.
func (w *world) shareAmongRecipients(schedule string, next func() time.Time) {
	t, watch := w.t, w.Clock.(*clock.Fake)
	t.Helper()
	patch := func(to ...string) *apptest.Answer {
		return w.Do(t, apptest.Call{Method: "PATCH", Path: schedule, Body: object{"recipients": to}})
	}
	if answer := patch("client@example.com").Want(t, http.StatusBadRequest); answer.Text("error.details.0.field") != "recipients" {
		t.Errorf("one who was not named: %s", answer.Raw)
	}
	var stops []string
	for _, email := range []string{"client@example.com", "friend@example.com", "silent@example.com"} {
		err := w.DB.Tx(t.Context(), func(tx *db.Tx) error {
			named, _, err := w.Accounts.NameRecipient(t.Context(), tx, w.Owner.ID, email)
			stops = append(stops, named.StopToken)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if _, err := w.DB.Writer().ExecContext(t.Context(), "UPDATE recipients SET confirmed_at = 1 WHERE email <> 'silent@example.com'"); err != nil {
		t.Fatal(err)
	}
	if answer := patch(w.Owner.Email, "silent@example.com", "friend@example.com", "Client@example.com").Want(t, http.StatusOK); answer.Len("data.recipients") != 4 || answer.Text("data.waiting.0") != "silent@example.com" {
		t.Errorf("with one who has not confirmed: %s", answer.Raw)
	}

	office, before := mailtest.Open(t), w.Reports.Mail
	mailer, err := mail.NewMailer(office.URL, "noreply@trigpoint.example")
	if err != nil {
		t.Fatal(err)
	}
	w.Reports.Mail = mailer
	defer func() { w.Reports.Mail = before }()
	due := next()
	w.collect(due.AddDate(0, 0, -1), 0)
	watch.Advance(due.Sub(watch.Now()))
	killed, kill := context.WithCancel(t.Context())
	stopped, first := make(chan error), office.Hold()
	go func() {
		_, err := report.SendDue(w.Reports, killed)
		stopped <- err
	}()
	office.UntilRead(t, 1)
	second := office.Hold()
	first()
	office.UntilRead(t, 2)
	kill()
	office.VanishNext(1)
	second()
	if err := <-stopped; !errors.Is(err, context.Canceled) {
		t.Errorf("it ended with %v", err)
	}
	came := map[string][]mailtest.Letter{}
	office.Hold()()
	watch.Advance(5 * time.Minute)
	send(t, w)
	for len(office.Took) > 0 {
		letter := office.Next(t)
		came[strings.Trim(letter.To, "<>")] = append(came[strings.Trim(letter.To, "<>")], letter)
	}
	friend := came["friend@example.com"]
	if len(came) != 3 || len(came["client@example.com"]) != 1 || len(friend) != 2 || friend[0].ID != friend[1].ID || len(came[w.Owner.Email]) != 1 || came[w.Owner.Email][0].ID == friend[0].ID {
		t.Errorf("after a kill between two who get it, they got %v", came)
	}
	if stop := friend[0].Header.Get("List-Unsubscribe"); !strings.Contains(stop, "/mail/stop?token="+stops[1]) || !strings.Contains(friend[0].Text, stops[1]) || came[w.Owner.Email][0].Header.Get("List-Unsubscribe") != "" {
		t.Errorf("to end it %q", stop)
	}
	patch().Want(t, http.StatusOK)
}

// send mails all that is due.
func send(t *testing.T, w *world) {
	t.Helper()
	for more := true; more; {
		var err error
		if more, err = report.SendDue(w.Reports, t.Context()); err != nil {
			t.Fatal(err)
		}
	}
}
