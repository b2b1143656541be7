package local

import (
	"context"
	"log/slog"
	"slices"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/trigpoint/trigpoint/internal/account"
	"github.com/trigpoint/trigpoint/internal/blob"
	"github.com/trigpoint/trigpoint/internal/clock"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/directory"
	"github.com/trigpoint/trigpoint/internal/directory/businessprofile"
	"github.com/trigpoint/trigpoint/internal/directory/maplisting"
	"github.com/trigpoint/trigpoint/internal/errs"
	"github.com/trigpoint/trigpoint/internal/event"
	"github.com/trigpoint/trigpoint/internal/id"
	"github.com/trigpoint/trigpoint/internal/job"
)

// Service is area A on a store.
type Service struct {
	db          *db.DB
	accounts    *account.Accounts
	blobs       blob.Store
	objectTime  time.Duration // bounds a call to blobs
	clock       clock.Clock
	log         *slog.Logger
	publicURL   string
	directories Directories
	page        *directory.HostedPage
	scaled      scaled
	mapListing  *maplisting.Listing
	settings    settings
	waits       bool // for other settings to end; only hold looks at it
	pulls       pulls
	jobs        *job.Runner
	publisher   *job.Sweep
	looker      *job.Sweep
	collector   *job.Sweep
	published   *prometheus.CounterVec
}

// Options are what a Service needs.
type Options struct {
	DB        *db.DB
	Accounts  *account.Accounts
	Plans     account.Plans
	Blobs     blob.Store
	Clock     clock.Clock
	Log       *slog.Logger
	PublicURL string
	Webhook   *directory.Webhook
	Map       *maplisting.Listing
	Profile   *businessprofile.Connector // nil where Google Business Profile is not configured
	Jobs      *job.Runner
	Passive   bool // does no background work of the area
}

// New returns the area and registers its background work.
func New(o Options) *Service {
	page := &directory.HostedPage{PublicURL: o.PublicURL}
	s := &Service{
		db: o.DB, accounts: o.Accounts, blobs: o.Blobs, objectTime: objectTime, clock: o.Clock, log: o.Log, publicURL: o.PublicURL, jobs: o.Jobs, page: page,
		directories: Directories{page, &directory.Sitemap{PublicURL: o.PublicURL}, &directory.Feed{PublicURL: o.PublicURL}, o.Webhook, o.Map},
		mapListing:  o.Map, scaled: newScaled(),
		published: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "trigpoint_publications_total", Help: "Listings that were published or that a directory has told of, by directory and the status that they have now.",
		}, []string{"directory", "status"}),
	}
	if o.Profile != nil {
		s.directories = append(s.directories, o.Profile)
	}
	s.settings = s.settingsOf(o.Plans)
	s.publisher = &job.Sweep{Name: "publish locations", Every: 2 * time.Second, Gather: 25 * time.Millisecond, Run: s.publish}
	s.looker = &job.Sweep{Name: "look at listings", Every: 2 * time.Second, Run: s.look, Due: "SELECT min(look_at) FROM listings WHERE look_at > 0"}
	s.collector = &job.Sweep{Name: "delete unused images", Every: 30 * time.Second, Run: s.collectObjects}
	if o.Passive {
		return s
	}
	o.Jobs.Sweep(&job.Sweep{Name: "hold the settings of publishing", Every: renewEvery, Run: s.hold, Reclaim: releaseHold, Renews: true})
	o.Jobs.Sweep(s.publisher)
	s.looker.Reclaim = businessprofile.ReleaseAll
	o.Jobs.Sweep(s.looker)
	o.Jobs.Sweep(s.collector)
	o.Jobs.Sweep(&job.Sweep{Name: "find out where stored locations are and by which words they are found", Every: time.Hour, Run: s.deriveStored})
	o.Jobs.Sweep(&job.Sweep{Name: "forget deleted locations", Every: time.Hour, Run: s.forgetDeleted})
	if folder, ok := o.Blobs.(blob.Sweeper); ok {
		o.Jobs.Sweep(&job.Sweep{Name: "remove what broken uploads left", Every: time.Hour, Run: func(ctx context.Context) (bool, error) {
			return false, folder.Sweep(ctx, s.clock.Now().Add(-abandoned))
		}})
	}
	o.Jobs.Queue(pushQueue, 16)
	job.Handle(o.Jobs, s.push)
	return s
}

// Metrics are the publications of this process.
func (s *Service) Metrics() []prometheus.Collector {
	waiting := prometheus.NewDesc("trigpoint_locations_waiting", "Locations that are to be published.", nil, nil)
	return []prometheus.Collector{s.published, db.Figure(waiting, func(ctx context.Context, tell db.Tell) error {
		n, err := db.One(ctx, s.db, db.Value[int64], "SELECT count(*) FROM locations WHERE status = 'PROCESSING' AND NOT frozen")
		tell(float64(n))
		return err
	})}
}

