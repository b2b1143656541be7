package research

import (
	"context"
	"io"

	"github.com/trigpoint/trigpoint/internal/db"
)

// ImportDomains reads a list of domains with their ranks and puts it in place of the former list of
// that source. It understands rank,domain (Tranco), tables whose header names a rank and a domain
// (Majestic), and Common Crawl's tab-separated ranks with reversed names. An import that ends early
// leaves the former list's other rows.
func (s *Service) ImportDomains(ctx context.Context, r io.Reader, source string, progress Progress, bad func(line int, reason string)) (kept int, err error) {
	now := s.clock.Now()
	batches := db.NewBatches(s.db, importBatch, func(tx *db.Tx, rows []domainRank) error { return saveRanks(ctx, tx, rows) }, progress)
	err = ReadDomainRanks(r, func(domain string, rank int64) error {
		return batches.Add(ctx, domainRank{domain: domain, source: source, rank: rank, toldAt: now})
	}, bad)
	if err == nil {
		err = batches.Flush(ctx)
	}
	if kept = batches.Kept(); err != nil || kept == 0 {
		return kept, err
	}
	if kept, err = countRanks(ctx, s.db, source, now); err != nil {
		return kept, err
	}
	for more := true; more; {
		err := s.db.Tx(ctx, func(tx *db.Tx) (err error) {
			more, err = dropOtherRanks(ctx, tx, source, now)
			return err
		})
		if err != nil {
			return kept, err
		}
	}
	return kept, s.db.Tx(ctx, func(tx *db.Tx) error { return noteNewRanks(ctx, tx) })
}
