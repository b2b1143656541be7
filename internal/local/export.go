package local

import (
	"context"
	"io"
	"math"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/directory"
	"github.com/trigpoint/trigpoint/internal/spreadsheet"
)

// isPublished is the condition of locations that are COMPLETED and not frozen.
const isPublished = " WHERE o.status = 'COMPLETED' AND NOT o.frozen"

// Export writes the published locations of an account as the table that a directory takes, and tells how many they are.
func (s *Service) Export(ctx context.Context, accountID string, bulk directory.Bulk, format spreadsheet.Format, w io.Writer) (locations int, err error) {
	table := spreadsheet.New(w, format)
	if err := table.Write(bulk.Header()); err != nil {
		return 0, err
	}
	today := s.clock.Now()
	err = s.eachLocation(ctx, accountID, isPublished, func(item directory.Item) error {
		locations++
		return table.Write(bulk.Row(item, today))
	})
	if err != nil {
		return locations, err
	}
	return locations, table.Close()
}

// pageRows is how many locations are read at once. The store is let go of before they are visited: a slow reader holds
// nothing.
const pageRows = 500

// eachLocation visits the locations of an account for which a condition holds, newest first, with what is published of
// their images.
func (s *Service) eachLocation(ctx context.Context, accountID, condition string, visit func(directory.Item) error) error {
	submitted, id := int64(math.MaxInt64), ""
	for {
		page, err := db.All(ctx, s.db, scanLocation, "SELECT "+locationColumnsOf("o")+" FROM locations o"+condition+
			" AND o.account_id = $1 AND (o.submitted_at, o.id) < ($2, $3) ORDER BY o.submitted_at DESC, o.id DESC LIMIT $4",
			accountID, submitted, id, pageRows)
		if err != nil {
			return err
		}
		ids := make([]string, len(page))
		for i, l := range page {
			ids[i] = l.ID
		}
		images, err := s.imagesOf(ctx, s.db, ids...)
		if err != nil {
			return err
		}
		for _, l := range page {
			if err := visit(directory.Item{LocationID: l.ID, Profile: l.Profile, Images: images[l.ID]}); err != nil {
				return err
			}
			submitted, id = db.Micros(l.SubmitDate.Time), l.ID
		}
		if len(page) < pageRows {
			return nil
		}
	}
}