// now is the time to the millisecond, which is what the API shows.
func (s *Service) now() *Time { return &Time{s.clock.Now().Truncate(time.Millisecond)} }

// Create stores a new location for an account, as the API does.
func (s *Service) Create(ctx context.Context, who account.Principal, p directory.Profile) (l Location, err error) {
	if err := check(&p, map[string]bool{"reopen_date": true}, HourTypes, s.clock.Now()).Err(); err != nil {
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
	if _, err := s.accounts.Take(ctx, tx, who.AccountID, account.Locations, 1); err != nil {
		return Location{}, err
	}
	l := Location{
		ID: id.New(), Status: Processing, SubmitDate: s.now(), Errors: []errs.Detail{},
		Profile: p, accountID: who.AccountID, version: 1,
	}
	tx.AfterCommit(s.publisher.Wake)
	if err := insertLocation(ctx, tx, &l); err != nil {
		return l, err
	}
	return l, s.tell(ctx, tx, event.LocationCreated, l)
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
	// A FAILED location gave its place back and needs one again. The account is locked before the location,
	// so whether it is FAILED must be known before it is locked.
	before, err := showLocation(ctx, tx, accountID, id)
	if err != nil {
		return before, err
	}
	if before.Status == Failed {
		if _, err := s.accounts.Take(ctx, tx, accountID, account.Locations, 1); err != nil {
			return before, err
		}
	}
	l, err := editable(ctx, tx, accountID, id)
	if err != nil {
		return l, err
	}
	if (l.Status == Failed) != (before.Status == Failed) {
		return l, db.ErrAgain
	}
	types := HourTypes
	if len(l.MoreHours) > 0 || slices.Contains(mask, "more_hours") {
		if types, err = s.allowedHourTypes(ctx, tx, l); err != nil {
			return l, err
		}
	}
	profile := l.Profile
	if err := assign(in, &l.Profile, mask, types, s.clock.Now()).Err(); err != nil {
		return l, err
	}
	changed, err := changedFields(&profile, &l.Profile, mask)
	if err != nil {
		return l, err
	}
	tx.AfterCommit(s.publisher.Wake)
	if err := updateLocation(ctx, tx, &l); err != nil {
		return l, err
	}
	if len(changed) == 0 {
		return l, nil
	}
	return l, s.tellChanged(ctx, tx, &l, changed...)
}

// hourTypes lists the types of more_hours that a directory offers for a location; of one that none knows, our own.
func (s *Service) hourTypes(ctx context.Context, q db.Queryer, accountID, locationID string) ([]string, error) {
	for _, c := range s.directories {
		if knows, ok := c.(directory.HourTyper); ok {
			if types, err := knows.HourTypes(ctx, q, accountID, locationID); err != nil || types != nil {
				return types, err
			}
		}
	}
	return HourTypes, nil
}

// allowedHourTypes also has our own: other directories take them, and a location may have them already.
func (s *Service) allowedHourTypes(ctx context.Context, tx *db.Tx, l Location) ([]string, error) {
	types, err := s.hourTypes(ctx, tx, l.accountID, l.ID)
	all := slices.Clone(HourTypes)
	for _, t := range types {
		if !slices.Contains(all, t) {
			all = append(all, t)
		}
	}
	return all, err
}

// pusher is the directory when it is one that must be told, and can be.
func (s *Service) pusher(id string) directory.Pusher {
	c := s.directories.find(id)
	if p, ok := c.(directory.Pusher); ok && c.Place(directory.Item{}).Status == directory.Processing {
		return p
	}
	return nil
}

// touch publishes a location again after a change of its images, which are not in its profile.
func (s *Service) touch(ctx context.Context, tx *db.Tx, l *Location) error {
	if err := s.tellChanged(ctx, tx, l, "images"); err != nil {
		return err
	}
	if l.Status == Failed || l.Frozen {
		return nil
	}
	for _, c := range s.directories {
		if s.pusher(c.Describe().ID) != nil {
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
	batch, err := s.newPublication(ctx, tx, stored, location.ID)
	if err != nil {
		return err
	}
	for _, other := range stored { // the listing and those that follow it
		c := s.directories.find(other.directory)
		if c == nil || (other.id != id && c.Describe().Parent != l.directory) {
			continue
		}
		other.wanted = enable
		if err := batch.settle(c, other, location); err != nil {
			return err
		}
	}
	if err := batch.save(ctx, tx); err != nil {
		return err
	}
	return noteChanged(ctx, tx, location.ID)
}
