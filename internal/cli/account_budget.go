package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/trigpoint/trigpoint/internal/app"
	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/source"
)

// maxBudget is far more than anybody spends, in dollars.
const maxBudget = 1e9

type accountBudgetCmd struct {
	Account string  `arg:"" help:"Id or email of the account."`
	Dollars float64 `arg:"" help:"Most that data providers may cost for it in a calendar month (UTC), in US dollars; 0 is no limit."`
}

// Run sets or removes the budget.
func (cmd *accountBudgetCmd) Run(e *env) error {
	if !(cmd.Dollars >= 0 && cmd.Dollars <= maxBudget) { // NaN too
		return errors.New("a budget is a number of dollars, such as 50 or 7.50; 0 removes it")
	}
	return withStore(e, func(ctx context.Context, a *app.App) error {
		acc, err := a.Accounts.Find(ctx, cmd.Account)
		if err != nil {
			return err
		}
		if err := a.Ledger.SetBudget(ctx, acc.ID, provider.USD(cmd.Dollars)); err != nil {
			return err
		}
		limit, spent, err := a.Ledger.Allowance(ctx, acc.ID, source.Month(a.Clock.Now()))
		if err != nil {
			return err
		}
		if limit == 0 {
			fmt.Fprintf(e.out, "%s has no budget now; %s is spent this month.\n", acc.Email, spent)
			return nil
		}
		fmt.Fprintf(e.out, "%s has a budget of %s a month now; %s of it is spent this month.\n", acc.Email, limit, spent)
		return nil
	})
}

// limitText shows a limit to what may be spent.
func limitText(m provider.Money) string {
	if m == 0 {
		return "none"
	}
	return m.String()
}
