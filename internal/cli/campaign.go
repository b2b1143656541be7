package cli

import (
	"cmp"
	"fmt"
	"time"

	"github.com/trigpoint/trigpoint/client"
	"github.com/trigpoint/trigpoint/client/maprank"
)

const campaignHead = "ID NAME STATUS POSITION VOICE% LAST"

type campaignFindCmd struct {
	listed
	Query string `arg:"" optional:"" help:"Part of the name or of the business's address."`
}

// Run lists the campaigns of the key's account, newest first.
func (cmd *campaignFindCmd) Run(e *env) error {
	c, err := cmd.client(e)
	if err != nil {
		return err
	}
	return many(e, cmd.listed, c.Campaigns.List(e.ctx, client.CampaignFilter{Query: cmd.Query}), campaignHead, func(c maprank.CampaignItem) []any {
		return []any{c.ID, c.Name, c.Status, c.ProjectMetrics.AveragePosition, c.ProjectMetrics.AverageShareOfVoice, day(c.LastReportDate)}
	})
}

func campaignRow(c maprank.Campaign) []any {
	return []any{c.ID, c.Name, c.Status, c.ProjectMetrics.AveragePosition, c.ProjectMetrics.AverageShareOfVoice, day(c.LastReportDate)}
}

func day(t *time.Time) string {
	if t == nil {
		return ""
	}
	return t.Format(time.DateOnly)
}

type campaignGetCmd struct {
	shown
	Campaign string `arg:"" help:"Id of the campaign."`
}

// Run shows all of a campaign.
func (cmd *campaignGetCmd) Run(e *env) error {
	c, err := cmd.client(e)
	if err != nil {
		return err
	}
	found, err := c.Campaigns.Get(e.ctx, cmd.Campaign)
	if err != nil {
		return err
	}
	return whole(e, cmd.shown, found)
}

type campaignCreateCmd struct {
	shown
	Place    string   `arg:"" help:"Place id of the business."`
	Keywords []string `arg:"" help:"Keywords, each as one word of the command line: \"pizza near me\"."`
	Name     string   `help:"Name; that of the business when empty."`
	Grid     string   `help:"Points of the grid, such as 7x7; 5x5 when empty." placeholder:"NxN"`
	Km       float64  `help:"Kilometres from the middle to the edge of the grid." default:"1.5"`
}

// Run makes a campaign around its business.
func (cmd *campaignCreateCmd) Run(e *env) error {
	c, err := cmd.client(e)
	if err != nil {
		return err
	}
	want := maprank.NewCampaign{PlaceID: cmd.Place, Keywords: cmd.Keywords}
	if cmd.Name != "" {
		want.Name = &cmd.Name
	}
	if cmd.Grid != "" || cmd.Km != 1.5 {
		want.GridSettings = &maprank.GridInput{Template: cmp.Or(cmd.Grid, "5x5"), Distance: &cmd.Km, Unit: "KM"}
	}
	made, err := c.Campaigns.Create(e.ctx, want)
	if err != nil {
		return err
	}
	return one(e, cmd.shown, made, campaignHead, campaignRow)
}

type campaignCollectCmd struct {
	remote
	Campaign string `arg:"" help:"Id of the campaign."`
}

// Run orders a report.
func (cmd *campaignCollectCmd) Run(e *env) error {
	c, err := cmd.client(e)
	if err != nil {
		return err
	}
	date, err := c.Campaigns.Collect(e.ctx, cmd.Campaign)
	if err != nil {
		return err
	}
	fmt.Fprintf(e.out, "The report of %s is being collected.\n", date.Format(time.RFC3339))
	return nil
}

type campaignDeleteCmd struct {
	remote
	Campaign string `arg:"" help:"Id of the campaign."`
}

// Run removes a campaign and its reports.
func (cmd *campaignDeleteCmd) Run(e *env) error {
	c, err := cmd.client(e)
	if err != nil {
		return err
	}
	if err := c.Campaigns.Delete(e.ctx, cmd.Campaign); err != nil {
		return err
	}
	fmt.Fprintln(e.out, "Removed, with all its reports.")
	return nil
}
