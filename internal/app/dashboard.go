package app

import (
	"encoding/json"
	"net/http"

	"github.com/trigpoint/trigpoint/internal/server"
	"github.com/trigpoint/trigpoint/internal/signin"
)

// addSignIn wires how people come in.
func (a *App) addSignIn(o Options) error {
	mailer, err := a.Config.Mailer()
	if err != nil {
		return err
	}
	a.SignIn = signin.New(signin.Options{
		DB: a.DB, Accounts: a.Accounts, Jobs: a.Jobs, PublicURL: a.Config.Public(),
		Signup: signin.Signup(a.Config.Signup), Mail: mailer, Cost: o.PasswordCost, Map: a.baseMap, DemoEmail: o.DemoEmail,
	})
	return nil
}

// start tells the dashboard what it needs before its first request.
func (a *App) start() server.Start {
	return func(r *http.Request) ([]byte, error) {
		start, err := a.SignIn.StartFor(r)
		if err != nil {
			return nil, err
		}
		return json.Marshal(start)
	}
}
