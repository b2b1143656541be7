package account

import (
	"context"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/errs"
)

// Forget removes some of an account's records in one area, and tells whether there may be more.
type Forget func(ctx context.Context, tx *db.Tx, accountID string) (more bool, err error)

// Delete ends an account: its credentials, sessions and links at once, then its records in short transactions, then the
// account itself with whatever requests that were under way have still added.
func (a *Accounts) Delete(ctx context.Context, accountID string, areas ...Forget) error {
	err := a.locked(ctx, accountID, func(tx *db.Tx) error {
		if _, err := tx.Exec(ctx, "UPDATE credentials SET revoked_at = $2 WHERE account_id = $1 AND revoked_at IS NULL", accountID, db.Micros(a.clock.Now())); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, "DELETE FROM one_time_links WHERE account_id = $1", accountID); err != nil {
			return err
		}
		_, err := a.EndOtherSessions(ctx, tx, Principal{AccountID: accountID})
		return err
	})
	if err != nil {
		return err
	}
	for _, forget := range areas {
		for more := true; more; {
			err := a.locked(ctx, accountID, func(tx *db.Tx) (err error) {
				more, err = forget(ctx, tx, accountID)
				return err
			})
			if err != nil {
				return err
			}
		}
	}
	return a.locked(ctx, accountID, func(tx *db.Tx) error {
		for _, forget := range areas {
			for more := true; more; {
				var err error
				if more, err = forget(ctx, tx, accountID); err != nil {
					return err
				}
			}
		}
		_, err := tx.Exec(ctx, "DELETE FROM accounts WHERE id = $1", accountID) // the rest goes with it
		return err
	})
}

// RotateFeed gives an account's feed another secret; the old URL ends at once. apply changes what shows
// it, in the same transaction.
func (a *Accounts) RotateFeed(ctx context.Context, accountID string, apply func(ctx context.Context, tx *db.Tx, accountID, token string) error) (token string, err error) {
	if token, err = newSecret(feedPrefix); err != nil {
		return "", err
	}
	err = a.locked(ctx, accountID, func(tx *db.Tx) error {
		if _, err := tx.Exec(ctx, "UPDATE accounts SET feed_token = $2 WHERE id = $1", accountID, token); err != nil {
			return err
		}
		return apply(ctx, tx, accountID, token)
	})
	return token, err
}

// locked runs fn in a transaction that has the account to itself.
func (a *Accounts) locked(ctx context.Context, accountID string, fn func(*db.Tx) error) error {
	return a.db.Tx(ctx, func(tx *db.Tx) error {
		_, err := db.One(ctx, tx, db.Value[string], "SELECT id FROM accounts WHERE id = $1"+tx.ForUpdate(), accountID)
		if db.IsNoRow(err) {
			return errs.New(errs.NotFound, "no account %q", accountID)
		}
		if err != nil {
			return err
		}
		return fn(tx)
	})
}
