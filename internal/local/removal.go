package local

import (
	"context"

	"github.com/trigpoint/trigpoint/internal/account"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/directory"
	"github.com/trigpoint/trigpoint/internal/event"
	"github.com/trigpoint/trigpoint/internal/job"
)

// remove deletes a location with all that belongs to it, tells the directories that were told of it, and
// lets a frozen location take its place.
func (s *Service) remove(ctx context.Context, tx *db.Tx, accountID, id string) error {
	if err := s.lockAccount(ctx, tx, accountID); err != nil {
		return err
	}
	location, err := lockLocation(ctx, tx, accountID, id)
	if err != nil {
		return err
	}
	listings, err := listingsOf(ctx, tx, id)
	if err != nil {
		return err
	}
	var orders []job.Order
	for _, l := range listings {
		pusher := s.pusher(l.directory)
		if pusher == nil {
			continue
		}
		if l.status != directory.Disconnected || s.directories.find(l.directory).Describe().Remembers { // it may have been told of the location
			l.version++
			order, err := s.order(pusher, directory.Deleted, l, directory.Item{AccountID: accountID, LocationID: id})
			if err != nil {
				return err
			}
			orders = append(orders, order)
		}
	}
	if err := s.jobs.EnqueueMany(ctx, tx, orders); err != nil {
		return err
	}
	bytes, err := deleteLocation(ctx, tx, id, s.clock.Now())
	if err != nil {
		return err
	}
	if _, err := s.accounts.Give(ctx, tx, accountID, account.ImageBytes, 0, bytes); err != nil {
		return err
	}
	tx.AfterCommit(s.collector.Wake)
	if err := s.freePlace(ctx, tx, accountID, location.Status); err != nil {
		return err
	}
	if err := s.tell(ctx, tx, event.LocationDeleted, location); err != nil {
		return err
	}
	return noteChanged(ctx, tx, id)
}

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
