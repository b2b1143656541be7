package app

import (
	"github.com/trigpoint/trigpoint/internal/alert"
	"github.com/trigpoint/trigpoint/internal/secret"
	"github.com/trigpoint/trigpoint/internal/signedpost"
)

// addAlerts wires how people are told of what they wait for.
func (a *App) addAlerts() error {
	keys, err := secret.ParseKeys(a.Config.SecretKey)
	if err != nil {
		return err
	}
	mailer, err := a.Config.Mailer()
	if err != nil {
		return err
	}
	a.Alerts = alert.New(alert.Options{
		DB: a.DB, Clock: a.Clock, Log: a.Log, Jobs: a.Jobs, Mail: mailer, Keys: keys, Client: signedpost.New(a.Config.WebhookAllowPrivate),
		PublicURL: a.Config.Public(), Lease: 5 * a.Config.JobTakeover, // a mail server may take its time
	})
	return nil
}
