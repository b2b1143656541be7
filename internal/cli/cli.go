// Package cli holds the commands and the wiring of the program. It is the only place that sees everything.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/signal"
	"slices"
	"strings"
	"syscall"

	"github.com/alecthomas/kong"

	"github.com/trigpoint/trigpoint/internal/app"
	"github.com/trigpoint/trigpoint/internal/config"
	"github.com/trigpoint/trigpoint/internal/errs"
	"github.com/trigpoint/trigpoint/internal/maprank"
	"github.com/trigpoint/trigpoint/internal/provider"
)

// commands is the command line.
type commands struct {
	VersionFlag kong.VersionFlag `name:"version" help:"Print the version."`

	config.Config  `group:"Settings, also TRIGPOINT_<NAME> in the environment:"`
	VendorSettings kong.Plugins    `embed:"" group:"Settings, also TRIGPOINT_<NAME> in the environment:"`
	ConfigFile     kong.ConfigFlag `group:"Settings, also TRIGPOINT_<NAME> in the environment:" name:"config" help:"JSON file of settings; its keys are the names of the flags." placeholder:"FILE"`

	Serve   serveCmd   `cmd:"" help:"Run the service."`
	Worker  workerCmd  `cmd:"" help:"Run background work only."`
	Migrate migrateCmd `cmd:"" help:"Bring the store's schema up to date."`
	Health  healthCmd  `cmd:"" help:"Ask whether the service that listens on --listen is ready; exits with 1 when not."`
	Backup  backupCmd  `cmd:"" help:"Write rows, waiting jobs and images of this installation to one file, while it runs or not; check such a file."`
	Restore restoreCmd `cmd:"" help:"Fill an empty installation from such a file, on the same engine or the other."`
	Doctor  doctorCmd  `cmd:"" help:"Say what is wrong with this installation and what to do; exits with 1 when something is."`
	Import  importCmd  `cmd:"" help:"Take over what you have in another tool."`
	Account accountCmd `cmd:"" help:"Create, change and delete accounts."`
	Key     keyCmd     `cmd:"" help:"Create, list and revoke API keys." set:"kind=API key" set:"life=0s"`             //nolint:staticcheck // kong reads every set
	Token   tokenCmd   `cmd:"" help:"Create, list and revoke access tokens." set:"kind=access token" set:"life=168h"` //nolint:staticcheck // as above

	Providers providersCmd `cmd:"" help:"Show data providers: what they can, whether they are configured and used, what they cost; check them."`
	Costs     costsCmd     `cmd:"" help:"Show what asking data providers has cost, by month, provider, account and campaign or tracking."`

	Google googleCmd `cmd:"" help:"Connect Google's services with an account; list and disconnect them."`

	Webhook webhookCmd `cmd:"" help:"Tell receivers of an account what happens in it; see and replay what they were told."`
	Alert   alertCmd   `cmd:"" help:"Tell people when positions, reports, listings or credits change as they want to know."`
	Report  reportCmd  `cmd:"" help:"Write a report of a campaign, a tracking or an account to hand over, as a PDF or a page."`

	Listings listingsCmd `cmd:"" help:"Export locations for directories that have no open API."`
	Places   placesCmd   `cmd:"" help:"Import and search places of the built-in map search."`
	Campaign campaignCmd `cmd:"" help:"Find, make, collect and remove campaigns of an account, on this server or another; list all of this store; share them."`
	Collect  collectCmd  `cmd:"" help:"Collect a report of a campaign and watch it."`
	Heatmap  heatmapCmd  `cmd:"" help:"Draw where a campaign's business ranks."`

	Keywords  keywordsCmd  `cmd:"" help:"Import figures of keywords."`
	Pages     pagesCmd     `cmd:"" help:"Import web pages."`
	Domains   domainsCmd   `cmd:"" help:"Import ranks of domains."`
	Locations locationsCmd `cmd:"" help:"Find locations for keyword research and rank tracking."`

	Location locationCmd `cmd:"" help:"List, make, change and remove locations of an account, on this server or another."`
	Tracking trackingCmd `cmd:"" help:"List, make and end trackings of an account, on this server or another."`
	Keyword  keywordCmd  `cmd:"" help:"List, add and remove tracked keywords, on this server or another."`

	MCP mcpCmd `cmd:"" name:"mcp" help:"Let an assistant ask about an account, over standard input and output."`

	Show    configCmd  `cmd:"" name:"config" help:"Print the effective settings, secrets hidden."`
	Version versionCmd `cmd:"" help:"Print the version."`
}

// env is what a command runs in.
type env struct {
	ctx    context.Context
	config *config.Config
	out    io.Writer
	err    io.Writer
	model  *kong.Application
}

