package research

import (
	"context"
	"log/slog"
	"time"

	"golang.org/x/sync/singleflight"

	"github.com/trigpoint/trigpoint/internal/account"
	"github.com/trigpoint/trigpoint/internal/clock"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/job"
	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/serp"
	"github.com/trigpoint/trigpoint/internal/source"
	"github.com/trigpoint/trigpoint/internal/webtarget"
)

// Service is the research half of area C on a store.
type Service struct {
	db       *db.DB
	accounts *account.Accounts
	clock    clock.Clock
	log      *slog.Logger
	web      source.Chain[source.Web]
	data     source.Chain[provider.Provider]
	ledger   *source.Ledger
	ctr      func(rank int) float64
	marks    func(ctx context.Context, accountID string) ([]webtarget.Target, error)
	keep     time.Duration
	serps    *serp.Store

	flights singleflight.Group // pages being fetched
}

// Options are what a Service needs.
type Options struct {
	DB       *db.DB
	Accounts *account.Accounts
	Clock    clock.Clock
	Log      *slog.Logger
	Jobs     *job.Runner
	Serps    *serp.Store

	Web    source.Chain[source.Web]        // who is asked for result pages
	Data   source.Chain[provider.Provider] // who is asked about keywords and domains, each for what it can; may be empty
	Ledger *source.Ledger

	CTR       func(rank int) float64                                                  // expected share of clicks, 0..1
	Tracked   func(ctx context.Context, accountID string) ([]webtarget.Target, error) // what snapshots mark; may be nil
	Retention time.Duration                                                           // how long every result page is kept
}

// New returns the service and registers its background work.
func New(o Options) *Service {
	s := &Service{
		db: o.DB, accounts: o.Accounts, clock: o.Clock, log: o.Log, web: o.Web, data: o.Data, ledger: o.Ledger, ctr: o.CTR, marks: o.Tracked, keep: o.Retention, serps: o.Serps,
	}
	o.Jobs.Sweep(&job.Sweep{Name: "thin result pages", Every: time.Hour, Run: s.thin})
	s.accounts.Stores("result_pages", "SELECT account_id, octet_length(page) AS bytes FROM serps")
	o.Jobs.Sweep(&job.Sweep{Name: "renew the words of keywords", Every: time.Minute, Run: s.renew})
	o.Jobs.Sweep(&job.Sweep{Name: "drop old answers of data providers", Every: time.Hour, Run: s.dropOldAnswers})
	return s
}

// Demand tells how often keywords are searched for as far as an account may know, one for each, in their order.
func (s *Service) Demand(ctx context.Context, accountID string, keywords []serp.KeywordAt) ([]serp.Demand, error) {
	markets := map[int]*market{}
	list := make([]asked, len(keywords))
	for i, k := range keywords {
		if markets[k.LocationID] == nil {
			m, problems := newMarket(k.LocationID, 0)
			if err := problems.Err(); err != nil {
				return nil, err
			}
			markets[k.LocationID] = &m
		}
		list[i] = asked{serp.NormalKeyword(k.Keyword), markets[k.LocationID]}
	}
	rows, err := knownFigures(ctx, s.db, accountID, list)
	if err != nil {
		return nil, err
	}
	known := make([]serp.Demand, len(keywords))
	for i, one := range list {
		if best := one.in.best(rows[one.kw]); best != nil {
			known[i] = serp.Demand{Volume: best.volume, Months: best.months}
		}
	}
	return known, nil
}

// describeAll makes the public keywords in the order given, from all that is known of them. However many
// places they are asked for in, the store is read once.
func (s *Service) describeAll(ctx context.Context, who *asker, list []asked) ([]Keyword, error) {
	known, err := knownFigures(ctx, s.db, who.accountID, list)
	if err != nil {
		return nil, err
	}
	if err := s.lookUpFigures(ctx, who, list, known); err != nil {
		return nil, err
	}
	judged, err := judgements(ctx, s.db, who.accountID, list)
	if err != nil {
		return nil, err
	}
	all := make([]Keyword, len(list))
	for i, one := range list {
		all[i] = describe(one.kw, *one.in, known[one.kw], judged[i])
	}
	return all, nil
}

// Forget removes some of the keywords that an account brought, and tells whether there may be more. Its
// result pages go with the account itself.
func (s *Service) Forget(ctx context.Context, tx *db.Tx, accountID string) (more bool, err error) {
	return forgetKeywords(ctx, tx, accountID)
}
