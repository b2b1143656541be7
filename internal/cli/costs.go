package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"text/tabwriter"

	"github.com/trigpoint/trigpoint/internal/app"
	"github.com/trigpoint/trigpoint/internal/id"
	"github.com/trigpoint/trigpoint/internal/source"
)

type costsCmd struct {
	Month    string `help:"A month (UTC), such as 2026-11; all months when empty."`
	Account  string `help:"Id or email of an account; all accounts when empty."`
	Provider string `help:"Name of a provider; all of them when empty."`
	Limit    int    `help:"Most lines to show: of the newest month first, the dearest first." default:"1000"`
	JSON     bool   `help:"Print JSON."`
}

// costLine is a line of the ledger as JSON.
type costLine struct {
	Month     string  `json:"month"`
	Provider  string  `json:"provider"`
	AccountID string  `json:"account_id,omitempty"`
	Email     string  `json:"email,omitempty"`
	Subject   string  `json:"subject,omitempty"` // id of the campaign or tracking
	Name      string  `json:"name,omitempty"`
	Requests  int     `json:"requests"`
	CostUSD   float64 `json:"cost_usd"`
}

// Run prints lines of the ledger and the total of all that were asked for, shown or not.
func (cmd *costsCmd) Run(e *env) error {
	return withStore(e, func(ctx context.Context, a *app.App) error {
		chosen, err := cmd.filter(ctx, a)
		if err != nil {
			return err
		}
		lines, err := a.Ledger.Costs(ctx, chosen, max(cmd.Limit, 0), 0)
		if err != nil {
			return err
		}
		total, err := a.Ledger.Total(ctx, chosen)
		if err != nil {
			return err
		}
		if cmd.JSON {
			return printCostsJSON(e, lines, total)
		}
		return printCosts(e, lines, total)
	})
}

func (cmd *costsCmd) filter(ctx context.Context, a *app.App) (f source.Filter, err error) {
	f.Provider = cmd.Provider
	if cmd.Month != "" {
		if f.Month, err = source.ParseMonth(cmd.Month); err != nil {
			return f, fmt.Errorf("--month: %w", err)
		}
	}
	if cmd.Account != "" {
		acc, err := a.Accounts.Find(ctx, cmd.Account)
		if err != nil {
			return f, err
		}
		f.AccountID = acc.ID
	}
	return f, nil
}

func printCosts(e *env, lines []source.Cost, total source.Total) error {
	t := tabwriter.NewWriter(e.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "MONTH\tPROVIDER\tACCOUNT\tFOR\tREQUESTS\tCOST")
	for _, c := range lines {
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%d\t%s\n", source.MonthText(c.Month), c.Provider, payer(c), purpose(c), c.Requests, c.Cost)
	}
	fmt.Fprintf(t, "total\t\t\t\t%d\t%s\n", total.Requests, total.Cost)
	if err := t.Flush(); err != nil {
		return err
	}
	if more := total.Lines - int64(len(lines)); more > 0 {
		fmt.Fprintf(e.err, "The total counts %s that --limit leaves out.\n", counted(more, "lines"))
	}
	return nil
}

// payer names the account for which was asked.
func payer(c source.Cost) string {
	if c.Email == "" && c.AccountID != "" {
		return c.AccountID + " (deleted)"
	}
	return cmp.Or(c.Email, "-")
}

// purpose names the campaign or tracking, in the form in which its id is used.
func purpose(c source.Cost) string {
	switch {
	case c.Subject == "":
		return "-"
	case c.Name == "":
		return c.Subject + " (removed)"
	case c.Tracking:
		return "tracking " + c.Subject + " " + c.Name
	}
	return "campaign " + id.Dashed(c.Subject) + " " + c.Name
}

func printCostsJSON(e *env, lines []source.Cost, total source.Total) error {
	shown := make([]costLine, len(lines))
	for i, c := range lines {
		shown[i] = costLine{source.MonthText(c.Month), c.Provider, c.AccountID, c.Email, c.Subject, c.Name, c.Requests, c.Cost.Dollars()}
	}
	return json.NewEncoder(e.out).Encode(map[string]any{"costs": shown, "lines": total.Lines, "requests": total.Requests, "cost_usd": total.Cost.Dollars()})
}
