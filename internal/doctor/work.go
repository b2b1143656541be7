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

// credentials finds sealed ones that no key opens.
func (d *Doctor) credentials(ctx context.Context) ([]Finding, error) {
	sealed, why, err := d.app.Connections.Unreadable(ctx)
	if err != nil || sealed == 0 {
		return nil, err
	}
	return []Finding{{
		fmt.Sprintf("Credentials of connected services cannot be opened (%d of them): %v.", sealed, why),
		"Set TRIGPOINT_SECRET_KEY to the key of the installation that made them; without it their owners must connect them again.",
	}}, nil
}
