package account

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"strings"
	"time"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/errs"
	"github.com/trigpoint/trigpoint/internal/event"
	"github.com/trigpoint/trigpoint/internal/id"
)

// Kind tells an API key (areas A and C) from an access token (area B).
type Kind string

// The kinds of credential.
const (
	Key   Kind = "key"
	Token Kind = "token"
)

// TokenLife is how long an access token lives unless it is asked for otherwise.
const TokenLife = 7 * 24 * time.Hour

// IdempotencyLife is how long an Idempotency-Key returns its first answer.
const IdempotencyLife = 24 * time.Hour

const (
	keyPrefix   = "tpk_"
	tokenPrefix = "tpt_"
	feedPrefix  = "tpf_"
)

// Credential describes a key or token. The secret itself is known only to its holder.
type Credential struct {
	ID        string     `json:"id"`
	Kind      Kind       `json:"kind"`
	Hint      string     `json:"hint"` // the first characters of the secret
	Name      string     `json:"name,omitempty"`
	ReadOnly  bool       `json:"read_only"`
	CreatedAt time.Time  `json:"created_at"`
	ExpiresAt *time.Time `json:"expires_at,omitempty"`
	RevokedAt *time.Time `json:"revoked_at,omitempty"`
	LastUsed  *time.Time `json:"last_used_at,omitempty"`
}

// Issue says what a new credential is to be like.
type Issue struct {
	Kind     Kind
	Name     string
	ReadOnly bool
	Life     time.Duration // 0 is for ever

	parent *string // id of the key that a token is made with
}

// maxTokens is how many live tokens an account may have by its own hand, and as many made with its keys.
const maxTokens = 100

// Issue makes a credential and returns its secret, which is not kept and cannot be shown again.
func (a *Accounts) Issue(ctx context.Context, accountID string, want Issue) (secret string, c Credential, err error) {
	if want.Life < 0 {
		return "", c, errs.New(errs.Invalid, "a credential cannot end in the past")
	}
	err = a.db.Tx(ctx, func(tx *db.Tx) error {
		if want.Kind == Token {
			if err := a.checkTokens(ctx, tx, accountID); err != nil {
				return err
			}
		}
		if secret, c, err = a.insert(ctx, tx, accountID, want); err != nil {
			return err
		}
		return a.tellCredential(ctx, tx, event.CredentialCreated, accountID, c)
	})
	return secret, c, err
}

func (a *Accounts) tellCredential(ctx context.Context, tx *db.Tx, kind event.Kind, accountID string, c Credential) error {
	return event.Emit(ctx, tx, a.clock.Now(), event.Event{AccountID: accountID, Kind: kind, Subject: c.ID, Data: event.Credential{CredentialID: c.ID, Kind: string(c.Kind), Name: c.Name, Hint: c.Hint}})
}

// checkTokens refuses a token too many.
func (a *Accounts) checkTokens(ctx context.Context, tx *db.Tx, accountID string) error {
	live, err := db.One(ctx, tx, db.Value[int], `SELECT count(*) FROM credentials WHERE account_id = $1 AND kind = 'token'
		AND parent_id IS NULL AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $2)`, accountID, db.Micros(a.clock.Now()))
	if err == nil && live >= maxTokens {
		err = errs.New(errs.Quota, "the account has %d live tokens, which is the most it may have; see `trigpoint token list` and revoke some", live)
	}
	return err
}

