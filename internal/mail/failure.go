package mail

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"net/textproto"
	"os"
	"strings"

	gomail "github.com/wneessen/go-mail"
)

// NotTaken is why a mail was not taken, as a sentence for whoever waits for it: with what the server said, without addresses of machines.
type NotTaken struct{ cause error }

func (n *NotTaken) Error() string {
	var refused *gomail.SendError
	var said *textproto.Error
	var unknown *net.DNSError
	var lost *net.OpError
	var distrusted *tls.CertificateVerificationError
	switch {
	case errors.As(n.cause, &refused) && RefusedForGood(n.cause):
		return "The mail server refuses this mail for good: " + answer(refused)
	case errors.As(n.cause, &refused) && refused.ErrorCode() > 0:
		return "The mail server did not take the mail: " + answer(refused)
	case errors.As(n.cause, &said):
		return "The mail server lets nobody in with these settings: " + said.Error()
	case errors.Is(n.cause, context.DeadlineExceeded), errors.Is(n.cause, os.ErrDeadlineExceeded):
		return "The mail server did not answer in time."
	case errors.As(n.cause, &unknown):
		return "The mail server is not found: there is no address for its name."
	case errors.As(n.cause, &distrusted):
		return "The mail server shows a certificate that is not trusted: " + distrusted.Err.Error()
	case errors.As(n.cause, &lost) && lost.Op == "dial":
		return "The mail server cannot be reached: " + lost.Err.Error()
	}
	return "The mail could not be handed to the mail server: " + words(n.cause)
}

// Unwrap leads to what happened.
func (n *NotTaken) Unwrap() error { return n.cause }

// answer is what the server said, without the step at which it did.
func answer(refused *gomail.SendError) string {
	return strings.TrimPrefix(words(refused), refused.Reason.String()+": ")
}

// words are a failure's own, without the ids of mails.
func words(failure error) string {
	text, _, _ := strings.Cut(strings.TrimPrefix(failure.Error(), "send failed: "), ", affected ")
	return text
}

// RefusedForGood tells whether the server will never take the mail, as where there is no such address.
func RefusedForGood(err error) bool {
	var refused *gomail.SendError
	return errors.As(err, &refused) && !refused.IsTemp() && refused.ErrorCode() >= 500
}
