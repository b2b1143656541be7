package account

import (
	"context"

	"github.com/trigpoint/trigpoint/internal/db"
)

// LookUp asks a live provider for an account: it takes one of the account's look-ups, and gives it back when
// ask tells that the question was not answered. Without any left it fails and does not ask. The store is
// not held meanwhile.
func (a *Accounts) LookUp(ctx context.Context, accountID string, ask func() (answered bool)) error {
	var taken Usage
	err := a.db.Tx(ctx, func(tx *db.Tx) (err error) {
		taken, err = a.Take(ctx, tx, accountID, Lookups, 1)
		return err
	})
	if err != nil || ask() {
		return err
	}
	ctx = context.WithoutCancel(ctx) // the time for asking may be over
	return a.db.Tx(ctx, func(tx *db.Tx) error {
		_, err := a.Give(ctx, tx, accountID, Lookups, taken.Month, 1)
		return err
	})
}
