package maprank

import (
	"context"

	"github.com/trigpoint/trigpoint/internal/account"
	"github.com/trigpoint/trigpoint/internal/httpapi"
)

// campaignView reads all that a screen shows of a campaign.
func (s *Service) campaignView(ctx context.Context, c *campaign, q viewQuery) (CampaignView, error) {
	v := viewing{c: c}
	v.view.Own = len(q.who.Keys()) == 0 || q.who.Is(c.business)
	for _, step := range []func() error{
		func() error { return v.readReports(ctx, s.db, q) },
		func() error { return v.findBusiness(ctx, s.db, q.who) },
		func() error { return v.readKeywords(ctx, s.db) },
		func() error { return v.readHistory(ctx, s.db, v.chooseKeyword(q.keyword)) },
		func() error { return v.readBusinesses(ctx, s.db) },
		func() error { return v.readPoints(ctx, s.db) },
		func() error { return v.readProgress(ctx, s.db) },
		func() error { return s.readAccount(ctx, &v) },
	} {
		if err := step(); err != nil {
			return CampaignView{}, err
		}
	}
	return v.view, nil
}

// readAccount adds the owner's credits and the schedule for who may spend them and set it, and the owner's brand for who
// reads by a share token.
func (s *Service) readAccount(ctx context.Context, v *viewing) error {
	switch {
	case v.c.visited && s.brand != nil:
		brand, err := s.brand(ctx, v.c.accountID)
		if brand != nil {
			v.view.Brand = httpapi.Of(*brand)
		}
		return err
	case v.c.access == Viewer:
		return nil
	}
	if f := v.c.frequency; f != nil {
		shown := ViewSchedule(f.WithDefaults())
		v.view.Schedule = &shown
	}
	credits, err := s.accounts.Usage(ctx, s.db, v.c.accountID, account.Credits)
	v.view.Credits = &ViewCredits{credits.Left(), credits.Limit}
	return err
}
