package rankwatch

import (
	"context"
	"log/slog"
	"math"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/trigpoint/trigpoint/internal/account"
	"github.com/trigpoint/trigpoint/internal/clock"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/job"
	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/provider/searchconsole"
	"github.com/trigpoint/trigpoint/internal/rankwatch/formula"
	"github.com/trigpoint/trigpoint/internal/rankwatch/performance"
	"github.com/trigpoint/trigpoint/internal/rankwatch/series"
	"github.com/trigpoint/trigpoint/internal/serp"
	"github.com/trigpoint/trigpoint/internal/source"
	"github.com/trigpoint/trigpoint/internal/webtarget"
)

// Demand tells how often keywords are searched for as far as an account may know, one for each, in their
// order.
type Demand func(ctx context.Context, accountID string, keywords []serp.KeywordAt) ([]serp.Demand, error)

// Service is rank tracking on a store.
type Service struct {
	db       *db.DB
	accounts *account.Accounts
	clock    clock.Clock
	log      *slog.Logger
	demand   Demand
	serps    *serp.Store
	sources  source.Chain[WebProvider]
	ledger   *source.Ledger
	depth    int
	checks   *job.Sweep

	console       *searchconsole.Console
	consoleCaller *provider.Caller
	performance   performance.Codec
	fetches       *job.Sweep

	checked   *prometheus.CounterVec
	restUntil time.Time // no checks before; only the sweep uses it
}

// Options are what a Service needs.
type Options struct {
	DB            *db.DB
	Accounts      *account.Accounts
	Clock         clock.Clock
	Log           *slog.Logger
	Jobs          *job.Runner
	Demand        Demand
	Serps         *serp.Store // keeps result pages, so that a rank can be explained
	Sources       source.Chain[WebProvider]
	Ledger        *source.Ledger
	Console       *searchconsole.Console
	ConsoleCaller *provider.Caller // through which Console is asked
	Depth         int              // organic results to look at, for trackings that do not say; 100 when 0
}

// New returns the area and registers its background work.
func New(o Options) *Service {
	if o.Depth == 0 {
		o.Depth = formula.Depth
	}
	s := &Service{
		db: o.DB, accounts: o.Accounts, clock: o.Clock, log: o.Log, demand: o.Demand, serps: o.Serps,
		sources: o.Sources, ledger: o.Ledger, depth: o.Depth,
		console: o.Console, consoleCaller: o.ConsoleCaller, performance: performance.NewCodec(),
		checked: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "trigpoint_rank_checks_total", Help: "Rank checks, by outcome: found, not_found, promised (the provider answers later), failed, or released (not made, because the process stops or another has it by now).",
		}, []string{"outcome"}),
	}
	s.checks = o.Jobs.Sweep(&job.Sweep{Name: "check ranks", Every: 500 * time.Millisecond, Run: s.checkDue, Reclaim: releaseAll, Due: "SELECT min(next_check_at) FROM rank_states WHERE next_check_at > 0"})
	s.accounts.Stores("rank_histories", `
		SELECT k.account_id, coalesce(octet_length(s.chunk), 0) + octet_length(s.urls) AS bytes FROM rank_states s JOIN tracked_keywords k ON k.number = s.keyword
		UNION ALL SELECT k.account_id, octet_length(y.chunks) FROM rank_years y JOIN tracked_keywords k ON k.number = y.keyword`)
	o.Jobs.Sweep(&job.Sweep{Name: "sum up trackings", Every: 2 * time.Second, Run: s.sumUpDue, Due: "SELECT min(due_at) FROM tracking_summaries WHERE due_at > 0"})
	s.fetches = o.Jobs.Sweep(&job.Sweep{Name: "fetch search performance", Every: 2 * time.Second, Run: s.fetchDue, Reclaim: releaseProperties, Due: "SELECT min(next_fetch_at) FROM console_properties WHERE next_fetch_at > 0"})
	return s
}

// Metrics are the checks of this process.
func (s *Service) Metrics() []prometheus.Collector { return []prometheus.Collector{s.checked} }

func (s *Service) today() series.Day { return series.DayOf(s.clock.Now()) }

// demandOf tells how often keywords of a tracking are searched for.
func (s *Service) demandOf(ctx context.Context, t *tracking, keywords []string) ([]serp.Demand, error) {
	return s.demand(ctx, t.accountID, t.at(keywords))
}

// volumes is the search volume of each keyword; nil is unknown.
func (s *Service) volumes(ctx context.Context, accountID string, keywords []serp.KeywordAt) ([]*int64, error) {
	volumes := make([]*int64, len(keywords))
	demand, err := s.demand(ctx, accountID, keywords)
	for i := range demand {
		volumes[i] = demand[i].Volume
	}
	return volumes, err
}

// estimate is how long n checks will take, in seconds.
func (s *Service) estimate(n int) int {
	const perPage, guess = 10, 10 // results on a page; searches a second that one connection manages
	pace := s.sources.First().Describe().Pace
	each := float64(max(pace.Concurrent, 1)) * guess
	if pace.PerSecond > 0 {
		each = min(each, pace.PerSecond/math.Ceil(float64(s.depth)/perPage))
	}
	return int(math.Ceil(float64(n) / each))
}

// Forget removes one of an account's trackings with its history, or one of its properties with what was fetched of it, and tells whether there may be more.
func (s *Service) Forget(ctx context.Context, tx *db.Tx, accountID string) (more bool, err error) {
	n, err := tx.Exec(ctx, "DELETE FROM trackings WHERE id IN (SELECT id FROM trackings WHERE account_id = $1 LIMIT 1)", accountID)
	if err == nil && n == 0 {
		n, err = tx.Exec(ctx, "DELETE FROM console_properties WHERE id IN (SELECT id FROM console_properties WHERE account_id = $1 LIMIT 1)", accountID)
	}
	return n > 0, err
}

// Targets lists what an account tracks, so that research can mark it on result pages.
func (s *Service) Targets(ctx context.Context, accountID string) ([]webtarget.Target, error) {
	trackings, err := listTrackings(ctx, s.db, accountID, false)
	targets := make([]webtarget.Target, len(trackings))
	for i, t := range trackings {
		targets[i] = t.target
	}
	return targets, err
}
