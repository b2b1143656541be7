package alert_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/trigpoint/trigpoint/internal/alertrule"
	"github.com/trigpoint/trigpoint/internal/app/apptest"
	"github.com/trigpoint/trigpoint/internal/clock"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/db/dbtest"
	"github.com/trigpoint/trigpoint/internal/event"
	"github.com/trigpoint/trigpoint/internal/httpapi"
	"github.com/trigpoint/trigpoint/internal/mail/mailtest"
	"github.com/trigpoint/trigpoint/internal/secret"
)

type object = map[string]any

const (
	alerts = httpapi.AccountPrefix + "/alerts"
	rules  = alerts + "/rules"
)

// world is the program with a mail server and a clock of its own.
type world struct {
	*apptest.Program
	office *mailtest.Server
	clock  *clock.Fake
}

func each(t *testing.T, test func(t *testing.T, w *world)) {
	t.Helper()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := &world{office: mailtest.Open(t), clock: clock.NewFake(time.Date(2026, 3, 10, 9, 30, 0, 0, time.UTC))}
		w.Program = apptest.Start(t, d, func(s *apptest.Setup) {
			s.Options.Clock = w.clock
			s.Config.SMTPURL, s.Config.MailFrom, s.Config.WebhookAllowPrivate = w.office.URL, "Trigpoint <noreply@trigpoint.example>", true
		})
		test(t, w)
	})
}

func (w *world) rule(t *testing.T, body object) *apptest.Answer {
	t.Helper()
	return w.Do(t, apptest.Call{Method: "POST", Path: rules, Body: body})
}

func (w *world) list(t *testing.T) *apptest.Answer {
	t.Helper()
	return w.Do(t, apptest.Call{Method: "GET", Path: alerts}).Want(t, 200)
}

// lost has a keyword of a tracking fall, in a transaction as a check has it.
func (w *world) lost(t *testing.T, keyword string, from, to float64) {
	t.Helper()
	err := w.DB.Tx(t.Context(), func(tx *db.Tx) error {
		return alertrule.Happened(t.Context(), tx, w.clock.Now(), []alertrule.Fact{{
			AccountID: w.Owner.ID, On: alertrule.Tracking, SubjectID: "t", Name: "site.com", Keyword: keyword,
			Figure: alertrule.Position, Move: alertrule.Move{Before: &from, After: &to, Beyond: 101},
		}})
	})
	if err != nil {
		t.Fatal(err)
	}
}

// settled waits until the newest alert has a status.
func (w *world) settled(t *testing.T, status string) *apptest.Answer {
	t.Helper()
	return w.Eventually(t, apptest.Call{Method: "GET", Path: alerts}, func(a *apptest.Answer) bool {
		return a.Want(t, 200).Text("data.0.status") == status
	})
}

