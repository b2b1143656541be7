package app

import (
	"github.com/trigpoint/trigpoint/internal/connection"
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
		AuthURL: c.GoogleAuthURL, TokenURL: c.GoogleTokenURL, RevokeURL: c.GoogleRevokeURL,
	})
	return err
}
