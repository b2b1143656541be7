// Package signin lets people in: set-up, sign-up, sign-in and its sessions, invitations, and passwords that are changed
// or forgotten. Accounts, passwords and sessions themselves are account's.
package signin

import (
	"context"
	"net/http"
	"net/url"

	"github.com/trigpoint/trigpoint/internal/account"
	"github.com/trigpoint/trigpoint/internal/basemap"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/errs"
	"github.com/trigpoint/trigpoint/internal/httpapi"
	"github.com/trigpoint/trigpoint/internal/job"
	"github.com/trigpoint/trigpoint/internal/mail"
)

// Signup says who may make an account.
type Signup string

// The ways to make an account beside the first one.
const (
	Closed Signup = "closed" // on the command line only
	Invite Signup = "invite" // with an invitation
	Open   Signup = "open"
)

// Options are what signing in needs.
type Options struct {
	DB        *db.DB
	Accounts  *account.Accounts
	Jobs      *job.Runner
	PublicURL string
	Signup    Signup
	Mail      *mail.Mailer // nil where mail is not configured
	Cost      account.Cost
	Map       basemap.Map
	DemoEmail string // of the account that anybody may sign in to; "" for none
}

// Service signs people in.
type Service struct {
	Options
	Version string // of the program; set before it serves
	hasher  *account.Hasher
}

// New returns the service; it sends mail in the background.
func New(o Options) *Service {
	if o.Signup == "" {
		o.Signup = Closed
	}
	s := &Service{Options: o, hasher: account.NewHasher(o.Cost)}
	job.Handle(o.Jobs, s.mailReset)
	job.Handle(o.Jobs, s.mailSignUp)
	return s
}

// Start is what the dashboard needs to begin.
type Start struct {
	Account       httpapi.Field[account.Account] `json:"account"`
	ReadOnly      bool                           `json:"read_only"`
	SetupRequired bool                           `json:"setup_required"`
	Signup        Signup                         `json:"signup" enum:"closed,invite,open"`
	Demo          bool                           `json:"demo"`
	Mail          bool                           `json:"mail"`
	Map           basemap.Map                    `json:"map"`
	Brand         httpapi.Field[account.Brand]   `json:"brand"`
	Version       string                         `json:"version"`
}

// StartFor is what the dashboard is told in the browser that a request comes from.
func (s *Service) StartFor(r *http.Request) (Start, error) {
	who, err := httpapi.Visitor(r, s.Accounts)
	if err != nil {
		return Start{}, err
	}
	return s.startOf(r.Context(), who)
}

func (s *Service) startOf(ctx context.Context, who account.Principal) (start Start, err error) {
	if who.AccountID != "" {
		acc, err := s.Accounts.Find(ctx, who.AccountID)
		if err != nil {
			return start, err
		}
		brand, err := s.Accounts.Brand(ctx, acc.ID)
		start = s.startAs(acc, brand)
		start.ReadOnly = who.ReadOnly
		return start, err
	}
	start = s.start()
	start.SetupRequired, err = s.Accounts.Empty(ctx, s.DB)
	return start, err
}

func (s *Service) startAs(acc account.Account, brand *account.Brand) Start {
	start := s.start()
	start.Account = httpapi.Of(acc)
	if brand != nil {
		start.Brand = httpapi.Of(*brand)
	}
	return start
}

func (s *Service) start() Start {
	return Start{Signup: s.Signup, Demo: s.DemoEmail != "", Mail: s.Mail != nil, Map: s.Map, Version: s.Version}
}

// begin signs a person in, in place of whoever was signed in with the same browser. The cookie is sent once that is
// stored.
func (s *Service) begin(ctx context.Context, tx *db.Tx, acc account.Account, brand *account.Brand) (httpapi.Answer[Start], error) {
	if err := s.Accounts.EndOwnSession(ctx, tx, httpapi.Who(ctx)); err != nil {
		return httpapi.Answer[Start]{}, err
	}
	token, err := s.Accounts.StartSession(ctx, tx, acc.ID, httpapi.Browser(ctx))
	if err != nil {
		return httpapi.Answer[Start]{}, err
	}
	tx.AfterCommit(func() { httpapi.SetSession(ctx, token, int(account.SessionLife.Seconds())) })
	return httpapi.Reply(s.startAs(acc, brand)), nil
}

// SetPassword gives an account another password and signs it out everywhere.
func (s *Service) SetPassword(ctx context.Context, acc account.Account, password string) error {
	var problems errs.Problems
	account.CheckPassword(&problems, "password", password, acc.Email)
	if len(problems) > 0 {
		return errs.New(errs.Invalid, "%s", problems[0].Message)
	}
	hash, err := s.hasher.Hash(ctx, password)
	if err != nil {
		return err
	}
	return s.DB.Tx(ctx, func(tx *db.Tx) error {
		return s.Accounts.SetPassword(ctx, tx, account.Principal{AccountID: acc.ID, Email: acc.Email}, hash)
	})
}

// SetupURL is where the first account is made with a link's secret.
func (s *Service) SetupURL(secret string) string { return s.link("/setup", "token", secret) }

// ResetURL is where a password is set with a link's secret.
func (s *Service) ResetURL(secret string) string { return s.link("/reset", "token", secret) }

// InvitationURL is where an account is made with an invitation's secret, for the email that it was made for.
func (s *Service) InvitationURL(secret, email string) string {
	return s.link("/signup", "invitation", secret) + "&email=" + url.QueryEscape(email)
}

func (s *Service) link(path, name, secret string) string {
	return s.PublicURL + path + "?" + url.Values{name: {secret}}.Encode()
}
