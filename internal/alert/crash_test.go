package alert_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/trigpoint/trigpoint/internal/alertrule"
	"github.com/trigpoint/trigpoint/internal/app/apptest"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/db/dbtest"
	"github.com/trigpoint/trigpoint/internal/mail/mailtest"
)

// The real process is killed while the mail server has a mail and has not answered yet: whoever comes after sends it, once for the
// reader, whose mail program knows it again. What was raised and not yet sent goes out, too.
func TestKilledBetweenRaisingAndSending(t *testing.T) {
	t.Parallel()
	dbtest.EachOptions(t, func(t *testing.T, o db.Options) {
		office := mailtest.Open(t)
		env := append(apptest.Environment(o), "TRIGPOINT_SMTP_URL="+office.URL, "TRIGPOINT_MAIL_FROM=noreply@trigpoint.example", "TRIGPOINT_JOB_TAKEOVER=12s")
		var owner struct {
			ID string `json:"account_id"`
		}
		if err := json.Unmarshal([]byte(apptest.Run(t, env, "account", "create", "--email", "a@b.example", "--plan", "agency", "--json")), &owner); err != nil {
			t.Fatal(err)
		}
		apptest.Run(t, env, "alert", "rule", "add", "--account", "a@b.example", "credits_low", "--email", "a@b.example")
		release := office.Hold()
		raise(t, o, owner.ID)
		process := apptest.Launch(t, env, "serve")
		office.UntilRead(t, 1)
		process.Kill()
		office.VanishNext(1)
		release()
		first := office.Next(t)
		apptest.Launch(t, env, "serve")
		second := office.Next(t)
		if first.ID != second.ID || first.Subject != second.Subject {
			t.Errorf("%+v came again as %+v", first, second)
		}
	})
}

// raise has an account run low on credits, in a transaction of its own.
func raise(t *testing.T, o db.Options, accountID string) {
	t.Helper()
	d, err := db.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	err = d.Tx(t.Context(), func(tx *db.Tx) error {
		return alertrule.Happened(t.Context(), tx, time.Now(), []alertrule.Fact{{AccountID: accountID, On: alertrule.Account, Happened: alertrule.CreditsLow, Detail: "Credits run low."}})
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
}
