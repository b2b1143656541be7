package rankwatch

import (
	"context"
	"log/slog"
	"math"
	"time"

	"github.com/trigpoint/trigpoint/internal/clock"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/job"
	"github.com/trigpoint/trigpoint/internal/provider"
)

// Location is a place that a tracking searches from.
type Location struct {
	ID            int
	Label         string
	Country       string // two letters; "" for anywhere
	CanonicalName string // as providers want it; "" for anywhere and for a whole country
	GoogleDomain  string
}

// Locations knows the places by their id; 0 is anywhere.
type Locations interface {
	Location(id int) (Location, bool)
}

// Figures is what is known of a keyword in a market; nil is unknown.
type Figures struct {
	Volume *int64     // searches a month
	Months [][3]int64 // year, month from 0, searches; oldest first
}

// Keywords knows keywords as research does.
type Keywords interface {
	// KeywordID names a keyword in a market.
	KeywordID(kw string, locationID int) string
	// Figures tells what an account may know of keywords, one for each, in their order.
	Figures(ctx context.Context, accountID string, locationID int, keywords []string) ([]Figures, error)
}

// Serp is a result page that a check has fetched.
type Serp struct {
	AccountID  string
	Keyword    string
	LocationID int
	PlatformID int
	FetchedAt  time.Time
	Page       provider.WebPage
	Whole      bool // it has the first results that research shows, or all that there are
}

// Serps keeps result pages, so that a rank can be explained.
type Serps interface {
	// Pack makes of a page what Keep stores. It runs beside other checks, outside of a transaction.
	Pack(s Serp) (packed any, err error)
	// Keep stores pages in the transaction that records their ranks.
	Keep(ctx context.Context, tx *db.Tx, packed []any) error
}

// WebProvider is a provider that searches the web.
type WebProvider interface {
	provider.Provider
	provider.WebSearcher
}

// Service is rank tracking on a store.
type Service struct {
	db        *db.DB
	clock     clock.Clock
	log       *slog.Logger
	locations Locations
	keywords  Keywords
	serps     Serps
	web       WebProvider
	caller    *provider.Caller
	depth     int
	checks    *job.Sweep
	restUntil time.Time // no checks before; only the sweep uses it
}

// Options are what a Service needs.
type Options struct {
	DB        *db.DB
	Clock     clock.Clock
	Log       *slog.Logger
	Jobs      *job.Runner
	Locations Locations
	Keywords  Keywords
	Serps     Serps
	Web       WebProvider
	Caller    *provider.Caller // of Web, shared with whoever else asks it
	Depth     int              // organic results to look at, for trackings that do not say; 100 when 0
}

// New returns the area and registers its background work.
func New(o Options) *Service {
	if o.Depth == 0 {
		o.Depth = Depth
	}
	s := &Service{
		db: o.DB, clock: o.Clock, log: o.Log, locations: o.Locations, keywords: o.Keywords, serps: o.Serps,
		web: o.Web, caller: o.Caller, depth: o.Depth,
	}
	s.checks = o.Jobs.Sweep(&job.Sweep{Name: "check ranks", Every: 500 * time.Millisecond, Run: s.checkDue, Reclaim: releaseAll})
	return s
}

func (s *Service) today() Day { return DayOf(s.clock.Now()) }

// estimate is how long the checks of n more keywords will take, in seconds.
func (s *Service) estimate(ctx context.Context, n int) (int, error) {
	waiting, err := countDue(ctx, s.db, s.clock.Now())
	if err != nil {
		return 0, err
	}
	const perPage, guess = 10, 10 // results on a page; searches a second that one connection manages
	pace := s.web.Describe().Pace
	each := float64(max(pace.Concurrent, 1)) * guess
	if pace.PerSecond > 0 {
		each = min(each, pace.PerSecond/math.Ceil(float64(s.depth)/perPage))
	}
	return int(math.Ceil(float64(waiting+n) / each)), nil
}
