package local

import (
	"context"
	"log/slog"
	"time"

	"github.com/trigpoint/trigpoint/internal/account"
	"github.com/trigpoint/trigpoint/internal/blob"
	"github.com/trigpoint/trigpoint/internal/clock"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/directory"
	"github.com/trigpoint/trigpoint/internal/errs"
	"github.com/trigpoint/trigpoint/internal/id"
	"github.com/trigpoint/trigpoint/internal/job"
)

// Service is area A on a store.
type Service struct {
	db          *db.DB
	accounts    *account.Accounts
	blobs       blob.Store
	clock       clock.Clock
	log         *slog.Logger
	publicURL   string
	directories Directories
	page        *directory.HostedPage
	jobs        *job.Runner
	publisher   *job.Sweep
}

// Options are what a Service needs.
type Options struct {
	DB        *db.DB
	Accounts  *account.Accounts
	Blobs     blob.Store
	Clock     clock.Clock
	Log       *slog.Logger
	PublicURL string
	Webhook   *directory.Webhook
	Jobs      *job.Runner
}

// New returns the area and registers its background work.
func New(o Options) *Service {
	page := &directory.HostedPage{PublicURL: o.PublicURL, Category: categoryName}
	s := &Service{
		db: o.DB, accounts: o.Accounts, blobs: o.Blobs, clock: o.Clock, log: o.Log, publicURL: o.PublicURL, jobs: o.Jobs, page: page,
		directories: Directories{page, &directory.Sitemap{PublicURL: o.PublicURL}, &directory.Feed{PublicURL: o.PublicURL}, o.Webhook},
	}
	s.publisher = o.Jobs.Sweep(&job.Sweep{Name: "publish locations", Every: 2 * time.Second, Run: s.publish})
	o.Jobs.Sweep(&job.Sweep{Name: "delete unused images", Every: 10 * time.Minute, Run: s.collectObjects})
	job.Handle(o.Jobs, s.push)
	return s
}

// Create stores a new location for an account, as the API does.
func (s *Service) Create(ctx context.Context, who account.Principal, p directory.Profile) (l Location, err error) {
	if err := errs.Problems(check(&p, map[string]bool{"reopen_date": true}, s.clock.Now())); err != nil {
		return l, err
	}
	err = s.db.Tx(ctx, func(tx *db.Tx) (err error) {
		l, err = s.create(ctx, tx, who, p)
		return err
	})
	return l, err
}

// create stores a new location and asks for its publication.
func (s *Service) create(ctx context.Context, tx *db.Tx, who account.Principal, p directory.Profile) (Location, error) {
	if err := s.takePlace(ctx, tx, who.AccountID); err != nil {
		return Location{}, err
	}
	l := Location{
		ID: id.New(), Status: Processing, SubmitDate: &Time{s.clock.Now()}, Errors: []errs.Detail{},
		Profile: p, accountID: who.AccountID, version: 1,
	}
	tx.AfterCommit(s.publisher.Wake)
	return l, insertLocation(ctx, tx, &l)
}

// editable returns a location for changing, unless it is frozen.
func editable(ctx context.Context, tx *db.Tx, accountID, id string) (Location, error) {
	l, err := lockLocation(ctx, tx, accountID, id)
	if err != nil {
		return l, err
	}
	return l, checkFrozen(l)
}

func checkFrozen(l Location) error {
	if l.Frozen {
		return errs.With(errs.Conflict, errs.LocationFrozen, "The location is frozen because the plan has no room for it; it can be read and deleted only.")
	}
	return nil
}

// update changes the fields that the mask names.
func (s *Service) update(ctx context.Context, tx *db.Tx, accountID, id string, in *Input, mask []string) (Location, error) {
	l, err := editable(ctx, tx, accountID, id)
	if err != nil {
		return l, err
	}
	if l.Status == Failed { // it gave its place back
		if err := s.takePlace(ctx, tx, accountID); err != nil {
			return l, err
		}
	}
	if err := errs.Problems(assign(in, &l.Profile, mask, s.clock.Now())); err != nil {
		return l, err
	}
	tx.AfterCommit(s.publisher.Wake)
	return l, updateLocation(ctx, tx, &l)
}

