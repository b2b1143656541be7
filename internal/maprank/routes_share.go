package maprank

import (
	"context"
	"strings"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/errs"
	"github.com/trigpoint/trigpoint/internal/httpapi"
)

func (s *Service) listShares(ctx context.Context, in *CampaignOf) (httpapi.Answer[[]AccountShare], error) {
	var none httpapi.Answer[[]AccountShare]
	c, err := owned(ctx, s.db, httpapi.Who(ctx).AccountID, in.ID, "")
	if err != nil {
		return none, err
	}
	all, err := accountShares(ctx, s.db, c.id)
	return httpapi.Reply(all), err
}

type putShareInput struct {
	CampaignOf
	Body struct {
		Email      httpapi.Field[string] `json:"email" required:"false" doc:"Email of the account to share the campaign with. Required."`
		AccessType httpapi.Field[string] `json:"accessType" required:"false" doc:"VIEWER reads, EDITOR also changes and collects, at your cost. Required."`
	}
}

func (s *Service) putShare(ctx context.Context, in *putShareInput) (httpapi.Apply[httpapi.Answer[[]AccountShare]], error) {
	var ps errs.Problems
	if !in.Body.Email.Given(&ps, "email") && len(ps) == 0 {
		ps.Add("email", errs.NotSpecified, "email is not specified.")
	}
	access := Access(in.Body.AccessType.Value)
	if !in.Body.AccessType.Mistyped(&ps, "accessType") && access != Editor && access != Viewer {
		ps.Add("accessType", errs.InvalidValue, "accessType must be EDITOR or VIEWER.")
	}
	if err := ps.Err(); err != nil {
		return nil, err
	}
	who := httpapi.Who(ctx)
	return func(ctx context.Context, tx *db.Tx) (none httpapi.Answer[[]AccountShare], err error) {
		c, err := owned(ctx, tx, who.AccountID, in.ID, locking(tx, campaignRow))
		if err != nil {
			return none, err
		}
		accountID, err := accountOf(ctx, tx, in.Body.Email.Value)
		if err != nil {
			return none, err
		}
		if err := s.shareWith(ctx, tx, &c, accountID, access); err != nil {
			return none, err
		}
		all, err := accountShares(ctx, tx, c.id)
		return httpapi.Reply(all), err
	}, nil
}

type deleteShareInput struct {
	CampaignOf
	Email string `path:"email" maxLength:"254"`
}

func (s *Service) deleteShare(ctx context.Context, in *deleteShareInput) (httpapi.Apply[httpapi.Answer[httpapi.Empty]], error) {
	who := httpapi.Who(ctx)
	return func(ctx context.Context, tx *db.Tx) (none httpapi.Answer[httpapi.Empty], err error) {
		find := owned
		if strings.EqualFold(in.Email, who.Email) { // nobody is made to keep what was shared with them
			find = getCampaign
		}
		c, err := find(ctx, tx, who.AccountID, in.ID, locking(tx, campaignRow))
		if err != nil {
			return none, err
		}
		accountID, err := accountOf(ctx, tx, in.Email)
		if err != nil {
			return none, err
		}
		return none, s.unshare(ctx, tx, &c, accountID)
	}, nil
}
