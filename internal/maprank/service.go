// Package maprank owns area B: campaigns, their reports, and the answers computed from them. Points, schedules
// and results have rules of their own in the packages below it. It does not search maps itself; that is a
// provider's.
package maprank

import (
	"context"
	"log/slog"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/trigpoint/trigpoint/internal/account"
	"github.com/trigpoint/trigpoint/internal/clock"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/job"
	"github.com/trigpoint/trigpoint/internal/source"
)

// MapProvider is what the area asks: where a business is, and who ranks at a point.
type MapProvider = source.Maps

// Service is area B on a store.
type Service struct {
	db       *db.DB
	accounts *account.Accounts
	clock    clock.Clock
	log      *slog.Logger
	jobs     *job.Runner
	sources  source.Chain[MapProvider]
	ledger   *source.Ledger
	brand    Brands
	pace     Pace
	starter  *job.Sweep
	remover  *job.Sweep
	ender    *job.Sweep
	reports  *prometheus.CounterVec
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
	Sources  source.Chain[MapProvider]
	Ledger   *source.Ledger
	Brand    Brands // none when nil
	Pace     Pace
}

// Brands finds the brand of an account; nil when it has none.
type Brands func(ctx context.Context, accountID string) (*account.Brand, error)

// queue is where slices wait. A few at a time keep the provider busy while one of them stores its results.
const (
	queue        = "maprank"
	queueWorkers = 4
)

// New returns the area and registers its background work.
func New(o Options) *Service {
	s := &Service{
		db: o.DB, accounts: o.Accounts, clock: o.Clock, log: o.Log, jobs: o.Jobs, sources: o.Sources,
		ledger: o.Ledger, brand: o.Brand, pace: o.Pace.withDefaults(),
		reports: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "trigpoint_reports_total", Help: "Reports that have ended, by outcome: collected or failed.",
		}, []string{"outcome"}),
	}
	o.Jobs.Queue(queue, queueWorkers)
	job.Handle(o.Jobs, s.workSlice)
	s.starter = o.Jobs.Sweep(&job.Sweep{Name: "start due collections", Every: s.pace.Look, Run: s.startDue, Due: "SELECT min(next_report_at) FROM campaigns WHERE status <> 'COLLECTING'"})
	s.remover = o.Jobs.Sweep(&job.Sweep{Name: "remove campaigns", Every: time.Minute, Run: s.removeDue})
	s.accounts.Stores("reports", `
		SELECT r.account_id, coalesce(octet_length(k.result), 0) AS bytes FROM report_keywords k JOIN reports r ON r.id = k.report_id
		UNION ALL SELECT r.account_id, octet_length(b.keys) + octet_length(b.records) FROM report_businesses b JOIN reports r ON r.id = b.report_id`)
	s.ender = o.Jobs.Sweep(&job.Sweep{Name: "end silent collections", Every: time.Minute, Run: s.endSilent})
	return s
}

// Metrics are what this process has collected.
func (s *Service) Metrics() []prometheus.Collector { return []prometheus.Collector{s.reports} }

// CollectOnly makes this process leave alone all background work but collections.
func (s *Service) CollectOnly() { s.jobs.Only(queue, s.ender) }
