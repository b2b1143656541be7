package cli

import (
	"context"
	"fmt"
	"time"

	"github.com/trigpoint/trigpoint/internal/app"
	"github.com/trigpoint/trigpoint/internal/foreign"
	"github.com/trigpoint/trigpoint/internal/rankwatch"
	"github.com/trigpoint/trigpoint/internal/rankwatch/performance"
	"github.com/trigpoint/trigpoint/internal/rankwatch/series"
)

type importSearchConsoleCmd struct {
	Files    []string `arg:"" name:"file" help:"Export of a single day (ZIP, or Queries.csv), or a table by date and query." type:"existingfile"`
	Tracking string   `required:"" help:"Id of the tracking beside whose ranks the figures are shown."`
	Site     string   `help:"Property, as Google spells it; that of the tracking, or sc-domain: and its domain, when empty." placeholder:"URL"`
	Date     string   `help:"Day of Queries.csv, which does not tell it, such as 2026-03-01." placeholder:"DATE"`
	DayFirst bool     `help:"3/4/2026 is 3 April, not 4 March."`
	intoAccount
}

// Run takes over queries.
func (cmd *importSearchConsoleCmd) Run(e *env) error {
	at, err := readDate(cmd.Date, cmd.DayFirst)
	if err != nil {
		return err
	}
	var days []rankwatch.PastSearches
	skipped, err := eachForeign(e, cmd.Files, "days", func(f *foreignFile) error {
		read, err := foreign.ReadSearchConsole(f.File, foreign.SearchOptions{Day: at, Before: time.Now().UTC().Truncate(24 * time.Hour), DayFirst: cmd.DayFirst}, f.bad)
		for _, day := range read {
			days = append(days, rankwatch.PastSearches{Day: series.DayOf(day.Day), Queries: searchRows(day.Queries), Pages: searchRows(day.Pages)})
		}
		return err
	})
	if err != nil {
		return err
	}
	return withStore(e, func(ctx context.Context, a *app.App) error {
		acc, err := a.Accounts.Find(ctx, cmd.Account)
		if err != nil {
			return err
		}
		done, err := a.RankWatch.ImportSearches(ctx, acc.ID, cmd.Tracking, cmd.Site, days, cmd.DryRun)
		if err != nil {
			return err
		}
		if len(days) == 0 {
			return sumUpImport(e, cmd.DryRun, skipped, false)
		}
		fmt.Fprintf(e.out, "%s: %s with %s %sadded; %s %s there.\n", done.SiteURL, counted(done.Days, "days"), counted(done.Queries, "queries"),
			would(cmd.DryRun), counted(done.Known, "days"), were(done.Known))
		return sumUpImport(e, cmd.DryRun, skipped, done.Days+done.Known > 0)
	})
}

func searchRows(all []foreign.SearchRow) []performance.Row {
	rows := make([]performance.Row, len(all))
	for i, r := range all {
		rows[i] = performance.Row{Query: r.Query, Page: r.Page, Country: r.Country, Device: r.Device, Figures: performance.Of(r.Clicks, r.Impressions, r.Position)}
	}
	return rows
}
