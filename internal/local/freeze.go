package local

import (
	"context"
	"slices"
	"time"

	"github.com/trigpoint/trigpoint/internal/account"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/event"
)

// Refreeze keeps the newest locations that the plan has room for and freezes the older ones. The account is
// locked by its caller, so what it holds stays as it is.
func Refreeze(ctx context.Context, tx *db.Tx, accountID string, room int, now time.Time) error {
	changed, err := db.All(ctx, tx, scanLocation, "SELECT "+locationColumns+` FROM locations WHERE account_id = $1 AND frozen <> (id IN (
			SELECT id FROM locations WHERE account_id = $1 AND status IN ('COMPLETED', 'PROCESSING')
			ORDER BY submitted_at DESC, id DESC LIMIT 1000000000 OFFSET $2))
		ORDER BY id`+tx.ForUpdate(), accountID, room)
	if err != nil || len(changed) == 0 {
		return err
	}
	ids, events := make([]string, len(changed)), make([]event.Event, len(changed))
	for i, l := range changed {
		kind := event.LocationFrozen
		if l.Frozen {
			kind = event.LocationThawed
		}
		ids[i], events[i] = l.ID, l.event(kind)
	}
	for some := range slices.Chunk(ids, 500) {
		var p db.Params
		if _, err := tx.Exec(ctx, "UPDATE locations SET frozen = NOT frozen WHERE id IN "+db.AddAll(&p, some), p.Args...); err != nil {
			return err
		}
	}
	if err := noteChanged(ctx, tx, ids...); err != nil {
		return err
	}
	return event.Emit(ctx, tx, now, events...)
}

// lockAccount comes first in a transaction that locks locations and changes what their account holds.
func (s *Service) lockAccount(ctx context.Context, tx *db.Tx, accountID string) error {
	_, err := s.accounts.Take(ctx, tx, accountID, account.Locations, 0)
	return err
}

// freePlace gives the place of a location back, to a frozen one if there is any. A FAILED location has none.
func (s *Service) freePlace(ctx context.Context, tx *db.Tx, accountID string, status Status) error {
	n := int64(1)
	if status == Failed {
		n = 0
	}
	held, err := s.accounts.Give(ctx, tx, accountID, account.Locations, 0, n)
	if err != nil {
		return err
	}
	frozen, err := db.One(ctx, tx, db.Value[bool], "SELECT EXISTS (SELECT 1 FROM locations WHERE account_id = $1 AND frozen)", accountID)
	if err != nil || !frozen {
		return err
	}
	return Refreeze(ctx, tx, accountID, int(held.Limit), s.clock.Now())
}

// refreezeAll fits every account to its plan, whose limits have changed in the configuration.
func (s *Service) refreezeAll(ctx context.Context) error {
	type holder struct {
		id, plan string
		held     int
		frozen   bool
	}
	holders, err := db.All(ctx, s.db, func(row db.Scanner) (h holder, err error) {
		err = row.Scan(&h.id, &h.plan, &h.held, &h.frozen)
		return h, err
	}, "SELECT id, plan, locations, EXISTS (SELECT 1 FROM locations l WHERE l.account_id = accounts.id AND l.frozen) FROM accounts WHERE locations > 0")
	if err != nil {
		return err
	}
	for _, h := range holders {
		if h.held <= s.accounts.Plan(h.plan).Locations && !h.frozen {
			continue
		}
		err := s.db.Tx(ctx, func(tx *db.Tx) error {
			held, err := s.accounts.Take(ctx, tx, h.id, account.Locations, 0)
			if err != nil {
				return err
			}
			return Refreeze(ctx, tx, h.id, int(held.Limit), s.clock.Now())
		})
		if err != nil {
			return err
		}
	}
	return nil
}