func (a *Accounts) insert(ctx context.Context, tx *db.Tx, accountID string, want Issue) (secret string, c Credential, err error) {
	prefix := keyPrefix
	if want.Kind == Token {
		prefix = tokenPrefix
	}
	if secret, err = newSecret(prefix); err != nil {
		return "", c, err
	}
	now := a.clock.Now()
	c = Credential{ID: id.New(), Kind: want.Kind, Hint: secret[:10], Name: want.Name, ReadOnly: want.ReadOnly, CreatedAt: now}
	var expires *int64
	if want.Life > 0 {
		at := now.Add(want.Life)
		c.ExpiresAt = &at
		micros := db.Micros(at)
		expires = &micros
	}
	_, err = tx.Exec(ctx, `INSERT INTO credentials (id, account_id, kind, hash, hint, name, read_only, created_at, expires_at, parent_id)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
		c.ID, accountID, string(c.Kind), hash(secret), c.Hint, c.Name, c.ReadOnly, db.Micros(now), expires, want.parent)
	return secret, c, err
}

// Credentials lists the keys or tokens of an account, oldest first.
func (a *Accounts) Credentials(ctx context.Context, accountID string, kind Kind) ([]Credential, error) {
	return db.All(ctx, a.db, scanCredential, "SELECT "+shownColumns+" FROM credentials WHERE account_id = $1 AND kind = $2 ORDER BY created_at, id", accountID, string(kind))
}

const shownColumns = "id, kind, hint, name, read_only, created_at, expires_at, revoked_at, last_used_at"

const (
	// maxLive is how many live keys and tokens an account may make for itself.
	maxLive = 200
	// maxListed bounds a list that has the ended ones too.
	maxListed = 500
)

// live is the condition of credentials that have not ended at $2, of the account's own making: tokens that were made with a
// key end with it.
const live = "account_id = $1 AND parent_id IS NULL AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $2)"

// Made lists the keys and tokens that an account has made, the live ones first and of these the newest.
func (a *Accounts) Made(ctx context.Context, accountID string) ([]Credential, error) {
	return db.All(ctx, a.db, scanCredential, "SELECT "+shownColumns+` FROM credentials WHERE account_id = $1 AND parent_id IS NULL
		ORDER BY CASE WHEN `+live+" THEN 0 ELSE 1 END, created_at DESC, id DESC LIMIT $3", accountID, db.Micros(a.clock.Now()), maxListed)
}

// Make is Issue in the caller's transaction, for an account that makes its credentials itself.
func (a *Accounts) Make(ctx context.Context, tx *db.Tx, accountID string, want Issue) (secret string, c Credential, err error) {
	if _, err := db.One(ctx, tx, db.Value[string], "SELECT id FROM accounts WHERE id = $1"+tx.ForUpdate(), accountID); err != nil { // so that two do not take the last place
		return "", c, err
	}
	n, err := db.One(ctx, tx, db.Value[int], "SELECT count(*) FROM credentials WHERE "+live, accountID, db.Micros(a.clock.Now()))
	if err != nil {
		return "", c, err
	}
	if n >= maxLive {
		return "", c, errs.New(errs.Quota, "The account has %d live keys and tokens, which is the most it may have; revoke some that are not used.", n)
	}
	if secret, c, err = a.insert(ctx, tx, accountID, want); err != nil {
		return "", c, err
	}
	return secret, c, a.tellCredential(ctx, tx, event.CredentialCreated, accountID, c)
}

// End revokes a credential of an account, and the tokens that were made with it.
func (a *Accounts) End(ctx context.Context, tx *db.Tx, accountID, credentialID string) error {
	err := a.revoke(ctx, tx, "id = $2 AND account_id = $3", credentialID, accountID)
	if db.IsNoRow(err) {
		return errs.New(errs.NotFound, "There is no key or token %.64q, or it is revoked already.", credentialID)
	}
	return err
}

// revoke revokes the credential of a condition, and the tokens that were made with it; db.ErrNoRow where there is none.
func (a *Accounts) revoke(ctx context.Context, tx *db.Tx, which string, args ...any) error {
	now, accountID := db.Micros(a.clock.Now()), ""
	revoked, err := db.One(ctx, tx, func(row db.Scanner) (c Credential, err error) {
		err = row.Scan(&c.ID, &c.Kind, &c.Hint, &c.Name, &accountID)
		return c, err
	}, "UPDATE credentials SET revoked_at = $1 WHERE "+which+" AND revoked_at IS NULL RETURNING id, kind, hint, name, account_id", append([]any{now}, args...)...)
	if err != nil {
		return err
	}
	if err := endMadeWith(ctx, tx, revoked.ID, now); err != nil {
		return err
	}
	return a.tellCredential(ctx, tx, event.CredentialRevoked, accountID, revoked)
}

// EndAll revokes every key and token of an account.
func (a *Accounts) EndAll(ctx context.Context, tx *db.Tx, accountID string) error {
	_, err := tx.Exec(ctx, "UPDATE credentials SET revoked_at = $2 WHERE account_id = $1 AND revoked_at IS NULL", accountID, db.Micros(a.clock.Now()))
	return err
}

// endMadeWith revokes the tokens that were made with a key.
func endMadeWith(ctx context.Context, tx *db.Tx, keyID string, now int64) error {
	_, err := tx.Exec(ctx, "UPDATE credentials SET revoked_at = $1 WHERE parent_id = $2 AND revoked_at IS NULL", now, keyID)
	return err
}

func scanCredential(row db.Scanner) (Credential, error) {
	var c Credential
	var created int64
	var expires, revoked, used *int64
	err := row.Scan(&c.ID, &c.Kind, &c.Hint, &c.Name, &c.ReadOnly, &created, &expires, &revoked, &used)
	c.CreatedAt, c.ExpiresAt, c.RevokedAt, c.LastUsed = db.Time(created), db.TimeOrNil(expires), db.TimeOrNil(revoked), db.TimeOrNil(used)
	return c, err
}

// Revoke ends a credential, named by its id or by the secret itself, and the tokens that were made with it.
func (a *Accounts) Revoke(ctx context.Context, kind Kind, idOrSecret string) error {
	return a.db.Tx(ctx, func(tx *db.Tx) error {
		err := a.revoke(ctx, tx, "kind = $2 AND (id = $3 OR hash = $4)", string(kind), idOrSecret, hash(idOrSecret))
		if db.IsNoRow(err) {
			return errs.New(errs.NotFound, "no such %s, or it is revoked already", kind)
		}
		return err
	})
}

// Principal is who a request acts for.
type Principal struct {
	AccountID string
	Email     string
	PlanName  string
	Plan      Plan
	ReadOnly  bool
	Session   bool // a person who has signed in, not a program with a key

	credential string     // its id
	ends       *time.Time // when the credential does; nil is never
}

// Authenticate finds who holds the secret. Whatever is wrong with it, the answer and the work done for
// it are the same.
func (a *Accounts) Authenticate(ctx context.Context, kind Kind, secret string) (Principal, error) {
	p, err := db.One(ctx, a.db, scanPrincipal, `SELECT a.id, a.email, a.plan, c.read_only, c.id, c.expires_at
		FROM credentials c JOIN accounts a ON a.id = c.account_id
		WHERE c.hash = $1 AND c.kind = $2 AND c.revoked_at IS NULL AND (c.expires_at IS NULL OR c.expires_at > $3)`,
		hash(secret), string(kind), db.Micros(a.clock.Now()))
	if db.IsNoRow(err) {
		return Principal{}, Refused()
	}
	p.Plan = a.Plan(p.PlanName)
	if err == nil {
		a.uses.note(p.credential, a.clock.Now())
	}
	return p, err
}

// Refused is the one answer to whatever is wrong with a credential.
func Refused() error {
	return errs.New(errs.Unauthorized, "The credential is missing or not valid.")
}

// Principal is the account itself, without a credential.
func (a *Accounts) Principal(ctx context.Context, accountID string) (Principal, error) {
	p, err := db.One(ctx, a.db, scanPrincipal, "SELECT id, email, plan, FALSE, '', NULL FROM accounts WHERE id = $1", accountID)
	p.Plan = a.Plan(p.PlanName)
	return p, err
}

func scanPrincipal(row db.Scanner) (Principal, error) {
	var p Principal
	var ends *int64
	err := row.Scan(&p.AccountID, &p.Email, &p.PlanName, &p.ReadOnly, &p.credential, &ends)
	p.ends = db.TimeOrNil(ends)
	return p, err
}

// Client finds who signs in as an OAuth 2 client: an account's id or email, and one of its API keys.
func (a *Accounts) Client(ctx context.Context, clientID, key string) (Principal, error) {
	p, err := a.Authenticate(ctx, Key, key)
	if err == nil && canonicalID(clientID) != p.AccountID && strings.ToLower(clientID) != p.Email {
		return Principal{}, Refused()
	}
	return p, err
}

// Exchange gives the holder of an API key an access token, which may do no more than the key and ends
// with it. Beyond maxTokens the oldest of those made with keys make room.
func (a *Accounts) Exchange(ctx context.Context, who Principal) (token string, life time.Duration, err error) {
	life = TokenLife
	if who.ends != nil {
		life = min(life, who.ends.Sub(a.clock.Now()))
	}
	if life <= 0 { // the key has just ended
		return "", 0, Refused()
	}
	err = a.db.Tx(ctx, func(tx *db.Tx) error {
		_, err := db.One(ctx, tx, db.Value[string], "SELECT id FROM credentials WHERE id = $1 AND revoked_at IS NULL"+tx.ForUpdate(), who.credential)
		if db.IsNoRow(err) { // revoked meanwhile
			return Refused()
		}
		if err != nil {
			return err
		}
		token, _, err = a.insert(ctx, tx, who.AccountID, Issue{Kind: Token, Name: "oauth2", ReadOnly: who.ReadOnly, Life: life, parent: &who.credential})
		if err != nil {
			return err
		}
		_, err = tx.Exec(ctx, `DELETE FROM credentials WHERE id IN (SELECT id FROM credentials
			WHERE account_id = $1 AND parent_id IS NOT NULL ORDER BY created_at DESC, id DESC LIMIT 1000000000 OFFSET $2)`, who.AccountID, maxTokens)
		return err
	})
	return token, life, err
}

// Sweep forgets what has ended: tokens and links a month ago, idempotency keys and tries of passwords past their day,
// and sessions.
func (a *Accounts) Sweep(ctx context.Context) error {
	now := a.clock.Now()
	return a.db.Tx(ctx, func(tx *db.Tx) error {
		for _, old := range []struct {
			where string
			since time.Time
		}{
			{"credentials WHERE kind = 'token' AND (expires_at < $1 OR revoked_at < $1)", now.AddDate(0, -1, 0)},
			{"idempotency WHERE created_at < $1", now.Add(-IdempotencyLife)},
			{"sessions WHERE expires_at <= $1", now},
			{"one_time_links WHERE expires_at < $1", now.Add(-linksKept)},
			{"recipients WHERE removed_at < $1 AND coalesce(ended_at, 0) < $1", now.Add(-refusalKept)},
			{"failed_sign_ins WHERE last_at < $1", now.Add(-triesKept)},
		} {
			if _, err := tx.Exec(ctx, "DELETE FROM "+old.where, db.Micros(old.since)); err != nil {
				return err
			}
		}
		return nil
	})
}

func newSecret(prefix string) (string, error) {
	var random [32]byte
	if _, err := rand.Read(random[:]); err != nil {
		return "", err
	}
	return prefix + base64.RawURLEncoding.EncodeToString(random[:]), nil
}

// hash needs no salt or stretching: a secret has 256 random bits.
func hash(secret string) []byte {
	sum := sha256.Sum256([]byte(secret))
	return sum[:]
}
