package local

import (
	"testing"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/db/dbtest"
)

// Locations that were stored before their positions and words were get theirs.
func TestStoredLocationsAreDerived(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		const coordinates = `"coordinates":{"latitude":33.77,"longitude":-84.29}`
		err := d.Tx(t.Context(), func(tx *db.Tx) error {
			owner := [][]any{{"owner", "owner@example.com", "free", "token", 0, 3}}
			if err := db.Insert(t.Context(), tx, "accounts", "id, email, plan, feed_token, created_at, locations", owner, ""); err != nil {
				return err
			}
			var rows [][]any
			for id, profile := range map[string]string{"shown": "{" + coordinates + "}", "hidden": `{"suppress_address":true,"business_name":"Café Étoile","phone_number":"+1 404-555",` + coordinates + "}", "nowhere": "{}"} {
				rows = append(rows, []any{id, "owner", "COMPLETED", false, 0, 1, profile, "[]"})
			}
			if err := db.Insert(t.Context(), tx, "locations", locationColumns, rows, ""); err != nil {
				return err
			}
			_, err := tx.Exec(t.Context(), "UPDATE locations SET positioned = TRUE WHERE id = 'hidden'") // by a process that knows no words yet
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		s := &Service{db: d}
		if more, err := s.deriveStored(t.Context()); err != nil || more {
			t.Fatalf("more %t, %v", more, err)
		}
		placed, err := db.All(t.Context(), d, db.Value[string], "SELECT id FROM locations WHERE positioned AND latitude = 33.77 AND longitude = -84.29")
		if err != nil || len(placed) != 1 || placed[0] != "shown" {
			t.Errorf("placed %v, %v", placed, err)
		}
		if found, err := db.One(t.Context(), d, db.Value[string], "SELECT search FROM locations WHERE id = 'hidden'"); err != nil || found != "cafe etoile\n\n\n\n\n\n+1 404-555\n1404555" {
			t.Errorf("found by %q, %v", found, err)
		}
		left, err := db.One(t.Context(), d, db.Value[int], "SELECT count(*) FROM locations WHERE NOT positioned")
		if err != nil || left != 0 {
			t.Errorf("%d are left, %v", left, err)
		}
	})
}
