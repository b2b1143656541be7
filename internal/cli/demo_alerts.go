package cli

import (
	"context"

	"github.com/trigpoint/trigpoint/internal/alert"
	"github.com/trigpoint/trigpoint/internal/alertrule"
	"github.com/trigpoint/trigpoint/internal/app"
	"github.com/trigpoint/trigpoint/internal/httpapi"
)

// demoAlerts gives the demo account some rules, once. Its checks of today may raise the first.
func demoAlerts(ctx context.Context, a *app.App, accountID string) error {
	if known, err := a.Alerts.Rules(ctx, accountID); err != nil || len(known) > 0 {
		return err
	}
	for _, rule := range []struct {
		condition alertrule.Condition
		threshold float64
		name      string
		pace      alert.Pace
	}{
		{alertrule.PositionLost, 3, "Ranks that fall", alert.AtOnce},
		{alertrule.EnteredTop, 10, "First pages won", alert.Daily},
		{alertrule.BusinessPassed, 0, "", alert.AtOnce},
		{alertrule.ListingChanged, 0, "", alert.AtOnce},
		{alertrule.CreditsLow, 0, "", alert.AtOnce},
	} {
		in := alert.RuleInput{Name: httpapi.Of(rule.name), Condition: httpapi.Of(string(rule.condition)), Pace: httpapi.Of(string(rule.pace))}
		if rule.threshold > 0 {
			in.Threshold = httpapi.Of(rule.threshold)
		}
		if _, err := a.Alerts.Add(ctx, accountID, in); err != nil {
			return err
		}
	}
	return nil
}
