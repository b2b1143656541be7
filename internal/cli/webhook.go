package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/trigpoint/trigpoint/internal/app"
	"github.com/trigpoint/trigpoint/internal/httpapi"
	"github.com/trigpoint/trigpoint/internal/webhook"
)

type webhookCmd struct {
	Add    webhookAddCmd    `cmd:"" help:"Make a webhook and print the secret that signs its messages, once."`
	List   webhookListCmd   `cmd:"" help:"List the webhooks of an account."`
	Pause  webhookPauseCmd  `cmd:"" help:"Tell a webhook of nothing for the time being."`
	Resume webhookResumeCmd `cmd:"" help:"Tell a webhook again that is paused, also one that was gone."`
	Remove webhookRemoveCmd `cmd:"" help:"Delete a webhook with its log."`
	Log    webhookLogCmd    `cmd:"" help:"List what a webhook was told of in the last 7 days."`
	Replay webhookReplayCmd `cmd:"" help:"Tell a webhook again of one event, or of all within a time."`
	Test   webhookTestCmd   `cmd:"" help:"Send a webhook a message now and show what it answers."`
}

// ofAccount is what the commands have in common: whose webhooks.
type ofAccount struct {
	Account string `required:"" help:"Id or email of the account."`
}

func (o ofAccount) run(e *env, do func(ctx context.Context, hooks *webhook.Service, accountID string) error) error {
	return withStore(e, func(ctx context.Context, a *app.App) error {
		acc, err := a.Accounts.Find(ctx, o.Account)
		if err != nil {
			return err
		}
		return do(ctx, a.Webhooks, acc.ID)
	})
}

type webhookAddCmd struct {
	ofAccount
	URL   string   `arg:"" help:"Where messages are posted."`
	Kinds []string `arg:"" optional:"" help:"Kinds of events, such as report.collected; all when left out."`
}

// Run makes a webhook.
func (cmd *webhookAddCmd) Run(e *env) error {
	return cmd.run(e, func(ctx context.Context, hooks *webhook.Service, accountID string) error {
		made, err := hooks.Create(ctx, accountID, webhook.ReceiverInput{URL: httpapi.Of(cmd.URL), Kinds: httpapi.Of(cmd.Kinds)})
		if err != nil {
			return err
		}
		fmt.Fprintf(e.out, "Webhook  %s\nSecret   %s\nThe secret is not shown again: store it now.\n", made.ID, made.Secret)
		return nil
	})
}

type webhookListCmd struct {
	ofAccount
	JSON bool `help:"Print JSON in place of a table."`
}

// Run lists webhooks.
func (cmd *webhookListCmd) Run(e *env) error {
	return cmd.run(e, func(ctx context.Context, hooks *webhook.Service, accountID string) error {
		all, err := hooks.List(ctx, accountID)
		if err != nil {
			return err
		}
		if cmd.JSON {
			return printJSON(e, all)
		}
		t := tabwriter.NewWriter(e.out, 0, 0, 2, ' ', 0)
		fmt.Fprintln(t, "ID\tURL\tKINDS\tCREATED\tSTATE")
		for _, w := range all {
			kinds, state := strings.Join(w.Kinds, ","), "told"
			if len(w.Kinds) == 0 {
				kinds = "all"
			}
			if w.PausedAt != nil {
				state = "paused " + w.PausedAt.Format(time.DateTime) + " " + w.Detail
			}
			fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\n", w.ID, w.URL, kinds, w.CreatedAt.Format(time.DateTime), state)
		}
		return t.Flush()
	})
}

// oneWebhook is what the commands about one webhook have in common.
type oneWebhook struct {
	ofAccount
	ID string `arg:"" name:"webhook" help:"Id of the webhook."`
}

func (cmd *oneWebhook) pause(e *env, paused bool, done string) error {
	return cmd.run(e, func(ctx context.Context, hooks *webhook.Service, accountID string) error {
		if _, err := hooks.Change(ctx, accountID, cmd.ID, webhook.ReceiverInput{Paused: httpapi.Of(paused)}); err != nil {
			return err
		}
		fmt.Fprintln(e.out, done)
		return nil
	})
}

