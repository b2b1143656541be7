package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/trigpoint/trigpoint/internal/account"
	"github.com/trigpoint/trigpoint/internal/app"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/signin"
)

type accountPasswordCmd struct {
	Account string `arg:"" help:"Id or email of the account."`
	Stdin   bool   `help:"Read the password from standard input, in place of printing a link with which it is set."`
}

// Run prints a link, or sets the password. It is never an argument, which shells keep.
func (cmd *accountPasswordCmd) Run(e *env) error {
	return withStore(e, func(ctx context.Context, a *app.App) error {
		acc, err := a.Accounts.Find(ctx, cmd.Account)
		if err != nil {
			return err
		}
		if !cmd.Stdin {
			secret, err := a.Accounts.NewResetLink(ctx, acc.ID, signin.PrintedLife)
			if err != nil {
				return err
			}
			fmt.Fprintf(e.out, "Whoever opens this link within a day sets the password of %s:\n%s\n", acc.Email, a.SignIn.ResetURL(secret))
			return nil
		}
		typed, err := io.ReadAll(io.LimitReader(os.Stdin, 4<<10))
		if err != nil {
			return err
		}
		if err := a.SignIn.SetPassword(ctx, acc, strings.TrimRight(string(typed), "\r\n")); err != nil {
			return err
		}
		fmt.Fprintf(e.out, "%s has another password now, and is signed out everywhere.\n", acc.Email)
		return nil
	})
}

type accountInviteCmd struct {
	Email string `arg:"" help:"Email of who is invited."`
}

// Run prints a link with which an account is made.
func (cmd *accountInviteCmd) Run(e *env) error {
	email, ok := account.ParseEmail(cmd.Email)
	if !ok {
		return fmt.Errorf("%q is not an email address", cmd.Email)
	}
	return withStore(e, func(ctx context.Context, a *app.App) error {
		if err := a.SignIn.CheckInvite(); err != nil {
			return err
		}
		return a.DB.Tx(ctx, func(tx *db.Tx) error {
			secret, _, err := a.Accounts.Invite(ctx, tx, nil, email)
			if err != nil {
				return err
			}
			tx.AfterCommit(func() {
				fmt.Fprintf(e.out, "With this link %s makes an account within seven days:\n%s\n", email, a.SignIn.InvitationURL(secret, email))
			})
			return nil
		})
	})
}

type accountSessionsCmd struct {
	Account string `arg:"" help:"Id or email of the account."`
	End     bool   `help:"Sign out everywhere."`
}

// Run lists where an account is signed in, or ends that.
func (cmd *accountSessionsCmd) Run(e *env) error {
	return withStore(e, func(ctx context.Context, a *app.App) error {
		acc, err := a.Accounts.Find(ctx, cmd.Account)
		if err != nil {
			return err
		}
		who := account.Principal{AccountID: acc.ID}
		if cmd.End {
			return a.DB.Tx(ctx, func(tx *db.Tx) error {
				ended, err := a.Accounts.EndOtherSessions(ctx, tx, who)
				if err == nil && ended == 0 {
					err = errors.New("nobody is signed in to " + acc.Email)
				}
				tx.AfterCommit(func() { fmt.Fprintf(e.out, "%s is signed out; sessions ended: %d.\n", acc.Email, ended) })
				return err
			})
		}
		sessions, err := a.Accounts.Sessions(ctx, who)
		if err != nil {
			return err
		}
		t := tabwriter.NewWriter(e.out, 0, 0, 2, ' ', 0)
		fmt.Fprintln(t, "ID\tADDRESS\tSIGNED IN\tLAST SEEN\tUNTIL\tBROWSER")
		for _, s := range sessions {
			fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\n", s.ID, s.Address, s.CreatedAt.Format(time.DateTime), s.LastSeenAt.Format(time.DateTime), s.ExpiresAt.Format(time.DateTime), s.UserAgent)
		}
		return t.Flush()
	})
}
