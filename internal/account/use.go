package account

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/trigpoint/trigpoint/internal/db"
)

// uses remembers when credentials were last used, so that no request writes for it. What a process that dies had not kept yet
// is not missed: it tells people which of their keys are idle.
type uses struct {
	mu   sync.Mutex
	last map[string]time.Time // by credential; since the last were kept
}

func (u *uses) note(credential string, at time.Time) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.last == nil {
		u.last = map[string]time.Time{}
	}
	u.last[credential] = at
}

func (u *uses) take() map[string]time.Time {
	u.mu.Lock()
	defer u.mu.Unlock()
	taken := u.last
	u.last = nil
	return taken
}

// useStep is how exactly the last use of a credential is kept: one that is always in use is written once an hour.
const useStep = time.Hour

// KeepUses stores when credentials were last used.
func (a *Accounts) KeepUses(ctx context.Context) error {
	used := a.uses.take()
	return db.Lists(slices.Sorted(maps.Keys(used)), func(list []string) error {
		var p db.Params
		stale, err := db.All(ctx, a.db, db.Value[string], "SELECT id FROM credentials WHERE (last_used_at IS NULL OR last_used_at < "+
			p.Add(db.Micros(a.clock.Now().Add(-useStep)))+") AND id IN "+db.AddAll(&p, list)+" ORDER BY id", p.Args...)
		if err != nil || len(stale) == 0 {
			return err
		}
		return a.db.Tx(ctx, func(tx *db.Tx) error {
			for _, credential := range stale {
				if _, err := tx.Exec(ctx, "UPDATE credentials SET last_used_at = $2 WHERE id = $1", credential, db.Micros(used[credential])); err != nil {
					return err
				}
			}
			return nil
		})
	})
}