func TestPeopleAreToldOnce(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		made := w.rule(t, object{"condition": "position_lost", "threshold": 3, "emails": []string{strings.ToUpper(w.Owner.Email)}, "webhooks": true}).Want(t, 200)
		if text := made.Text("data.text"); text != "When a keyword falls by 3 places or more in any tracking, mail "+w.Owner.Email+" and tell the webhooks at once." {
			t.Error(text)
		}
		w.lost(t, "pizza", 3, 5)
		w.lost(t, "pasta & <wine>", 3, 9)
		first := w.office.Next(t)
		if first.To != "<"+w.Owner.Email+">" || first.Subject != "site.com: “pasta & <wine>” fell from 3 to 9." || !strings.Contains(first.Text, first.Subject) ||
			!strings.Contains(first.HTML, "pasta &amp; &lt;wine&gt;") || !strings.HasPrefix(first.ID, "<alert-") {
			t.Errorf("%+v", first)
		}
		if told := w.settled(t, "sent"); told.Len("data") != 1 || told.Text("data.0.keyword") != "pasta & <wine>" || told.Text("data.0.rule") != "A keyword falls by 3 places or more" {
			t.Errorf("%s", told.Raw)
		}
		told := w.Do(t, apptest.Call{Method: "GET", Path: httpapi.AccountPrefix + "/events?kind=alert.raised"}).Want(t, 200)
		if told.Len("data") != 1 || told.Text("data.0.data.condition") != "position_lost" || told.At("data.0.data.after") != 9.0 {
			t.Errorf("%s", told.Raw)
		}

		// What follows within ten minutes comes together, through a server that refuses, fails at the end, and dies.
		for i := range 120 {
			w.lost(t, fmt.Sprintf("keyword %d", i), 1, 30)
		}
		w.clock.Advance(9 * time.Minute)
		if status := w.list(t).Text("data.0.status"); status != "waiting" {
			t.Errorf("it is %s", status)
		}
		w.office.RefuseNext(1)
		w.clock.Advance(time.Minute)
		w.untilRefused(t)
		w.office.FailNext(1)
		w.clock.Advance(time.Minute)
		w.untilRefused(t)
		w.clock.Advance(2 * time.Minute)
		second := w.office.Next(t)
		if second.Subject != "A keyword falls by 3 places or more: 120 alerts" || !strings.Contains(second.Text, "- and 20 more\n") || second.ID == first.ID {
			t.Errorf("%+v", second)
		}
		w.settled(t, "sent")

		// One that dies with the mail gets it again, under the same name.
		w.office.VanishNext(1)
		w.clock.Advance(time.Hour)
		w.lost(t, "wine", 1, 30)
		third := w.office.Next(t)
		w.Eventually(t, apptest.Call{Method: "GET", Path: alerts}, func(a *apptest.Answer) bool { return a.Text("data.0.detail") != "" })
		w.clock.Advance(time.Minute)
		if again := w.office.Next(t); again.ID != third.ID || again.Text != third.Text {
			t.Errorf("%+v came again as %+v", third, again)
		}
		w.settled(t, "sent")

		// An address that does not exist is given up at once, and said so.
		w.office.RefuseForGood(1)
		w.clock.Advance(time.Hour)
		w.lost(t, "beer", 1, 30)
		if failed := w.settled(t, "failed"); !strings.Contains(failed.Text("data.0.detail"), "no such mailbox") {
			t.Errorf("%s", failed.Raw)
		}
		if more := len(w.office.Took); more != 0 {
			t.Errorf("%d mails too many", more)
		}

		// A rule that is gone tells nobody, and its alerts stay.
		w.clock.Advance(time.Minute)
		w.lost(t, "gin", 1, 30)
		w.Do(t, apptest.Call{Method: "DELETE", Path: rules + "/" + made.Text("data.id")}).Want(t, 200)
		w.clock.Advance(time.Hour)
		w.lost(t, "rum", 1, 30)
		if last := w.list(t); last.Text("data.0.keyword") != "gin" || last.Text("data.0.status") != "sent" || last.Text("data.0.rule") != "" || len(w.office.Took) != 0 {
			t.Errorf("%s", last.Raw)
		}
	})
}

// untilRefused waits until the mail server has refused a mail and that is kept.
func (w *world) untilRefused(t *testing.T) {
	t.Helper()
	w.Eventually(t, apptest.Call{Method: "GET", Path: alerts}, func(*apptest.Answer) bool {
		due, err := db.One(t.Context(), w.DB, db.Value[int], "SELECT count(*) FROM alert_messages WHERE due_at > $1 AND answer <> '' AND tried_at = $2", db.Micros(w.clock.Now()), db.Micros(w.clock.Now()))
		return err == nil && due == 1 && w.office.Refused() == 1
	})
}

