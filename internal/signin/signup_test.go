package signin_test

import (
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/trigpoint/trigpoint/internal/app/apptest"
	"github.com/trigpoint/trigpoint/internal/clock"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/db/dbtest"
	"github.com/trigpoint/trigpoint/internal/httpapi"
	"github.com/trigpoint/trigpoint/internal/mail/mailtest"
	"github.com/trigpoint/trigpoint/internal/signin"
)

func (b *person) signUp(t *testing.T, email, invitation string) *apptest.Answer {
	t.Helper()
	body := map[string]any{"email": email, "password": password}
	if invitation != "" {
		body["invitation"] = invitation
	}
	return b.call(t, "POST", "/signup", body)
}

func (b *person) invite(t *testing.T, email string) *apptest.Answer {
	t.Helper()
	return b.call(t, "POST", "/invitations", map[string]any{"email": email})
}

// invited is the secret in the link of an invitation, and its id.
func (b *person) invited(t *testing.T, email string) (secret, id string) {
	t.Helper()
	made := b.invite(t, email).Want(t, 200)
	link, err := url.Parse(made.Text("data.link"))
	if err != nil || !strings.HasPrefix(link.String(), b.Config.Public()+"/signup?invitation=tpl_") || link.Query().Get("email") != email || made.Text("data.email") != email {
		t.Fatalf("invited with %s, %v", made.Raw, err)
	}
	return link.Query().Get("invitation"), made.Text("data.id")
}

// signup has the program let people in as if it had been started so: a start for each way would take long.
func signup(p *apptest.Program, how signin.Signup) { p.SignIn.Signup = how }

func TestSignUp(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, p *apptest.Program, now *clock.Fake) {
		const guest = "guest@trigpoint.example"
		owner := signedIn(t, p)
		signup(p, signin.Invite)
		early, _ := owner.invited(t, guest)

		signup(p, signin.Closed)
		wantStatus(t, visit(p).signUp(t, guest, ""), 403, "SIGNUP_CLOSED")
		wantStatus(t, visit(p).signUp(t, guest, early), 403, "SIGNUP_CLOSED")
		wantStatus(t, owner.invite(t, guest), 403, "SIGNUP_CLOSED")

		signup(p, signin.Invite)
		if start := visit(p).call(t, "GET", "/session", nil); start.Text("data.signup") != "invite" {
			t.Errorf("visitors are told %s", start.Raw)
		}
		now.Advance(7 * 24 * time.Hour)
		invitation, _ := owner.invited(t, guest)
		withdrawn, id := owner.invited(t, guest)
		owner.call(t, "DELETE", "/invitations/"+id, nil).Want(t, 200)
		reset, err := p.Accounts.NewResetLink(t.Context(), p.Owner.ID, time.Hour)
		if err != nil {
			t.Fatal(err)
		}
		wantStatus(t, visit(p).signUp(t, guest, ""), 403, "SIGNUP_CLOSED")
		for what, wrong := range map[string]string{"made up": "tpl_wrong", "too old": early, "withdrawn": withdrawn, "a link to reset a password": reset} {
			if refused := visit(p).signUp(t, guest, wrong); refused.Status != 403 || refused.Text("error.details.0.error_status") != "LINK_INVALID" {
				t.Errorf("an invitation that is %s: %s", what, refused.Raw)
			}
		}
		guestAsOwner := map[string]any{"token": invitation, "password": password2} // a link opens what it was made for only
		wantStatus(t, visit(p).call(t, "POST", "/password-reset/confirm", guestAsOwner), 403, "LINK_INVALID")
		wantStatus(t, visit(p).signUp(t, "another@trigpoint.example", invitation), 403, "LINK_INVALID") // which does not use it up
		b := visit(p)
		if start := b.signUp(t, strings.ToUpper(guest), invitation).Want(t, 200); start.Text("data.account.email") != guest || start.Text("data.account.plan") != "free" {
			t.Errorf("signed up as %s", start.Raw)
		}
		b.call(t, "GET", "/sessions", nil).Want(t, 200)
		visit(p).signIn(t, guest, password).Want(t, 200)
		wantStatus(t, visit(p).signUp(t, guest, invitation), 403, "LINK_INVALID")
		wantStatus(t, owner.invite(t, guest), 409, "ACCOUNT_EXISTS")

		signup(p, signin.Open)
		wantStatus(t, visit(p).call(t, "POST", "/signup/mail", map[string]any{"email": guest}), 403, "SIGNUP_CLOSED") // no mail is sent here
		visit(p).signUp(t, "another@trigpoint.example", "").Want(t, 200)
		wantStatus(t, visit(p).signUp(t, "third@trigpoint.example", invitation), 403, "LINK_INVALID")
		thief := visit(p)
		wantStatus(t, thief.call(t, "POST", "/signup", map[string]any{"email": guest, "password": password2}), 409, "ACCOUNT_EXISTS")
		thief.signIn(t, guest, password2).Want(t, 401)
		visit(p).signIn(t, guest, password).Want(t, 200)
		if refused := visit(p).call(t, "POST", "/signup", map[string]any{"email": "nobody", "password": "short", "invitation": 7}).Want(t, 400); refused.Len("error.details") != 3 {
			t.Errorf("not every problem is told: %s", refused.Raw)
		}
		if accounts, err := p.Accounts.List(t.Context()); err != nil || len(accounts) != 3 {
			t.Errorf("%d accounts, %v", len(accounts), err)
		}
	})
}

