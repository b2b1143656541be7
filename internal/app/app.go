// Package app puts the program together from its configuration: store, areas, background work, server.
// Commands and tests start from here.
package app

import (
	"context"
	"io/fs"
	"log/slog"
	"path/filepath"
	"slices"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/trigpoint/trigpoint/internal/account"
	"github.com/trigpoint/trigpoint/internal/alert"
	"github.com/trigpoint/trigpoint/internal/basemap"
	"github.com/trigpoint/trigpoint/internal/blob"
	"github.com/trigpoint/trigpoint/internal/clock"
	"github.com/trigpoint/trigpoint/internal/config"
	"github.com/trigpoint/trigpoint/internal/connection"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/directory"
	"github.com/trigpoint/trigpoint/internal/event"
	"github.com/trigpoint/trigpoint/internal/job"
	"github.com/trigpoint/trigpoint/internal/local"
	"github.com/trigpoint/trigpoint/internal/maprank"
	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/provider/placeindex"
	"github.com/trigpoint/trigpoint/internal/provider/webindex"
	"github.com/trigpoint/trigpoint/internal/rankwatch"
	"github.com/trigpoint/trigpoint/internal/recipient"
	"github.com/trigpoint/trigpoint/internal/report"
	"github.com/trigpoint/trigpoint/internal/research"
	"github.com/trigpoint/trigpoint/internal/serp"
	"github.com/trigpoint/trigpoint/internal/server"
	"github.com/trigpoint/trigpoint/internal/signin"
	"github.com/trigpoint/trigpoint/internal/source"
	"github.com/trigpoint/trigpoint/internal/trace"
	"github.com/trigpoint/trigpoint/internal/webhook"
	"github.com/trigpoint/trigpoint/web"
)

// App is the program put together.
type App struct {
	Config      *config.Config
	Log         *slog.Logger
	Clock       clock.Clock
	DB          *db.DB
	Accounts    *account.Accounts
	Connections *connection.Connections
	SignIn      *signin.Service
	Webhooks    *webhook.Service
	Alerts      *alert.Service
	Recipients  *recipient.Service
	Jobs        *job.Runner
	Local       *local.Service
	Places      *placeindex.Library // of the built-in map search
	MapRank     *maprank.Service
	Ledger      *source.Ledger // of what providers cost
	maps        source.Chain[maprank.MapProvider]
	mapsNow     source.Chain[maprank.MapProvider] // the same, none of them through a queue
	web         source.Chain[WebProvider]
	data        source.Chain[provider.Provider] // asked about keywords and domains
	callers     map[string]*provider.Caller     // by the account at the vendor
	comeBack    time.Duration
	Pages       *webindex.Library // of the built-in web search
	Serps       *serp.Store       // of area C
	Research    *research.Service

	RankWatch *rankwatch.Service
	Reports   *report.Service

	dashboard fs.FS
	baseMap   basemap.Map
	tracer    *trace.Tracer
}

// Options are what a test may put in place of the real thing; nil means the real thing.
type Options struct {
	Clock clock.Clock
	Blobs blob.Store
	Poll  time.Duration // of the job queue
	Map   MapOptions
	Web   WebProvider
	Data  []provider.Provider // asked about keywords and domains

	Dashboard fs.FS // as it was built

	ComeBack time.Duration // until an answer is fetched that a provider has promised

	DemoEmail    string       // of the account that anybody may sign in to; "" for none
	PasswordCost account.Cost // of a look at a password; zero is the real one

	Tracer *trace.Tracer // nil is off

	Command bool // a command beside the service: it publishes no locations
}

// OpenStore opens and migrates the store of a service.
func OpenStore(ctx context.Context, c *config.Config) (*db.DB, error) {
	return openStore(ctx, c, db.Options{Replicas: c.ReplicaURL})
}

// OpenForCommand opens and migrates the store for a command: somebody watches it, so that it may take its
// time. With existing it makes no new store, as where the name of the data folder is mistyped.
func OpenForCommand(ctx context.Context, c *config.Config, existing bool) (*db.DB, error) {
	return openStore(ctx, c, db.Options{Existing: existing, Silence: -1})
}

