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

// maxBody is what any of these bodies may have: a few short texts.
const maxBody = 16 << 10

// Mount registers the operations.
func (s *Service) Mount(a *httpapi.Area) {
	s.mountSignIn(a)
	s.mountSessions(a)
	s.mountPasswords(a)
	s.mountInvitations(a)
}

func (s *Service) mountSignIn(a *httpapi.Area) {
	op := func(id, method, path, summary, help string) httpapi.Op {
		return httpapi.Op{ID: id, Method: method, Path: path, Tag: "Sign-in", Summary: summary, Help: help, Public: true, MaxBody: maxBody}
	}
	signIn := op("sign-in", http.MethodPost, "/session", "Sign in",
		"Sets the session's cookie. After ten wrong passwords for an email address the answer is 429, whatever the password, and Retry-After says for how long; so it is after too many from one network.")
	demo := op("sign-in-demo", http.MethodPost, "/session/demo", "Sign in to the demo",
		"Sets the session's cookie. 404 unless the program was started with --demo.").Fails(errs.NotFound)
	setUp := op("set-up", http.MethodPost, "/setup", "Make the first account",
		"With the token of the link that the program prints when it starts without an account. Signs in. 409 when there is an account, 403 when the link is not the newest or is older than a day.").Fails(errs.Conflict)
	signUp := op("sign-up", http.MethodPost, "/signup", "Make an account",
		"On the plan free. Signs in. 403 where sign-up is closed, or needs an invitation for this email address. Where it is open and mail is configured, that invitation comes by mail, so that nobody takes an address of others.").Fails(errs.Conflict)
	askToSignUp := op("ask-to-sign-up", http.MethodPost, "/signup/mail", "Ask for a link to make an account",
		"Sent by mail, where sign-up is open and mail is configured, and 403 elsewhere. The answer is the same whether or not the email address has an account; the mail tells. The link works for an hour. An address is sent three links an hour at most.")
	httpapi.Read(a, op("get-session", http.MethodGet, "/session", "Get what the dashboard needs to begin", "Who is signed in, if anybody, and what can be done without."), s.getSession)
	httpapi.Change(a, signIn.Requires("email", "password"), s.signIn)
	httpapi.Change(a, demo, s.signInDemo)
	httpapi.Change(a, setUp.Requires("token", "email", "password"), s.setUp)
	httpapi.Change(a, signUp.Requires("email", "password"), s.signUp)
	httpapi.Change(a, askToSignUp.Requires("email"), s.askToSignUp)
}

func (s *Service) getSession(ctx context.Context, _ *struct{}) (httpapi.Answer[Start], error) {
	start, err := s.startOf(ctx, httpapi.Who(ctx))
	return httpapi.Reply(start), err
}

// text reads a field that must be there.
func text(problems *errs.Problems, field httpapi.Field[string], name string) string {
	found := len(*problems)
	if field.Given(problems, name) && field.Value != "" {
		return field.Value
	}
	if len(*problems) == found {
		problems.Add(name, errs.NotSpecified, "%s is not specified.", name)
	}
	return ""
}

// address reads an email address that must be there.
func address(problems *errs.Problems, field httpapi.Field[string]) string {
	given := text(problems, field, "email")
	email, ok := account.ParseEmail(given)
	if given != "" && !ok {
		problems.Add("email", errs.EmailInvalid, "This is not an email address.")
	}
	return email
}

// newPassword reads a password that somebody has chosen.
func newPassword(problems *errs.Problems, field httpapi.Field[string], email string) string {
	if !field.Mistyped(problems, "password") {
		account.CheckPassword(problems, "password", field.Value, email)
	}
	return field.Value
}

type signInInput struct {
	Body struct {
		Email    httpapi.Field[string] `json:"email" required:"false"`
		Password httpapi.Field[string] `json:"password" required:"false"`
	}
}

func (s *Service) signIn(ctx context.Context, in *signInInput) (httpapi.Apply[httpapi.Answer[Start]], error) {
	var problems errs.Problems
	email, password := text(&problems, in.Body.Email, "email"), text(&problems, in.Body.Password, "password")
	if err := problems.Err(); err != nil {
		return nil, err
	}
	var acc account.Account
	err := httpapi.Guess(ctx, func() (err error) {
		acc, err = s.Accounts.SignIn(ctx, s.hasher, email, password)
		return err
	})
	if err != nil {
		return nil, err
	}
	brand, err := s.Accounts.Brand(ctx, acc.ID)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, tx *db.Tx) (httpapi.Answer[Start], error) {
		if err := s.Accounts.ForgiveTries(ctx, tx, account.Principal{AccountID: acc.ID, Email: acc.Email}); err != nil {
			return httpapi.Answer[Start]{}, err
		}
		return s.begin(ctx, tx, acc, brand)
	}, nil
}