// Main runs the program and returns its exit status: 0, 1 for a failure, 2 for wrong usage.
func Main(args []string, stdout, stderr io.Writer) int {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	return run(ctx, args, stdout, stderr)
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	c := commands{Config: config.Config{Vendors: app.Vendors()}}
	for _, v := range c.Vendors {
		c.VendorSettings = append(c.VendorSettings, v.Settings)
	}
	exited := -1
	parser, err := kong.New(&c,
		kong.Name("trigpoint"),
		kong.Description("A self-hosted local-search platform: locations, map rank tracking, keyword rank tracking."),
		kong.Configuration(settingsFile),
		kong.PostBuild(func(k *kong.Kong) error { return withoutEnvars(k.Model.Node) }),
		kong.DefaultEnvars("TRIGPOINT"),
		kong.Vars{
			"version":     "trigpoint " + built().String(),
			"map_vendors": able(c.Vendors, provider.Can[maprank.MapProvider]),
			"web_vendors": able(c.Vendors, provider.Can[app.WebProvider]),

			"keyword_vendors": able(c.Vendors, provider.KnowsKeywords),
		},
		kong.Writers(stdout, stderr),
		kong.Exit(func(status int) { exited = status }),
		kong.Help(showHelp),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, FlagsLast: true}),
	)
	if err != nil {
		fmt.Fprintln(stderr, "trigpoint:", err)
		return 1
	}
	if len(args) > 0 && args[0] == "help" {
		args = append(args[1:len(args):len(args)], "--help")
	}
	parsed, err := parser.Parse(args)
	if exited >= 0 { // --help or --version has been answered
		return exited
	}
	if err != nil {
		fmt.Fprintf(stderr, "trigpoint: %v\nRun trigpoint --help for usage.\n", err)
		return 2
	}
	e := &env{ctx: ctx, config: &c.Config, out: stdout, err: stderr, model: parser.Model}
	c.ChooseProviders()
	if err := c.Check(); err != nil {
		fmt.Fprintln(stderr, "trigpoint:", err)
		return 2
	}
	if err := parsed.Run(e); err != nil {
		fmt.Fprintln(stderr, "trigpoint:", readable(err))
		return 1
	}
	return 0
}

// able names the vendors that have a capability.
func able(vendors []provider.Vendor, can func(provider.Vendor) bool) string {
	var names []string
	for _, v := range vendors {
		if can(v) {
			names = append(names, v.Name)
		}
	}
	return strings.Join(names, ", ")
}

func isSetting(flag *kong.Flag) bool {
	return flag.Group != nil && strings.HasPrefix(flag.Group.Key, "Settings")
}

// showHelp shows the settings with the program and with serve only: there are so many that those flags would be lost among them that
// another command has of its own.
func showHelp(options kong.HelpOptions, ctx *kong.Context) error {
	command := ctx.Selected()
	if command == nil || command.Name == "serve" {
		return kong.DefaultHelpPrinter(options, ctx)
	}
	for _, flag := range ctx.Model.Flags {
		flag.Hidden = flag.Hidden || isSetting(flag)
	}
	if err := kong.DefaultHelpPrinter(options, ctx); err != nil {
		return err
	}
	_, err := fmt.Fprintln(ctx.Stdout, "\nSettings, also TRIGPOINT_<NAME> in the environment: trigpoint help serve")
	return err
}

// withoutEnvars keeps the environment to settings. A command's own flags are typed: TRIGPOINT_VERSION, which
// containers like to set, must not be taken for --version.
func withoutEnvars(node *kong.Node) error {
	for _, flag := range node.Flags {
		if !isSetting(flag) {
			flag.Envs = []string{"-"}
		}
	}
	for _, child := range node.Children {
		if err := withoutEnvars(child); err != nil {
			return err
		}
	}
	return nil
}

// readable prefers the part of an error that was written for a person.
func readable(err error) string {
	var known *errs.Error
	if !errors.As(err, &known) {
		return err.Error()
	}
	if known.Code != errs.Invalid || len(known.Details) == 0 {
		return known.Error()
	}
	problems := make([]string, len(known.Details))
	for i, d := range known.Details {
		problems[i] = d.Message
	}
	return strings.Join(problems, " ")
}

type configCmd struct{}

// Run prints every setting with its value.
func (configCmd) Run(e *env) error {
	for _, f := range e.model.Flags {
		if slices.Contains([]string{"help", "version", "config"}, f.Name) {
			continue
		}
		value := fmt.Sprint(f.Target.Interface())
		if list, ok := f.Target.Interface().([]string); ok {
			value = strings.Join(list, ",")
		}
		if f.Tag.Has("secret") && value != "" {
			value = "(hidden)"
		}
		fmt.Fprintf(e.out, "%-24s %s\n", f.Name, value)
	}
	return nil
}
