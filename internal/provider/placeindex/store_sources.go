package placeindex

import (
	"context"
	"fmt"
	"time"

	"github.com/trigpoint/trigpoint/internal/db"
)

// Held is what the store has of a source.
type Held struct {
	Source  string
	Places  int64
	Bad     int64 // records of the file that were no place
	At      time.Time
	Running bool // not at its end yet, or stopped before: nothing of it is seen
}

// Sources lists what the store has, by source.
func (l *Library) Sources(ctx context.Context) ([]Held, error) {
	return db.All(ctx, l.db, func(row db.Scanner) (h Held, err error) {
		var at int64
		err = row.Scan(&h.Source, &h.Places, &h.Bad, &at, &h.Running)
		h.At = db.Time(at)
		return h, err
	}, `SELECT source, imported, bad, updated_at, state = 'RUNNING' FROM place_imports
		WHERE state <> 'GONE' ORDER BY source, id`)
}

// Remove takes away all that the store has of a source, and tells how many places that was. It is seen at once;
// the rows go in short transactions.
func (l *Library) Remove(ctx context.Context, source string) (places int64, err error) {
	err = l.db.Tx(ctx, func(tx *db.Tx) error {
		places, err = db.One(ctx, tx, db.Value[int64], `SELECT CAST(coalesce(sum(imported), 0) AS BIGINT) FROM place_imports
			WHERE source = $1 AND state = 'CURRENT'`, source)
		if err != nil {
			return err
		}
		if err := replaceCurrent(ctx, tx, source); err != nil {
			return err
		}
		held, err := tx.Exec(ctx, "UPDATE place_imports SET state = 'GONE' WHERE source = $1", source)
		if err == nil && held == 0 {
			err = ErrNoSource
		}
		return err
	})
	if err != nil {
		return 0, err
	}
	return places, removeGone(ctx, l.db)
}

// removeGone removes the rows of imports that are seen no longer, also of those that a former run has left.
func removeGone(ctx context.Context, d *db.DB) error {
	gone, err := db.All(ctx, d, db.Value[int64], "SELECT id FROM place_imports WHERE state = 'GONE' ORDER BY id")
	for i := 0; err == nil && i < len(gone); i++ {
		for more := true; more && err == nil; {
			more, err = removeSome(ctx, d, gone[i])
		}
	}
	if err != nil {
		return fmt.Errorf("remove the places that were replaced: %w", err)
	}
	return nil
}

// removeSome removes a batch of an import's rows, and when none is left the import.
func removeSome(ctx context.Context, d *db.DB, importID int64) (more bool, err error) {
	err = d.Tx(ctx, func(tx *db.Tx) error {
		more = false
		_, err := db.One(ctx, tx, db.Value[int64], "SELECT id FROM place_imports WHERE id = $1"+tx.ForUpdate(), importID)
		if db.IsNoRow(err) { // another process has done it
			return nil
		}
		if err != nil {
			return err
		}
		removed, err := tx.Exec(ctx, `DELETE FROM places WHERE import_id = $1 AND id IN
			(SELECT id FROM places WHERE import_id = $1 ORDER BY id LIMIT $2)`, importID, importBatch)
		if err != nil {
			return err
		}
		if more = removed > 0; !more {
			_, err = tx.Exec(ctx, "DELETE FROM place_imports WHERE id = $1", importID)
		}
		return err
	})
	return more, err
}
