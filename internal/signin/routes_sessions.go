package signin

import (
	"context"
	"net/http"
	"slices"

	"github.com/trigpoint/trigpoint/internal/account"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/errs"
	"github.com/trigpoint/trigpoint/internal/httpapi"
)

func (s *Service) mountSessions(a *httpapi.Area) {
	op := func(id, method, path, summary, help string) httpapi.Op {
		return httpapi.Op{ID: id, Method: method, Path: path, Tag: "Sessions", Summary: summary, Help: help, Session: true}
	}
	httpapi.Change(a, op("sign-out", http.MethodDelete, "/session", "Sign out", "Ends the session and takes its cookie away."), s.signOut)
	httpapi.Read(a, op("list-sessions", http.MethodGet, "/sessions", "List where the account is signed in", "The one seen last first. A session ends 30 days after it was last seen, and 90 days after it began."), s.listSessions)
	httpapi.Change(a, op("end-session", http.MethodDelete, "/sessions/{id}", "Sign out elsewhere", "Ends a session at once."), s.endSession)
}

func (s *Service) signOut(_ context.Context, _ *struct{}) (httpapi.Apply[httpapi.Answer[httpapi.Empty]], error) {
	return func(ctx context.Context, tx *db.Tx) (httpapi.Answer[httpapi.Empty], error) {
		tx.AfterCommit(func() { httpapi.SetSession(ctx, "", -1) })
		return httpapi.Reply(httpapi.Empty{}), s.Accounts.EndOwnSession(ctx, tx, httpapi.Who(ctx))
	}, nil
}

func (s *Service) listSessions(ctx context.Context, _ *struct{}) (httpapi.Answer[[]account.Session], error) {
	who := httpapi.Who(ctx)
	sessions, err := s.Accounts.Sessions(ctx, who)
	if s.DemoEmail != "" && who.Email == s.DemoEmail { // strangers share it, and need not know of each other
		sessions = slices.DeleteFunc(sessions, func(other account.Session) bool { return !other.Current })
	}
	return httpapi.Reply(sessions), err
}

type idPath struct {
	ID string `path:"id"`
}

func (s *Service) endSession(ctx context.Context, in *idPath) (httpapi.Apply[httpapi.Answer[httpapi.Empty]], error) {
	who := httpapi.Who(ctx)
	return func(ctx context.Context, tx *db.Tx) (httpapi.Answer[httpapi.Empty], error) {
		return httpapi.Reply(httpapi.Empty{}), s.Accounts.EndSession(ctx, tx, who.AccountID, in.ID)
	}, nil
}

func (s *Service) mountInvitations(a *httpapi.Area) {
	op := func(id, method, path, summary, help string) httpapi.Op {
		return httpapi.Op{ID: id, Method: method, Path: path, Tag: "Invitations", Summary: summary, Help: help, Session: true, Secret: true, MaxBody: maxBody}
	}
	httpapi.Read(a, op("list-invitations", http.MethodGet, "/invitations", "List invitations", "Of the account, the newest first; also those that were used or have ended in the last month."), s.listInvitations)
	httpapi.Change(a, op("invite", http.MethodPost, "/invitations", "Invite somebody", "Answers with the link for the person who is invited, which is shown once and works for seven days. 403 where sign-up is closed.").Requires("email").Fails(errs.Conflict), s.invite)
	httpapi.Change(a, op("withdraw-invitation", http.MethodDelete, "/invitations/{id}", "Withdraw an invitation", "Its link ends at once; an account that was made with it stays."), s.withdraw)
}

func (s *Service) listInvitations(ctx context.Context, _ *struct{}) (httpapi.Answer[[]account.Invitation], error) {
	all, err := s.Accounts.Invitations(ctx, httpapi.Who(ctx).AccountID)
	if all == nil {
		all = []account.Invitation{}
	}
	return httpapi.Reply(all), err
}

type emailInput struct {
	Body struct {
		Email httpapi.Field[string] `json:"email" required:"false"`
	}
}

// NewInvitation is an invitation with its link, which is shown once.
type NewInvitation struct {
	account.Invitation
	Link string `json:"link"`
}

// CheckInvite tells whether invitations can be used here.
func (s *Service) CheckInvite() error {
	if s.Signup == Closed {
		return errs.With(errs.Forbidden, errs.SignupClosed, "Sign-up is closed here, so that an invitation could not be used: set TRIGPOINT_SIGNUP to invite.")
	}
	return nil
}

func (s *Service) invite(ctx context.Context, in *emailInput) (httpapi.Apply[httpapi.Answer[NewInvitation]], error) {
	if err := s.CheckInvite(); err != nil {
		return nil, err
	}
	var problems errs.Problems
	email := address(&problems, in.Body.Email)
	if err := problems.Err(); err != nil {
		return nil, err
	}
	who := httpapi.Who(ctx)
	return func(ctx context.Context, tx *db.Tx) (httpapi.Answer[NewInvitation], error) {
		secret, made, err := s.Accounts.Invite(ctx, tx, &who.AccountID, email)
		return httpapi.Reply(NewInvitation{made, s.InvitationURL(secret, email)}), err
	}, nil
}

func (s *Service) withdraw(ctx context.Context, in *idPath) (httpapi.Apply[httpapi.Answer[httpapi.Empty]], error) {
	who := httpapi.Who(ctx)
	return func(ctx context.Context, tx *db.Tx) (httpapi.Answer[httpapi.Empty], error) {
		return httpapi.Reply(httpapi.Empty{}), s.Accounts.Withdraw(ctx, tx, who.AccountID, in.ID)
	}, nil
}