// remove deletes a location with all that belongs to it, tells the directories that were told of it, and
// lets a frozen location take its place.
func (s *Service) remove(ctx context.Context, tx *db.Tx, accountID, id string) error {
	location, err := lockLocation(ctx, tx, accountID, id)
	if err != nil {
		return err
	}
	listings, err := listingsOf(ctx, tx, id)
	if err != nil {
		return err
	}
	for _, l := range listings {
		if s.pushes(l.directory) && l.status != directory.Disconnected { // it may have been told of the location
			if err := s.jobs.Enqueue(ctx, tx, pushArgs{Directory: l.directory, LocationID: id, Event: directory.Deleted}, pushInsert); err != nil {
				return err
			}
		}
	}
	if err := deleteLocation(ctx, tx, id); err != nil {
		return err
	}
	tx.AfterCommit(func() { s.collectNow(ctx) })
	return s.freePlace(ctx, tx, accountID, location.Status)
}

// pushes tells whether a directory is one that must be told, and can be.
func (s *Service) pushes(id string) bool {
	c := s.directories.find(id)
	_, pusher := c.(directory.Pusher)
	return pusher && c.Place(directory.Item{}).Status == directory.Processing
}

// touch publishes a location again after a change that is not in its profile.
func (s *Service) touch(ctx context.Context, tx *db.Tx, l *Location) error {
	if l.Status == Failed || l.Frozen {
		return nil
	}
	for _, c := range s.directories {
		if s.pushes(c.Describe().ID) {
			tx.AfterCommit(s.publisher.Wake)
			return updateLocation(ctx, tx, l)
		}
	}
	return nil // the others read the store when they are asked
}

// setWanted enables or disables a listing.
func (s *Service) setWanted(ctx context.Context, tx *db.Tx, accountID, id string, enable bool) error {
	l, err := getListing(ctx, tx, accountID, id)
	if err != nil {
		return err
	}
	connector := s.directories.find(l.directory)
	if connector == nil {
		return errs.New(errs.NotFound, "There is no listing %.64q.", id)
	}
	// The location is locked before its listings, as the publisher does; then it is looked at again.
	location, err := editable(ctx, tx, accountID, l.locationID)
	if err != nil {
		return err
	}
	if l, err = getListing(ctx, tx, accountID, id); err != nil {
		return err
	}
	if err := checkSwitch(connector.Describe(), l.status, enable); err != nil {
		return err
	}
	stored, err := listingsOf(ctx, tx, location.ID)
	if err != nil {
		return err
	}
	tokens, err := feedTokens(ctx, tx, []string{accountID})
	if err != nil {
		return err
	}
	var changed []listing
	for _, other := range stored { // the listing and those that follow it
		c := s.directories.find(other.directory)
		if c == nil || (other.id != id && c.Describe().Parent != l.directory) {
			continue
		}
		other.wanted = enable
		if err := s.settle(ctx, tx, c, &other, location, tokens[accountID]); err != nil {
			return err
		}
		changed = append(changed, other)
	}
	return saveListings(ctx, tx, s.clock.Now(), changed)
}

// settle sets what a listing shows for the location as it is now, and enqueues telling the directory.
func (s *Service) settle(ctx context.Context, tx *db.Tx, c directory.Connector, l *listing, loc Location, feedToken string) error {
	outcome, event := c.Remove(), directory.Withdrawn
	if l.wanted {
		outcome, event = c.Place(directory.Item{LocationID: loc.ID, FeedToken: feedToken, Profile: loc.Profile}), directory.Published
	}
	l.status, l.url, l.detail, l.version = outcome.Status, outcome.URL, outcome.Detail, max(loc.version, l.version+1)
	if outcome.Status != directory.Processing {
		return nil
	}
	return s.jobs.Enqueue(ctx, tx, pushArgs{Directory: l.directory, ListingID: l.id, LocationID: loc.ID, Version: l.version, Event: event}, pushInsert)
}
