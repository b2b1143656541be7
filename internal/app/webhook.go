package app

import (
	"github.com/trigpoint/trigpoint/internal/secret"
	"github.com/trigpoint/trigpoint/internal/signedpost"
	"github.com/trigpoint/trigpoint/internal/webhook"
)

// addWebhooks wires how accounts are told of what happens.
func (a *App) addWebhooks() error {
	keys, err := secret.ParseKeys(a.Config.SecretKey)
	if err != nil {
		return err
	}
	a.Webhooks = webhook.New(webhook.Options{
		DB: a.DB, Accounts: a.Accounts, Clock: a.Clock, Log: a.Log, Jobs: a.Jobs, Keys: keys, Client: signedpost.New(a.Config.WebhookAllowPrivate), Lease: a.Config.JobTakeover,
	})
	return nil
}
