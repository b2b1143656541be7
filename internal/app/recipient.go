package app

import "github.com/trigpoint/trigpoint/internal/recipient"

// addRecipients wires how people are asked whether they want mail.
func (a *App) addRecipients(demoEmail string) error {
	mailer, err := a.Config.Mailer()
	if err != nil {
		return err
	}
	a.Recipients = recipient.New(recipient.Options{DB: a.DB, Accounts: a.Accounts, Clock: a.Clock, Jobs: a.Jobs, Mail: mailer, PublicURL: a.Config.Public(), DemoEmail: demoEmail})
	return nil
}
