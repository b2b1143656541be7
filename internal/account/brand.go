package account

import (
	"context"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/event"
)

// Brand is how an account shows itself to those whom it shows its records to.
type Brand struct {
	Name    string `json:"name" doc:"Of the business or agency."`
	Colour  string `json:"colour" doc:"As #rrggbb."`
	LogoURL string `json:"logo_url" doc:"Where its logo is served; empty without one."`
}

// BrandPath is where logos are served, followed by the logo's name.
const BrandPath = "/brand/"

// Brand returns the brand of an account; nil when it has none.
func (a *Accounts) Brand(ctx context.Context, accountID string) (*Brand, error) {
	b, err := db.One(ctx, a.db, scanBrand, "SELECT name, colour, logo_name FROM brands WHERE account_id = $1", accountID)
	if db.IsNoRow(err) {
		return nil, nil //nolint:nilnil // an account without a brand is no failure
	}
	return &b, err
}

// BrandWithLogo is Brand with the bytes of its logo; these are nil where it has none.
func (a *Accounts) BrandWithLogo(ctx context.Context, accountID string) (brand *Brand, logo []byte, err error) {
	b, err := db.One(ctx, a.db, func(row db.Scanner) (b Brand, err error) {
		err = row.Scan(&b.Name, &b.Colour, &logo)
		return b, err
	}, "SELECT name, colour, logo FROM brands WHERE account_id = $1", accountID)
	if db.IsNoRow(err) {
		return nil, nil, nil
	}
	return &b, logo, err
}

func scanBrand(row db.Scanner) (Brand, error) {
	var b Brand
	var logo *string
	err := row.Scan(&b.Name, &b.Colour, &logo)
	if logo != nil {
		b.LogoURL = BrandPath + *logo
	}
	return b, err
}

// RemoveBrand takes the brand of an account away.
func (a *Accounts) RemoveBrand(ctx context.Context, tx *db.Tx, accountID string) error {
	n, err := tx.Exec(ctx, "DELETE FROM brands WHERE account_id = $1", accountID)
	if err != nil || n == 0 {
		return err
	}
	return a.tellBrand(ctx, tx, accountID)
}

// Logo is the picture of a brand. Its name is its content's hash with the extension of its type.
type Logo struct {
	Name string
	Data []byte
}

// BrandChange is what a brand is to be. The logo stays as it is unless it is set; nil is none.
type BrandChange struct {
	Name, Colour string
	SetLogo      bool
	Logo         *Logo
}

// SetBrand stores the brand of an account.
func (a *Accounts) SetBrand(ctx context.Context, tx *db.Tx, accountID string, b BrandChange) (Brand, error) {
	update := ""
	var name *string
	var data []byte
	if b.SetLogo {
		update = ", logo_name = excluded.logo_name, logo = excluded.logo"
	}
	if b.Logo != nil {
		name, data = &b.Logo.Name, b.Logo.Data
	}
	before, err := db.One(ctx, tx, scanBrand, "SELECT name, colour, logo_name FROM brands WHERE account_id = $1"+tx.ForUpdate(), accountID)
	isNew := db.IsNoRow(err)
	if err != nil && !isNew {
		return before, err
	}
	brand, err := db.One(ctx, tx, scanBrand, `INSERT INTO brands (account_id, name, colour, logo_name, logo) VALUES ($1, $2, $3, $4, $5)
		ON CONFLICT (account_id) DO UPDATE SET name = excluded.name, colour = excluded.colour`+update+" RETURNING name, colour, logo_name",
		accountID, b.Name, b.Colour, name, data)
	if err != nil || brand == before && !isNew {
		return brand, err
	}
	return brand, a.tellBrand(ctx, tx, accountID)
}

func (a *Accounts) tellBrand(ctx context.Context, tx *db.Tx, accountID string) error {
	return a.tellChanged(ctx, tx, accountID, event.Account{Changed: []string{"brand"}})
}

// Logo finds the bytes of a logo by its name, whoever has it; db.ErrNoRow when nobody does.
func (a *Accounts) Logo(ctx context.Context, name string) ([]byte, error) {
	return db.One(ctx, a.db, db.Value[[]byte], "SELECT logo FROM brands WHERE logo_name = $1 LIMIT 1", name)
}
