package cli

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/alecthomas/kong"

	"github.com/trigpoint/trigpoint/internal/account"
	"github.com/trigpoint/trigpoint/internal/app"
)

type accountCmd struct {
	Create accountCreateCmd `cmd:"" help:"Create an account with an API key and an access token."`
	List   accountListCmd   `cmd:"" help:"List accounts."`
	Plan   accountPlanCmd   `cmd:"" help:"Move an account to another plan."`
	Budget accountBudgetCmd `cmd:"" help:"Limit what asking data providers may cost for an account in a month."`
	Feed   accountFeedCmd   `cmd:"" help:"Show the partner feed of an account, or give it another URL."`
	Delete accountDeleteCmd `cmd:"" help:"Delete an account with all its records."`

	Password accountPasswordCmd `cmd:"" help:"Print a link with which the password of an account is set, or set it."`
	Invite   accountInviteCmd   `cmd:"" help:"Print a link with which somebody makes an account."`
	Sessions accountSessionsCmd `cmd:"" help:"List where an account is signed in to the dashboard, or sign it out."`
}

type accountCreateCmd struct {
	Email string `required:"" help:"Email of the owner."`
	Plan  string `default:"pro" help:"Plan."`
	JSON  bool   `help:"Print JSON."`
}

// created is what account create prints; the secrets are shown only here.
type created struct {
	AccountID   string `json:"account_id"`
	Email       string `json:"email"`
	Plan        string `json:"plan"`
	APIKey      string `json:"api_key"`
	AccessToken string `json:"access_token"`
}

func createAccount(ctx context.Context, accounts *account.Accounts, email, plan string) (created, error) {
	acc, err := accounts.Create(ctx, email, plan)
	if err != nil {
		return created{}, err
	}
	return issueBoth(ctx, accounts, acc)
}

// issueBoth gives an account an API key and an access token.
func issueBoth(ctx context.Context, accounts *account.Accounts, acc account.Account) (c created, err error) {
	c = created{AccountID: acc.ID, Email: acc.Email, Plan: acc.Plan}
	if c.APIKey, _, err = accounts.Issue(ctx, acc.ID, account.Issue{Kind: account.Key, Name: "first"}); err != nil {
		return created{}, err
	}
	c.AccessToken, _, err = accounts.Issue(ctx, acc.ID, account.Issue{Kind: account.Token, Name: "first", Life: account.TokenLife})
	return c, err
}

// Run creates the account.
func (cmd *accountCreateCmd) Run(e *env) error {
	return withNewStore(e, func(ctx context.Context, a *app.App) error {
		c, err := createAccount(ctx, a.Accounts, cmd.Email, cmd.Plan)
		if err != nil {
			return err
		}
		if cmd.JSON {
			return json.NewEncoder(e.out).Encode(c)
		}
		fmt.Fprintf(e.out, "Account       %s (%s, plan %s)\nAPI key       %s\nAccess token  %s (for 7 days)\nThe secrets are not kept: store them now.\n",
			c.AccountID, c.Email, c.Plan, c.APIKey, c.AccessToken)
		return nil
	})
}

type accountListCmd struct {
	JSON bool `help:"Print JSON."`
}

type listedAccount struct {
	account.Account
	BudgetUSD float64 `json:"budget_usd,omitempty"` // of a month
}

// Run lists the accounts.
func (cmd *accountListCmd) Run(e *env) error {
	return withStore(e, func(ctx context.Context, a *app.App) error {
		all, err := a.Accounts.List(ctx)
		if err != nil {
			return err
		}
		budgets, err := a.Ledger.Budgets(ctx)
		if err != nil {
			return err
		}
		if cmd.JSON {
			list := make([]listedAccount, len(all))
			for i, acc := range all {
				list[i] = listedAccount{acc, budgets[acc.ID].Dollars()}
			}
			return json.NewEncoder(e.out).Encode(list)
		}
		t := tabwriter.NewWriter(e.out, 0, 0, 2, ' ', 0)
		fmt.Fprintln(t, "ID\tEMAIL\tPLAN\tBUDGET\tCREATED")
		for _, acc := range all {
			fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\n", acc.ID, acc.Email, acc.Plan, limitText(budgets[acc.ID]), acc.CreatedAt.Format(time.DateTime))
		}
		return t.Flush()
	})
}

type accountPlanCmd struct {
	Account string `arg:"" help:"Id or email of the account."`
	Plan    string `arg:"" help:"Plan to move to."`
}

// Run changes the plan.
func (cmd *accountPlanCmd) Run(e *env) error {
	return withStore(e, func(ctx context.Context, a *app.App) error {
		acc, err := a.Accounts.Find(ctx, cmd.Account)
		if err != nil {
			return err
		}
		if err := a.SetPlan(ctx, acc.ID, cmd.Plan); err != nil {
			return err
		}
		fmt.Fprintf(e.out, "%s is on plan %s now.\n", acc.Email, cmd.Plan)
		return nil
	})
}

type accountFeedCmd struct {
	Account string `arg:"" help:"Id or email of the account."`
	Rotate  bool   `help:"Make a new URL; the old one ends at once."`
}