type webhookPauseCmd struct{ oneWebhook }

// Run pauses a webhook.
func (cmd *webhookPauseCmd) Run(e *env) error { return cmd.pause(e, true, "Paused.") }

type webhookResumeCmd struct{ oneWebhook }

// Run resumes a webhook.
func (cmd *webhookResumeCmd) Run(e *env) error {
	return cmd.pause(e, false, "Resumed. trigpoint webhook replay tells it of what happened meanwhile.")
}

type webhookRemoveCmd struct{ oneWebhook }

// Run deletes a webhook.
func (cmd *webhookRemoveCmd) Run(e *env) error {
	return cmd.run(e, func(ctx context.Context, hooks *webhook.Service, accountID string) error {
		if err := hooks.Remove(ctx, accountID, cmd.ID); err != nil {
			return err
		}
		fmt.Fprintln(e.out, "Deleted.")
		return nil
	})
}

type webhookLogCmd struct {
	oneWebhook
	Status string `enum:",pending,delivered,failed" default:"" help:"Only messages that are pending, delivered or failed."`
	Limit  int    `default:"50" help:"As many at most."`
}

// Run lists deliveries.
func (cmd *webhookLogCmd) Run(e *env) error {
	return cmd.run(e, func(ctx context.Context, hooks *webhook.Service, accountID string) error {
		all, err := hooks.Log(ctx, accountID, cmd.ID, webhook.Status(cmd.Status), cmd.Limit, 0)
		if err != nil {
			return err
		}
		t := tabwriter.NewWriter(e.out, 0, 0, 2, ' ', 0)
		fmt.Fprintln(t, "EVENT\tKIND\tHAPPENED\tSTATUS\tATTEMPTS\tLAST\tNEXT\tCODE\tANSWER")
		for _, d := range all {
			fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%d\t%s\t%s\t%d\t%s\n", d.EventID, d.Kind, d.At.Format(time.DateTime), d.Status, d.Attempts, timeOrDash(d.TriedAt), timeOrDash(d.NextAt), d.Code, d.Answer)
		}
		return t.Flush()
	})
}

func timeOrDash(at *time.Time) string {
	if at == nil {
		return "-"
	}
	return at.Format(time.DateTime)
}

type webhookReplayCmd struct {
	oneWebhook
	Event  string        `xor:"what" required:"" help:"Id of one event."`
	Within time.Duration `xor:"what" required:"" help:"All events of so much time, such as 24h; at most 168h are kept."`
}

// Run replays.
func (cmd *webhookReplayCmd) Run(e *env) error {
	return withStore(e, func(ctx context.Context, a *app.App) error {
		acc, err := a.Accounts.Find(ctx, cmd.Account)
		if err != nil {
			return err
		}
		var since *time.Time
		if cmd.Within > 0 {
			from := a.Clock.Now().Add(-cmd.Within)
			since = &from
		}
		done, err := a.Webhooks.Replay(ctx, acc.ID, cmd.ID, cmd.Event, since)
		if err != nil {
			return err
		}
		fmt.Fprintf(e.out, "Told again: %s.\n", counted(done.Events, "events"))
		return nil
	})
}

type webhookTestCmd struct{ oneWebhook }

// Run tests a webhook.
func (cmd *webhookTestCmd) Run(e *env) error {
	return cmd.run(e, func(ctx context.Context, hooks *webhook.Service, accountID string) error {
		d, err := hooks.Test(ctx, accountID, cmd.ID)
		if err != nil {
			return err
		}
		fmt.Fprintf(e.out, "%s: %d %s (%.0f ms)\n", d.Status, d.Code, d.Answer, d.TookMS)
		if d.Status != webhook.Delivered {
			return errors.New("the webhook did not take the message")
		}
		return nil
	})
}
