package local

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/directory"
	"github.com/trigpoint/trigpoint/internal/errs"
	"github.com/trigpoint/trigpoint/internal/id"
	"github.com/trigpoint/trigpoint/internal/job"
)

// publishBatch bounds one transaction of the publisher.
const publishBatch = 100

// publish takes PROCESSING locations and settles their listings. The transaction is the claim: two
// publishers cannot take the same location, and one that dies leaves it PROCESSING.
func (s *Service) publish(ctx context.Context) (more bool, err error) {
	waiting, err := db.All(ctx, s.db, db.Value[string], "SELECT id FROM locations WHERE status = 'PROCESSING' AND NOT frozen LIMIT $1", publishBatch)
	if err != nil || len(waiting) == 0 {
		return false, err
	}
	err = s.db.Tx(ctx, func(tx *db.Tx) error {
		var p db.Params
		locations, err := db.All(ctx, tx, scanLocation, "SELECT "+locationColumns+" FROM locations WHERE id IN "+db.AddAll(&p, waiting)+
			" AND status = 'PROCESSING' AND NOT frozen ORDER BY id"+tx.ForUpdate(), p.Args...)
		if err != nil || len(locations) == 0 {
			return err
		}
		return s.publishAll(ctx, tx, locations)
	})
	return len(waiting) == publishBatch, err
}

func (s *Service) publishAll(ctx context.Context, tx *db.Tx, locations []Location) error {
	ids, owners := make([]string, len(locations)), make([]string, len(locations))
	for i, l := range locations {
		ids[i], owners[i] = l.ID, l.accountID
	}
	tokens, err := feedTokens(ctx, tx, owners)
	if err != nil {
		return err
	}
	stored, err := listingsOf(ctx, tx, ids...)
	if err != nil {
		return err
	}
	known := map[[2]string]listing{}
	for _, l := range stored {
		known[[2]string{l.locationID, l.directory}] = l
	}
	var settled []listing
	for _, loc := range locations {
		for _, c := range s.directories {
			d := c.Describe()
			if !d.Serves(loc.Country) {
				continue
			}
			l, exists := known[[2]string{loc.ID, d.ID}]
			if !exists {
				parent, followed := known[[2]string{loc.ID, d.Parent}]
				l = listing{id: id.New(), accountID: loc.accountID, locationID: loc.ID, directory: d.ID, wanted: !followed || parent.wanted}
			}
			if exists && !l.wanted {
				continue // disabled: a new version does not bring it back
			}
			if err := s.settle(ctx, tx, c, &l, loc, tokens[loc.accountID]); err != nil {
				return err
			}
			settled = append(settled, l)
		}
	}
	if err := saveListings(ctx, tx, s.clock.Now(), settled); err != nil {
		return err
	}
	var p db.Params
	_, err = tx.Exec(ctx, "UPDATE locations SET status = 'COMPLETED', errors = '[]' WHERE id IN "+db.AddAll(&p, ids), p.Args...)
	return err
}

// Reconcile fits what is stored to settings that have changed since the last start: it freezes or thaws
// locations, and publishes everything again to changed directories.
func (s *Service) Reconcile(ctx context.Context) error {
	if err := s.refreezeAll(ctx); err != nil {
		return err
	}
	return s.db.Tx(ctx, func(tx *db.Tx) error {
		for _, c := range s.directories {
			d := c.Describe()
			changed, err := tx.Exec(ctx, `INSERT INTO directories (id, fingerprint) VALUES ($1, $2)
				ON CONFLICT (id) DO UPDATE SET fingerprint = excluded.fingerprint WHERE directories.fingerprint <> excluded.fingerprint`, d.ID, d.Fingerprint)
			if err != nil {
				return err
			}
			if changed == 0 {
				continue
			}
			if _, err := tx.Exec(ctx, "UPDATE locations SET status = 'PROCESSING', version = version + 1 WHERE status = 'COMPLETED' AND NOT frozen"); err != nil {
				return err
			}
		}
		return nil
	})
}

// pushArgs is the durable order to tell a directory about a location.
type pushArgs struct {
	Directory  string `json:"directory"`
	ListingID  string `json:"listing_id,omitempty"`
	LocationID string `json:"location_id"`
	Version    int64  `json:"version"`
	Event      string `json:"event"`
}

// Kind implements job.Args.
func (pushArgs) Kind() string { return "directory_push" }