func (s *Service) signInDemo(ctx context.Context, _ *struct{}) (httpapi.Apply[httpapi.Answer[Start]], error) {
	if s.DemoEmail == "" {
		return nil, errs.New(errs.NotFound, "There is no demo here; `trigpoint serve --demo` has one.")
	}
	acc, err := s.Accounts.Find(ctx, s.DemoEmail)
	if err != nil {
		return nil, err
	}
	brand, err := s.Accounts.Brand(ctx, acc.ID)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, tx *db.Tx) (httpapi.Answer[Start], error) {
		return s.begin(ctx, tx, acc, brand)
	}, nil
}

type setUpInput struct {
	Body struct {
		Token    httpapi.Field[string] `json:"token" required:"false"`
		Email    httpapi.Field[string] `json:"email" required:"false"`
		Password httpapi.Field[string] `json:"password" required:"false"`
	}
}

func (s *Service) setUp(ctx context.Context, in *setUpInput) (httpapi.Apply[httpapi.Answer[Start]], error) {
	var problems errs.Problems
	token, email := text(&problems, in.Body.Token, "token"), address(&problems, in.Body.Email)
	password := newPassword(&problems, in.Body.Password, email)
	if err := problems.Err(); err != nil {
		return nil, err
	}
	if err := httpapi.Guess(ctx, func() error { return s.Accounts.CheckSetup(ctx, token) }); err != nil {
		return nil, err
	}
	return s.beginWith(ctx, password, nil, func(ctx context.Context, tx *db.Tx, hash account.PasswordHash) (account.Account, error) {
		return s.Accounts.SetUp(ctx, tx, token, email, hash)
	})
}

type signUpInput struct {
	Body struct {
		Email      httpapi.Field[string] `json:"email" required:"false"`
		Password   httpapi.Field[string] `json:"password" required:"false"`
		Invitation httpapi.Field[string] `json:"invitation" required:"false"`
	}
}

func (s *Service) signUp(ctx context.Context, in *signUpInput) (httpapi.Apply[httpapi.Answer[Start]], error) {
	var problems errs.Problems
	email := address(&problems, in.Body.Email)
	password := newPassword(&problems, in.Body.Password, email)
	in.Body.Invitation.Mistyped(&problems, "invitation")
	invitation := in.Body.Invitation.Value
	switch {
	case s.Signup == Closed:
		return nil, errs.With(errs.Forbidden, errs.SignupClosed, "Accounts are made here by whoever runs the service.")
	case s.Signup == Invite && invitation == "":
		return nil, errs.With(errs.Forbidden, errs.SignupClosed, "An account is made here with an invitation: ask somebody who has an account for one.")
	case s.Mail != nil && invitation == "":
		return nil, errs.With(errs.Forbidden, errs.SignupClosed, "An account is made here with a link that is sent by mail: ask for one at /signup.")
	}
	if err := problems.Err(); err != nil {
		return nil, err
	}
	if err := httpapi.Spend(ctx); err != nil {
		return nil, err
	}
	if invitation != "" {
		if err := s.Accounts.CheckInvitation(ctx, invitation, email); err != nil {
			return nil, err
		}
	}
	return s.beginWith(ctx, password, nil, func(ctx context.Context, tx *db.Tx, hash account.PasswordHash) (account.Account, error) {
		return s.Accounts.Join(ctx, tx, invitation, email, hash)
	})
}

func (s *Service) askToSignUp(ctx context.Context, in *emailInput) (httpapi.Apply[httpapi.Answer[httpapi.Empty]], error) {
	if s.Signup != Open || s.Mail == nil {
		return nil, errs.With(errs.Forbidden, errs.SignupClosed, "No links to make an account are sent by mail here.")
	}
	return s.mailLater(ctx, in, job.Single(mailTries), func(email string) job.Args { return signUpMail{email} })
}

// beginWith signs in to an account that keep has given a new password.
func (s *Service) beginWith(ctx context.Context, password string, brand *account.Brand,
	keep func(context.Context, *db.Tx, account.PasswordHash) (account.Account, error),
) (httpapi.Apply[httpapi.Answer[Start]], error) {
	hash, err := s.hasher.Hash(ctx, password)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, tx *db.Tx) (httpapi.Answer[Start], error) {
		acc, err := keep(ctx, tx, hash)
		if err != nil {
			return httpapi.Answer[Start]{}, err
		}
		return s.begin(ctx, tx, acc, brand)
	}, nil
}
