package account

import (
	"context"
	"time"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/errs"
	"github.com/trigpoint/trigpoint/internal/id"
)

// linkKind says what a one-time link is for.
type linkKind string

const (
	setupLink  linkKind = "setup"
	resetLink  linkKind = "reset"
	inviteLink linkKind = "invite"

	recipientLink linkKind = "recipient"
)

const (
	setupLife  = 24 * time.Hour
	inviteLife = 7 * 24 * time.Hour
	// linksKept is how long it can be seen what became of a link.
	linksKept = 30 * 24 * time.Hour

	linkPrefix = "tpl_"
)

// link is a one-time link as it is kept.
type link struct {
	id        string
	kind      linkKind
	accountID *string
	email     string
	createdAt time.Time
	expiresAt time.Time
}

// newLink keeps a link and returns its secret.
func (a *Accounts) newLink(ctx context.Context, tx *db.Tx, l link, life time.Duration) (secret string, made link, err error) {
	if secret, err = newSecret(linkPrefix); err != nil {
		return "", l, err
	}
	l.id, l.createdAt = id.New(), a.clock.Now()
	l.expiresAt = l.createdAt.Add(life)
	_, err = tx.Exec(ctx, "INSERT INTO one_time_links (id, hash, kind, account_id, email, created_at, expires_at) VALUES ($1, $2, $3, $4, $5, $6, $7)",
		l.id, hash(secret), string(l.kind), l.accountID, l.email, db.Micros(l.createdAt), db.Micros(l.expiresAt))
	return secret, l, err
}

// findLink finds a link that can be used.
func (a *Accounts) findLink(ctx context.Context, q db.Queryer, kind linkKind, secret string) (link, error) {
	l, err := db.One(ctx, q, func(row db.Scanner) (l link, err error) {
		err = row.Scan(&l.id, &l.accountID, &l.email)
		return l, err
	}, "SELECT id, account_id, email FROM one_time_links WHERE hash = $1 AND kind = $2 AND used_at IS NULL AND expires_at > $3",
		hash(secret), string(kind), db.Micros(a.clock.Now()))
	if db.IsNoRow(err) {
		err = errLink()
	}
	return l, err
}

// useLink uses a link up; of two at once, one gets it.
func (a *Accounts) useLink(ctx context.Context, tx *db.Tx, kind linkKind, secret string) (link, error) {
	l, err := a.findLink(ctx, tx, kind, secret)
	if err != nil {
		return l, err
	}
	used, err := tx.Exec(ctx, "UPDATE one_time_links SET used_at = $2 WHERE id = $1 AND used_at IS NULL", l.id, db.Micros(a.clock.Now()))
	if err == nil && used == 0 {
		err = errLink()
	}
	return l, err
}

func errLink() error {
	return errs.With(errs.Forbidden, errs.LinkInvalid, "This link has been used or is too old: ask for a new one.")
}

// NewSetupLink makes a link with which the first account is made. Each server of several prints its own, and any of them works.
func (a *Accounts) NewSetupLink(ctx context.Context) (secret string, err error) {
	err = a.db.Tx(ctx, func(tx *db.Tx) (err error) {
		secret, _, err = a.newLink(ctx, tx, link{kind: setupLink}, setupLife)
		return err
	})
	return secret, err
}

// CheckSetup fails as SetUp would, before work that would be for nothing.
func (a *Accounts) CheckSetup(ctx context.Context, secret string) error {
	if empty, err := a.Empty(ctx, a.db); err != nil || !empty {
		return notEmpty(err)
	}
	_, err := a.findLink(ctx, a.db, setupLink, secret)
	return err
}

func notEmpty(err error) error {
	if err != nil {
		return err
	}
	return errs.With(errs.Conflict, errs.AccountExists, "There is an account already: sign in. `trigpoint account password EMAIL` makes a link to set its password.")
}

// SetUp makes the first account.
func (a *Accounts) SetUp(ctx context.Context, tx *db.Tx, secret, email string, password PasswordHash) (Account, error) {
	if empty, err := a.Empty(ctx, tx); err != nil || !empty {
		return Account{}, notEmpty(err)
	}
	if _, err := a.useLink(ctx, tx, setupLink, secret); err != nil {
		return Account{}, err
	}
	return a.createWithPassword(ctx, tx, email, setupPlan, password)
}

// NewResetLink makes a link with which the password of an account is set; life is how long it works.
func (a *Accounts) NewResetLink(ctx context.Context, accountID string, life time.Duration) (secret string, err error) {
	err = a.db.Tx(ctx, func(tx *db.Tx) (err error) {
		secret, _, err = a.newLink(ctx, tx, link{kind: resetLink, accountID: &accountID}, life)
		return err
	})
	return secret, err
}

// NewMailedLink makes a link as NewResetLink does, unless the account has been given most of them in the last hour:
// "" then. Those who ask at once wait for each other, so that it holds for them too.
func (a *Accounts) NewMailedLink(ctx context.Context, accountID string, life time.Duration, most int) (secret string, err error) {
	err = a.db.Tx(ctx, func(tx *db.Tx) error {
		secret = ""
		if _, err := db.One(ctx, tx, db.Value[string], "SELECT id FROM accounts WHERE id = $1"+tx.ForUpdate(), accountID); err != nil {
			return err
		}
		given, err := db.One(ctx, tx, db.Value[int], "SELECT count(*) FROM one_time_links WHERE account_id = $1 AND kind = $2 AND created_at > $3",
			accountID, string(resetLink), db.Micros(a.clock.Now().Add(-time.Hour)))
		if err != nil || given >= most {
			return err
		}
		secret, _, err = a.newLink(ctx, tx, link{kind: resetLink, accountID: &accountID}, life)
		return err
	})
	return secret, err
}

// ForgetLink takes back a link that did not reach anybody.
func (a *Accounts) ForgetLink(ctx context.Context, secret string) error {
	return a.db.Tx(ctx, func(tx *db.Tx) error {
		_, err := tx.Exec(ctx, "DELETE FROM one_time_links WHERE hash = $1", hash(secret))
		return err
	})
}

// FindReset tells whose password a link resets.
func (a *Accounts) FindReset(ctx context.Context, secret string) (Account, error) {
	l, err := a.findLink(ctx, a.db, resetLink, secret)
	if err != nil {
		return Account{}, err
	}
	return a.Find(ctx, *l.accountID)
}

// ResetPassword sets the password of the account that the link belongs to, and signs it out everywhere. Its keys and
// tokens stay, since programs use them, unless endKeys says that somebody else may have made some.
func (a *Accounts) ResetPassword(ctx context.Context, tx *db.Tx, secret string, password PasswordHash, endKeys bool) error {
	l, err := a.useLink(ctx, tx, resetLink, secret)
	if err != nil {
		return err
	}
	email, err := db.One(ctx, tx, db.Value[string], "SELECT email FROM accounts WHERE id = $1", *l.accountID)
	if err != nil {
		return err
	}
	if endKeys {
		if err := a.EndAll(ctx, tx, *l.accountID); err != nil {
			return err
		}
	}
	return a.SetPassword(ctx, tx, Principal{AccountID: *l.accountID, Email: email}, password)
}
