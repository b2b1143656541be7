package local

import (
	"cmp"
	"context"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/directory"
	"github.com/trigpoint/trigpoint/internal/errs"
	"github.com/trigpoint/trigpoint/internal/event"
	"github.com/trigpoint/trigpoint/internal/id"
)

const (
	lookBatch   = 20
	lookWorkers = 4
	lookTime    = time.Minute // that one look may take
	lookPause   = time.Hour   // after a look that failed

	// lookLease is after which a look counts as its dead process's: the last of a batch waits for those before it.
	lookLease = lookBatch/lookWorkers*lookTime + time.Minute
)

// look looks at listings whose time has come. Each is claimed by moving its time to the end of a lease.
func (s *Service) look(ctx context.Context) (more bool, err error) {
	now := s.clock.Now()
	// The earliest stands at the end of an index; for EXISTS PostgreSQL would rather scan.
	waiting, err := db.One(ctx, s.db, db.Value[bool], "SELECT min(look_at) IS NOT NULL FROM listings WHERE look_at > 0 AND look_at <= $1", db.Micros(now))
	if err != nil || !waiting {
		return false, err
	}
	var lookers []string
	for _, c := range s.directories {
		if _, ok := c.(directory.Looker); ok {
			lookers = append(lookers, c.Describe().ID)
		}
	}
	var due []listing
	err = s.db.Tx(ctx, func(tx *db.Tx) (err error) {
		due, err = claimLooks(ctx, tx, lookers, now, now.Add(lookLease), lookBatch)
		return err
	})
	if err != nil {
		return false, err
	}
	crew, ctx := errgroup.WithContext(ctx)
	crew.SetLimit(lookWorkers)
	for _, l := range due {
		crew.Go(func() error { return s.lookAt(ctx, l) })
	}
	return len(due) == lookBatch, crew.Wait()
}

// lookAt looks at one listing. What cannot be seen is tried again later, and leaves the listing as it is.
func (s *Service) lookAt(ctx context.Context, l listing) error {
	c := s.directories.find(l.directory)
	item, err := s.itemOf(ctx, l.accountID, l.locationID)
	if err != nil {
		return ignoreGone(err)
	}
	bounded, cancel := context.WithTimeout(ctx, lookTime)
	defer cancel()
	outcome, err := c.(directory.Looker).Look(bounded, item)
	if ctx.Err() != nil {
		return nil // the lease ends by itself
	}
	if err != nil {
		s.log.Warn("a listing could not be looked at", "directory", l.directory, "location", l.locationID, "error", err)
		outcome = directory.Outcome{Status: l.status, URL: l.url, Detail: l.detail, LookAfter: lookPause}
		if l.status == directory.Processing { // nothing was ever seen of it
			outcome.Status, outcome.Detail = directory.Unavailable, sentence(reason(err))
		}
	}
	return ignoreGone(s.db.Tx(ctx, func(tx *db.Tx) error { return s.recordLook(ctx, tx, l, outcome) }))
}

// itemOf is a location as a Looker needs it.
func (s *Service) itemOf(ctx context.Context, accountID, locationID string) (directory.Item, error) {
	loc, err := db.One(ctx, s.db, scanLocation, ownLocation, locationID, accountID)
	if db.IsNoRow(err) {
		err = noLocation(locationID)
	}
	if err != nil {
		return directory.Item{}, err
	}
	stored, err := listingsOf(ctx, s.db, locationID)
	if err != nil {
		return directory.Item{}, err
	}
	batch := publication{places: toldPlaces(stored)}
	return batch.item(loc), nil
}

// lookUp looks a location up on the map because its owner asks for it.
func (s *Service) lookUp(ctx context.Context, accountID, locationID string) (l listing, outcome directory.Outcome, err error) {
	location, err := showLocation(ctx, s.db, accountID, locationID)
	if err == nil {
		err = checkFrozen(location)
	}
	if err != nil {
		return l, outcome, err
	}
	item, err := s.itemOf(ctx, accountID, locationID)
	if err != nil {
		return l, outcome, err
	}
	if item.PlaceID == "" {
		return l, outcome, errs.With(errs.Conflict, errs.NotSpecified, "The location has no place_id, by which the map would know it; update the location with one.")
	}
	if l, err = listingIn(ctx, s.db, locationID, s.mapListing.Describe().ID); db.IsNoRow(err) {
		err = errs.New(errs.Conflict, "The location is still being published; try again in a moment.")
	}
	if err != nil {
		return l, outcome, err
	}
	var failure error
	ask := func() (answered bool) {
		outcome, failure = s.mapListing.Look(ctx, item)
		return failure == nil
	}
	if !s.mapListing.Metered() {
		ask()
	} else if err := s.accounts.LookUp(ctx, accountID, ask); err != nil {
		return l, outcome, err
	}
	if failure != nil {
		s.log.Warn("a location could not be looked up", "location", locationID, "error", failure)
		return l, outcome, errs.New(errs.Dependency, "The location could not be looked up. %s", sentence(reason(failure))).Because(failure)
	}
	return l, outcome, nil
}

