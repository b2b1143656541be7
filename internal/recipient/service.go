// Package recipient asks people whether they want an account's reports and alerts by mail: the letter that asks, the pages where they
// say yes or no, and the operations with which an account names them. What they have said is account's to keep.
package recipient

import (
	"context"
	"errors"
	"fmt"

	"github.com/trigpoint/trigpoint/internal/account"
	"github.com/trigpoint/trigpoint/internal/clock"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/job"
	"github.com/trigpoint/trigpoint/internal/mail"
	"github.com/trigpoint/trigpoint/internal/signedpost"
)

// Options are what a Service needs.
type Options struct {
	DB        *db.DB
	Accounts  *account.Accounts
	Clock     clock.Clock
	Jobs      *job.Runner
	Mail      *mail.Mailer // nil where mail is not configured
	PublicURL string
	DemoEmail string // of the account that anybody may sign in to; "" for none
}

// Service asks the recipients of all accounts.
type Service struct{ Options }

// New returns the service; it sends letters in the background.
func New(o Options) *Service {
	s := &Service{o}
	job.Handle(o.Jobs, s.mailQuestion)
	return s
}

// askTries is how often the letter is tried: for about a quarter of an hour.
const askTries = 6

// question is a job: it sends the letter that asks a recipient. The link is made only when it is sent, so that no secret waits in
// the queue.
type question struct {
	RecipientID string `json:"recipient_id"`
}

// Kind implements job.Args.
func (question) Kind() string { return "recipient_mail" }

func (s *Service) mailQuestion(ctx context.Context, j *job.Job[question]) error {
	if s.Mail == nil { // taken out of the configuration
		return nil
	}
	secret, r, err := s.Accounts.NewRecipientLink(ctx, j.Args.RecipientID)
	if err != nil || secret == "" {
		return err
	}
	asker, err := s.Accounts.AskerOf(ctx, r)
	if err == nil {
		stop := account.MailLink(s.PublicURL, account.StopPath, r.StopToken)
		err = s.Mail.Send(ctx, mail.Message{
			To: r.Email, Subject: "Do you want reports from " + asker.Name() + "?", ReplyTo: asker.Email, UnsubscribeURL: stop,
			Text: fmt.Sprintf(`Hello,

%s wants to mail reports and alerts on local search to %s.
If you want them, open this link within a week and confirm it there:

%s

If not, there is nothing to do: you get none. To say no, so that this sender cannot ask you again for a month:

%s
`, asker.Name(), r.Email, account.MailLink(s.PublicURL, account.ConfirmPath, secret), stop),
		})
	}
	kept := context.WithoutCancel(ctx)
	if err == nil {
		return s.Accounts.NoteAsked(kept, r.ID, "")
	}
	forgotten := s.Accounts.ForgetLink(kept, secret) // the next try makes another link
	var refused *mail.NotTaken
	if errors.As(err, &refused) {
		forgotten = errors.Join(forgotten, s.Accounts.NoteAsked(kept, r.ID, signedpost.Excerpt(fmt.Append(nil, refused))))
	}
	if mail.RefusedForGood(err) {
		return forgotten
	}
	return errors.Join(fmt.Errorf("ask a recipient: %w", err), forgotten)
}
