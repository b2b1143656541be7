package cli

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"os"

	"github.com/trigpoint/trigpoint/internal/app"
	"github.com/trigpoint/trigpoint/internal/config"
	"github.com/trigpoint/trigpoint/internal/server"
	"github.com/trigpoint/trigpoint/internal/trace"
)

type serveCmd struct {
	NoWorker bool `help:"Leave background work to trigpoint worker."`
	Demo     bool `help:"Make a demo account with invented data, and print how to use it. No vendor is asked."`
}

// Run serves until it is told to stop.
func (cmd *serveCmd) Run(e *env) error {
	log := e.config.Logger()
	if cmd.Demo {
		e.config.UseBuiltIn() // no vendor knows what is invented
	}
	tracer, err := startTraces(e, log)
	if err != nil {
		return err
	}
	defer tracer.Stop(e.ctx)
	listener, err := (&net.ListenConfig{}).Listen(e.ctx, "tcp", e.config.Listen)
	if err != nil {
		return fmt.Errorf("listen: %w", err)
	}
	defer func() { _ = listener.Close() }()
	if e.config.PublicURL == "" { // the port may have been 0
		e.config.Listen = listener.Addr().String()
	}
	d, err := app.OpenStore(e.ctx, e.config)
	if err != nil {
		return err
	}
	defer func() { _ = d.Close() }()
	options := app.Options{Tracer: tracer}
	if cmd.Demo {
		options.DemoEmail = demoEmail
	}
	a, err := app.New(e.config, d, log, options)
	if err != nil {
		return err
	}
	srv := a.Server(version())
	stopWork := func() {}
	if !cmd.NoWorker {
		if stopWork, err = a.Work(e.ctx); err != nil {
			return err
		}
	}
	welcome, err := cmd.welcome(e, a)
	if err != nil {
		stopWork()
		return err
	}
	if err := serveAdmin(e, srv); err != nil {
		stopWork()
		return err
	}
	log.Info("listening", "url", "http://"+listener.Addr().String(), "store", string(d.Dialect), "version", version())
	fmt.Fprint(e.out, welcome)
	err = srv.Serve(e.ctx, listener, e.config.ShutdownGrace)
	stopWork()
	log.Info("stopped")
	return err
}

// welcome is what a person needs to begin: the demo's, or how to make an account where there is none.
func (cmd *serveCmd) welcome(e *env, a *app.App) (string, error) {
	if cmd.Demo {
		fmt.Fprintln(e.err, "Preparing the demo...")
		return demo(e.ctx, a)
	}
	empty, err := a.Accounts.Empty(e.ctx, a.DB)
	if err != nil || !empty {
		return "", err
	}
	secret, err := a.Accounts.NewSetupLink(e.ctx)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf(`There is no account yet. Make the first one in the browser, within a day:

  %s

Or here, with its keys: trigpoint account create --email you@example.com
`, a.SignIn.SetupURL(secret)), nil
}

type workerCmd struct{}

// Run works jobs until it is told to stop.
func (workerCmd) Run(e *env) error {
	log := e.config.Logger()
	tracer, err := startTraces(e, log)
	if err != nil {
		return err
	}
	defer tracer.Stop(e.ctx)
	d, err := app.OpenStore(e.ctx, e.config)
	if err != nil {
		return err
	}
	defer func() { _ = d.Close() }()
	a, err := app.New(e.config, d, log, app.Options{Tracer: tracer})
	if err != nil {
		return err
	}
	stop, err := a.Work(e.ctx)
	if err != nil {
		return err
	}
	if err := serveAdmin(e, a.Server(version())); err != nil {
		stop()
		return err
	}
	log.Info("working", "store", string(d.Dialect), "version", version())
	<-e.ctx.Done()
	stop()
	log.Info("stopped")
	return nil
}

// startTraces sends traces to the collector that the environment names, if it names one.
func startTraces(e *env, log *slog.Logger) (*trace.Tracer, error) {
	settings, err := trace.FromEnv(os.Getenv)
	if err != nil {
		return nil, fmt.Errorf("traces: %w", err)
	}
	return trace.Start(e.ctx, settings, version(), log)
}

// serveAdmin serves metrics and profiles beside the rest, when an address is set for them.
func serveAdmin(e *env, srv *server.Server) error {
	if e.config.AdminListen == "" {
		return nil
	}
	listener, err := (&net.ListenConfig{}).Listen(e.ctx, "tcp", e.config.AdminListen)
	if err != nil {
		return fmt.Errorf("listen for the operator: %w", err)
	}
	go func() {
		if err := srv.ServeAdmin(e.ctx, listener); err != nil {
			e.config.Logger().Error("metrics are no longer served", "error", err)
		}
	}()
	return nil
}

type migrateCmd struct{}

// Run migrates and exits.
func (migrateCmd) Run(e *env) error {
	d, err := app.OpenForCommand(e.ctx, e.config, false)
	if err != nil {
		return err
	}
	fmt.Fprintln(e.out, "The schema is up to date.")
	return d.Close()
}

// withStore runs a short command on a store that is there, beside a running service or without one.
func withStore(e *env, fn func(ctx context.Context, a *app.App) error) error {
	return onStore(e, true, fn)
}

// withNewStore is withStore for a command that may be the first of all.
func withNewStore(e *env, fn func(ctx context.Context, a *app.App) error) error {
	return onStore(e, false, fn)
}

func onStore(e *env, existing bool, fn func(ctx context.Context, a *app.App) error) error {
	d, err := app.OpenForCommand(e.ctx, e.config, existing)
	if err != nil {
		return err
	}
	defer func() { _ = d.Close() }()
	a, err := app.New(e.config, d, quietLogger(e.config), app.Options{Command: true})
	if err != nil {
		return err
	}
	return fn(e.ctx, a)
}

// quietLogger keeps a command's output to what it prints.
func quietLogger(c *config.Config) *slog.Logger {
	quiet := *c
	quiet.LogLevel = "error"
	return quiet.Logger()
}
