package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"text/tabwriter"
	"time"

	"github.com/mattn/go-isatty"

	"github.com/trigpoint/trigpoint/internal/app"
	"github.com/trigpoint/trigpoint/internal/connection"
)

type googleCmd struct {
	Connect    googleConnectCmd    `cmd:"" help:"Connect a service with a refresh token, read from standard input, or a service account."`
	List       googleListCmd       `cmd:"" help:"List what an account has connected."`
	Disconnect googleDisconnectCmd `cmd:"" help:"Forget a connection and end it at Google."`
}

type googleConnectCmd struct {
	Account        string `required:"" help:"Id or email of the account."`
	Service        string `required:"" enum:"search-console,business-profile" help:"search-console or business-profile."`
	ServiceAccount string `help:"JSON key file of a service account, for search-console; - reads standard input." placeholder:"FILE"`
}

// Run connects. Credentials are never arguments, which shells keep.
func (cmd *googleConnectCmd) Run(e *env) error {
	credential, err := cmd.read(e)
	if err != nil {
		return err
	}
	return withStore(e, func(ctx context.Context, a *app.App) error {
		acc, err := a.Accounts.Find(ctx, cmd.Account)
		if err != nil {
			return err
		}
		made, err := a.Connections.Connect(ctx, acc.ID, connection.Service(cmd.Service), credential)
		if err != nil {
			return err
		}
		fmt.Fprintf(e.out, "%s is connected with %s.\n", made.Service.Title(), acc.Email)
		if made.Identity != "" {
			fmt.Fprintf(e.out, "Add %s as a user of the properties that it is to read.\n", made.Identity)
		}
		return nil
	})
}

func (cmd *googleConnectCmd) read(e *env) (connection.Credential, error) {
	in := os.Stdin
	if cmd.ServiceAccount != "" && cmd.ServiceAccount != "-" {
		file, err := os.Open(cmd.ServiceAccount)
		if err != nil {
			return connection.Credential{}, err
		}
		defer func() { _ = file.Close() }()
		in = file
	} else if isatty.IsTerminal(in.Fd()) {
		fmt.Fprint(e.err, "Paste the credential, then press Enter and Ctrl-D: ")
	}
	text, err := io.ReadAll(io.LimitReader(in, connection.MaxCredential+1))
	if err != nil {
		return connection.Credential{}, err
	}
	if cmd.ServiceAccount != "" {
		return connection.NewServiceAccount(text)
	}
	return connection.NewRefreshToken(string(text))
}

type googleListCmd struct {
	Account string `required:"" help:"Id or email of the account."`
}

// Run lists connections without their credentials.
func (cmd *googleListCmd) Run(e *env) error {
	return withStore(e, func(ctx context.Context, a *app.App) error {
		acc, err := a.Accounts.Find(ctx, cmd.Account)
		if err != nil {
			return err
		}
		connections, err := a.Connections.List(ctx, acc.ID)
		if err != nil {
			return err
		}
		t := tabwriter.NewWriter(e.out, 0, 0, 2, ' ', 0)
		fmt.Fprintln(t, "SERVICE\tKIND\tIDENTITY\tCONNECTED\tSTATUS")
		for _, c := range connections {
			status := string(c.Status)
			if c.Detail != "" {
				status += ": " + c.Detail
			}
			fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\n", c.Service, c.Kind, c.Identity, c.ConnectedAt.Format(time.DateTime), status)
		}
		return t.Flush()
	})
}

type googleDisconnectCmd struct {
	Account string `required:"" help:"Id or email of the account."`
	Service string `required:"" enum:"search-console,business-profile" help:"search-console or business-profile."`
}

// Run disconnects.
func (cmd *googleDisconnectCmd) Run(e *env) error {
	return withStore(e, func(ctx context.Context, a *app.App) error {
		acc, err := a.Accounts.Find(ctx, cmd.Account)
		if err != nil {
			return err
		}
		s := connection.Service(cmd.Service)
		if err := a.Connections.Disconnect(ctx, acc.ID, s); err != nil {
			return err
		}
		fmt.Fprintf(e.out, "%s is disconnected from %s.\n", s.Title(), acc.Email)
		return nil
	})
}
