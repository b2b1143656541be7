package local

import (
	"context"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/directory"
	"github.com/trigpoint/trigpoint/internal/event"
	"github.com/trigpoint/trigpoint/internal/id"
)

// publish takes PROCESSING locations and settles their listings. The transaction is the claim: two
// publishers cannot take the same location, and one that dies leaves it PROCESSING.
func (s *Service) publish(ctx context.Context) (more bool, err error) {
	waiting, err := db.All(ctx, s.db, db.Value[string], "SELECT id FROM locations WHERE status = 'PROCESSING' AND NOT frozen LIMIT $1", publishBatch)
	if err != nil || len(waiting) == 0 {
		return false, err
	}
	err = s.db.Tx(ctx, func(tx *db.Tx) error {
		var p db.Params
		locations, err := db.All(ctx, tx, scanLocation, "SELECT "+locationColumns+" FROM locations WHERE id IN "+db.AddAll(&p, waiting)+
			" AND status = 'PROCESSING' AND NOT frozen ORDER BY id"+tx.ForUpdate(), p.Args...)
		if err != nil || len(locations) == 0 {
			return err
		}
		if ours, err := s.holds(ctx, tx); err != nil || !ours {
			return err
		}
		return s.publishAll(ctx, tx, locations)
	})
	return len(waiting) == publishBatch, err
}

func (s *Service) publishAll(ctx context.Context, tx *db.Tx, locations []Location) error {
	ids := make([]string, len(locations))
	for i, l := range locations {
		ids[i] = l.ID
	}
	stored, err := listingsOf(ctx, tx, ids...)
	if err != nil {
		return err
	}
	known := map[[2]string]listing{}
	for _, l := range stored {
		known[[2]string{l.locationID, l.directory}] = l
	}
	batch, err := s.newPublication(ctx, tx, stored, ids...)
	if err != nil {
		return err
	}
	for _, loc := range locations {
		for _, c := range s.directories {
			d := c.Describe()
			if !d.Serves(loc.Country) {
				continue
			}
			l, exists := known[[2]string{loc.ID, d.ID}]
			if !exists {
				parent, followed := known[[2]string{loc.ID, d.Parent}]
				l = listing{id: id.New(), accountID: loc.accountID, locationID: loc.ID, directory: d.ID, wanted: !followed || parent.wanted}
				if c.Place(batch.item(loc)).Status == directory.Disconnected {
					continue // there is nothing to list yet
				}
			}
			if exists && !l.wanted {
				continue // disabled: a new version does not bring it back
			}
			if err := batch.settle(c, l, loc); err != nil {
				return err
			}
		}
	}
	if err := batch.save(ctx, tx); err != nil {
		return err
	}
	var p db.Params
	if _, err := tx.Exec(ctx, "UPDATE locations SET status = 'COMPLETED', errors = '[]' WHERE id IN "+db.AddAll(&p, ids), p.Args...); err != nil {
		return err
	}
	if err := s.tell(ctx, tx, event.LocationPublished, locations...); err != nil {
		return err
	}
	return noteChanged(ctx, tx, ids...)
}
