package research

import (
	"context"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/serp"
)

// thin is the background work that makes old result pages fewer.
func (s *Service) thin(ctx context.Context) (more bool, err error) {
	if s.keep <= 0 {
		return false, nil // kept for ever
	}
	err = s.db.Tx(ctx, func(tx *db.Tx) (err error) {
		more, err = serp.Thin(ctx, tx, s.clock.Now(), s.keep)
		return err
	})
	return more, err
}

// renew is the background work after an upgrade that makes stored keywords findable as new ones are.
func (s *Service) renew(ctx context.Context) (more bool, err error) {
	err = s.db.Tx(ctx, func(tx *db.Tx) (err error) {
		more, err = renewWords(ctx, tx)
		return err
	})
	return more, err
}
