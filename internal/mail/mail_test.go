package mail_test

import (
	"net"
	"reflect"
	"strings"
	"testing"

	"github.com/trigpoint/trigpoint/internal/mail"
	"github.com/trigpoint/trigpoint/internal/mail/mailtest"
)

func TestAMailComesAsItWasWritten(t *testing.T) {
	t.Parallel()
	office := mailtest.Open(t)
	mailer, err := mail.NewMailer(office.URL, "Trigpoint <noreply@trigpoint.example>")
	if err != nil {
		t.Fatal(err)
	}
	sent := mail.Message{
		To: "reader@example.com", Subject: "Wöchentlich: 3 Städte", Text: "Grüße\n", HTML: "<p>Grüße</p>\n", ID: "alert-1.2",
		UnsubscribeURL: "https://trigpoint.example/unsubscribe?token=1",
		Attachments:    []mail.Attachment{{Name: "report.pdf", ContentType: "application/pdf", Data: []byte("%PDF-1.7\n\x00\xff")}},
	}
	if err := mailer.Send(t.Context(), sent); err != nil {
		t.Fatal(err)
	}
	got := office.Next(t)
	if got.Subject != sent.Subject || got.Text != sent.Text || got.HTML != sent.HTML || got.ID != "<alert-1.2@trigpoint.example>" {
		t.Errorf("%+v", got)
	}
	if got.Header.Get("List-Unsubscribe") != "<"+sent.UnsubscribeURL+">" || got.Header.Get("List-Unsubscribe-Post") != "List-Unsubscribe=One-Click" {
		t.Errorf("%v", got.Header)
	}
	if got.Header.Get("User-Agent") != "" || got.Header.Get("X-Mailer") != "" {
		t.Errorf("it tells with what it was sent: %v", got.Header)
	}
	if !reflect.DeepEqual(got.Attachments, sent.Attachments) {
		t.Errorf("%+v", got.Attachments)
	}
	sent.ID = ""
	if err := mailer.Send(t.Context(), sent); err != nil {
		t.Fatal(err)
	}
	if unnamed := office.Next(t).ID; !strings.HasSuffix(unnamed, "@trigpoint.example>") || unnamed == got.ID {
		t.Errorf("a mail without an id of its own has %s", unnamed)
	}
}

func TestOnlyWhatIsTakenIsSent(t *testing.T) {
	t.Parallel()
	office := mailtest.Open(t)
	mailer, err := mail.NewMailer(office.URL, "noreply@trigpoint.example")
	if err != nil {
		t.Fatal(err)
	}
	send := func() error {
		return mailer.Send(t.Context(), mail.Message{To: "reader@example.com", Subject: "s", Text: "t"})
	}
	for _, c := range []struct {
		name    string
		prepare func(int)
		forGood bool
		words   string
	}{
		{"busy", office.RefuseNext, false, "The mail server did not take the mail: 451 \"try again later\""},
		{"no such address", office.RefuseForGood, true, "The mail server refuses this mail for good: 550 \"no such mailbox\""},
		{"failing at the end", office.FailNext, false, "The mail server did not take the mail: 451 \"the disk is full\""},
	} {
		c.prepare(1)
		if err := send(); err == nil || mail.RefusedForGood(err) != c.forGood || len(office.Took) > 0 || err.Error() != c.words {
			t.Errorf("%s: %v", c.name, err)
		}
		if err := send(); err != nil || office.Next(t).Subject != "s" {
			t.Errorf("after %s: %v", c.name, err)
		}
	}
	office.VanishNext(1)
	if err := send(); err == nil || mail.RefusedForGood(err) || len(office.Took) != 1 {
		t.Errorf("a server that dies with the mail: %v", err)
	}
	nobody, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_ = nobody.Close()
	if mailer, err = mail.NewMailer("smtp://"+nobody.Addr().String(), "noreply@trigpoint.example"); err != nil {
		t.Fatal(err)
	}
	if err := send(); err == nil || !strings.HasPrefix(err.Error(), "The mail server cannot be reached: ") || strings.Contains(err.Error(), "127.0.0.1") {
		t.Errorf("a server that is not there: %v", err)
	}
}

func TestMailSettingsThatAreWrongTeachAndHideThePassword(t *testing.T) {
	t.Parallel()
	const from = "Trigpoint <noreply@trigpoint.example>"
	for _, wrong := range []struct{ url, from, words string }{
		{"mail.example.com", from, "smtp://user:password@mail.example.com:587"},
		{"https://user:hidden@mail.example.com", from, "smtp-url is not a URL"},
		{"smtp://user:hid%zz@mail.example.com", from, "%40 for @"},
		{"smtp://user:hidden@mail.example.com:port", from, "smtp-url is not a URL"},
		{"smtp://user:hidden@mail.example.com:99999", from, "smtp-url: "},
		{"smtp://user:hidden@mail.example.com", "Trigpoint", `mail-from "Trigpoint" is not an address`},
	} {
		if _, err := mail.NewMailer(wrong.url, wrong.from); err == nil || !strings.Contains(err.Error(), wrong.words) || strings.Contains(err.Error(), "hid") {
			t.Errorf("%s from %s: %v", wrong.url, wrong.from, err)
		}
	}
	for _, good := range []string{"smtps://mail.example.com", "smtp://user:p%40ss@mail.example.com:2525", "smtp://mail.example.com?tls=optional"} {
		if _, err := mail.NewMailer(good, from); err != nil {
			t.Errorf("%s: %v", good, err)
		}
	}
}

func TestServerIsReachedWithoutAMail(t *testing.T) {
	t.Parallel()
	office := mailtest.Open(t)
	mailer, err := mail.NewMailer(office.URL, "noreply@trigpoint.example")
	if err != nil {
		t.Fatal(err)
	}
	if err := mailer.Reach(t.Context()); err != nil || len(office.Took) > 0 {
		t.Errorf("%v, %d mails", err, len(office.Took))
	}
}
