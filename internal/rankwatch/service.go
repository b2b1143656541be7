package rankwatch

import (
	"context"
	"log/slog"
	"math"
	"time"

	"github.com/trigpoint/trigpoint/internal/account"
	"github.com/trigpoint/trigpoint/internal/clock"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/job"
	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/serp"
)

// Demand tells how often keywords are searched for as far as an account may know, one for each, in their
// order.
type Demand func(ctx context.Context, accountID string, keywords []serp.KeywordAt) ([]serp.Demand, error)

// WebProvider is a provider that searches the web.
type WebProvider interface {
	provider.Provider
	provider.WebSearcher
}

// Service is rank tracking on a store.
type Service struct {
	db        *db.DB
	accounts  *account.Accounts
	clock     clock.Clock
	log       *slog.Logger
	demand    Demand
	serps     *serp.Store
	web       WebProvider
	caller    *provider.Caller
	depth     int
	checks    *job.Sweep
	restUntil time.Time // no checks before; only the sweep uses it
}

// Options are what a Service needs.
type Options struct {
	DB       *db.DB
	Accounts *account.Accounts
	Clock    clock.Clock
	Log      *slog.Logger
	Jobs     *job.Runner
	Demand   Demand
	Serps    *serp.Store // keeps result pages, so that a rank can be explained
	Web      WebProvider
	Caller   *provider.Caller // of Web, shared with whoever else asks it
	Depth    int              // organic results to look at, for trackings that do not say; 100 when 0
}

// New returns the area and registers its background work.
func New(o Options) *Service {
	if o.Depth == 0 {
		o.Depth = Depth
	}
	s := &Service{
		db: o.DB, accounts: o.Accounts, clock: o.Clock, log: o.Log, demand: o.Demand, serps: o.Serps,
		web: o.Web, caller: o.Caller, depth: o.Depth,
	}
	s.checks = o.Jobs.Sweep(&job.Sweep{Name: "check ranks", Every: 500 * time.Millisecond, Run: s.checkDue, Reclaim: releaseAll})
	return s
}

func (s *Service) today() Day { return DayOf(s.clock.Now()) }

// demandOf tells how often keywords of a tracking are searched for.
func (s *Service) demandOf(ctx context.Context, t *tracking, keywords []string) ([]serp.Demand, error) {
	return s.demand(ctx, t.accountID, t.at(keywords))
}

// at is keywords where the tracking looks for them.
func (t *tracking) at(keywords []string) []serp.KeywordAt {
	list := make([]serp.KeywordAt, len(keywords))
	for i, kw := range keywords {
		list[i] = serp.KeywordAt{Keyword: kw, LocationID: t.locationID}
	}
	return list
}

// estimate is how long n checks will take, in seconds.
func (s *Service) estimate(n int) int {
	const perPage, guess = 10, 10 // results on a page; searches a second that one connection manages
	pace := s.web.Describe().Pace
	each := float64(max(pace.Concurrent, 1)) * guess
	if pace.PerSecond > 0 {
		each = min(each, pace.PerSecond/math.Ceil(float64(s.depth)/perPage))
	}
	return int(math.Ceil(float64(n) / each))
}
