// Package spending tells an account what asking data providers has cost it. The ledger itself is source's.
package spending

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/trigpoint/trigpoint/internal/errs"
	"github.com/trigpoint/trigpoint/internal/httpapi"
	"github.com/trigpoint/trigpoint/internal/id"
	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/source"
)

// Routes are the operations over a ledger.
type Routes struct{ Ledger *source.Ledger }

// Mount registers them.
func (r Routes) Mount(a *httpapi.Area) {
	httpapi.Read(a, httpapi.Op{
		ID: "list-costs", Method: http.MethodGet, Path: "/costs", Tag: "Costs", Summary: "List what asking providers has cost",
		Help: "The newest month first, of a month the dearest first. Months are of UTC.",
	}, r.listCosts)
}

// Costs is what asking has cost an account.
type Costs struct {
	BudgetUSD *float64 `json:"budget_usd"`
	SpentUSD  float64  `json:"spent_usd"`
	Costs     []Cost   `json:"costs" nullable:"false"`
}

// Cost is what asking one provider for one purpose has cost in a month.
type Cost struct {
	Month      string  `json:"month"`
	Provider   string  `json:"provider"`
	CampaignID string  `json:"campaign_id,omitempty"`
	TrackingID string  `json:"tracking_id,omitempty"`
	Name       string  `json:"name,omitempty"`
	Requests   int     `json:"requests"`
	CostUSD    float64 `json:"cost_usd"`
}

type listCostsInput struct {
	Month  string `query:"month" maxLength:"7"`
	Limit  int    `query:"limit" default:"1000" minimum:"1" maximum:"1000"`
	Offset int    `query:"offset" default:"0" minimum:"0"`

	month int // 0 is all
}

// Resolve reads the month.
func (in *listCostsInput) Resolve(huma.Context) []error {
	var problems errs.Problems
	if in.Month != "" {
		var err error
		if in.month, err = source.ParseMonth(in.Month); err != nil {
			problems.Add("month", errs.InvalidParameter, "month: %s.", err)
		}
	}
	return problems.Resolved()
}

func (r Routes) listCosts(ctx context.Context, in *listCostsInput) (answer httpapi.Answer[Costs], err error) {
	who := httpapi.Who(ctx).AccountID
	chosen := source.Filter{AccountID: who, Month: in.month}
	lines, err := r.Ledger.Costs(ctx, chosen, in.Limit, in.Offset)
	if err != nil {
		return answer, err
	}
	total, err := r.Ledger.Total(ctx, chosen)
	if err != nil {
		return answer, err
	}
	month := in.month
	if month == 0 {
		month = source.Month(httpapi.Now(ctx))
	}
	budget, spent, err := r.Ledger.Allowance(ctx, who, month)
	if err != nil {
		return answer, err
	}
	data := Costs{BudgetUSD: limit(budget), SpentUSD: spent.Dollars(), Costs: make([]Cost, len(lines))}
	for i, line := range lines {
		data.Costs[i] = show(line)
	}
	return httpapi.Answer[Costs]{Data: data, Meta: httpapi.Meta{Limit: &in.Limit, Offset: &in.Offset, Total: &total.Lines}}, nil
}

// limit is a budget as it is shown: null is none.
func limit(budget provider.Money) *float64 {
	if budget == 0 {
		return nil
	}
	dollars := budget.Dollars()
	return &dollars
}

// show is a line as the API writes it. Trackings stay as long as their account: any other subject is or was a campaign.
func show(line source.Cost) Cost {
	c := Cost{Month: source.MonthText(line.Month), Provider: line.Provider, Name: line.Name, Requests: line.Requests, CostUSD: line.Cost.Dollars()}
	switch {
	case line.Tracking:
		c.TrackingID = line.Subject
	case line.Subject != "":
		c.CampaignID = id.Dashed(line.Subject)
	}
	return c
}