func TestDigestsAndSlack(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		posted := make(chan string, 10)
		slack := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			raw, _ := io.ReadAll(r.Body)
			var body struct{ Text string }
			if err := json.Unmarshal(raw, &body); err != nil {
				t.Error(err)
			}
			posted <- body.Text
		}))
		defer slack.Close()
		w.Do(t, apptest.Call{Method: "PUT", Path: httpapi.AccountPrefix + "/time-zone", Body: object{"time_zone": "America/New_York"}}).Want(t, 200)
		w.Do(t, apptest.Call{Method: "PUT", Path: httpapi.AccountPrefix + "/time-zone", Body: object{"time_zone": "Mars/Base"}}).Want(t, 400)
		daily := w.rule(t, object{"name": "Daily", "condition": "position_lost", "threshold": 3, "slack_url": slack.URL + "/services/secret", "pace": "daily", "hour": 7}).Want(t, 200)
		if strings.Contains(string(daily.Raw), "secret") || !strings.HasSuffix(daily.Text("data.text"), "write to Slack every day at 7:00.") {
			t.Errorf("%s", daily.Raw)
		}
		w.rule(t, object{"name": "Low", "condition": "credits_low", "emails": []string{w.Owner.Email}}).Want(t, 200)

		// 9:30 in UTC is 5:30 in New York: the digest is due at 11:00.
		w.lost(t, "pizza", 1, 9)
		w.lost(t, "pasta", 1, 9)
		w.clock.Set(time.Date(2026, 3, 10, 10, 59, 59, 0, time.UTC))
		if len(posted) > 0 || w.list(t).Text("data.0.status") != "waiting" {
			t.Error("it was told too soon")
		}
		w.clock.Set(time.Date(2026, 3, 10, 11, 0, 0, 0, time.UTC))
		if text := <-posted; text != "*Daily*\n- Tue 10 Mar 05:30, site.com: “pizza” fell from 1 to 9.\n- Tue 10 Mar 05:30, site.com: “pasta” fell from 1 to 9.\n" {
			t.Errorf("%q", text)
		}
		w.settled(t, "sent")

		// A day on which nothing happens is quiet; an event that is written twice raises one alert.
		w.clock.Advance(48 * time.Hour)
		for range 2 {
			err := w.DB.Tx(t.Context(), func(tx *db.Tx) error {
				return event.Emit(t.Context(), tx, w.clock.Now(), event.Event{
					AccountID: w.Owner.ID, Kind: event.CreditsLow, Subject: w.Owner.ID, Data: event.Quota{Used: 95, Limit: 100, Month: "2026-03"}, Once: "2026-03",
				})
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		if got := w.office.Next(t); got.Subject != "Less than a tenth of the month's credits is left: 95 of 100 are used." {
			t.Errorf("%+v", got)
		}
		w.settled(t, "sent")
		if len(posted) != 0 || len(w.office.Took) != 0 || w.list(t).Len("data") != 3 {
			t.Errorf("%d posts, %d mails, %s", len(posted), len(w.office.Took), w.list(t).Raw)
		}

		tested := w.Do(t, apptest.Call{Method: "POST", Path: rules + "/" + daily.Text("data.id") + "/test"}).Want(t, 200)
		if tested.Text("data.0.status") != "sent" || !strings.Contains(<-posted, "This is a test") {
			t.Errorf("%s", tested.Raw)
		}
		// Without the key of the URL it waits, however long, and goes on by itself.
		keys, err := secret.ParseKeys(strings.Repeat("cd", secret.KeySize))
		if err != nil {
			t.Fatal(err)
		}
		sealed, err := keys.Seal([]byte(slack.URL), daily.Text("data.id"))
		if err != nil {
			t.Fatal(err)
		}
		setSlack := func(kept string) {
			t.Helper()
			if err := w.DB.Tx(t.Context(), func(tx *db.Tx) error {
				_, err := tx.Exec(t.Context(), "UPDATE alert_rules SET slack = $2 WHERE id = $1", daily.Text("data.id"), kept)
				return err
			}); err != nil {
				t.Fatal(err)
			}
		}
		setSlack(sealed)
		w.lost(t, "bread", 1, 9)
		w.clock.Advance(24 * time.Hour)
		w.Eventually(t, apptest.Call{Method: "GET", Path: alerts}, func(*apptest.Answer) bool {
			waiting, err := db.One(t.Context(), w.DB, db.Value[int], "SELECT count(*) FROM alert_messages WHERE status = 'pending' AND attempts = 0 AND answer LIKE '%TRIGPOINT_SECRET_KEY%'")
			return err == nil && waiting == 1
		})
		setSlack(slack.URL + "/services/secret")
		w.clock.Advance(5 * time.Minute)
		if text := <-posted; !strings.Contains(text, "bread") {
			t.Errorf("%q", text)
		}

		slack.Close()
		tested = w.Do(t, apptest.Call{Method: "POST", Path: rules + "/" + daily.Text("data.id") + "/test"}).Want(t, 200)
		if tested.Text("data.0.status") != "failed" || strings.Contains(string(tested.Raw), "secret") {
			t.Errorf("%s", tested.Raw)
		}
	})
}

