package signin

import (
	"context"
	"errors"
	"fmt"
	"net"
	netmail "net/mail"
	"net/url"
	"strconv"
	"time"

	"github.com/wneessen/go-mail"
)

// Mailer sends mail through one server.
type Mailer struct {
	host    string
	options []mail.Option
	from    string
}

// sendTime bounds one mail, from the connection to the server's word that it has it.
const sendTime = 30 * time.Second

// NewMailer reads the settings: smtp://user:password@host:587, with STARTTLS, or smtps://. Without TLS mail is sent to
// a server on this machine, or where the URL ends in ?tls=optional. Errors never tell the URL, which holds a password.
func NewMailer(smtpURL, from string) (*Mailer, error) {
	u, err := url.Parse(smtpURL)
	if err != nil || u.Hostname() == "" || u.Scheme != "smtp" && u.Scheme != "smtps" {
		return nil, errors.New("smtp-url is not a URL such as smtp://user:password@mail.example.com:587 or smtps://mail.example.com; what is special in a password is written as %40 for @")
	}
	if _, err := netmail.ParseAddress(from); err != nil {
		return nil, fmt.Errorf("mail-from %q is not an address such as Trigpoint <noreply@example.com>", from)
	}
	m := &Mailer{host: u.Hostname(), from: from, options: []mail.Option{mail.WithTimeout(sendTime)}}
	switch {
	case u.Scheme == "smtps":
		m.options = append(m.options, mail.WithSSL(), mail.WithPort(465))
	case isLoopback(m.host) || u.Query().Get("tls") == "optional":
		m.options = append(m.options, mail.WithTLSPolicy(mail.TLSOpportunistic), mail.WithPort(25))
	default:
		m.options = append(m.options, mail.WithTLSPolicy(mail.TLSMandatory), mail.WithPort(587))
	}
	if port, err := strconv.Atoi(u.Port()); err == nil {
		m.options = append(m.options, mail.WithPort(port))
	}
	if password, given := u.User.Password(); given {
		m.options = append(m.options, mail.WithSMTPAuth(mail.SMTPAuthAutoDiscover), mail.WithUsername(u.User.Username()), mail.WithPassword(password))
	}
	_, err = mail.NewClient(m.host, m.options...)
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
	client, err := mail.NewClient(m.host, m.options...)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, sendTime)
	defer cancel()
	if err := client.DialWithContext(ctx); err != nil {
		return err
	}
	return client.Close()
}

func (m *Mailer) send(ctx context.Context, to, subject, text string) error {
	message := mail.NewMsg()
	if err := message.From(m.from); err != nil {
		return err
	}
	if err := message.To(to); err != nil {
		return err
	}
	message.Subject(subject)
	message.SetDate()
	message.SetMessageID()
	message.SetBodyString(mail.TypeTextPlain, text)
	client, err := mail.NewClient(m.host, m.options...)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, sendTime)
	defer cancel()
	err = client.DialAndSendWithContext(ctx, message)
	if message.IsDelivered() { // what fails after that, as where the server hangs up, has nothing to do with it
		return nil
	}
	return err
}
