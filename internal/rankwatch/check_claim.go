package rankwatch

import (
	"context"
	"fmt"

	"github.com/trigpoint/trigpoint/internal/account"
	"github.com/trigpoint/trigpoint/internal/db"
)

// claim takes keywords that are due, longest due first, and tells whether there were any. Two processes
// never hold the same one. Those beyond their plan are put off.
func (s *Service) claim(ctx context.Context, p pace) (claims []claim, more bool, err error) {
	now := s.clock.Now()
	err = s.db.Tx(ctx, func(tx *db.Tx) error {
		due, err := claimDue(ctx, tx, now, now.Add(p.lease), p.claims)
		if more = len(due) > 0; err != nil || !more {
			return err
		}
		if claims, err = claimsOf(ctx, tx, due, now, now.Add(p.lease)); err != nil {
			return err
		}
		claims, err = s.withinPlan(ctx, tx, claims)
		return err
	})
	return claims, more, err
}

// withinPlan returns the claims that their plans allow. An account that holds more keywords than its plan
// does, after a downgrade, has as many checked as the plan allows: those added last. The others, the
// oldest, are put off until tomorrow and say why.
func (s *Service) withinPlan(ctx context.Context, tx *db.Tx, claims []claim) ([]claim, error) {
	owners := make([]string, len(claims))
	for i, c := range claims {
		owners[i] = c.tracking.accountID
	}
	held, err := s.accounts.UsageOfEach(ctx, tx, distinct(owners), account.Keywords)
	if err != nil {
		return nil, err
	}
	ends := map[string]int64{} // by account: the newest keyword that is not checked, 0 when all are
	for owner, h := range held {
		if h.Used > h.Limit {
			if ends[owner], err = newestBeyond(ctx, tx, owner, h.Limit); err != nil {
				return nil, err
			}
		}
	}
	var within []claim
	for _, c := range claims {
		owner := c.tracking.accountID
		if c.number > ends[owner] {
			within = append(within, c)
			continue
		}
		why := fmt.Sprintf("The plan allows %d tracked keywords, which are checked newest first; this one is not among them.", held[owner].Limit)
		if err := putOff(ctx, tx, c.number, (s.today() + 1).Start(), why); err != nil {
			return nil, err
		}
	}
	return within, nil
}