func TestRulesThatAreWrongTeach(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		for _, wrong := range []struct {
			body  object
			field string
		}{
			{object{}, "condition"},
			{object{"condition": "weather"}, "condition"},
			{object{"condition": "position_lost"}, "threshold"},
			{object{"condition": "position_lost", "threshold": 101}, "threshold"},
			{object{"condition": "left_top", "threshold": 5}, "threshold"},
			{object{"condition": "rival_passed"}, "rival"},
			{object{"condition": "not_found", "threshold": 3}, "threshold"},
			{object{"condition": "not_found", "rival": "rival.example"}, "rival"},
			{object{"condition": "not_found", "subject_id": "0198f1b23c4d7e5f8a6b7c8d9e0f1a2b"}, "subject_id"},
			{object{"condition": "not_found", "emails": []string{"nobody"}}, "emails"},
			{object{"condition": "not_found", "emails": []string{"stranger@trigpoint.example"}}, "emails"},
			{object{"condition": "not_found", "slack_url": "ftp://slack.example"}, "slack_url"},
			{object{"condition": "not_found", "pace": "yearly"}, "pace"},
			{object{"condition": "not_found", "hour": 24}, "hour"},
			{object{"condition": "not_found", "weekday": 7}, "weekday"},
			{object{"condition": "not_found", "name": strings.Repeat("x", 81)}, "name"},
			{object{"condition": 7}, "condition"},
		} {
			if answer := w.rule(t, wrong.body).Want(t, 400); answer.Text("error.details.0.field") != wrong.field {
				t.Errorf("%v: %s", wrong.body, answer.Raw)
			}
		}
		all := w.rule(t, object{"condition": "left_top", "threshold": 5, "slack_url": "ftp://slack.example", "pace": "yearly", "hour": 24, "emails": []string{"nobody"}}).Want(t, 400)
		if all.Len("error.details") != 5 || !strings.Contains(string(all.Raw), "must be 3, 10 or 20, not 5.") {
			t.Errorf("not everything is told at once: %s", all.Raw)
		}
		once := apptest.Call{Method: "POST", Path: rules, Body: object{"condition": "position_lost", "threshold": 1}, Header: http.Header{"Idempotency-Key": {"once"}}}
		first, again := w.Do(t, once).Want(t, 200), w.Do(t, once).Want(t, 200)
		if first.Text("data.id") != again.Text("data.id") || first.Text("data.name") != "A keyword falls by 1 place or more" {
			t.Errorf("%s, then %s", first.Raw, again.Raw)
		}
		w.Do(t, apptest.Call{Method: "DELETE", Path: rules + "/" + first.Text("data.id")}).Want(t, 200)
		made := w.rule(t, object{"condition": "left_top", "threshold": 10}).Want(t, 200)
		changed := w.Do(t, apptest.Call{Method: "PATCH", Path: rules + "/" + made.Text("data.id"), Body: object{"threshold": 3, "pace": "weekly", "paused": true}}).Want(t, 200)
		if changed.At("data.threshold") != 3.0 || changed.Text("data.paused_at") == "" || !strings.HasSuffix(changed.Text("data.text"), "show it in the list every Monday at 8:00.") {
			t.Errorf("%s", changed.Raw)
		}
		w.Do(t, apptest.Call{Method: "PATCH", Path: rules + "/" + made.Text("data.id"), Body: object{"threshold": 3, "emails": []string{}, "slack_url": "", "paused": true}}).Want(t, 200) // nothing new
		for kind, times := range map[string]int{"rule.created": 2, "rule.changed": 1, "rule.deleted": 1} {
			if told := w.Told(t, kind, nil); told.Len("data") != times || told.At("data.0.data.paused") != (kind == "rule.changed") {
				t.Errorf("%s: %s", kind, told.Raw)
			}
		}
		w.lost(t, "pizza", 1, 9)
		if w.list(t).Len("data") != 0 {
			t.Error("a rule that is paused has raised an alert")
		}
		other := w.NewAccount(t, "other@trigpoint.example", "free")
		for _, call := range []apptest.Call{{Method: "PATCH", Body: object{"threshold": 10}}, {Method: "DELETE"}} {
			call.Path, call.As = rules+"/"+made.Text("data.id"), &other
			w.Do(t, call).Want(t, 404)
		}
		for range 99 {
			w.rule(t, object{"condition": "not_found"}).Want(t, 200)
		}
		w.rule(t, object{"condition": "not_found"}).Want(t, 409)
	})
}
