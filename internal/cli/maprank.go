package cli

import (
	"context"
	"fmt"
	"os"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/mattn/go-isatty"

	"github.com/trigpoint/trigpoint/internal/app"
	"github.com/trigpoint/trigpoint/internal/errs"
	"github.com/trigpoint/trigpoint/internal/maprank"
)

type campaignCmd struct {
	Find    campaignFindCmd    `cmd:"" help:"List the campaigns of a key's account."`
	Get     campaignGetCmd     `cmd:"" help:"Show all of a campaign."`
	Create  campaignCreateCmd  `cmd:"" help:"Make a campaign around a business."`
	Collect campaignCollectCmd `cmd:"" help:"Order a report of a campaign, which costs credits."`
	Delete  campaignDeleteCmd  `cmd:"" help:"Remove a campaign and its reports for good."`

	List     campaignListCmd     `cmd:"" help:"List campaigns of all accounts, from the store; with --server or --key those of the key's account."`
	Keywords campaignKeywordsCmd `cmd:"" help:"List the keywords of a campaign."`
	Reports  campaignReportsCmd  `cmd:"" help:"List the reports of a campaign, newest first."`
	Share    campaignShareCmd    `cmd:"" help:"Let another account see a campaign."`
	Unshare  campaignUnshareCmd  `cmd:"" help:"Take a shared campaign away from an account."`
}

type campaignListCmd struct {
	listed
	Account string `help:"Id or email of an account; all accounts when empty."`
}

// Run lists campaigns.
func (cmd *campaignListCmd) Run(e *env) error {
	if cmd.Server != "" || cmd.Key != "" {
		return (&campaignFindCmd{listed: cmd.listed}).Run(e)
	}
	return withStore(e, func(ctx context.Context, a *app.App) error {
		accountID := ""
		if cmd.Account != "" {
			acc, err := a.Accounts.Find(ctx, cmd.Account)
			if err != nil {
				return err
			}
			accountID = acc.ID
		}
		all, err := a.MapRank.Campaigns(ctx, accountID, cmd.Limit)
		if err != nil {
			return err
		}
		if cmd.JSON {
			return printJSON(e, all)
		}
		t := tabwriter.NewWriter(e.out, 0, 0, 2, ' ', 0)
		fmt.Fprintln(t, "ID\tNAME\tOWNER\tSTATUS\tSHARES")
		for _, c := range all {
			fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%d\n", c.ID, c.Name, c.Owner, c.Status, c.Shares)
		}
		return t.Flush()
	})
}

type campaignKeywordsCmd struct {
	Campaign string `arg:"" help:"Id of the campaign."`
}

// Run lists keywords with their status in the last report.
func (cmd *campaignKeywordsCmd) Run(e *env) error {
	return withStore(e, func(ctx context.Context, a *app.App) error {
		all, err := a.MapRank.Keywords(ctx, cmd.Campaign)
		if err != nil {
			return err
		}
		t := tabwriter.NewWriter(e.out, 0, 0, 2, ' ', 0)
		fmt.Fprintln(t, "ID\tKEYWORD\tSTATUS")
		for _, k := range all {
			fmt.Fprintf(t, "%s\t%s\t%s\n", k.Keyword.ID, k.Keyword.Name, k.Status)
		}
		return t.Flush()
	})
}

type campaignReportsCmd struct {
	Campaign string `arg:"" help:"Id of the campaign."`
	Limit    int    `help:"Most reports to show." default:"100"`
}

// Run lists reports.
func (cmd *campaignReportsCmd) Run(e *env) error {
	return withStore(e, func(ctx context.Context, a *app.App) error {
		all, err := a.MapRank.Reports(ctx, cmd.Campaign, cmd.Limit)
		if err != nil {
			return err
		}
		t := tabwriter.NewWriter(e.out, 0, 0, 2, ' ', 0)
		fmt.Fprintln(t, "DATE\tSTATUS\tKEYWORDS\tCREDITS\tNOTE")
		for _, r := range all {
			fmt.Fprintf(t, "%s\t%s\t%d\t%d\t%s\n", r.At, r.Status, r.Keywords, r.Charged-r.Refunded, r.Reason)
		}
		return t.Flush()
	})
}

