package local

import (
	"context"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/directory"
)

// ListingCount is how many locations of an account a directory shows, and how many it should.
type ListingCount struct {
	Directory     string // as people call it
	Shown, Wanted int
}

// ListingCounts has a line for each directory that can list a location, in their order.
func (s *Service) ListingCounts(ctx context.Context, accountID string) ([]ListingCount, error) {
	p := db.Params{Args: []any{accountID, directory.Connected}}
	usable := s.usableDirectories()
	found := map[string]ListingCount{}
	err := db.Each(ctx, s.db, func(row db.Scanner) error {
		var id string
		var c ListingCount
		err := row.Scan(&id, &c.Shown, &c.Wanted)
		found[id] = c
		return err
	}, `SELECT directory, count(*) FILTER (WHERE status = $2), count(*) FROM listings
		WHERE account_id = $1 AND wanted AND directory IN `+db.AddAll(&p, usable)+" GROUP BY directory", p.Args...)
	var all []ListingCount
	for _, id := range usable {
		if c, listed := found[id]; listed {
			c.Directory = s.directories.find(id).Describe().Name
			all = append(all, c)
		}
	}
	return all, err
}