// Where mail is configured, an account is made only by who reads the mail of its address, and nobody else learns
// whether there is one.
func TestOpenSignUpProvesTheAddress(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		const guest = "guest@trigpoint.example"
		office, now := mailtest.Open(t), clock.NewFake(noon)
		p := apptest.Start(t, d, func(s *apptest.Setup) {
			s.Options.Clock, s.Config.Signup = now, string(signin.Open)
			s.Config.SMTPURL, s.Config.MailFrom = office.URL, "Trigpoint <noreply@trigpoint.example>"
		})
		givePassword(t, p, p.Owner, password)
		wantStatus(t, visit(p).signUp(t, guest, ""), 403, "SIGNUP_CLOSED")
		wantStatus(t, visit(p).signUp(t, p.Owner.Email, ""), 403, "SIGNUP_CLOSED") // told apart by nothing

		ask := func(email string) (answer string) {
			a := visit(p).call(t, "POST", "/signup/mail", map[string]any{"email": email}).Want(t, 200)
			p.Eventually(t, apptest.Call{Method: "GET", Path: httpapi.AccountPrefix + "/session"}, func(*apptest.Answer) bool {
				open, err := db.One(t.Context(), p.DB, db.Value[int], "SELECT count(*) FROM river_job WHERE kind = 'sign_up_mail' AND state <> 'completed'")
				return err == nil && open == 0
			})
			return strings.Replace(string(a.Raw), a.Text("meta.request_id"), "", 1)
		}
		stranger := ask(strings.ToUpper(guest))
		mail := office.Next(t)
		found := regexp.MustCompile(`(?m)^http://127\.0\.0\.1:\d+(/signup\?\S+)$`).FindStringSubmatch(mail.Text)
		if found == nil || mail.To != "<"+guest+">" {
			t.Fatalf("mailed %+v", mail)
		}
		link, err := url.Parse(found[1])
		if err != nil || link.Query().Get("email") != guest {
			t.Fatalf("the link %s, %v", link, err)
		}
		invitation := link.Query().Get("invitation")
		if known := ask(p.Owner.Email); known != stranger {
			t.Errorf("a stranger is told %s, who has an account %s", stranger, known)
		}
		visit(p).call(t, "POST", "/password-reset/confirm", map[string]any{"token": secretIn(t, office.Next(t)), "password": password2}).Want(t, 200)

		wantStatus(t, visit(p).signUp(t, "another@trigpoint.example", invitation), 403, "LINK_INVALID")
		visit(p).signUp(t, guest, invitation).Want(t, 200)
		wantStatus(t, visit(p).signUp(t, guest, invitation), 403, "LINK_INVALID")

		for range 5 {
			ask("often@trigpoint.example")
		}
		if mails := len(office.Took); mails != 3 {
			t.Errorf("%d mails to one address in an hour", mails)
		}
		wantStatus(t, visit(p).call(t, "POST", "/signup/mail", map[string]any{"email": "nobody"}), 400, "EMAIL_INVALID")
		signup(p, signin.Invite)
		wantStatus(t, visit(p).call(t, "POST", "/signup/mail", map[string]any{"email": guest}), 403, "SIGNUP_CLOSED")
	})
}

