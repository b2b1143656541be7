package doctor

import (
	"context"
	"fmt"
	"strings"
	"time"
)

// late is how long work may wait before somebody should be told.
const late = 10 * time.Minute

// work finds what is not done, or was given up.
func (d *Doctor) work(ctx context.Context) (found []Finding, err error) {
	behind, err := d.app.Jobs.Behind(ctx)
	if err != nil {
		return nil, err
	}
	for _, b := range behind {
		if b.By > late {
			found = append(found, Finding{
				fmt.Sprintf("Background work has waited for %s: %s.", strings.TrimSuffix(b.By.Round(time.Minute).String(), "0s"), b.What),
				"See whether trigpoint serve (without --no-worker) or trigpoint worker runs and reaches the store, and what its log says; several workers do more on PostgreSQL.",
			})
		}
	}
	dead, err := d.app.Jobs.GivenUp(ctx)
	if err != nil {
		return found, err
	}
	for _, kind := range dead {
		found = append(found, Finding{
			fmt.Sprintf("Jobs of the kind %s were given up of late (%d of them), the last because: %s.", kind.Kind, kind.Jobs, kind.Why),
			"Mend the reason; what they were for is begun anew by its owner.",
		})
	}
	return found, nil
}

// unsent finds what people wait for by mail where none is sent.
func (d *Doctor) unsent(ctx context.Context) ([]Finding, error) {
	if d.Config.SMTPURL != "" {
		return nil, nil
	}
	reports, err := d.app.Reports.CountActive(ctx)
	if err != nil {
		return nil, err
	}
	rules, err := d.app.Alerts.CountMailed(ctx)
	if err != nil || reports+rules == 0 {
		return nil, err
	}
	return []Finding{{
		fmt.Sprintf("People wait for mail that cannot be sent, since no mail server is configured: schedules of reports: %d, alert rules: %d.", reports, rules),
		"Set TRIGPOINT_SMTP_URL and TRIGPOINT_MAIL_FROM; of each report the last one due is then sent. Or let the accounts pause them.",
	}}, nil
}

// secrets finds sealed ones that no key opens.
func (d *Doctor) secrets(ctx context.Context) ([]Finding, error) {
	var closed []string
	var reason error
	for _, kind := range []struct {
		name       string
		unreadable func(context.Context) (int, error, error)
	}{
		{"credentials of connected services", d.app.Connections.Unreadable},
		{"secrets of webhooks", d.app.Webhooks.Unreadable},
		{"Slack URLs of alert rules", d.app.Alerts.Unreadable},
	} {
		n, why, err := kind.unreadable(ctx)
		if err != nil {
			return nil, err
		}
		if n > 0 {
			closed, reason = append(closed, fmt.Sprintf("%s: %d", kind.name, n)), why
		}
	}
	if len(closed) == 0 {
		return nil, nil
	}
	return []Finding{{
		fmt.Sprintf("What is sealed in the store cannot be opened (%s): %v.", strings.Join(closed, ", "), reason),
		"Set TRIGPOINT_SECRET_KEY to the key of the installation that sealed it, and what waits goes on; without that key services must be connected again, and webhooks and Slack URLs made anew.",
	}}, nil
}
