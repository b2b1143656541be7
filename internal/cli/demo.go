package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/trigpoint/trigpoint/internal/account"
	"github.com/trigpoint/trigpoint/internal/app"
	"github.com/trigpoint/trigpoint/internal/errs"
	"github.com/trigpoint/trigpoint/internal/local"
	"github.com/trigpoint/trigpoint/internal/maprank"
	"github.com/trigpoint/trigpoint/internal/research"
)

const demoEmail = "demo@trigpoint.example"

// demo makes the demo account once and tells how to use it. Its secrets are kept in a file of the data
// folder, so that starting again tells the same ones.
func demo(ctx context.Context, a *app.App) (string, error) {
	c, err := demoAccount(ctx, a)
	if err != nil {
		return "", fmt.Errorf("demo account: %w", err)
	}
	if err := demoBrand(ctx, a, c.AccountID); err != nil {
		return "", fmt.Errorf("demo brand: %w", err)
	}
	if err := demoAlerts(ctx, a, c.AccountID); err != nil {
		return "", fmt.Errorf("demo alerts: %w", err)
	}
	heatmap, err := demoMaps(ctx, a, c.AccountID) // before the locations, which are looked up on the map at once
	if err != nil {
		return "", fmt.Errorf("demo market: %w", err)
	}
	if err := demoLocations(ctx, a, c); err != nil {
		return "", fmt.Errorf("demo locations: %w", err)
	}
	page, err := demoWeb(ctx, a, c)
	if err != nil {
		return "", fmt.Errorf("demo web: %w", err)
	}
	base := a.Config.Public()
	return fmt.Sprintf(`
Trigpoint is running with a demo account (%s, plan %s).
Its market is invented: no such business exists.

  Dashboard      %s (one click signs in)
  Locations      %s%s
  Map ranks      %s%s
  Keywords       %s%s
  API key        %s
  Access token   %s
  API documents  %s/docs

Try:

  curl -s -H 'Authorization: Apikey %s' '%s%s/locations?limit=5'
  curl -s -H 'Authorization: Bearer %s' '%s%s'
  curl -s -H 'X-Access-Token: %s' '%s%s'
  curl -s -H 'X-Access-Token: %s' '%s%s/rankwatch/trackings'

`, c.Email, c.Plan, base, base, local.Prefix, base, maprank.Prefix, base, research.Prefix, c.APIKey, c.AccessToken, base,
		c.APIKey, base, local.Prefix, c.AccessToken, base, heatmap, c.APIKey, base, page, c.APIKey, base, research.Prefix), nil
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
			if err == nil {
				err = renewToken(ctx, a, &c, file)
			}
			return c, err
		}
	} else if !errors.Is(err, fs.ErrNotExist) {
		return c, err
	}
	c, err = createAccount(ctx, a.Accounts, demoEmail, "agency")
	if errs.CodeOf(err) == errs.Conflict { // it is there, and the file with its secrets is lost
		var acc account.Account
		if acc, err = a.Accounts.Find(ctx, demoEmail); err == nil {
			c, err = issueBoth(ctx, a.Accounts, acc)
		}
	}
	if err != nil {
		return c, err
	}
	return c, keepDemo(a, c, file)
}

// renewToken replaces an access token that has ended.
func renewToken(ctx context.Context, a *app.App, c *created, file string) error {
	_, err := a.Accounts.Authenticate(ctx, account.Token, c.AccessToken)
	if errs.CodeOf(err) != errs.Unauthorized {
		return err
	}
	if c.AccessToken, _, err = a.Accounts.Issue(ctx, c.AccountID, account.Issue{Kind: account.Token, Name: "demo", Life: account.TokenLife}); err != nil {
		return err
	}
	return keepDemo(a, *c, file)
}

func keepDemo(a *app.App, c created, file string) error {
	if err := os.MkdirAll(a.Config.Data, 0o700); err != nil {
		return err
	}
	kept, err := json.MarshalIndent(c, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(file, append(kept, '\n'), 0o600)
}
