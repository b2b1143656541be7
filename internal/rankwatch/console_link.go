package rankwatch

import (
	"context"
	"errors"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/errs"
	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/provider/searchconsole"
	"github.com/trigpoint/trigpoint/internal/rankwatch/series"
)

// properties lists those of the account's connected user.
func (s *Service) properties(ctx context.Context, accountID string) ([]searchconsole.Site, error) {
	sites, err := provider.Call(ctx, s.consoleCaller, func(ctx context.Context) ([]searchconsole.Site, error) { return s.console.Sites(ctx, accountID) })
	var failure *provider.Error
	if errors.As(err, &failure) {
		refused := errs.New(errs.Dependency, "%s", failure.Message).Because(err)
		refused.RetryAfter = failure.RetryAfter
		return nil, refused
	}
	return sites, err
}

// link links a tracking to a property in place of the one before.
func (s *Service) link(ctx context.Context, tx *db.Tx, accountID, trackingID, siteURL string, firstDay series.Day) (linkedProperty, error) {
	if _, err := lockTracking(ctx, tx, accountID, trackingID); err != nil {
		return linkedProperty{}, err
	}
	before, err := findLink(ctx, tx, trackingID)
	switch {
	case errs.CodeOf(err) == errs.NotFound:
	case err != nil:
		return linkedProperty{}, err
	case before.siteURL != siteURL:
		if err := deleteLink(ctx, tx, trackingID); err != nil {
			return linkedProperty{}, err
		}
	}
	if err := saveLink(ctx, tx, accountID, trackingID, siteURL, firstDay, s.clock.Now()); err != nil {
		return linkedProperty{}, err
	}
	tx.AfterCommit(s.fetches.Wake)
	return s.linkOf(ctx, tx, trackingID)
}

// linkOf is a tracking's link with what has been fetched.
func (s *Service) linkOf(ctx context.Context, q db.Queryer, trackingID string) (linkedProperty, error) {
	p, err := findLink(ctx, q, trackingID)
	if err == nil {
		err = countDays(ctx, q, &p)
	}
	return p, err
}
