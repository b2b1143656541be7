package app

import (
	"context"

	"github.com/trigpoint/trigpoint/internal/backup"
	"github.com/trigpoint/trigpoint/internal/config"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/local"
)

// OpenInstallation opens store and objects for a backup. The schema stays as it is: an older program may be serving it.
func OpenInstallation(ctx context.Context, c *config.Config) (*backup.Installation, error) {
	in, err := openInstallation(ctx, c, true)
	if err != nil {
		return nil, err
	}
	if err := in.DB.Recognise(ctx); err != nil {
		_ = in.DB.Close()
		return nil, err
	}
	return in, nil
}

// NewInstallation opens store and objects for a restore, and makes an empty store where there is none.
func NewInstallation(ctx context.Context, c *config.Config) (*backup.Installation, error) {
	return openInstallation(ctx, c, false)
}

func openInstallation(ctx context.Context, c *config.Config, existing bool) (*backup.Installation, error) {
	blobs, err := Blobs(c)
	if err != nil {
		return nil, err
	}
	d, err := db.Open(ctx, db.Options{URL: c.DatabaseURL, Dir: c.Data, MaxConns: c.MaxConns, Existing: existing, Silence: -1})
	if err != nil {
		return nil, err
	}
	return &backup.Installation{DB: d, Blobs: blobs, EachObject: local.EachObject}, nil
}
