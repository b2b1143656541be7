package connection

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"time"

	"golang.org/x/oauth2"

	"github.com/trigpoint/trigpoint/internal/account"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/errs"
)

const (
	// consentLife is how long a person may take at Google's consent page.
	consentLife = 10 * time.Minute
	// maxConsents is how many of an account's may be under way.
	maxConsents = 20
)

// Consent is where a person allows access.
type Consent struct {
	Service Service   `json:"service" enum:"search-console,business-profile"`
	URL     string    `json:"consent_url"`
	EndsAt  time.Time `json:"expires_at"`
}

// begin sends a person to Google's consent page. The state that comes back with them is random and known by its
// hash only: it proves the account and the service, for ten minutes and once.
func (c *Connections) begin(ctx context.Context, tx *db.Tx, who account.Principal, s Service) (Consent, error) {
	var random [32]byte
	if _, err := rand.Read(random[:]); err != nil {
		return Consent{}, err
	}
	state := base64.RawURLEncoding.EncodeToString(random[:])
	verifier := oauth2.GenerateVerifier()
	sealed, err := c.keys.Seal([]byte(verifier), owner(who.AccountID, s))
	if err != nil {
		return Consent{}, err
	}
	now := c.clock.Now()
	ends := now.Add(consentLife)
	if err := keepConsent(ctx, tx, hashed(state), consent{who.AccountID, s, sealed, ends, who.Session}, maxConsents, now); err != nil {
		return Consent{}, err
	}
	return Consent{Service: s, URL: c.google.consentURL(s, state, verifier), EndsAt: ends}, nil
}

func hashed(state string) []byte {
	sum := sha256.Sum256([]byte(state))
	return sum[:]
}

// take ends the wait for a person who has come back. What was begun in the dashboard is finished there: who is signed
// in must be of the same account, or somebody could have another's data connected with their own account.
func (c *Connections) take(ctx context.Context, state string, who account.Principal) (taken consent, err error) {
	err = c.db.Tx(ctx, func(tx *db.Tx) error {
		taken, err = takeConsent(ctx, tx, hashed(state))
		return err
	})
	if db.IsNoRow(err) || err == nil && !c.clock.Now().Before(taken.endsAt) {
		err = errs.New(errs.Invalid, "This link has been used or is older than ten minutes: ask for a new one.")
	}
	if err == nil && taken.bySession && taken.accountID != who.AccountID {
		err = errs.New(errs.Invalid, "This was begun by somebody who was signed in to another account, or you have signed out meanwhile: sign in and connect again from the settings.")
	}
	return taken, err
}

// finish keeps the connection that a person has allowed.
func (c *Connections) finish(ctx context.Context, allowed consent, code string) (Connection, error) {
	verifier, err := c.keys.Open(allowed.verifier, owner(allowed.accountID, allowed.service))
	if err != nil {
		return Connection{}, err
	}
	token, err := c.google.exchange(ctx, allowed.service, code, string(verifier))
	if err != nil {
		return Connection{}, err
	}
	scopes := granted(token, allowed.service)
	if err := checkScopes(allowed.service, scopes); err != nil {
		return Connection{}, err
	}
	if token.RefreshToken == "" {
		return Connection{}, errs.New(errs.Invalid, "Google gave no refresh token. Remove this application at https://myaccount.google.com/permissions and connect again.")
	}
	return c.keep(ctx, allowed.accountID, allowed.service, Credential{RefreshToken: token.RefreshToken}, scopes)
}
