package local

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/directory"
	"github.com/trigpoint/trigpoint/internal/event"
	"github.com/trigpoint/trigpoint/internal/job"
)

// publishBatch is how many locations one transaction publishes.
const publishBatch = 100

// burst is how long changes of a location are waited for before it is looked at again: a look may cost money.
const burst = time.Minute

// publication collects what one transaction changes in listings, and what directories are to be told of it.
type publication struct {
	service  *Service
	images   map[string][]directory.Image // by location; only when a directory is told
	places   map[string]string            // on the map, by location, as directories have told them
	now      time.Time
	listings []listing
	events   []event.Event
	orders   []job.Order
}

// newPublication begins with the listings that the locations have.
func (s *Service) newPublication(ctx context.Context, tx *db.Tx, stored []listing, locationIDs ...string) (*publication, error) {
	batch := &publication{service: s, now: s.clock.Now(), places: toldPlaces(stored)}
	for _, c := range s.directories {
		if s.pusher(c.Describe().ID) != nil {
			var err error
			batch.images, err = s.imagesOf(ctx, tx, locationIDs...)
			return batch, err
		}
	}
	return batch, nil
}

func (b *publication) item(loc Location) directory.Item {
	return directory.Item{
		AccountID: loc.accountID, LocationID: loc.ID, PlaceID: cmp.Or(loc.PlaceID, b.places[loc.ID]), Profile: loc.Profile, Images: b.images[loc.ID],
	}
}

// settle sets what a listing shows for the location as it is now, and orders telling the directory or looking at it.
func (b *publication) settle(c directory.Connector, l listing, loc Location) error {
	item := b.item(loc)
	outcome, event := c.Remove(), directory.Withdrawn
	if l.wanted {
		outcome, event = c.Place(item), directory.Published
	}
	l.lookAt = 0
	if w, ok := c.(directory.Watcher); ok {
		subject := l.subject
		if l.subject = w.Subject(item); l.subject == subject && l.status != directory.Disconnected {
			return nil // what was found holds
		}
		switch {
		case outcome.Status != directory.Processing:
		case subject == "":
			l.lookAt = db.Micros(b.now)
		default:
			l.lookAt = db.Micros(b.now.Add(burst))
		}
	}
	before := l
	l.status, l.url, l.detail, l.version = outcome.Status, "", outcome.Detail, max(loc.version, l.version+1)
	if pusher := b.service.pusher(l.directory); pusher != nil && outcome.Status == directory.Processing {
		order, err := b.service.order(pusher, event, l, item)
		if err != nil {
			return err
		}
		b.orders = append(b.orders, order)
	}
	b.listings = append(b.listings, l)
	if e, is := b.service.directories.turned(&loc, before, l, outcome.Closed); is {
		b.events = append(b.events, e)
	}
	return nil
}

func (b *publication) save(ctx context.Context, tx *db.Tx) error {
	if err := saveListings(ctx, tx, b.now, b.listings); err != nil {
		return err
	}
	if slices.ContainsFunc(b.listings, func(l listing) bool { return l.lookAt > 0 }) {
		tx.AfterCommit(b.service.looker.Wake)
	}
	tx.AfterCommit(func() {
		for _, l := range b.listings {
			b.service.published.WithLabelValues(l.directory, string(l.status)).Inc()
		}
	})
	if err := event.Emit(ctx, tx, b.now, b.events...); err != nil {
		return err
	}
	return b.service.jobs.EnqueueMany(ctx, tx, b.orders)
}

// order makes the durable order to tell a directory. Its message is made here, once: every attempt to deliver
// it says the same.
func (s *Service) order(pusher directory.Pusher, event string, l listing, item directory.Item) (job.Order, error) {
	args := pushArgs{Directory: l.directory, ListingID: l.id, AccountID: item.AccountID, LocationID: item.LocationID, Version: l.version, Event: event}
	if event == directory.Deleted {
		args.ListingID = "" // it is gone by then
	}
	args.MessageID = fmt.Sprintf("%s-%s-%d", event, item.LocationID, l.version)
	body, err := pusher.Compose(directory.Event{Type: event, At: s.clock.Now(), Item: item})
	args.Body = string(body)
	return job.Order{Args: args, InsertOpts: pushInsert}, err
}
