// Package mail sends mail through one SMTP server. What a mail says, and when it is tried again, is its callers'.
package mail

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	netmail "net/mail"
	"net/url"
	"strconv"
	"strings"
	"time"

	gomail "github.com/wneessen/go-mail"

	"github.com/trigpoint/trigpoint/internal/id"
)

// Mailer sends mail through one server.
type Mailer struct {
	host    string
	options []gomail.Option
	from    string
	domain  string // of the sender, in the ids of mails
}

// Message is one mail to one address.
type Message struct {
	To      string
	Subject string
	Text    string
	HTML    string // the same for programs that show it; "" for none

	// ID names the mail, so that a mail program which gets it twice knows it again; "" makes one. Letters, digits, - and . only.
	ID string

	// ReplyTo is whom an answer goes to; "" for the sender.
	ReplyTo string

	// UnsubscribeURL is where the receiver wants no more of these, by a POST without asking back; "" for none.
	UnsubscribeURL string

	Attachments []Attachment
}

// Attachment is a file that comes with a mail.
type Attachment struct {
	Name        string
	ContentType string
	Data        []byte
}

// sendTime bounds one mail, from the connection to the server's word that it has it. Some look through a mail before they say so,
// and one that is given up then comes twice.
const sendTime = 2 * time.Minute

// reachTime bounds a greeting.
const reachTime = 30 * time.Second

// NewMailer reads the settings: smtp://user:password@host:587, with STARTTLS, or smtps://. Without TLS mail is sent to
// a server on this machine, or where the URL ends in ?tls=optional. Errors never tell the URL, which holds a password.
func NewMailer(smtpURL, from string) (*Mailer, error) {
	u, err := url.Parse(smtpURL)
	if err != nil || u.Hostname() == "" || u.Scheme != "smtp" && u.Scheme != "smtps" {
		return nil, errors.New("smtp-url is not a URL such as smtp://user:password@mail.example.com:587 or smtps://mail.example.com; what is special in a password is written as %40 for @")
	}
	sender, err := netmail.ParseAddress(from)
	if err != nil {
		return nil, fmt.Errorf("mail-from %q is not an address such as Trigpoint <noreply@example.com>", from)
	}
	_, domain, _ := strings.Cut(sender.Address, "@")
	m := &Mailer{host: u.Hostname(), from: from, domain: domain, options: []gomail.Option{gomail.WithTimeout(sendTime)}}
	switch {
	case u.Scheme == "smtps":
		m.options = append(m.options, gomail.WithSSL(), gomail.WithPort(465))
	case isLoopback(m.host) || u.Query().Get("tls") == "optional":
		m.options = append(m.options, gomail.WithTLSPolicy(gomail.TLSOpportunistic), gomail.WithPort(25))
	default:
		m.options = append(m.options, gomail.WithTLSPolicy(gomail.TLSMandatory), gomail.WithPort(587))
	}
	if port, err := strconv.Atoi(u.Port()); err == nil {
		m.options = append(m.options, gomail.WithPort(port))
	}
	if password, given := u.User.Password(); given {
		m.options = append(m.options, gomail.WithSMTPAuth(gomail.SMTPAuthAutoDiscover), gomail.WithUsername(u.User.Username()), gomail.WithPassword(password))
	}
	_, err = gomail.NewClient(m.host, m.options...)
	if err != nil {
		return nil, fmt.Errorf("smtp-url: %w", err)
	}
	return m, nil
}

func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// Reach greets the server and signs in, and sends nothing.
func (m *Mailer) Reach(ctx context.Context) error {
	client, err := gomail.NewClient(m.host, m.options...)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, reachTime)
	defer cancel()
	if err := client.DialWithContext(ctx); err != nil {
		return err
	}
	return client.Close()
}

// Send hands a mail to the server. It returns nil once the server has said that it has it.
func (m *Mailer) Send(ctx context.Context, mail Message) error {
	message, err := m.compose(mail)
	if err != nil {
		return err
	}
	client, err := gomail.NewClient(m.host, m.options...)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, sendTime)
	defer cancel()
	err = client.DialAndSendWithContext(ctx, message)
	if err == nil || message.IsDelivered() { // what fails after that, as where the server hangs up, has nothing to do with it
		return nil
	}
	return &NotTaken{err}
}

func (m *Mailer) compose(mail Message) (*gomail.Msg, error) {
	message := gomail.NewMsg(gomail.WithNoDefaultUserAgent()) // who sends it is its From; with what, is nobody's business
	if err := message.From(m.from); err != nil {
		return nil, err
	}
	if err := message.To(mail.To); err != nil {
		return nil, err
	}
	if mail.ReplyTo != "" {
		if err := message.ReplyTo(mail.ReplyTo); err != nil {
			return nil, err
		}
	}
	message.Subject(mail.Subject)
	message.SetDate()
	message.SetGenHeader(gomail.Header("Auto-Submitted"), "auto-generated")   // no answers by machines
	message.SetMessageIDWithValue(cmp.Or(mail.ID, id.New()) + "@" + m.domain) // not the name of this machine
	if mail.UnsubscribeURL != "" {
		message.SetGenHeader(gomail.HeaderListUnsubscribe, "<"+mail.UnsubscribeURL+">")
		message.SetGenHeader(gomail.HeaderListUnsubscribePost, "List-Unsubscribe=One-Click")
	}
	message.SetBodyString(gomail.TypeTextPlain, mail.Text)
	if mail.HTML != "" {
		message.AddAlternativeString(gomail.TypeTextHTML, mail.HTML)
	}
	for _, a := range mail.Attachments {
		err := message.AttachReader(a.Name, bytes.NewReader(a.Data), gomail.WithFileContentType(gomail.ContentType(a.ContentType)))
		if err != nil {
			return nil, err
		}
	}
	return message, nil
}
