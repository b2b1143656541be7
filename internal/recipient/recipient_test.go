package recipient_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/trigpoint/trigpoint/internal/alertrule"
	"github.com/trigpoint/trigpoint/internal/app/apptest"
	"github.com/trigpoint/trigpoint/internal/clock"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/db/dbtest"
	"github.com/trigpoint/trigpoint/internal/httpapi"
	"github.com/trigpoint/trigpoint/internal/mail/mailtest"
)

type object = map[string]any

const (
	recipients = httpapi.AccountPrefix + "/recipients"
	client     = "client@example.com"
)

// world is the program with a mail server and a clock of its own.
type world struct {
	*apptest.Program
	office *mailtest.Server
	clock  *clock.Fake
}

func (w *world) name(t *testing.T, email string, as *apptest.Account) *apptest.Answer {
	t.Helper()
	return w.Do(t, apptest.Call{Method: "POST", Path: recipients, Body: object{"email": email}, As: as})
}

func (w *world) status(t *testing.T) string {
	t.Helper()
	return w.Do(t, apptest.Call{Method: "GET", Path: recipients}).Want(t, 200).Text("data.0.status")
}

// open follows a link as a browser without JavaScript does.
func open(t *testing.T, method, link string) int {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, link, strings.NewReader("List-Unsubscribe=One-Click"))
	if err != nil {
		t.Fatal(err)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	_ = res.Body.Close()
	if res.Header.Get("X-Robots-Tag") != "noindex" || res.Header.Get("Referrer-Policy") != "no-referrer" {
		t.Errorf("%s %s: %v", method, link, res.Header)
	}
	return res.StatusCode
}

var link = regexp.MustCompile(`(?m)^http://127\.0\.0\.1:\d+/mail/(?:confirm|stop)\?token=\S+$`)

