package signin_test

import (
	"log/slog"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/trigpoint/trigpoint/internal/app/apptest"
	"github.com/trigpoint/trigpoint/internal/clock"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/db/dbtest"
	"github.com/trigpoint/trigpoint/internal/httpapi"
	"github.com/trigpoint/trigpoint/internal/mail/mailtest"
)

const resetState = "SELECT count(*) FROM river_job WHERE kind = 'reset_mail' AND state = $1"

// forgotten asks for a link, as somebody who knows an email address.
func forgotten(t *testing.T, p *apptest.Program, email string) *apptest.Answer {
	t.Helper()
	return visit(p).call(t, "POST", "/password-reset", map[string]any{"email": email}).Want(t, 200)
}

// awaitMails waits until all mails that were asked for have been dealt with.
func awaitMails(t *testing.T, p *apptest.Program, n int) {
	t.Helper()
	p.Eventually(t, apptest.Call{Method: "GET", Path: httpapi.AccountPrefix + "/session"}, func(*apptest.Answer) bool {
		done, err := db.One(t.Context(), p.DB, db.Value[int], resetState, "completed")
		if err != nil {
			t.Fatal(err)
		}
		return done == n
	})
}

var resetLink = regexp.MustCompile(`(?m)^http://127\.0\.0\.1:\d+/reset\?token=(tpl_\S+)$`)

// secretIn is the secret of the link in a mail.
func secretIn(t *testing.T, l mailtest.Letter) string {
	t.Helper()
	found := resetLink.FindStringSubmatch(l.Text)
	if found == nil {
		t.Fatalf("no link in %q", l.Text)
	}
	return found[1]
}

func TestForgottenPassword(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		office, now, log := mailtest.Open(t), clock.NewFake(noon), &lines{}
		p := apptest.Start(t, d, func(s *apptest.Setup) {
			s.Options.Clock, s.Log = now, slog.New(slog.NewTextHandler(log, nil))
			s.Config.SMTPURL, s.Config.MailFrom = office.URL, "Trigpoint <noreply@trigpoint.example>"
		})
		signed := signedIn(t, p)
		reset := func(token, password string) *apptest.Answer {
			return visit(p).call(t, "POST", "/password-reset/confirm", map[string]any{"token": token, "password": password})
		}

		// Nobody learns who has an account: neither from the answer, nor by a mail to a stranger.
		stranger := forgotten(t, p, "nobody@trigpoint.example")
		awaitMails(t, p, 1)
		office.RefuseNext(1)
		known := forgotten(t, p, strings.ToUpper(p.Owner.Email))
		told := func(a *apptest.Answer) string {
			return strings.Replace(string(a.Raw), a.Text("meta.request_id"), "", 1)
		}
		if told(stranger) != told(known) || len(known.Header) != len(stranger.Header) {
			t.Errorf("a stranger is told %s, an account %s", stranger.Raw, known.Raw)
		}

		// The server refuses at first; the mail comes all the same.
		first := office.Next(t)
		if first.To != "<"+p.Owner.Email+">" || first.From != `"Trigpoint" <noreply@trigpoint.example>` || !strings.Contains(first.Subject, "password") || office.Refused() != 1 {
			t.Errorf("after %d refusals came %+v", office.Refused(), first)
		}
		awaitMails(t, p, 2)
		secret := secretIn(t, first)
		if links, err := db.One(t.Context(), p.DB, db.Value[int], "SELECT count(*) FROM one_time_links"); err != nil || links != 1 {
			t.Errorf("%d links, with that of the mail that was refused, %v", links, err)
		}
		reset(secret, password2).Want(t, 200)
		wantStatus(t, reset(secret, password), 403, "LINK_INVALID")
		signed.call(t, "GET", "/sessions", nil).Want(t, 401)
		visit(p).signIn(t, p.Owner.Email, password2).Want(t, 200)

		// A server that hangs up without a word has the mail: its link works, and no second one is sent.
		office.HangUp()
		forgotten(t, p, p.Owner.Email)
		second := office.Next(t)
		awaitMails(t, p, 3)
		secret2 := secretIn(t, second)
		reset(secret2, password).Want(t, 200)

		// However many ask, and however much at once, an account is sent three an hour.
		for range 6 {
			forgotten(t, p, p.Owner.Email)
		}
		awaitMails(t, p, 9)
		office.Next(t)
		if more := len(office.Took); more != 0 {
			t.Errorf("%d mails beyond three in an hour", more)
		}
		now.Advance(time.Hour)
		forgotten(t, p, p.Owner.Email)
		late := secretIn(t, office.Next(t))
		now.Advance(time.Hour)
		wantStatus(t, reset(late, password), 403, "LINK_INVALID")

		// No secret waits in the queue or stands in the log.
		queue, err := db.All(t.Context(), p.DB, db.Value[string], "SELECT CAST(args AS TEXT) || coalesce(CAST(errors AS TEXT), '') FROM river_job WHERE kind = 'reset_mail'")
		if err != nil {
			t.Fatal(err)
		}
		if shown := strings.Join(queue, "\n") + log.String(); strings.Contains(shown, "tpl_") || !strings.Contains(shown, "try again later") {
			t.Errorf("what is kept shows a link, or not why a mail failed: %s", shown)
		}
	})
}

// lines is a log that many write to.
type lines struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *lines) Write(line []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(line)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}