// With the queue's growing pauses these attempts span about an hour. The queue allows more, so that the
// attempt that gives up can itself be tried again.
const pushAttempts = 8

var pushInsert = &job.Insert{MaxAttempts: 3 * pushAttempts}

// push delivers the newest state of a listing to its directory. An order that a newer one has overtaken
// does nothing.
func (s *Service) push(ctx context.Context, j *job.Job[pushArgs]) error {
	args := j.Args
	pusher, ok := s.directories.find(args.Directory).(directory.Pusher)
	if !ok {
		return nil
	}
	event := directory.Event{ID: fmt.Sprintf("%s-%s-%d", args.Event, args.LocationID, args.Version), Type: args.Event, Item: directory.Item{LocationID: args.LocationID}}
	if args.ListingID != "" {
		loc, current, err := s.newest(ctx, args)
		if err != nil || !current {
			return err
		}
		if loc.Frozen {
			return job.Snooze(frozenPause) // not synced until the plan has room for it again
		}
		images, err := s.imagesOf(ctx, s.db, loc.ID)
		if err != nil {
			return err
		}
		event.Item = directory.Item{LocationID: loc.ID, Profile: loc.Profile, Images: images}
	}
	outcome, err := pusher.Push(ctx, event)
	var rejected *directory.Rejected
	switch {
	case err == nil:
		return s.record(ctx, args, outcome, nil)
	case errors.As(err, &rejected):
		return s.record(ctx, args, directory.Outcome{Status: directory.Unavailable, Detail: rejected.Error()}, rejected)
	case j.Attempt >= pushAttempts:
		s.log.Warn("gave up telling a directory", "directory", args.Directory, "location", args.LocationID, "error", err)
		return s.record(ctx, args, directory.Outcome{Status: directory.Unavailable, Detail: fmt.Sprintf("Given up after %d attempts: %s.", j.Attempt, reason(err))}, nil)
	}
	return err
}

// reason is the part of a failed push that the location's owner may read.
func reason(err error) string {
	var undelivered *directory.Undelivered
	if errors.As(err, &undelivered) {
		return undelivered.Reason
	}
	return "the directory could not be told"
}

// frozenPause is how long an order waits before it looks whether its location has thawed.
const frozenPause = time.Hour

// newest loads the location of an order, and tells whether the order is still the newest for its listing.
func (s *Service) newest(ctx context.Context, args pushArgs) (loc Location, current bool, err error) {
	loc, err = db.One(ctx, s.db, scanLocation, "SELECT "+locationColumnsOf("o")+` FROM locations o JOIN listings l ON l.location_id = o.id
		WHERE l.id = $1 AND l.version = $2`, args.ListingID, args.Version)
	if db.IsNoRow(err) {
		return loc, false, nil
	}
	return loc, err == nil, err
}

// record keeps the outcome of a push, unless a newer order has been given meanwhile. A location that a
// directory rejects has FAILED.
func (s *Service) record(ctx context.Context, args pushArgs, outcome directory.Outcome, rejected *directory.Rejected) error {
	if args.ListingID == "" {
		return nil
	}
	return s.db.Tx(ctx, func(tx *db.Tx) error {
		// The location is locked before its listing, as the publisher does.
		if _, err := db.One(ctx, tx, db.Value[string], "SELECT id FROM locations WHERE id = $1"+tx.ForUpdate(), args.LocationID); err != nil {
			if db.IsNoRow(err) {
				return nil
			}
			return err
		}
		n, err := tx.Exec(ctx, "UPDATE listings SET status = $3, url = $4, detail = $5, updated_at = $6 WHERE id = $1 AND version = $2",
			args.ListingID, args.Version, string(outcome.Status), outcome.URL, outcome.Detail, db.Micros(s.clock.Now()))
		if err != nil || n == 0 || rejected == nil || args.Event != directory.Published {
			return err
		}
		problems, err := encodeProblems([]errs.Detail{{Status: errs.DirectoryRejected, Message: s.directories.find(args.Directory).Describe().Name + ": " + rejected.Error() + "."}})
		if err != nil {
			return err
		}
		owner, err := db.One(ctx, tx, db.Value[string], "UPDATE locations SET status = 'FAILED', errors = $2 WHERE id = $1 AND status = 'COMPLETED' RETURNING account_id", args.LocationID, problems)
		if db.IsNoRow(err) {
			return nil // changed meanwhile
		}
		if err != nil {
			return err
		}
		return s.freePlace(ctx, tx, owner, Completed)
	})
}
