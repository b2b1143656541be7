package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/trigpoint/trigpoint/internal/app"
	"github.com/trigpoint/trigpoint/internal/report"
	"github.com/trigpoint/trigpoint/internal/report/document"
)

type reportCmd struct {
	Campaign reportCampaignCmd `cmd:"" help:"Report how a campaign fared."`
	Tracking reportTrackingCmd `cmd:"" help:"Report how a tracking fared."`
	Account  reportAccountCmd  `cmd:"" help:"Report how everything fared that an account watches."`
}

// reportOf is what the commands have in common.
type reportOf struct {
	Account string `required:"" help:"Id or email of the account."`
	From    string `help:"First day, such as 2026-11-01; 29 days before the last when empty."`
	To      string `help:"Last day; today when empty."`
	Out     string `required:"" help:"File to write: .pdf is a PDF, .html a page." placeholder:"FILE" type:"path"`
	Letter  bool   `help:"Make a PDF for US Letter paper rather than A4."`
}

func (o *reportOf) run(e *env, q report.Query) error {
	if !o.isPage() && !strings.EqualFold(filepath.Ext(o.Out), ".pdf") {
		return fmt.Errorf("a report is written to a file that ends in .pdf or .html, not to %s", filepath.Base(o.Out))
	}
	return withStore(e, func(ctx context.Context, a *app.App) error {
		acc, err := a.Accounts.Find(ctx, o.Account)
		if err != nil {
			return err
		}
		q.AccountID = acc.ID
		if q.From, q.To, err = a.Reports.ReadPeriod(o.From, o.To); err != nil {
			return err
		}
		r, err := a.Reports.Make(ctx, q)
		if err != nil {
			return err
		}
		f, err := os.Create(o.Out)
		if err != nil {
			return err
		}
		if err := errors.Join(o.write(a, r, f), f.Close()); err != nil {
			return err
		}
		fmt.Fprintf(e.out, "Wrote %s.\n", o.Out)
		return nil
	})
}

func (o *reportOf) isPage() bool { return strings.EqualFold(filepath.Ext(o.Out), ".html") }

func (o *reportOf) write(a *app.App, r *document.Report, f *os.File) error {
	if o.isPage() {
		page, err := r.Page()
		if err == nil {
			_, err = f.Write(page)
		}
		return err
	}
	paper := document.A4
	if o.Letter {
		paper = document.Letter
	}
	return a.Reports.WritePDF(f, r, paper)
}

type reportCampaignCmd struct {
	reportOf
	Campaign string `arg:"" help:"Id of the campaign."`
	Keyword  string `help:"The one keyword to tell of, by name or id; all when empty."`
}

// Run writes a report of a campaign.
func (cmd *reportCampaignCmd) Run(e *env) error {
	return cmd.run(e, report.Query{Kind: report.Campaign, ID: cmd.Campaign, Keyword: cmd.Keyword})
}

type reportTrackingCmd struct {
	reportOf
	Tracking string `arg:"" help:"Id of the tracking."`
}

// Run writes a report of a tracking.
func (cmd *reportTrackingCmd) Run(e *env) error {
	return cmd.run(e, report.Query{Kind: report.Tracking, ID: cmd.Tracking})
}

type reportAccountCmd struct{ reportOf }

// Run writes a report of an account.
func (cmd *reportAccountCmd) Run(e *env) error {
	return cmd.run(e, report.Query{Kind: report.Account})
}
