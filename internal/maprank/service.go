package maprank

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"github.com/trigpoint/trigpoint/internal/account"
	"github.com/trigpoint/trigpoint/internal/clock"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/errs"
	"github.com/trigpoint/trigpoint/internal/geo"
	"github.com/trigpoint/trigpoint/internal/id"
	"github.com/trigpoint/trigpoint/internal/job"
	"github.com/trigpoint/trigpoint/internal/provider"
)

// MapProvider is what the area asks: where a business is, and who ranks at a point.
type MapProvider interface {
	provider.Provider
	provider.PlaceFinder
	provider.MapSearcher
}

// Service is area B on a store.
type Service struct {
	db       *db.DB
	accounts *account.Accounts
	clock    clock.Clock
	log      *slog.Logger
	jobs     *job.Runner
	provider MapProvider
	caller   *provider.Caller
	pace     Pace
	starter  *job.Sweep
	remover  *job.Sweep
	ender    *job.Sweep
}

// Pace says how patiently a collection works. Zero values take the defaults named here.
type Pace struct {
	Slice  time.Duration // how long a slice starts new searches before it makes room for others; 15 s
	Flush  time.Duration // how long results wait to be stored together; 1 s
	Pause  time.Duration // after a first round that brought nothing, doubling from there; 5 s
	Stalls int           // rounds in a row that bring nothing before the missing points are given up; 8
	Look   time.Duration // how often schedules are looked at; 5 s
}

func (p Pace) withDefaults() Pace {
	defaults := Pace{Slice: 15 * time.Second, Flush: time.Second, Pause: 5 * time.Second, Stalls: 8, Look: 5 * time.Second}
	for _, d := range []struct{ given, otherwise *time.Duration }{
		{&p.Slice, &defaults.Slice}, {&p.Flush, &defaults.Flush}, {&p.Pause, &defaults.Pause}, {&p.Look, &defaults.Look},
	} {
		if *d.given <= 0 {
			*d.given = *d.otherwise
		}
	}
	if p.Stalls <= 0 {
		p.Stalls = defaults.Stalls
	}
	return p
}

// Options are what a Service needs.
type Options struct {
	DB       *db.DB
	Accounts *account.Accounts
	Clock    clock.Clock
	Log      *slog.Logger
	Jobs     *job.Runner
	Provider MapProvider
	Caller   *provider.Caller // of Provider, shared with whoever else asks it
	Pace     Pace
}

// queue is where slices wait. A few at a time keep the provider busy while one of them stores its results.
const (
	queue        = "maprank"
	queueWorkers = 4
)

// New returns the area and registers its background work.
func New(o Options) *Service {
	s := &Service{
		db: o.DB, accounts: o.Accounts, clock: o.Clock, log: o.Log, jobs: o.Jobs, provider: o.Provider,
		caller: o.Caller, pace: o.Pace.withDefaults(),
	}
	o.Jobs.Queue(queue, queueWorkers)
	job.Handle(o.Jobs, s.workSlice)
	s.starter = o.Jobs.Sweep(&job.Sweep{Name: "start due collections", Every: s.pace.Look, Run: s.startDue})
	s.remover = o.Jobs.Sweep(&job.Sweep{Name: "remove campaigns", Every: time.Minute, Run: s.removeDue})
	s.ender = o.Jobs.Sweep(&job.Sweep{Name: "end silent collections", Every: time.Minute, Run: s.endSilent})
	return s
}

// CollectOnly makes this process leave alone all background work but collections.
func (s *Service) CollectOnly() { s.jobs.Only(queue, s.ender) }

// findTimeout bounds how long a request waits for the provider to know a place.
const findTimeout = 20 * time.Second

// find looks the business of a campaign up.
func (s *Service) find(ctx context.Context, accountID, placeID string) (b provider.Business, err error) {
	ctx, cancel := context.WithTimeout(ctx, findTimeout)
	defer cancel()
	ask := func() (answered bool) {
		b, err = provider.Call(ctx, s.caller, func(ctx context.Context) (provider.Business, error) {
			return s.provider.FindPlace(ctx, placeID)
		})
		return err == nil || slices.Contains([]provider.Kind{provider.NotFound, provider.BadQuery}, provider.KindOf(err))
	}
	if s.provider.Describe().Account == "" { // it costs nobody anything
		ask()
	} else if refused := s.accounts.LookUp(ctx, accountID, ask); refused != nil {
		return b, refused
	}
	switch provider.KindOf(err) {
	case provider.NotFound, provider.BadQuery:
		return b, errs.With(errs.NotFound, errs.PlaceNotFound, "There is no place with the id %.255q.", placeID).Because(err)
	case provider.Unknown:
		if err != nil && ctx.Err() == nil {
			return b, fmt.Errorf("find place: %w", err)
		}
	}
	if err == nil {
		if at := (provider.Point{Lat: b.Lat, Lng: b.Lng}); !at.Valid() || at == (provider.Point{}) {
			err = errs.With(errs.NotFound, errs.PlaceNotFound, "It is not known where the place with the id %.255q is.", placeID)
		}
		return b, err
	}
	why := "Try again."
	if known := (*provider.Error)(nil); errors.As(err, &known) {
		why = known.Message
	}
	s.log.Warn("a place could not be looked up", "place", placeID, "error", err)
	return b, errs.New(errs.Dependency, "The business could not be looked up. %s", why).Because(err)
}

