package rankwatch

import (
	"context"
	"time"

	"github.com/trigpoint/trigpoint/internal/db"
)

// SharedTracking is a tracking that anyone with its token can read.
type SharedTracking struct {
	ID, Domain, ShareToken string
	CreatedAt              time.Time
}

// Shared lists the newest shared trackings of an account, up to a limit.
func (s *Service) Shared(ctx context.Context, accountID string, limit int) ([]SharedTracking, error) {
	return db.All(ctx, s.db, func(row db.Scanner) (t SharedTracking, err error) {
		var domain string
		var created int64
		if err := row.Scan(&t.ID, &domain, &t.ShareToken, &created); err != nil {
			return t, err
		}
		t.CreatedAt = db.Time(created)
		t.Domain, err = displayed(domain)
		return t, err
	}, `SELECT id, domain, share_token, created_at FROM trackings WHERE account_id = $1 AND share_token IS NOT NULL AND deleted_at IS NULL
		ORDER BY created_at DESC, id DESC LIMIT $2`, accountID, limit)
}
