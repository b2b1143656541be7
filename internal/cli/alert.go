package cli

import (
	"context"
	"fmt"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/trigpoint/trigpoint/internal/alert"
	"github.com/trigpoint/trigpoint/internal/app"
	"github.com/trigpoint/trigpoint/internal/httpapi"
)

type alertCmd struct {
	Rule alertRuleCmd `cmd:"" help:"Say what to be told of, how and when."`
	List alertListCmd `cmd:"" help:"List what rules have found in the last 90 days."`
}

type alertRuleCmd struct {
	Add    alertAddCmd    `cmd:"" help:"Make a rule."`
	List   alertRulesCmd  `cmd:"" help:"List the rules of an account."`
	Remove alertRemoveCmd `cmd:"" help:"Delete a rule."`
	Test   alertTestCmd   `cmd:"" help:"Send a message to the receivers of a rule now."`
}

// alertsOf is what the commands have in common: whose alerts.
type alertsOf struct {
	Account string `required:"" help:"Id or email of the account."`
}

func (o alertsOf) run(e *env, do func(ctx context.Context, alerts *alert.Service, accountID string) error) error {
	return withStore(e, func(ctx context.Context, a *app.App) error {
		acc, err := a.Accounts.Find(ctx, o.Account)
		if err != nil {
			return err
		}
		return do(ctx, a.Alerts, acc.ID)
	})
}

type alertAddCmd struct {
	alertsOf
	Condition string   `arg:"" help:"What to wait for, such as position_lost; docs/alerts.md lists all."`
	Threshold *float64 `arg:"" optional:"" help:"How much: places, points of a share, or the top 3, 10 or 20."`
	Subject   string   `help:"Id of one tracking, campaign or location; all when left out."`
	Rival     string   `help:"Domain to look out for, with rival_passed."`
	Name      string   `help:"Name of the rule."`
	Email     []string `help:"Address to mail."`
	Slack     string   `help:"Slack-compatible URL to post to."`
	Webhooks  bool     `help:"Tell the account's webhooks."`
	Pace      string   `enum:"at_once,daily,weekly" default:"at_once" help:"When: at_once, daily or weekly."`
	Hour      int      `default:"8" help:"Hour of a digest, in the account's time zone."`
	Weekday   int      `default:"1" help:"Day of a weekly digest: 0 is Sunday."`
}

// Run makes a rule.
func (cmd *alertAddCmd) Run(e *env) error {
	return cmd.run(e, func(ctx context.Context, alerts *alert.Service, accountID string) error {
		var threshold httpapi.Field[float64]
		if cmd.Threshold != nil {
			threshold = httpapi.Of(*cmd.Threshold)
		}
		made, err := alerts.Add(ctx, accountID, alert.RuleInput{
			Name: httpapi.Of(cmd.Name), Condition: httpapi.Of(cmd.Condition), Threshold: threshold, SubjectID: httpapi.Of(cmd.Subject), Rival: httpapi.Of(cmd.Rival),
			Emails: httpapi.Of(cmd.Email), SlackURL: httpapi.Of(cmd.Slack), Webhooks: httpapi.Of(cmd.Webhooks),
			Pace: httpapi.Of(cmd.Pace), Hour: httpapi.Of(cmd.Hour), Weekday: httpapi.Of(cmd.Weekday),
		})
		if err != nil {
			return err
		}
		fmt.Fprintf(e.out, "Rule  %s\n%s\n", made.ID, made.Text)
		return nil
	})
}

type alertRulesCmd struct{ alertsOf }

// Run lists rules.
func (cmd *alertRulesCmd) Run(e *env) error {
	return cmd.run(e, func(ctx context.Context, alerts *alert.Service, accountID string) error {
		all, err := alerts.Rules(ctx, accountID)
		if err != nil {
			return err
		}
		t := tabwriter.NewWriter(e.out, 0, 0, 2, ' ', 0)
		fmt.Fprintln(t, "ID\tNAME\tRULE\tLAST RAISED")
		for _, r := range all {
			last := "never"
			if r.RaisedAt != nil {
				last = r.RaisedAt.Format(time.DateTime)
			}
			if r.PausedAt != nil {
				last += ", paused"
			}
			fmt.Fprintf(t, "%s\t%s\t%s\t%s\n", r.ID, r.Name, r.Text, last)
		}
		return t.Flush()
	})
}

// oneRule is what the commands about one rule have in common.
type oneRule struct {
	alertsOf
	ID string `arg:"" name:"rule" help:"Id of the rule."`
}

type alertRemoveCmd struct{ oneRule }

// Run deletes a rule.
func (cmd *alertRemoveCmd) Run(e *env) error {
	return cmd.run(e, func(ctx context.Context, alerts *alert.Service, accountID string) error {
		if err := alerts.Remove(ctx, accountID, cmd.ID); err != nil {
			return err
		}
		fmt.Fprintln(e.out, "Deleted.")
		return nil
	})
}

type alertTestCmd struct{ oneRule }

// Run tests a rule.
func (cmd *alertTestCmd) Run(e *env) error {
	return cmd.run(e, func(ctx context.Context, alerts *alert.Service, accountID string) error {
		all, err := alerts.Test(ctx, accountID, cmd.ID)
		if err != nil {
			return err
		}
		failed := 0
		for _, t := range all {
			if t.Status == alert.Failed {
				failed++
			}
			fmt.Fprintln(e.out, strings.TrimSpace(fmt.Sprintf("%s %s: %s %s", t.Channel, t.Address, t.Status, t.Detail)))
		}
		if len(all) == 0 {
			fmt.Fprintln(e.out, "The rule sends no messages: it has neither a mail address nor a Slack URL.")
		}
		if failed > 0 {
			return fmt.Errorf("%d of %s did not take the message", failed, counted(len(all), "receivers"))
		}
		return nil
	})
}

type alertListCmd struct {
	alertsOf
	Rule  string `help:"Only alerts of this rule."`
	Limit int    `default:"50" help:"As many at most."`
	JSON  bool   `help:"Print JSON in place of a table."`
}

// Run lists alerts.
func (cmd *alertListCmd) Run(e *env) error {
	return cmd.run(e, func(ctx context.Context, alerts *alert.Service, accountID string) error {
		all, err := alerts.List(ctx, accountID, cmd.Rule, cmd.Limit, 0)
		if err != nil {
			return err
		}
		if cmd.JSON {
			return printJSON(e, all)
		}
		t := tabwriter.NewWriter(e.out, 0, 0, 2, ' ', 0)
		fmt.Fprintln(t, "RAISED\tRULE\tSTATUS\tWHAT")
		for _, a := range all {
			fmt.Fprintf(t, "%s\t%s\t%s\t%s\n", a.At.Format(time.DateTime), a.RuleName, strings.TrimSpace(string(a.Status)+" "+a.Detail), a.Text)
		}
		return t.Flush()
	})
}