func openStore(ctx context.Context, c *config.Config, o db.Options) (*db.DB, error) {
	o.URL, o.Dir, o.MaxConns = c.DatabaseURL, c.Data, c.MaxConns
	d, err := db.Open(ctx, o)
	if err != nil {
		return nil, err
	}
	if err := job.Migrate(ctx, d); err != nil {
		_ = d.Close()
		return nil, err
	}
	return d, nil
}

// New wires the program on an open, migrated store. Nothing runs yet.
func New(c *config.Config, d *db.DB, log *slog.Logger, o Options) (*App, error) {
	plans, err := account.Override(c.Plans)
	if err != nil {
		return nil, err
	}
	a := &App{Config: c, Log: log, Clock: o.Clock, DB: d, callers: map[string]*provider.Caller{}, comeBack: o.ComeBack, tracer: o.Tracer}
	if a.Clock == nil {
		a.Clock = clock.System{}
	}
	if a.baseMap, err = c.BaseMap(); err != nil {
		return nil, err
	}
	if a.dashboard = o.Dashboard; a.dashboard == nil {
		a.dashboard = web.Dashboard()
	}
	a.Accounts = account.New(d, plans, a.Clock)
	a.Ledger = source.NewLedger(d, a.Clock)
	if err := a.addConnections(); err != nil {
		return nil, err
	}
	if a.Jobs, err = job.New(d, job.Options{Log: quieter(log), Poll: o.Poll, Lost: c.JobTakeover, Tracer: o.Tracer}); err != nil {
		return nil, err
	}
	if err := a.addSignIn(o); err != nil {
		return nil, err
	}
	if o.Blobs == nil {
		if o.Blobs, err = Blobs(c); err != nil {
			return nil, err
		}
	}
	webhook, err := directory.NewWebhook(directory.WebhookOptions{
		URL: c.WebhookURL, Secret: c.WebhookSecret, Countries: c.WebhookCountries, AllowPrivate: c.WebhookAllowPrivate, Clock: a.Clock,
	})
	if err != nil {
		return nil, err
	}
	if err := a.addWebhooks(); err != nil {
		return nil, err
	}
	if err := a.addAlerts(); err != nil {
		return nil, err
	}
	if err := a.addRecipients(o.DemoEmail); err != nil {
		return nil, err
	}
	if err := a.addMapRank(o.Map); err != nil {
		return nil, err
	}
	profile, err := a.businessProfile()
	if err != nil {
		return nil, err
	}
	a.Local = local.New(local.Options{
		DB: d, Accounts: a.Accounts, Blobs: o.Blobs, Clock: a.Clock, Log: log, PublicURL: c.Public(), Webhook: webhook, Map: a.mapListing(), Profile: profile, Jobs: a.Jobs,
		Plans: plans, Passive: o.Command,
	})
	if err := a.addKeyword(o.Web, o.Data); err != nil {
		return nil, err
	}
	if err := a.addReports(); err != nil {
		return nil, err
	}
	a.Jobs.Sweep(&job.Sweep{Name: "forget ended tokens and keys", Every: time.Hour, Run: func(ctx context.Context) (bool, error) {
		return false, a.Accounts.Sweep(ctx)
	}})
	a.Jobs.Sweep(&job.Sweep{Name: "note when credentials were used", Every: 5 * time.Minute, Run: func(ctx context.Context) (bool, error) {
		return false, a.Accounts.KeepUses(ctx)
	}})
	a.Jobs.Sweep(&job.Sweep{Name: "measure what accounts store", Every: account.MeasureEvery, Later: true, Run: func(ctx context.Context) (bool, error) {
		return false, a.Accounts.Measure(ctx)
	}})
	a.Jobs.Sweep(&job.Sweep{Name: "release what dead processes reserved", Every: time.Hour, Run: func(ctx context.Context) (bool, error) {
		return false, a.Ledger.Sweep(ctx)
	}})
	a.Jobs.Sweep(&job.Sweep{Name: "forget old orders at providers", Every: time.Hour, Run: func(ctx context.Context) (bool, error) {
		return source.ForgetOldOrders(ctx, a.DB, a.Clock)
	}})
	return a, nil
}