type campaignShareCmd struct {
	Campaign string `arg:"" help:"Id of the campaign."`
	Account  string `arg:"" help:"Id or email of the account to share it with."`
	Access   string `help:"VIEWER reads, EDITOR also changes and collects." enum:"VIEWER,EDITOR" default:"VIEWER"`
}

// Run shares a campaign.
func (cmd *campaignShareCmd) Run(e *env) error {
	return withStore(e, func(ctx context.Context, a *app.App) error {
		acc, err := a.Accounts.Find(ctx, cmd.Account)
		if err != nil {
			return err
		}
		if err := a.MapRank.Share(ctx, cmd.Campaign, acc.ID, maprank.Access(cmd.Access)); err != nil {
			return err
		}
		fmt.Fprintf(e.out, "%s is %s of the campaign now.\n", acc.Email, cmd.Access)
		return nil
	})
}

type campaignUnshareCmd struct {
	Campaign string `arg:"" help:"Id of the campaign."`
	Account  string `arg:"" help:"Id or email of the account."`
}

// Run ends a share.
func (cmd *campaignUnshareCmd) Run(e *env) error {
	return withStore(e, func(ctx context.Context, a *app.App) error {
		acc, err := a.Accounts.Find(ctx, cmd.Account)
		if err != nil {
			return err
		}
		if err := a.MapRank.Unshare(ctx, cmd.Campaign, acc.ID); err != nil {
			return err
		}
		fmt.Fprintf(e.out, "%s does not see the campaign any more.\n", acc.Email)
		return nil
	})
}

type collectCmd struct {
	Campaign string `arg:"" help:"Id of the campaign."`
}

// Run collects a report and waits for it. It works itself unless another process works the store already.
func (cmd *collectCmd) Run(e *env) error {
	return withStore(e, func(ctx context.Context, a *app.App) error {
		at, err := a.MapRank.Collect(ctx, cmd.Campaign)
		if err != nil {
			return err
		}
		a.MapRank.CollectOnly()
		if err := a.Jobs.Start(ctx); err != nil {
			return err
		}
		defer func() {
			end, cancel := context.WithTimeout(context.WithoutCancel(ctx), e.config.ShutdownGrace)
			defer cancel()
			a.Jobs.Stop(end)
		}()
		return watch(ctx, e, a.MapRank, cmd.Campaign, at)
	})
}

// watch shows how a collection goes until it has ended. Stopping to watch does not stop the collection.
func watch(ctx context.Context, e *env, s *maprank.Service, campaign string, at time.Time) error {
	bar := bar{e: e, live: isTerminal(e.err)}
	tick := time.NewTicker(200 * time.Millisecond)
	defer tick.Stop()
	for {
		p, err := s.Progress(ctx, campaign, at)
		if err != nil {
			return err
		}
		bar.show(p)
		if p.Status != maprank.Collecting {
			bar.end()
			if p.Status == maprank.Failed {
				return errs.New(errs.Dependency, "The collection failed. %s", p.Reason)
			}
			fmt.Fprintf(e.out, "Collected %s.\n", maprank.Instant{Time: at})
			if p.Reason != "" {
				fmt.Fprintln(e.out, p.Reason)
			}
			return nil
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			bar.end()
			return fmt.Errorf("stopped watching; the collection of %s goes on when the service runs", maprank.Instant{Time: at})
		}
	}
}

// bar shows progress to a person as a bar, and otherwise as a line for each tenth.
type bar struct {
	e     *env
	live  bool
	tenth int64
}

func (b *bar) show(p maprank.Progress) {
	if p.Total == 0 {
		return
	}
	if b.live {
		filled := int(p.Done * barWidth / p.Total)
		fmt.Fprintf(b.e.err, "\r%s%s %3d%%  %s of %s searches\x1b[K", strings.Repeat("█", filled), strings.Repeat("░", barWidth-filled),
			p.Done*100/p.Total, humanize.Comma(p.Done), humanize.Comma(p.Total))
		return
	}
	if tenth := p.Done * 10 / p.Total; tenth > b.tenth {
		b.tenth = tenth
		fmt.Fprintf(b.e.err, "%d%%: %d of %d searches\n", tenth*10, p.Done, p.Total)
	}
}

func (b *bar) end() {
	if b.live {
		fmt.Fprintln(b.e.err)
	}
}

func isTerminal(w any) bool {
	f, ok := w.(*os.File)
	return ok && isatty.IsTerminal(f.Fd())
}
