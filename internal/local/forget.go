package local

import (
	"context"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/directory"
)

// forgetBatch is how many locations of a deleted account are removed at once.
const forgetBatch = 20

// Forget removes some of an account's locations as if each were deleted by its owner: directories are
// told, and images leave the object store. It tells whether there may be more.
func (s *Service) Forget(ctx context.Context, tx *db.Tx, accountID string) (more bool, err error) {
	// frozen ones first: the others' places must not thaw them
	ids, err := db.All(ctx, tx, db.Value[string], "SELECT id FROM locations WHERE account_id = $1 ORDER BY frozen DESC LIMIT $2", accountID, forgetBatch)
	if err != nil {
		return false, err
	}
	for _, id := range ids {
		if err := s.remove(ctx, tx, accountID, id); err != nil {
			return false, err
		}
	}
	return len(ids) == forgetBatch, nil
}

// FeedURL is where the feed with that token is pulled.
func (s *Service) FeedURL(token string) string {
	return s.directories.find("feed").Place(directory.Item{FeedToken: token}).URL
}

// MoveFeed shows the feed's new URL on the listings of an account; they wait to be pulled from there.
func (s *Service) MoveFeed(ctx context.Context, tx *db.Tx, accountID, token string) error {
	_, err := tx.Exec(ctx, "UPDATE listings SET url = $2, status = $3, updated_at = $4 WHERE directory = 'feed' AND account_id = $1 AND url <> ''",
		accountID, s.FeedURL(token), string(directory.Submitted), db.Micros(s.clock.Now()))
	return err
}
