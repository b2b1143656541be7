package account

import (
	"context"
	"time"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/errs"
)

// maxInvitations is how many of an account's may be open.
const maxInvitations = 100

// Invitation lets somebody make an account of their own.
type Invitation struct {
	ID        string     `json:"id"`
	Email     string     `json:"email"`
	CreatedAt time.Time  `json:"created_at"`
	ExpiresAt time.Time  `json:"expires_at"`
	UsedAt    *time.Time `json:"used_at,omitempty"`
}

// Invite makes an invitation and its secret. accountID is who invites, nil for whoever runs the service.
func (a *Accounts) Invite(ctx context.Context, tx *db.Tx, accountID *string, email string) (secret string, made Invitation, err error) {
	known, err := db.One(ctx, tx, db.Value[int], "SELECT count(*) FROM accounts WHERE email = $1", email)
	if err != nil {
		return "", made, err
	}
	if known > 0 {
		return "", made, errs.With(errs.Conflict, errs.AccountExists, "%s has an account already.", email)
	}
	if accountID != nil {
		if err := a.checkInvitations(ctx, tx, *accountID); err != nil {
			return "", made, err
		}
	}
	secret, l, err := a.newLink(ctx, tx, link{kind: inviteLink, accountID: accountID, email: email}, inviteLife)
	return secret, Invitation{ID: l.id, Email: l.email, CreatedAt: l.createdAt, ExpiresAt: l.expiresAt}, err
}

// InviteOneself makes an invitation for whoever reads the mail of an address, unless it has been given most of them in
// the last hour: "" then. It is asked for one address by one at a time.
func (a *Accounts) InviteOneself(ctx context.Context, email string, life time.Duration, most int) (secret string, err error) {
	err = a.db.Tx(ctx, func(tx *db.Tx) error {
		secret = ""
		given, err := db.One(ctx, tx, db.Value[int], "SELECT count(*) FROM one_time_links WHERE email = $1 AND kind = 'invite' AND account_id IS NULL AND created_at > $2",
			email, db.Micros(a.clock.Now().Add(-time.Hour)))
		if err != nil || given >= most {
			return err
		}
		secret, _, err = a.newLink(ctx, tx, link{kind: inviteLink, email: email}, life)
		return err
	})
	return secret, err
}

func (a *Accounts) checkInvitations(ctx context.Context, tx *db.Tx, accountID string) error {
	open, err := db.One(ctx, tx, db.Value[int], `SELECT count(*) FROM one_time_links
		WHERE account_id = $1 AND kind = $2 AND used_at IS NULL AND expires_at > $3`, accountID, string(inviteLink), db.Micros(a.clock.Now()))
	if err == nil && open >= maxInvitations {
		err = errs.With(errs.Conflict, errs.TooMany, "%d invitations are open, which is the most there may be; withdraw some.", open)
	}
	return err
}

// Invitations lists those of an account, the newest first, also those that were used or have ended in the last month.
func (a *Accounts) Invitations(ctx context.Context, accountID string) ([]Invitation, error) {
	return db.All(ctx, a.db, func(row db.Scanner) (i Invitation, err error) {
		var created, ends int64
		var used *int64
		err = row.Scan(&i.ID, &i.Email, &created, &ends, &used)
		i.CreatedAt, i.ExpiresAt, i.UsedAt = db.Time(created), db.Time(ends), db.TimeOrNil(used)
		return i, err
	}, `SELECT id, email, created_at, expires_at, used_at FROM one_time_links
		WHERE account_id = $1 AND kind = $2 ORDER BY created_at DESC, id DESC LIMIT 1000`, accountID, string(inviteLink))
}

// Withdraw ends an invitation of an account.
func (a *Accounts) Withdraw(ctx context.Context, tx *db.Tx, accountID, invitation string) error {
	n, err := tx.Exec(ctx, "DELETE FROM one_time_links WHERE id = $1 AND account_id = $2 AND kind = $3", canonicalID(invitation), accountID, string(inviteLink))
	if err == nil && n == 0 {
		err = errs.New(errs.NotFound, "There is no such invitation.")
	}
	return err
}

// CheckInvitation fails as joining with it would, before work that would be for nothing.
func (a *Accounts) CheckInvitation(ctx context.Context, secret, email string) error {
	l, err := a.findLink(ctx, a.db, inviteLink, secret)
	if err != nil {
		return err
	}
	return l.invites(email)
}

func (l link) invites(email string) error {
	if l.email != email {
		return errs.With(errs.Forbidden, errs.LinkInvalid, "This invitation is for another email address: use the one that was invited.")
	}
	return nil
}

// Join makes an account of a person's own. invitation is a secret, or "" where none is needed.
func (a *Accounts) Join(ctx context.Context, tx *db.Tx, invitation, email string, password PasswordHash) (Account, error) {
	if invitation != "" {
		l, err := a.useLink(ctx, tx, inviteLink, invitation)
		if err == nil {
			err = l.invites(email)
		}
		if err != nil {
			return Account{}, err
		}
	}
	return a.createWithPassword(ctx, tx, email, joinPlan, password)
}
