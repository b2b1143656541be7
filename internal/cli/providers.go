package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/trigpoint/trigpoint/internal/app"
	"github.com/trigpoint/trigpoint/internal/clock"
	"github.com/trigpoint/trigpoint/internal/config"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/source"
)

type providersCmd struct {
	Names []string `arg:"" optional:"" name:"provider" help:"Providers to show; all when none is named."`
	Check bool     `help:"Make the cheapest real request of each configured provider, most of which cost nothing, and exit with 1 if one fails."`
	JSON  bool     `help:"Print JSON."`
}

// shownProvider is a provider as people and programs see it.
type shownProvider struct {
	Name       string             `json:"name"`
	Can        []string           `json:"can"`
	Configured bool               `json:"configured"`
	Missing    []string           `json:"missing,omitempty"` // settings
	UsedFor    []string           `json:"used_for"`
	Concurrent int                `json:"concurrent,omitempty"`
	PerSecond  float64            `json:"per_second,omitempty"`
	PricesUSD  map[string]float64 `json:"prices_usd,omitempty"`
	BudgetUSD  float64            `json:"budget_usd,omitempty"` // of a month
	SpentUSD   float64            `json:"spent_usd"`            // this month
	Check      *checkResult       `json:"check,omitempty"`

	opened provider.Provider // nil where its settings do not allow it
	spent  provider.Money
}

// Run shows the providers. It needs no store, and makes none.
func (cmd *providersCmd) Run(e *env) error {
	vendors, err := cmd.choose(append(app.BuiltIn(), e.config.Vendors...))
	if err != nil {
		return err
	}
	store, err := app.OpenForCommand(e.ctx, e.config, true)
	if err == nil {
		defer func() { _ = store.Close() }()
	} else if !errors.Is(err, db.ErrNoStore) {
		return err
	}
	shown, err := describe(e.ctx, e.config, store, vendors)
	if err != nil {
		return err
	}
	var failed error
	if cmd.Check {
		failed = checkAccess(e.ctx, store, shown)
	}
	if cmd.JSON {
		return errors.Join(json.NewEncoder(e.out).Encode(shown), failed)
	}
	return errors.Join(printProviders(e, shown, cmd.Check), failed)
}

func (cmd *providersCmd) choose(vendors []provider.Vendor) ([]provider.Vendor, error) {
	if len(cmd.Names) == 0 {
		return vendors, nil
	}
	var known []string
	for _, v := range vendors {
		known = append(known, v.Name)
	}
	for _, name := range cmd.Names {
		if !slices.Contains(known, name) {
			return nil, fmt.Errorf("there is no provider %q; there are %s", name, strings.Join(known, ", "))
		}
	}
	return slices.DeleteFunc(vendors, func(v provider.Vendor) bool { return !slices.Contains(cmd.Names, v.Name) }), nil
}

// describe opens what can be opened, which asks nobody anything. Without a store nothing has been spent.
func describe(ctx context.Context, c *config.Config, store *db.DB, vendors []provider.Vendor) ([]*shownProvider, error) {
	spent := map[string]provider.Money{}
	if store != nil {
		var err error
		if spent, err = source.NewLedger(store, clock.System{}).Spent(ctx); err != nil {
			return nil, err
		}
	}
	var all []*shownProvider
	for _, v := range vendors {
		p := &shownProvider{
			Name: v.Name, Can: v.Abilities(), Missing: v.Missing(), UsedFor: usesOf(c, v.Name),
			SpentUSD: spent[v.Name].Dollars(), spent: spent[v.Name],
		}
		p.Configured = len(p.Missing) == 0 && (len(p.UsedFor) > 0 || !v.NeedsNothing())
		opened, err := v.Open(clock.System{})
		if err != nil && p.Configured {
			return nil, err
		}
		if err == nil {
			p.show(opened)
		}
		all = append(all, p)
	}
	return all, nil
}

func (p *shownProvider) show(opened provider.Provider) {
	d := opened.Describe()
	p.opened, p.Concurrent, p.PerSecond, p.BudgetUSD = opened, d.Pace.Concurrent, d.Pace.PerSecond, d.Budget.Dollars()
	p.PricesUSD = map[string]float64{}
	for _, price := range d.Prices.List() {
		p.PricesUSD[price.Question] = price.Most.Dollars()
	}
}

// usesOf says what a provider is asked for by the settings.
func usesOf(c *config.Config, name string) []string {
	used := []string{}
	for _, use := range []struct {
		of  string
		who []string
	}{{"map", c.MapProvider}, {"web", c.SerpProvider}, {"keywords", c.KeywordProvider}} {
		if slices.Contains(use.who, name) {
			used = append(used, use.of)
		}
	}
	return used
}

func printProviders(e *env, all []*shownProvider, checked bool) error {
	t := tabwriter.NewWriter(e.out, 0, 0, 2, ' ', 0)
	fmt.Fprint(t, "NAME\tCAN\tUSED FOR\tPACE\tCOSTS AT MOST\tBUDGET\tTHIS MONTH\tCONFIGURED")
	if checked {
		fmt.Fprint(t, "\tCHECK")
	}
	fmt.Fprintln(t)
	for _, p := range all {
		pace, prices, budget := "-", "-", "-"
		if p.opened != nil {
			d := p.opened.Describe()
			pace, prices, budget = d.Pace.String(), d.Prices.String(), limitText(d.Budget)
		}
		configured, used := "yes", "-"
		switch {
		case len(p.Missing) > 0:
			configured = "needs " + strings.Join(p.Missing, ", ")
		case !p.Configured:
			configured = "needs to be named"
		}
		if len(p.UsedFor) > 0 {
			used = strings.Join(p.UsedFor, ", ")
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s", p.Name, strings.Join(p.Can, ", "), used, pace, prices, budget, p.spent, configured)
		if checked {
			fmt.Fprint(t, "\t"+p.Check.String())
		}
		fmt.Fprintln(t)
	}
	return t.Flush()
}