func TestInvitations(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, p *apptest.Program, now *clock.Fake) {
		owner := signedIn(t, p)
		if none := owner.call(t, "GET", "/invitations", nil).Want(t, 200); none.Len("data") != 0 {
			t.Errorf("at first: %s", none.Raw)
		}
		owner.sends.Set("Idempotency-Key", "once")
		used, _ := owner.invited(t, "first@trigpoint.example")
		now.Advance(time.Minute)
		_, open := owner.invited(t, "second@trigpoint.example")
		owner.sends = http.Header{}
		wantStatus(t, owner.invite(t, "nobody"), 400, "EMAIL_INVALID")
		wantStatus(t, owner.invite(t, p.Owner.Email), 409, "ACCOUNT_EXISTS")
		guest := visit(p)
		guest.signUp(t, "first@trigpoint.example", used).Want(t, 200)

		listed := owner.call(t, "GET", "/invitations", nil).Want(t, 200)
		if listed.Len("data") != 2 || listed.Text("data.0.id") != open || listed.At("data.0.used_at") != nil || listed.Text("data.0.expires_at") != "2026-11-22T12:01:00Z" ||
			listed.Text("data.1.email") != "first@trigpoint.example" || listed.Text("data.1.used_at") != "2026-11-15T12:01:00Z" {
			t.Errorf("listed %s", listed.Raw)
		}
		if kept, err := db.One(t.Context(), p.DB, db.Value[int], "SELECT count(*) FROM idempotency"); err != nil || kept != 0 || strings.Contains(string(listed.Raw), "tpl_") {
			t.Errorf("%d answers with a link are kept, %v; listed %s", kept, err, listed.Raw)
		}

		withKey := visit(p)
		withKey.sends.Set("Authorization", "Apikey "+p.Owner.Key)
		for _, b := range []*person{withKey, visit(p)} {
			code := map[bool]int{true: 403, false: 401}[b == withKey]
			b.call(t, "GET", "/invitations", nil).Want(t, code)
			b.invite(t, "third@trigpoint.example").Want(t, code)
			b.call(t, "DELETE", "/invitations/"+open, nil).Want(t, code)
		}
		if others := guest.call(t, "GET", "/invitations", nil).Want(t, 200); others.Len("data") != 0 {
			t.Errorf("another account sees %s", others.Raw)
		}
		guest.call(t, "DELETE", "/invitations/"+open, nil).Want(t, 404)
		owner.call(t, "DELETE", "/invitations/"+open, nil).Want(t, 200)
		owner.call(t, "DELETE", "/invitations/"+open, nil).Want(t, 404)

		for i := range 100 {
			owner.invite(t, "guest"+strconv.Itoa(i)+"@trigpoint.example").Want(t, 200)
		}
		wantStatus(t, owner.invite(t, "third@trigpoint.example"), 409, "TOO_MANY")
		now.Advance(7 * 24 * time.Hour) // those that have ended make room
		owner.invite(t, "third@trigpoint.example").Want(t, 200)
	}, func(s *apptest.Setup) { s.Config.Signup = string(signin.Invite) })
}
