// Package connection owns what an account has connected of Google's services: the credential, kept sealed, the
// consent of a person in the browser, and the access tokens that follow from it. It does not speak to the services
// themselves.
package connection

import (
	"context"
	"encoding/json"
	"log/slog"
	"strings"
	"sync"

	"golang.org/x/sync/singleflight"

	"github.com/trigpoint/trigpoint/internal/account"
	"github.com/trigpoint/trigpoint/internal/clock"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/errs"
	"github.com/trigpoint/trigpoint/internal/secret"
)

// Options are what connections need. The URLs are Google's own when empty.
type Options struct {
	DB        *db.DB
	Accounts  *account.Accounts
	Clock     clock.Clock
	Log       *slog.Logger
	Keys      secret.Keyring
	PublicURL string // that Google sends people back to

	ClientID, ClientSecret       string // of the OAuth client
	AuthURL, TokenURL, RevokeURL string

	// Connected is told of every new connection, in its transaction; may be nil.
	Connected func(ctx context.Context, tx *db.Tx, accountID string, s Service) error
}

// Connections are those of all accounts.
type Connections struct {
	db       *db.DB
	accounts *account.Accounts
	clock    clock.Clock
	log      *slog.Logger
	keys     secret.Keyring
	google   *google
	told     func(ctx context.Context, tx *db.Tx, accountID string, s Service) error

	asking singleflight.Group // for access tokens
	mu     sync.Mutex
	tokens map[string]accessToken // by owner
}

// New checks the options; it asks nothing yet.
func New(o Options) (*Connections, error) {
	g, err := newGoogle(o)
	if err != nil {
		return nil, err
	}
	return &Connections{
		db: o.DB, accounts: o.Accounts, clock: o.Clock, log: o.Log, keys: o.Keys, google: g, told: o.Connected, tokens: map[string]accessToken{},
	}, nil
}

// Ready tells whether people can connect in the browser, or which settings that needs.
func (c *Connections) Ready() error { return c.ready(RefreshToken) }

// ready tells whether a kind of credential can be kept and used.
func (c *Connections) ready(kind Kind) error {
	var missing []string
	if c.keys.Empty() {
		missing = append(missing, "secret-key (TRIGPOINT_SECRET_KEY, 32 random bytes as `openssl rand -base64 32` prints them)")
	}
	if kind == RefreshToken && c.google.clientID == "" {
		missing = append(missing, "google-client-id (TRIGPOINT_GOOGLE_CLIENT_ID)")
	}
	if kind == RefreshToken && c.google.clientSecret == "" {
		missing = append(missing, "google-client-secret (TRIGPOINT_GOOGLE_CLIENT_SECRET)")
	}
	if len(missing) == 0 {
		return nil
	}
	return errs.With(errs.Conflict, errs.ConnectionNotConfigured, "Connecting with Google is not configured: set %s.", strings.Join(missing, ", "))
}

// List returns what an account has connected.
func (c *Connections) List(ctx context.Context, accountID string) ([]Connection, error) {
	records, err := list(ctx, c.db, accountID)
	connections := make([]Connection, len(records))
	for i, r := range records {
		connections[i] = r.Connection
	}
	return connections, err
}

// Connect keeps a credential in place of the one that the account had, once Google has given a token for it.
func (c *Connections) Connect(ctx context.Context, accountID string, s Service, credential Credential) (Connection, error) {
	if err := credential.opens(s); err != nil {
		return Connection{}, err
	}
	if err := c.ready(credential.kind()); err != nil {
		return Connection{}, err
	}
	token, err := c.google.token(ctx, s, credential)
	if err != nil {
		return Connection{}, err
	}
	if token.RefreshToken != "" && credential.RefreshToken != "" {
		credential.RefreshToken = token.RefreshToken
	}
	scopes := granted(token, s)
	if err := checkScopes(s, scopes); err != nil {
		return Connection{}, err
	}
	return c.keep(ctx, accountID, s, credential, scopes)
}

func (c *Connections) keep(ctx context.Context, accountID string, s Service, credential Credential, scopes []string) (Connection, error) {
	r := record{accountID: accountID, Connection: Connection{
		Service: s, Kind: credential.kind(), Identity: credential.identity(), Scopes: scopes, Status: Connected, ConnectedAt: c.clock.Now(),
	}}
	var err error
	if r.sealed, err = c.seal(accountID, s, credential); err != nil {
		return Connection{}, err
	}
	return r.Connection, c.db.Tx(ctx, func(tx *db.Tx) error {
		if err := keep(ctx, tx, r); err != nil || c.told == nil {
			return err
		}
		return c.told(ctx, tx, accountID, s)
	})
}

// Disconnect forgets a connection and ends it at Google, where that can be reached.
func (c *Connections) Disconnect(ctx context.Context, accountID string, s Service) error {
	if err := c.end(ctx, accountID, s); err != nil {
		return err
	}
	return c.db.Tx(ctx, func(tx *db.Tx) error { return remove(ctx, tx, accountID, s) })
}

// DisconnectAll disconnects whatever an account has connected.
func (c *Connections) DisconnectAll(ctx context.Context, accountID string) error {
	connections, err := c.List(ctx, accountID)
	for _, made := range connections {
		if err == nil {
			err = c.Disconnect(ctx, accountID, made.Service)
		}
	}
	return err
}

// end revokes at Google. What fails there does not keep anybody from disconnecting.
func (c *Connections) end(ctx context.Context, accountID string, s Service) error {
	kept, err := find(ctx, c.db, accountID, s)
	if db.IsNoRow(err) {
		return errs.New(errs.NotFound, "%s is not connected.", s.Title())
	}
	if err != nil || kept.Status == Broken {
		return err
	}
	credential, err := c.open(kept)
	if err == nil && credential.RefreshToken != "" {
		err = c.google.revoke(ctx, credential)
	}
	if err != nil {
		c.log.WarnContext(ctx, "a connection was not ended at Google; its owner can do so at https://myaccount.google.com/permissions",
			"account", accountID, "service", string(s), "error", err)
	}
	return nil
}

func (c *Connections) seal(accountID string, s Service, credential Credential) (string, error) {
	plain, err := json.Marshal(credential)
	if err != nil {
		return "", err
	}
	return c.keys.Seal(plain, owner(accountID, s))
}

func (c *Connections) open(r record) (credential Credential, err error) {
	plain, err := c.keys.Open(r.sealed, owner(r.accountID, r.Service))
	if err != nil {
		return credential, err
	}
	return credential, json.Unmarshal(plain, &credential)
}

// Unreadable counts the connections whose credentials none of the keys opens, and tells why the last of them does not.
func (c *Connections) Unreadable(ctx context.Context) (n int, why, err error) {
	all, err := db.All(ctx, c.db, scan, "SELECT "+columns+" FROM connections")
	if err != nil {
		return 0, nil, err
	}
	for _, r := range all {
		if _, fault := c.open(r); fault != nil {
			n, why = n+1, fault
		}
	}
	return n, why, nil
}
