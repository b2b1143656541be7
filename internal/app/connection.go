package app

import (
	"context"

	"github.com/trigpoint/trigpoint/internal/connection"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/directory/businessprofile"
	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/secret"
)

// addConnections wires what accounts connect of Google's services.
func (a *App) addConnections() error {
	keys, err := secret.ParseKeys(a.Config.SecretKey)
	if err != nil {
		return err
	}
	c := a.Config
	a.Connections, err = connection.New(connection.Options{
		DB: a.DB, Accounts: a.Accounts, Clock: a.Clock, Log: a.Log, Keys: keys, PublicURL: c.Public(),
		ClientID: c.GoogleClientID, ClientSecret: c.GoogleClientSecret,
		Connected: a.connected, AuthURL: c.GoogleAuthURL, TokenURL: c.GoogleTokenURL, RevokeURL: c.GoogleRevokeURL,
	})
	return err
}

// connected has the listings looked at that waited for a connection.
func (a *App) connected(ctx context.Context, tx *db.Tx, accountID string, s connection.Service) error {
	if s != connection.BusinessProfile {
		return nil
	}
	return a.Local.Reconnected(ctx, tx, accountID, businessprofile.ID)
}

// businessProfile is the directory of accounts that connect Google Business Profile; nil where that is not configured.
func (a *App) businessProfile() (*businessprofile.Connector, error) {
	if configured := a.Connections.Ready() == nil; !configured {
		return nil, nil //nolint:nilnil // a directory that is not offered
	}
	return businessprofile.New(businessprofile.Options{
		DB: a.DB, Clock: a.Clock, Tokens: profileTokens{a.Connections}, Project: provider.Fingerprint("business_profile", a.Config.GoogleClientID), URL: a.Config.BusinessProfileURL,
		Caller: provider.CallerOptions{Store: a.DB},
	})
}

// profileTokens are the tokens of connections with Google Business Profile.
type profileTokens struct{ connections *connection.Connections }

// Token implements businessprofile.Tokens.
func (t profileTokens) Token(ctx context.Context, accountID string) (string, error) {
	return t.connections.Token(ctx, accountID, connection.BusinessProfile)
}

// Reject implements businessprofile.Tokens.
func (t profileTokens) Reject(accountID, token string) {
	t.connections.Reject(accountID, connection.BusinessProfile, token)
}
