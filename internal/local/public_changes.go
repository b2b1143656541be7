package local

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/directory"
)

// noteChanged numbers a change to what is public of locations. It locks the one row that counts, so it is
// the last thing that a transaction does.
func noteChanged(ctx context.Context, tx *db.Tx, ids ...string) error {
	if len(ids) == 0 {
		return nil
	}
	revision, err := db.One(ctx, tx, db.Value[int64], "UPDATE location_revision SET revision = revision + 1 WHERE id = 1 RETURNING revision")
	if err != nil {
		return err
	}
	rows := make([][]any, len(ids))
	for i, id := range ids {
		rows[i] = []any{id, revision}
	}
	return db.Insert(ctx, tx, "location_changes", "location_id, revision", rows, "ON CONFLICT (location_id) DO UPDATE SET revision = excluded.revision")
}

// Changes calls each for every location whose public profile has changed after a revision, with nil when it
// has none any more, and returns the revision that the caller then knows. A location is public while its
// hosted page is, unless it is frozen or FAILED. whole says that each was called for all that there are: what
// was known and not told again has gone.
func (s *Service) Changes(ctx context.Context, after int64, each func(locationID string, p *directory.Profile) error) (revision int64, whole bool, err error) {
	var keptFrom int64
	revision, err = db.One(ctx, s.db, func(row db.Scanner) (revision int64, err error) {
		err = row.Scan(&revision, &keptFrom)
		return revision, err
	}, "SELECT revision, kept_from FROM location_revision WHERE id = 1")
	if err != nil || revision == after {
		return revision, false, err
	}
	if whole = after < keptFrom; whole {
		after = 0
	}
	err = db.Each(ctx, s.db, func(row db.Scanner) error {
		var id string
		var profile []byte
		if err := row.Scan(&id, &profile); err != nil {
			return err
		}
		if profile == nil {
			return each(id, nil)
		}
		var p directory.Profile
		if err := json.Unmarshal(profile, &p); err != nil {
			return fmt.Errorf("profile of location %s: %w", id, err)
		}
		return each(id, &p)
	}, `SELECT c.location_id, (SELECT o.profile FROM locations o JOIN listings l ON l.location_id = o.id
			WHERE o.id = c.location_id AND o.status <> 'FAILED' AND NOT o.frozen AND`+connected+`)
		FROM location_changes c WHERE c.revision > $1`, after)
	return revision, whole, err
}

// keptChanges is how many changes are kept for readers that come late; one that comes later reads all.
const keptChanges = 100_000

// forgetDeleted drops what is kept of locations that were deleted long ago.
func (s *Service) forgetDeleted(ctx context.Context) (more bool, err error) {
	return false, s.db.Tx(ctx, func(tx *db.Tx) error {
		moved, err := tx.Exec(ctx, "UPDATE location_revision SET kept_from = revision - $1 WHERE id = 1 AND kept_from < revision - 2 * $1", keptChanges)
		if err != nil || moved == 0 {
			return err
		}
		_, err = tx.Exec(ctx, `DELETE FROM location_changes WHERE revision <= (SELECT kept_from FROM location_revision WHERE id = 1)
			AND NOT EXISTS (SELECT 1 FROM locations o WHERE o.id = location_changes.location_id)`)
		return err
	})
}