// Run shows the URL of the feed.
func (cmd *accountFeedCmd) Run(e *env) error {
	return withStore(e, func(ctx context.Context, a *app.App) error {
		acc, err := a.Accounts.Find(ctx, cmd.Account)
		if err != nil {
			return err
		}
		if cmd.Rotate {
			if acc.FeedToken, err = a.Accounts.RotateFeed(ctx, acc.ID, a.Local.MoveFeed); err != nil {
				return err
			}
		}
		fmt.Fprintln(e.out, a.Local.FeedURL(acc.FeedToken))
		return nil
	})
}

type accountDeleteCmd struct {
	Account string `arg:"" help:"Id or email of the account."`
	Yes     bool   `help:"Do not ask."`
}

// Run deletes the account, once the email has been typed again.
func (cmd *accountDeleteCmd) Run(e *env) error {
	return withStore(e, func(ctx context.Context, a *app.App) error {
		acc, err := a.Accounts.Find(ctx, cmd.Account)
		if err != nil {
			return err
		}
		if !cmd.Yes {
			fmt.Fprintf(e.out, "This deletes %s with all locations, images, campaigns, reports, trackings and keywords.\nIt cannot be undone. Type the email to go on: ", acc.Email)
			typed, _ := bufio.NewReader(os.Stdin).ReadString('\n')
			if strings.TrimSpace(typed) != acc.Email {
				return errors.New("nothing was deleted: that is not the email of the account")
			}
		}
		if err := a.DeleteAccount(ctx, acc.ID); err != nil {
			return err
		}
		fmt.Fprintf(e.out, "%s is deleted.\n", acc.Email)
		return nil
	})
}

// credentialCmd is what can be done with credentials of one kind, which the commands above it bind.
type credentialCmd struct {
	Create credentialCreateCmd `cmd:"" help:"Create an ${kind} and print it once."`
	List   credentialListCmd   `cmd:"" help:"List the ${kind}s of an account."`
	Revoke credentialRevokeCmd `cmd:"" help:"Revoke an ${kind}."`
}

type keyCmd struct{ credentialCmd }

// AfterApply tells the commands below that they are about keys.
func (keyCmd) AfterApply(c *kong.Context) error { c.Bind(account.Key); return nil }

type tokenCmd struct{ credentialCmd }

// AfterApply tells the commands below that they are about tokens.
func (tokenCmd) AfterApply(c *kong.Context) error { c.Bind(account.Token); return nil }

type credentialCreateCmd struct {
	Account  string        `required:"" help:"Id or email of the account."`
	Name     string        `help:"What it is for."`
	ReadOnly bool          `help:"Reading only."`
	Expires  time.Duration `default:"${life}" help:"Time until it ends, such as 720h; never when 0."`
	JSON     bool          `help:"Print JSON."`
}

// Run creates a credential.
func (cmd *credentialCreateCmd) Run(e *env, kind account.Kind) error {
	return withStore(e, func(ctx context.Context, a *app.App) error {
		acc, err := a.Accounts.Find(ctx, cmd.Account)
		if err != nil {
			return err
		}
		secret, c, err := a.Accounts.Issue(ctx, acc.ID, account.Issue{Kind: kind, Name: cmd.Name, ReadOnly: cmd.ReadOnly, Life: cmd.Expires})
		if err != nil {
			return err
		}
		if cmd.JSON {
			return json.NewEncoder(e.out).Encode(struct {
				account.Credential
				Secret string `json:"secret"`
			}{c, secret})
		}
		fmt.Fprintln(e.out, secret)
		return nil
	})
}

type credentialListCmd struct {
	Account string `required:"" help:"Id or email of the account."`
}

// Run lists credentials without their secrets.
func (cmd *credentialListCmd) Run(e *env, kind account.Kind) error {
	return withStore(e, func(ctx context.Context, a *app.App) error {
		acc, err := a.Accounts.Find(ctx, cmd.Account)
		if err != nil {
			return err
		}
		credentials, err := a.Accounts.Credentials(ctx, acc.ID, kind)
		if err != nil {
			return err
		}
		t := tabwriter.NewWriter(e.out, 0, 0, 2, ' ', 0)
		fmt.Fprintf(t, "ID\t%s\tNAME\tRIGHTS\tCREATED\tSTATE\n", strings.ToUpper(string(kind)))
		for _, c := range credentials {
			rights, state := "read-write", "active"
			if c.ReadOnly {
				rights = "read-only"
			}
			switch {
			case c.RevokedAt != nil:
				state = "revoked " + c.RevokedAt.Format(time.DateTime)
			case c.ExpiresAt != nil && !c.ExpiresAt.After(a.Clock.Now()):
				state = "ended " + c.ExpiresAt.Format(time.DateTime)
			case c.ExpiresAt != nil:
				state = "until " + c.ExpiresAt.Format(time.DateTime)
			}
			fmt.Fprintf(t, "%s\t%s…\t%s\t%s\t%s\t%s\n", c.ID, c.Hint, c.Name, rights, c.CreatedAt.Format(time.DateTime), state)
		}
		return t.Flush()
	})
}

type credentialRevokeCmd struct {
	Credential string `arg:"" help:"The ${kind}, or its id."`
}

// Run revokes a credential.
func (cmd *credentialRevokeCmd) Run(e *env, kind account.Kind) error {
	return withStore(e, func(ctx context.Context, a *app.App) error {
		if err := a.Accounts.Revoke(ctx, kind, cmd.Credential); err != nil {
			return err
		}
		fmt.Fprintln(e.out, "Revoked.")
		return nil
	})
}
