package signin

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/trigpoint/trigpoint/internal/errs"
	"github.com/trigpoint/trigpoint/internal/job"
	"github.com/trigpoint/trigpoint/internal/mail"
)

const (
	// mailedLife is how long a link works that was sent by mail.
	mailedLife = time.Hour
	// PrintedLife is how long one works that whoever runs the service hands on.
	PrintedLife = 24 * time.Hour
	// maxMailed is how many links an account, or an address without one, is sent in an hour.
	maxMailed = 3
	// mailTries is how often a mail is tried: for about a quarter of an hour.
	mailTries = 6
)

// resetMail is a job: it sends a link to whoever has forgotten the password. The link is made only when it is sent,
// so that no secret waits in the queue.
type resetMail struct {
	Email string `json:"email"`
}

// Kind implements job.Args.
func (resetMail) Kind() string { return "reset_mail" }

func (s *Service) mailReset(ctx context.Context, j *job.Job[resetMail]) error {
	if s.Mail == nil { // taken out of the configuration
		return nil
	}
	acc, err := s.Accounts.Find(ctx, j.Args.Email)
	if errs.CodeOf(err) == errs.NotFound {
		return nil
	}
	if err != nil {
		return err
	}
	secret, err := s.Accounts.NewMailedLink(ctx, acc.ID, mailedLife, maxMailed)
	if err != nil || secret == "" {
		return err
	}
	return s.mailLink(ctx, secret, acc.Email, "Set another password for Trigpoint", fmt.Sprintf(`Hello,

somebody, probably you, wants to set another password for the account of %s at %s.
Open this link within an hour:

%s

If that was not you, there is nothing to do: the password stays as it is.
`, acc.Email, s.PublicURL, s.ResetURL(secret)))
}

// signUpMail is a job: it sends a link with which an account is made to whoever says that an address is theirs. As with
// resetMail the link is made only when it is sent.
type signUpMail struct {
	Email string `json:"email"`
}

// Kind implements job.Args.
func (signUpMail) Kind() string { return "sign_up_mail" }

func (s *Service) mailSignUp(ctx context.Context, j *job.Job[signUpMail]) error {
	if s.Mail == nil || s.Signup != Open { // the configuration has changed
		return nil
	}
	acc, err := s.Accounts.Find(ctx, j.Args.Email)
	switch {
	case err == nil:
		return s.mailKnown(ctx, acc.ID, acc.Email)
	case errs.CodeOf(err) != errs.NotFound:
		return err
	}
	secret, err := s.Accounts.InviteOneself(ctx, j.Args.Email, mailedLife, maxMailed)
	if err != nil || secret == "" {
		return err
	}
	return s.mailLink(ctx, secret, j.Args.Email, "Make your account at Trigpoint", fmt.Sprintf(`Hello,

somebody, probably you, wants to make an account for %s at %s.
Open this link within an hour to choose a password:

%s

If that was not you, there is nothing to do: no account is made.
`, j.Args.Email, s.PublicURL, s.InvitationURL(secret, j.Args.Email)))
}

// mailKnown tells who signs up for a second time how to get in. Nobody but the reader of the mail learns of the account.
func (s *Service) mailKnown(ctx context.Context, accountID, email string) error {
	secret, err := s.Accounts.NewMailedLink(ctx, accountID, mailedLife, maxMailed)
	if err != nil || secret == "" {
		return err
	}
	return s.mailLink(ctx, secret, email, "You have an account at Trigpoint", fmt.Sprintf(`Hello,

somebody, probably you, wants to make an account for %s at %s, where this address has one already.
Sign in with it. If you have forgotten the password, set another one with this link, within an hour:

%s

If that was not you, there is nothing to do: the password stays as it is.
`, email, s.PublicURL, s.ResetURL(secret)))
}

// mailLink sends a link. One that cannot be sent is taken back, so that the next try makes another.
func (s *Service) mailLink(ctx context.Context, secret, to, subject, text string) error {
	err := s.Mail.Send(ctx, mail.Message{To: to, Subject: subject, Text: text})
	if err != nil {
		return errors.Join(fmt.Errorf("mail a link: %w", err), s.Accounts.ForgetLink(context.WithoutCancel(ctx), secret))
	}
	return nil
}
