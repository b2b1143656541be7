package job

import (
	"context"
	"database/sql"
	"fmt"
	"log/slog"

	"github.com/riverqueue/river/riverdriver"
	"github.com/riverqueue/river/riverdriver/riverdatabasesql"
	"github.com/riverqueue/river/riverdriver/riversqlite"
	"github.com/riverqueue/river/rivermigrate"

	"github.com/trigpoint/trigpoint/internal/db"
)

// Migrate brings the store's schema up to date, the queue's tables included.
func Migrate(ctx context.Context, d *db.DB) error { return d.Migrate(ctx, Tables(d)) }

// Tables returns what brings the queue's own tables up to date.
func Tables(d *db.DB) func(context.Context) error {
	return func(ctx context.Context) error {
		queue, err := rivermigrate.New(driver(d), &rivermigrate.Config{Logger: slog.New(slog.DiscardHandler)})
		if err != nil {
			return err
		}
		if _, err := queue.Migrate(ctx, rivermigrate.DirectionUp, nil); err != nil {
			return fmt.Errorf("migrate the job queue: %w", err)
		}
		return nil
	}
}

// driver is the queue's view of the store.
func driver(d *db.DB) riverdriver.Driver[*sql.Tx] {
	if d.Dialect == db.SQLite {
		return riversqlite.New(d.Writer())
	}
	return riverdatabasesql.New(d.Writer())
}