// lost raises an alert of the account.
func (w *world) lost(t *testing.T, keyword string) {
	t.Helper()
	from, to := 3.0, 9.0
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

// Nobody gets mail who has not said yes, and nobody is asked too often.
func TestRecipientsDecide(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := &world{office: mailtest.Open(t), clock: clock.NewFake(time.Date(2026, 3, 10, 9, 30, 0, 0, time.UTC))}
		w.Program = apptest.Start(t, d, func(s *apptest.Setup) {
			s.Options.Clock = w.clock
			s.Config.SMTPURL, s.Config.MailFrom = w.office.URL, "Trigpoint <noreply@trigpoint.example>"
			s.Options.DemoEmail = "demo@trigpoint.example"
		})
		demo := w.NewAccount(t, "demo@trigpoint.example", "free")
		w.name(t, client, &demo).Want(t, 409)
		for _, wrong := range []any{"nobody", 5, nil} {
			w.Do(t, apptest.Call{Method: "POST", Path: recipients, Body: object{"email": wrong}}).Want(t, 400)
		}
		w.name(t, w.Owner.Email, nil).Want(t, 409)
		w.office.RefuseNext(1)
		named := w.name(t, "Client@Example.com", nil).Want(t, 200)
		letter := w.office.Next(t)
		links := link.FindAllString(letter.Text, -1)
		if named.Text("data.status") != "waiting" || letter.To != "<"+client+">" || !strings.Contains(letter.Text, w.Owner.Email) || len(links) != 2 {
			t.Fatalf("named is %s, and the letter says\n%s", named.Raw, letter.Text)
		}
		confirm, stop := links[0], links[1]
		w.name(t, client, nil).Want(t, 200) // is not asked again today

		rule := w.Do(t, apptest.Call{Method: "POST", Path: httpapi.AccountPrefix + "/alerts/rules", Body: object{"condition": "position_lost", "threshold": 3, "emails": []string{client, w.Owner.Email}}}).Want(t, 200)
		if rule.Text("data.waiting.0") != client {
			t.Errorf("the rule is %s", rule.Raw)
		}
		told := func(keyword string, most int) (to []string) {
			t.Helper()
			w.clock.Advance(11 * time.Minute)
			w.lost(t, keyword)
			w.Eventually(t, apptest.Call{Method: "GET", Path: httpapi.AccountPrefix + "/alerts"}, func(a *apptest.Answer) bool {
				return a.Text("data.0.keyword") == keyword && a.Text("data.0.status") == "sent"
			})
			for len(w.office.Took) > 0 {
				got := w.office.Next(t)
				to = append(to, strings.Trim(got.To, "<>"))
				if mine := got.To == "<"+w.Owner.Email+">"; mine == strings.Contains(got.Header.Get("List-Unsubscribe"), stop) || mine == strings.Contains(got.Text, stop) || mine == strings.Contains(got.Header.Get("Reply-To"), w.Owner.Email) {
					t.Errorf("%s gets %v\n%s", got.To, got.Header, got.Text)
				}
			}
			if len(to) != most {
				t.Errorf("of %s %q were told", keyword, to)
			}
			return to
		}
		told("before it said yes", 1)

		// A program that looks at links decides nothing; a link works once.
		for range 2 {
			if got := open(t, "GET", confirm); got != 200 || w.status(t) != "waiting" {
				t.Errorf("opened, it is %s: %d", w.status(t), got)
			}
		}
		if got := open(t, "POST", confirm); got != 200 || w.status(t) != "confirmed" {
			t.Errorf("confirmed, it is %s: %d", w.status(t), got)
		}
		for _, method := range []string{"GET", "POST"} {
			if got := open(t, method, confirm); got != 403 {
				t.Errorf("%s of a link that was used: %d", method, got)
			}
		}
		told("after it said yes", 2)

		stranger := w.NewAccount(t, "stranger@trigpoint.example", "free")
		one := recipients + "/" + named.Text("data.id")
		w.Do(t, apptest.Call{Method: "DELETE", Path: one, As: &stranger}).Want(t, 404)
		if all := w.Do(t, apptest.Call{Method: "GET", Path: recipients, As: &stranger}).Want(t, 200); all.Len("data") != 0 {
			t.Errorf("a stranger sees %s", all.Raw)
		}
		w.Do(t, apptest.Call{Method: "POST", Path: httpapi.AccountPrefix + "/alerts/rules", Body: object{"condition": "not_found", "emails": []string{client}}, As: &stranger}).Want(t, 400)

		// It says no, by one click of its mail program.
		if got := open(t, "GET", stop); got != 200 || w.status(t) != "confirmed" {
			t.Errorf("opened, it is %s: %d", w.status(t), got)
		}
		for range 2 {
			if got := open(t, "POST", stop); got != 200 || w.status(t) != "ended" {
				t.Errorf("ended, it is %s: %d", w.status(t), got)
			}
		}
		told("after it said no", 1)
		events := w.Do(t, apptest.Call{Method: "GET", Path: httpapi.AccountPrefix + "/events"}).Want(t, 200).Raw
		for _, kind := range []string{"recipient.created", "recipient.confirmed", "recipient.ended"} {
			if strings.Count(string(events), `"`+kind+`"`) != 1 {
				t.Errorf("%s is not told once: %s", kind, events)
			}
		}

		// The account is told why one was not asked.
		w.office.RefuseForGood(1)
		refused := w.name(t, "gone@example.com", nil).Want(t, 200).Text("data.id")
		w.Eventually(t, apptest.Call{Method: "GET", Path: recipients}, func(a *apptest.Answer) bool {
			return strings.Contains(a.Text("data.1.problem"), "no such mailbox") && a.Text("data.0.problem") == ""
		})
		w.Do(t, apptest.Call{Method: "DELETE", Path: recipients + "/" + refused}).Want(t, 200)

		// It is not asked for a month, whatever the account does; then it may be, and has to say yes anew within a week.
		w.name(t, client, nil).Want(t, 409)
		w.Do(t, apptest.Call{Method: "DELETE", Path: one}).Want(t, 200)
		w.name(t, client, nil).Want(t, 409)
		w.clock.Advance(30 * 24 * time.Hour)
		w.name(t, client, nil).Want(t, 200)
		late := link.FindString(w.office.Next(t).Text)
		w.clock.Advance(7 * 24 * time.Hour)
		if got := open(t, "POST", late); got != 403 || w.status(t) != "waiting" {
			t.Errorf("by a link of last week it is %s: %d", w.status(t), got)
		}
		w.name(t, client, nil).Want(t, 200)
		again := link.FindString(w.office.Next(t).Text)
		if got := open(t, "POST", again); got != 200 || w.status(t) != "confirmed" {
			t.Errorf("asked again, it is %s: %d", w.status(t), got)
		}

		// All accounts together ask an address three times a day.
		for i, want := range []int{200, 200, 409} {
			other := w.NewAccount(t, string(rune('a'+i))+"@trigpoint.example", "free")
			w.name(t, client, &other).Want(t, want)
			if want == 200 {
				w.office.Next(t)
			}
		}
		w.Do(t, apptest.Call{Method: "DELETE", Path: one}).Want(t, 200)
		told("after it was deleted", 1)
	})
}