// recordLook keeps what a look has found, unless the location has been published anew meanwhile. An outcome that
// is PROCESSING makes the directory be told again.
func (s *Service) recordLook(ctx context.Context, tx *db.Tx, l listing, outcome directory.Outcome) error {
	location, err := lockLocation(ctx, tx, l.accountID, l.locationID)
	if err != nil {
		return err
	}
	if outcome.Status == directory.Processing && s.pusher(l.directory) != nil {
		return s.pushAgain(ctx, tx, location, l)
	}
	kept, err := s.keepOutcome(ctx, tx, &location, l.id, l.version, outcome)
	if err != nil || !kept || outcome.PlaceID == "" {
		return err
	}
	return s.watchPlace(ctx, tx, location)
}

// pushAgain orders telling a directory of a location that has not changed.
func (s *Service) pushAgain(ctx context.Context, tx *db.Tx, location Location, l listing) error {
	stored, err := listingsOf(ctx, tx, location.ID)
	if err != nil {
		return err
	}
	batch, err := s.newPublication(ctx, tx, stored, location.ID)
	if err != nil {
		return err
	}
	for _, current := range stored {
		if current.id != l.id || current.version != l.version {
			continue
		}
		if err := batch.settle(s.directories.find(l.directory), current, location); err != nil {
			return err
		}
	}
	return batch.save(ctx, tx)
}

// keepOutcome stores what a listing of this version shows, and tells whether there is one. The location is locked.
func (s *Service) keepOutcome(ctx context.Context, tx *db.Tx, loc *Location, listingID string, version int64, o directory.Outcome) (kept bool, err error) {
	before, err := db.One(ctx, tx, scanListing, "SELECT "+listingColumns+" FROM listings WHERE id = $1 AND version = $2", listingID, version)
	if db.IsNoRow(err) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	now, lookAt := s.clock.Now(), int64(0)
	if o.LookAfter > 0 {
		lookAt = db.Micros(now.Add(o.LookAfter))
	}
	_, err = tx.Exec(ctx, `UPDATE listings SET status = $3, url = $4, detail = $5, look_at = $6, updated_at = $7,
		place_id = CASE WHEN $8 <> '' THEN $8 ELSE place_id END WHERE id = $1 AND version = $2`,
		listingID, version, string(o.Status), o.URL, o.Detail, lookAt, db.Micros(now), o.PlaceID)
	if err != nil {
		return false, err
	}
	after := before
	after.status, after.url, after.detail = o.Status, o.URL, o.Detail
	if e, is := s.directories.turned(loc, before, after, o.Closed); is {
		err = event.Emit(ctx, tx, now, e)
	}
	return true, err
}

// watchPlace begins to watch the map for a location whose place a directory has told. The location is locked.
func (s *Service) watchPlace(ctx context.Context, tx *db.Tx, location Location) error {
	stored, err := listingsOf(ctx, tx, location.ID)
	if err != nil {
		return err
	}
	onMap := listing{id: id.New(), accountID: location.accountID, locationID: location.ID, directory: s.mapListing.Describe().ID, wanted: true}
	for _, l := range stored {
		if l.directory == onMap.directory {
			onMap = l
		}
	}
	batch := &publication{service: s, now: s.clock.Now(), places: toldPlaces(stored)}
	if err := batch.settle(s.mapListing, onMap, location); err != nil {
		return err
	}
	return batch.save(ctx, tx)
}

// toldPlaces are the places on the map that directories have told, by location.
func toldPlaces(stored []listing) map[string]string {
	places := map[string]string{}
	for _, l := range stored {
		places[l.locationID] = cmp.Or(places[l.locationID], l.placeID)
	}
	return places
}

// Reconnected has the listings of an account looked at that a directory could not show before the account was connected
// with it.
func (s *Service) Reconnected(ctx context.Context, tx *db.Tx, accountID, directoryID string) error {
	tx.AfterCommit(s.looker.Wake)
	_, err := tx.Exec(ctx, "UPDATE listings SET look_at = $3 WHERE directory = $1 AND account_id = $2 AND wanted AND status = 'UNAVAILABLE'",
		directoryID, accountID, db.Micros(s.clock.Now()))
	return err
}
