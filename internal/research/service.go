package research

import (
	"context"
	"log/slog"
	"time"

	"golang.org/x/sync/singleflight"

	"github.com/trigpoint/trigpoint/internal/clock"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/errs"
	"github.com/trigpoint/trigpoint/internal/id"
	"github.com/trigpoint/trigpoint/internal/job"
	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/webtarget"
)

// Service is the research half of area C on a store.
type Service struct {
	db     *db.DB
	clock  clock.Clock
	log    *slog.Logger
	web    provider.Provider
	caller *provider.Caller
	ctr    func(rank int) float64
	marks  func(ctx context.Context, accountID string) ([]webtarget.Target, error)
	keep   time.Duration
	packer packer

	flights singleflight.Group // pages being fetched
}

// Options are what a Service needs.
type Options struct {
	DB    *db.DB
	Clock clock.Clock
	Log   *slog.Logger
	Jobs  *job.Runner

	Web    provider.Provider // asked for result pages, and for keyword figures where it has them
	Caller *provider.Caller  // through which Web is asked

	CTR       func(rank int) float64                                                  // expected share of clicks, 0..1
	Tracked   func(ctx context.Context, accountID string) ([]webtarget.Target, error) // what snapshots mark; may be nil
	Retention time.Duration                                                           // how long every result page is kept
}

// New returns the service and registers its background work.
func New(o Options) *Service {
	s := &Service{
		db: o.DB, clock: o.Clock, log: o.Log, web: o.Web, caller: o.Caller, ctr: o.CTR, marks: o.Tracked, keep: o.Retention, packer: newPacker(),
	}
	o.Jobs.Sweep(&job.Sweep{Name: "thin result pages", Every: time.Hour, Run: s.thin})
	return s
}

// Known is what an account may know of a keyword's searches; nil is unknown.
type Known struct {
	Volume *int64 // a month
	Months []Month
}

// Figures tells what is known of keywords in a place, one for each, in their order.
func (s *Service) Figures(ctx context.Context, accountID string, locationID int, keywords []string) ([]Known, error) {
	m, problems := newMarket(locationID, 0)
	if len(problems) > 0 {
		return nil, errs.Problems(problems)
	}
	normal := make([]string, len(keywords))
	for i, kw := range keywords {
		normal[i] = NormalKeyword(kw)
	}
	rows, err := knownFigures(ctx, s.db, accountID, m, normal)
	if err != nil {
		return nil, err
	}
	known := make([]Known, len(keywords))
	for i, kw := range normal {
		if best := m.best(rows[kw]); best != nil {
			known[i] = Known{Volume: best.volume, Months: best.months}
		}
	}
	return known, nil
}

// FetchedSerp is a result page that was fetched for an account.
type FetchedSerp struct {
	AccountID  string
	Keyword    string
	LocationID int
	PlatformID int
	FetchedAt  time.Time
	Page       provider.WebPage
}

// PackedSerp is a page ready to be kept.
type PackedSerp struct{ record storedSerp }

// PackSerp does all that needs no transaction to keep a page.
func (s *Service) PackSerp(f FetchedSerp) (PackedSerp, error) {
	record := storedSerp{accountID: f.AccountID, kw: NormalKeyword(f.Keyword), locationID: f.LocationID, platformID: f.PlatformID, fetchedAt: f.FetchedAt}
	err := s.prepare(&record, newSerpPage(f.Page))
	return PackedSerp{record}, err
}

// KeepSerps stores pages, with all that is learned from them, in the caller's transaction.
func (s *Service) KeepSerps(ctx context.Context, tx *db.Tx, pages []PackedSerp) error {
	records := make([]storedSerp, len(pages))
	for i, p := range pages {
		records[i] = p.record
	}
	return keepSerps(ctx, tx, records)
}

// prepare packs a page and reads from it what is kept beside it.
func (s *Service) prepare(record *storedSerp, page serpPage) (err error) {
	record.id = id.New()
	record.hosts = page.hosts()
	record.learned = append(page.proposals(), record.kw)
	record.packed, err = s.packer.pack(page)
	return err
}

// describeAll makes the public keywords in the order given, from all that is known of them.
func (s *Service) describeAll(ctx context.Context, accountID string, m market, kws []string) ([]Keyword, error) {
	known, err := knownFigures(ctx, s.db, accountID, m, kws)
	if err != nil {
		return nil, err
	}
	if err := s.lookUp(ctx, accountID, m, kws, known); err != nil {
		return nil, err
	}
	judged, err := judgements(ctx, s.db, accountID, m.location.ID, kws)
	if err != nil {
		return nil, err
	}
	all := make([]Keyword, len(kws))
	for i, kw := range kws {
		all[i] = describe(kw, m, known[kw], judged[kw])
	}
	return all, nil
}
