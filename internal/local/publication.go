package local

import (
	"context"
	"fmt"
	"time"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/directory"
	"github.com/trigpoint/trigpoint/internal/job"
)

// publishBatch is how many locations one transaction publishes.
const publishBatch = 100

// publication collects what one transaction changes in listings, and what directories are to be told of it.
type publication struct {
	service  *Service
	images   map[string][]directory.Image // by location; only when a directory is told
	now      time.Time
	listings []listing
	orders   []job.Order
}

func (s *Service) newPublication(ctx context.Context, tx *db.Tx, locationIDs ...string) (*publication, error) {
	batch := &publication{service: s, now: s.clock.Now()}
	for _, c := range s.directories {
		if s.pusher(c.Describe().ID) != nil {
			var err error
			batch.images, err = s.imagesOf(ctx, tx, locationIDs...)
			return batch, err
		}
	}
	return batch, nil
}

// settle sets what a listing shows for the location as it is now, and orders telling the directory.
func (b *publication) settle(c directory.Connector, l listing, loc Location) error {
	item := directory.Item{LocationID: loc.ID, Profile: loc.Profile, Images: b.images[loc.ID]}
	outcome, event := c.Remove(), directory.Withdrawn
	if l.wanted {
		outcome, event = c.Place(item), directory.Published
	}
	l.status, l.url, l.detail, l.version = outcome.Status, "", outcome.Detail, max(loc.version, l.version+1)
	if pusher := b.service.pusher(l.directory); pusher != nil && outcome.Status == directory.Processing {
		order, err := b.service.order(pusher, event, l, item)
		if err != nil {
			return err
		}
		b.orders = append(b.orders, order)
	}
	b.listings = append(b.listings, l)
	return nil
}

func (b *publication) save(ctx context.Context, tx *db.Tx) error {
	if err := saveListings(ctx, tx, b.now, b.listings); err != nil {
		return err
	}
	return b.service.jobs.EnqueueMany(ctx, tx, b.orders)
}

// order makes the durable order to tell a directory. Its message is made here, once: every attempt to deliver
// it says the same.
func (s *Service) order(pusher directory.Pusher, event string, l listing, item directory.Item) (job.Order, error) {
	args := pushArgs{Directory: l.directory, ListingID: l.id, LocationID: item.LocationID, Version: l.version, Event: event}
	if event == directory.Deleted {
		args.ListingID = "" // it is gone by then
	}
	args.MessageID = fmt.Sprintf("%s-%s-%d", event, item.LocationID, l.version)
	body, err := pusher.Compose(directory.Event{Type: event, At: s.clock.Now(), Item: item})
	args.Body = string(body)
	return job.Order{Args: args, InsertOpts: pushInsert}, err
}
