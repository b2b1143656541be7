package rankwatch

import (
	"context"
	"fmt"

	"github.com/trigpoint/trigpoint/internal/account"
	"github.com/trigpoint/trigpoint/internal/db"
)

// withinPlan returns the claims that their plans allow. An account that holds more keywords than its plan
// does, after a downgrade, has as many checked as the plan allows: those added last. The others, the
// oldest, are put off until tomorrow and say why.
func (s *Service) withinPlan(ctx context.Context, tx *db.Tx, claims []claim) ([]claim, error) {
	lines := map[string]planLine{}
	var within []claim
	for _, c := range claims {
		owner := c.tracking.accountID
		line, known := lines[owner]
		if !known {
			var err error
			if line, err = s.planLine(ctx, tx, owner); err != nil {
				return nil, err
			}
			lines[owner] = line
		}
		if c.number > line.number {
			within = append(within, c)
			continue
		}
		_, err := tx.Exec(ctx, "UPDATE rank_states SET next_check_at = $2, claimed_until = 0, error = $3 WHERE keyword = $1",
			c.number, db.Micros((s.today() + 1).Start()), fmt.Sprintf("The plan allows %d tracked keywords, which are checked newest first; this one is not among them.", line.limit))
		if err != nil {
			return nil, err
		}
	}
	return within, nil
}

// planLine is where a plan ends: the newest keyword that is not checked, 0 when all are.
type planLine struct{ number, limit int64 }

func (s *Service) planLine(ctx context.Context, tx *db.Tx, accountID string) (planLine, error) {
	held, err := s.accounts.Usage(ctx, tx, accountID, account.Keywords)
	if err != nil || held.Used <= held.Limit {
		return planLine{}, err
	}
	number, err := db.One(ctx, tx, db.Value[int64], "SELECT k.number FROM tracked_keywords k WHERE "+ofAccount(false)+" ORDER BY k.number DESC LIMIT 1 OFFSET $2", accountID, held.Limit)
	if db.IsNoRow(err) {
		err = nil
	}
	return planLine{number, held.Limit}, err
}
