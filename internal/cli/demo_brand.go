package cli

import (
	"context"
	"crypto/sha256"
	"fmt"

	"github.com/trigpoint/trigpoint/internal/account"
	"github.com/trigpoint/trigpoint/internal/app"
	"github.com/trigpoint/trigpoint/internal/cli/drawing"
	"github.com/trigpoint/trigpoint/internal/db"
)

// demoBrand gives the demo account the brand of an agency, once.
func demoBrand(ctx context.Context, a *app.App, accountID string) error {
	if known, err := a.Accounts.Brand(ctx, accountID); err != nil || known != nil {
		return err
	}
	mark, err := drawing.Mark()
	if err != nil {
		return err
	}
	return a.DB.Tx(ctx, func(tx *db.Tx) error {
		_, err := a.Accounts.SetBrand(ctx, tx, accountID, account.BrandChange{
			Name: "Theodolite Local", Colour: "#9c4a33", SetLogo: true,
			Logo: &account.Logo{Name: fmt.Sprintf("%x.png", sha256.Sum256(mark)), Data: mark},
		})
		return err
	})
}
