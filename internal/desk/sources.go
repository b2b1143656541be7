package desk

import (
	"context"

	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/source"
)

// Sources are the providers that are asked, in the order in which they take over from each other.
type Sources struct {
	Map     []Provider `json:"map" nullable:"false"`
	Web     []Provider `json:"web" nullable:"false"`
	Keyword []Provider `json:"keyword" nullable:"false"`
}

// Provider is who answers questions.
type Provider struct {
	Name  string `json:"name"`
	Title string `json:"title"`
}

// Providers names those of a chain.
func Providers[P provider.Provider](chain source.Chain[P]) []Provider {
	all := make([]Provider, len(chain))
	for i, s := range chain {
		d := s.Describe()
		all[i] = Provider{d.Name, d.Title}
	}
	return all
}

// Asked is who is asked for an account's data, and what that has cost it this month.
type Asked struct {
	Sources
	SpentUSD  float64  `json:"spent_usd"`
	BudgetUSD *float64 `json:"budget_usd"`
}

func (d *Desk) asked(ctx context.Context, accountID string) (Asked, error) {
	budget, spent, err := d.Ledger.Allowance(ctx, accountID, source.Month(d.Clock.Now()))
	asked := Asked{Sources: d.Sources, SpentUSD: spent.Dollars()}
	if budget > 0 {
		dollars := budget.Dollars()
		asked.BudgetUSD = &dollars
	}
	return asked, err
}
