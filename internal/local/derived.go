package local

import (
	"context"

	"github.com/trigpoint/trigpoint/internal/db"
)

// derivedBatch is how many locations are read anew in one transaction.
const derivedBatch = 200

// deriveStored reads, of locations that were stored by an earlier version, what is kept beside the profile for finding
// them: where they are, and their words.
func (s *Service) deriveStored(ctx context.Context) (more bool, err error) {
	err = s.db.Tx(ctx, func(tx *db.Tx) error {
		waiting, err := db.All(ctx, tx, scanLocation, "SELECT "+locationColumns+" FROM locations WHERE search = '' ORDER BY id LIMIT $1"+tx.ForUpdate(), derivedBatch)
		if err != nil {
			return err
		}
		more = len(waiting) == derivedBatch
		for i := range waiting {
			l := &waiting[i]
			latitude, longitude := position(&l.Profile)
			if _, err := tx.Exec(ctx, "UPDATE locations SET latitude = $2, longitude = $3, search = $4, positioned = TRUE WHERE id = $1", l.ID, latitude, longitude, searchText(&l.Profile)); err != nil {
				return err
			}
		}
		return nil
	})
	return more, err
}
