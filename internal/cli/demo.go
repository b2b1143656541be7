package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/trigpoint/trigpoint/internal/app"
	"github.com/trigpoint/trigpoint/internal/errs"
	"github.com/trigpoint/trigpoint/internal/local"
)

const demoEmail = "demo@trigpoint.example"

// demo makes the demo account once and prints how to use it. Its secrets are kept in a file of the data
// folder, so that starting again prints the same ones.
func demo(ctx context.Context, a *app.App, out io.Writer) error {
	c, err := demoAccount(ctx, a)
	if err != nil {
		return fmt.Errorf("demo account: %w", err)
	}
	base := a.Config.Public()
	fmt.Fprintf(out, `
Trigpoint is running with a demo account (%s, plan %s).

  Locations      %s%s
  API key        %s
  Access token   %s
  API documents  %s/docs

Try:

  curl -s -H 'Authorization: Apikey %s' '%s%s/locations?limit=5'

`, c.Email, c.Plan, base, local.Prefix, c.APIKey, c.AccessToken, base, c.APIKey, base, local.Prefix)
	return nil
}

func demoAccount(ctx context.Context, a *app.App) (created, error) {
	file := filepath.Join(a.Config.Data, "demo-account.json")
	var c created
	data, err := os.ReadFile(file)
	if err == nil {
		if err := json.Unmarshal(data, &c); err != nil {
			return c, fmt.Errorf("%s: %w", file, err)
		}
		if _, err := a.Accounts.Find(ctx, c.AccountID); errs.CodeOf(err) != errs.NotFound {
			return c, err
		}
	} else if !errors.Is(err, fs.ErrNotExist) {
		return c, err
	}
	if c, err = createAccount(ctx, a.Accounts, demoEmail, "agency"); err != nil {
		return c, err
	}
	if err := os.MkdirAll(a.Config.Data, 0o700); err != nil {
		return c, err
	}
	kept, err := json.MarshalIndent(c, "", "  ")
	if err != nil {
		return c, err
	}
	return c, os.WriteFile(file, append(kept, '\n'), 0o600)
}
