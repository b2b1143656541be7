package signin

import (
	"context"
	"net/http"

	"github.com/trigpoint/trigpoint/internal/account"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/errs"
	"github.com/trigpoint/trigpoint/internal/httpapi"
	"github.com/trigpoint/trigpoint/internal/job"
)

func (s *Service) mountPasswords(a *httpapi.Area) {
	op := func(id, method, path, summary, help string) httpapi.Op {
		return httpapi.Op{ID: id, Method: method, Path: path, Tag: "Passwords", Summary: summary, Help: help, Secret: true, MaxBody: maxBody}
	}
	forgotten := op("forget-password", http.MethodPost, "/password-reset", "Ask for a link to set another password",
		"Sent by mail, where that is configured and the email address has an account; the answer is the same if not. The link works for an hour. An account is sent three links an hour at most.")
	reset := op("reset-password", http.MethodPost, "/password-reset/confirm", "Set another password with a link",
		"Signs in here, and out everywhere else. Keys and tokens stay, unless revoke_keys says otherwise. 403 when the link was used before or is too old.").Fails(errs.Forbidden)
	forgotten.Public, reset.Public = true, true
	change := op("change-password", http.MethodPut, "/password", "Change the password", "Signs out everywhere else.")
	change.Session = true
	httpapi.Change(a, forgotten.Requires("email"), s.forgetPassword)
	httpapi.Change(a, reset.Requires("token", "password"), s.resetPassword)
	httpapi.Change(a, change.Requires("current", "password"), s.changePassword)
}

func (s *Service) forgetPassword(ctx context.Context, in *emailInput) (httpapi.Apply[httpapi.Answer[httpapi.Empty]], error) {
	return s.mailLater(ctx, in, &job.Insert{MaxAttempts: mailTries}, func(email string) job.Args { return resetMail{email} })
}

// mailLater has a mail sent in the background. Whether the address has an account is seen there: it must not be told by
// the answer, nor by the time that this takes.
func (s *Service) mailLater(ctx context.Context, in *emailInput, how *job.Insert, about func(email string) job.Args) (httpapi.Apply[httpapi.Answer[httpapi.Empty]], error) {
	var problems errs.Problems
	email := address(&problems, in.Body.Email)
	if err := problems.Err(); err != nil {
		return nil, err
	}
	if err := httpapi.Spend(ctx); err != nil {
		return nil, err
	}
	return func(ctx context.Context, tx *db.Tx) (answer httpapi.Answer[httpapi.Empty], err error) {
		if s.Mail != nil {
			err = s.Jobs.Enqueue(ctx, tx, about(email), how)
		}
		return answer, err
	}, nil
}

type resetInput struct {
	Body struct {
		Token      httpapi.Field[string] `json:"token" required:"false"`
		Password   httpapi.Field[string] `json:"password" required:"false"`
		RevokeKeys httpapi.Field[bool]   `json:"revoke_keys" required:"false"`
	}
}

func (s *Service) resetPassword(ctx context.Context, in *resetInput) (httpapi.Apply[httpapi.Answer[Start]], error) {
	var problems errs.Problems
	var acc account.Account
	token := text(&problems, in.Body.Token, "token")
	if token != "" {
		err := httpapi.Guess(ctx, func() (err error) {
			acc, err = s.Accounts.FindReset(ctx, token)
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	password := newPassword(&problems, in.Body.Password, acc.Email)
	in.Body.RevokeKeys.Mistyped(&problems, "revoke_keys")
	if err := problems.Err(); err != nil {
		return nil, err
	}
	brand, err := s.Accounts.Brand(ctx, acc.ID)
	if err != nil {
		return nil, err
	}
	return s.beginWith(ctx, password, brand, func(ctx context.Context, tx *db.Tx, hash account.PasswordHash) (account.Account, error) {
		return acc, s.Accounts.ResetPassword(ctx, tx, token, hash, in.Body.RevokeKeys.Value)
	})
}

type changeInput struct {
	Body struct {
		Current  httpapi.Field[string] `json:"current" required:"false"`
		Password httpapi.Field[string] `json:"password" required:"false"`
	}
}

func (s *Service) changePassword(ctx context.Context, in *changeInput) (httpapi.Apply[httpapi.Answer[httpapi.Empty]], error) {
	who := httpapi.Who(ctx)
	var problems errs.Problems
	current := text(&problems, in.Body.Current, "current")
	password := newPassword(&problems, in.Body.Password, who.Email)
	if err := problems.Err(); err != nil {
		return nil, err
	}
	hash, err := s.Accounts.ChangePassword(ctx, s.hasher, who, current, password)
	if errs.CodeOf(err) == errs.Unauthorized { // the session is good: only this field is wrong
		problems.Add("current", errs.PasswordWrong, "The current password is not right.")
		err = problems.Err()
	}
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, tx *db.Tx) (answer httpapi.Answer[httpapi.Empty], err error) {
		return answer, s.Accounts.SetPassword(ctx, tx, who, hash)
	}, nil
}