// prepare makes a campaign of a checked draft and its business; nothing is stored yet.
func (s *Service) prepare(who account.Principal, d draft, found provider.Business) (campaign, PointSet) {
	now := stamp(s.clock.Now())
	c := campaign{
		id: id.New(), accountID: who.AccountID, name: d.name, status: Created, statusAt: now, createdAt: now,
		country: found.CountryCode, business: newBusiness(found), frequency: d.frequency, frequencyAt: now,
		access: Owner, ownerEmail: who.Email, metrics: &OptionalMetrics{},
	}
	if c.name == "" {
		c.name = cut(c.business.Name, maxName)
	}
	center := c.business.Coordinates
	if country, ok := geo.CountryAt(geo.Point(center)); ok {
		c.country = country
	}
	_, c.zone = geo.ZoneAt(geo.Point(center))
	if c.grid = d.grid; d.points == nil {
		grid := defaultGrid(center)
		c.grid, d.points = &grid, grid.points()
	}
	set := newPointSet(d.points)
	c.pointsID, c.pointsNumber, c.keywordsNumber = set.ID, len(set.Points), len(d.keywords)
	c.reckon(now)
	return c, set
}

// reckon sets when the schedule is due next.
func (c *campaign) reckon(now time.Time) {
	c.next, c.nextSetAt = nil, now
	if c.frequency == nil || !c.frequency.Enable {
		return
	}
	zone, err := time.LoadLocation(c.zone)
	if err != nil { // a zone that the machine does not know
		zone, _ = geo.ZoneAt(geo.Point(c.business.Coordinates))
	}
	if next := c.frequency.Next(now, c.frequencyAt, zone); !next.IsZero() {
		c.next = &next
	}
}

// create stores a campaign.
func (s *Service) create(ctx context.Context, tx *db.Tx, c campaign, set PointSet, names []string) (Campaign, error) {
	if _, err := s.accounts.Take(ctx, tx, c.accountID, account.Campaigns, 1); err != nil {
		return Campaign{}, err
	}
	keywords := nameKeywords(nil, names)
	if err := insertCampaign(ctx, tx, &c); err != nil {
		return Campaign{}, err
	}
	if err := insertPointSet(ctx, tx, c.id, set); err != nil {
		return Campaign{}, err
	}
	if err := insertKeywords(ctx, tx, c.id, keywords); err != nil {
		return Campaign{}, err
	}
	return c.show(keywords, set, nil), nil
}

// update changes what was sent.
func (s *Service) update(ctx context.Context, tx *db.Tx, accountID, given string, in *Settings) (Campaign, error) {
	c, err := editable(ctx, tx, accountID, given)
	if err != nil {
		return Campaign{}, err
	}
	d := draft{name: c.name, grid: c.grid, frequency: c.frequency}
	if err := errs.Problems(in.apply(&d, c.business.Coordinates)); err != nil {
		return Campaign{}, err
	}
	keywords, err := keywordsOf(ctx, tx, c.id)
	if err != nil {
		return Campaign{}, err
	}
	if d.keywords != nil {
		keywords = nameKeywords(keywords, d.keywords)
		c.keywordsNumber = len(keywords)
		if err := replaceKeywords(ctx, tx, c.id, keywords); err != nil {
			return Campaign{}, err
		}
	}
	set, err := s.updatePoints(ctx, tx, &c, d)
	if err != nil {
		return Campaign{}, err
	}
	c.name = d.name
	if sent(&in.CollectingFrequency) {
		now := stamp(s.clock.Now())
		c.frequency, c.frequencyAt = d.frequency, now
		c.reckon(now)
	}
	if err := updateCampaign(ctx, tx, &c); err != nil {
		return Campaign{}, err
	}
	dates, err := reportDates(ctx, tx, c.id)
	c.metrics = &OptionalMetrics{}
	return c.show(keywords, set, dates), err
}

// updatePoints gives the campaign a new set of points where the draft has one.
func (s *Service) updatePoints(ctx context.Context, tx *db.Tx, c *campaign, d draft) (PointSet, error) {
	if d.points == nil {
		return getPointSet(ctx, tx, c.pointsID)
	}
	set, old := newPointSet(d.points), c.pointsID
	c.grid, c.pointsID, c.pointsNumber = d.grid, set.ID, len(set.Points)
	if err := insertPointSet(ctx, tx, c.id, set); err != nil {
		return set, err
	}
	return set, dropPointSet(ctx, tx, c.id, old)
}
