package app

import (
	"context"

	"github.com/trigpoint/trigpoint/internal/connection"
	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/provider/searchconsole"
	"github.com/trigpoint/trigpoint/internal/provider/webindex"
	"github.com/trigpoint/trigpoint/internal/rankwatch"
	"github.com/trigpoint/trigpoint/internal/rankwatch/formula"
	"github.com/trigpoint/trigpoint/internal/research"
	"github.com/trigpoint/trigpoint/internal/serp"
	"github.com/trigpoint/trigpoint/internal/source"
	"github.com/trigpoint/trigpoint/internal/webtarget"
)

// addKeyword wires area C. web and data are what a test puts in place of the configured providers.
func (a *App) addKeyword(web WebProvider, data []provider.Provider) error {
	a.Pages = webindex.NewLibrary(a.DB, func(rank int64) float64 { return research.AuthorityOfRank(int(rank)).Score / 100 })
	sources, err := openChain[WebProvider](a, a.Config.SerpProvider, a.Pages, provider.CallerOptions{})
	if err != nil {
		return err
	}
	if web != nil {
		sources = chainOf(a, provider.CallerOptions{}, web)
	}
	asked, err := a.openData(data)
	if err != nil {
		return err
	}
	a.web, a.data = sources, asked
	a.Serps = serp.New(research.Learn)
	a.Research = research.New(research.Options{
		DB: a.DB, Accounts: a.Accounts, Clock: a.Clock, Log: a.Log, Jobs: a.Jobs, Serps: a.Serps, Web: sources,
		Data: asked, Ledger: a.Ledger,
		CTR: formula.CTR, Retention: a.Config.SerpRetention,
		Tracked: func(ctx context.Context, accountID string) ([]webtarget.Target, error) {
			return a.RankWatch.Targets(ctx, accountID)
		},
	})
	console, err := searchconsole.New(a.Config.SearchConsoleURL, a.Connections.Tokens(connection.SearchConsole), a.Clock)
	if err != nil {
		return err
	}
	a.RankWatch = rankwatch.New(rankwatch.Options{
		DB: a.DB, Accounts: a.Accounts, Clock: a.Clock, Log: a.Log, Jobs: a.Jobs, Demand: a.Research.Demand, Serps: a.Serps,
		Sources: a.laterWeb(sources), Ledger: a.Ledger, Depth: a.Config.SerpDepth,
		Console: console, ConsoleCaller: a.caller(console, provider.CallerOptions{}),
	})
	return nil
}

// openData opens those who are asked about keywords and domains, in their order, after those that a test brings.
func (a *App) openData(providers []provider.Provider) (source.Chain[provider.Provider], error) {
	for _, name := range a.Config.KeywordProvider {
		if name == "none" {
			continue
		}
		opened, err := openProvider[provider.Provider](a, name, nil)
		if err != nil {
			return nil, err
		}
		providers = append(providers, opened)
	}
	return chainOf(a, provider.CallerOptions{}, providers...), nil
}