// Blobs is the object store of a configuration.
func Blobs(c *config.Config) (blob.Store, error) {
	if c.S3Endpoint == "" {
		return blob.NewFolder(filepath.Join(c.Data, "images")), nil
	}
	return blob.NewS3(blob.S3Options{
		Endpoint: c.S3Endpoint, Bucket: c.S3Bucket, Region: c.S3Region, AccessKey: c.S3AccessKey, SecretKey: c.S3SecretKey, Prefix: c.S3Prefix,
	})
}

// Server mounts every area.
func (a *App) Server(version string) *server.Server {
	a.SignIn.Version = version
	return server.New(server.Options{
		DB: a.DB, Accounts: a.Accounts, Clock: a.Clock, Log: a.Log, PublicURL: a.Config.Public(), Version: version,
		TrustedProxies: a.Config.Proxies(), RequestMemory: int64(a.Config.RequestMemory) << 20,
		Local: a.Local, MapRank: a.MapRank, Research: a.Research, RankWatch: a.RankWatch,
		Alerts:      a.Alerts,
		Connections: a.Connections, Ledger: a.Ledger, SignIn: a.SignIn, Desk: a.desk(), Webhooks: a.Webhooks, Recipients: a.Recipients, Reports: a.Reports,
		Dashboard: a.dashboard, Start: a.start(), Tokens: web.Tokens, BaseMap: a.baseMap,
		Metrics: a.Metrics(), Tracer: a.tracer,
	})
}

// Metrics are what an operator watches, the server's own left out.
func (a *App) Metrics() []prometheus.Collector {
	return slices.Concat(a.DB.Metrics(), a.Jobs.Metrics(), a.Accounts.Metrics(), provider.Metrics(), a.Ledger.Metrics(),
		a.Local.Metrics(), a.MapRank.Metrics(), a.RankWatch.Metrics())
}

// Work starts background work and returns how to stop it.
func (a *App) Work(ctx context.Context) (stop func(), err error) {
	if err := a.Jobs.Start(ctx); err != nil {
		return nil, err
	}
	return func() {
		end, cancel := context.WithTimeout(context.Background(), a.Config.ShutdownGrace)
		defer cancel()
		a.Jobs.Stop(end)
	}, nil
}

// SetPlan moves an account to another plan and fits its records to it.
func (a *App) SetPlan(ctx context.Context, accountID, plan string) error {
	return a.Accounts.SetPlan(ctx, accountID, plan, func(ctx context.Context, tx *db.Tx, accountID string, p account.Plan) error {
		if err := local.Refreeze(ctx, tx, accountID, p.Locations, a.Clock.Now()); err != nil {
			return err
		}
		return maprank.FitSlots(ctx, tx, accountID, p.Campaigns, a.Clock.Now())
	})
}

// DeleteAccount removes an account with all its records.
func (a *App) DeleteAccount(ctx context.Context, accountID string) error {
	if err := a.Connections.DisconnectAll(ctx, accountID); err != nil {
		return err
	}
	return a.Accounts.Delete(ctx, accountID, a.Local.Forget, a.MapRank.Forget, a.RankWatch.Forget, a.Research.Forget, event.Forget, alert.Forget)
}

// quieter drops the queue's chatter below warnings.
func quieter(log *slog.Logger) *slog.Logger { return slog.New(warnings{log.Handler()}) }

type warnings struct{ slog.Handler }

// Enabled implements slog.Handler.
func (w warnings) Enabled(ctx context.Context, level slog.Level) bool {
	return level >= slog.LevelWarn && w.Handler.Enabled(ctx, level)
}

// WithAttrs implements slog.Handler.
func (w warnings) WithAttrs(attrs []slog.Attr) slog.Handler {
	return warnings{w.Handler.WithAttrs(attrs)}
}

// WithGroup implements slog.Handler.
func (w warnings) WithGroup(name string) slog.Handler { return warnings{w.Handler.WithGroup(name)} }
