package local

import (
	"fmt"
	"slices"
	"testing"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/db/dbtest"
	"github.com/trigpoint/trigpoint/internal/directory"
)

// The nearest are found first, of those that are to be seen, and where many are next door nothing else is read.
func TestNearestLocations(t *testing.T) {
	t.Parallel()
	dbtest.EachTraced(t, func(t *testing.T, d *db.DB, asked *dbtest.Statements) {
		place := func(id string, lat float64) Location {
			lng := -84.29
			return Location{ID: id, accountID: "owner", Status: Completed, SubmitDate: &Time{}, Profile: directory.Profile{BusinessName: id, Coordinates: &directory.Coordinates{Latitude: &lat, Longitude: &lng}}}
		}
		all := []Location{place("far", 34.5), place("unseen", 33.001), place("beyond", 36)}
		for i := range 7 {
			all = append(all, place(fmt.Sprintf("door %d", i), 33+float64(i)/1000))
		}
		err := d.Tx(t.Context(), func(tx *db.Tx) error {
			if err := db.Insert(t.Context(), tx, "accounts", "id, email, plan, feed_token, created_at", [][]any{{"owner", "owner@example.com", "free", "token", 0}}, ""); err != nil {
				return err
			}
			var listings [][]any
			for i := range all {
				if err := insertLocation(t.Context(), tx, &all[i]); err != nil {
					return err
				}
				status := map[bool]string{true: "DISCONNECTED", false: "CONNECTED"}[all[i].ID == "unseen"]
				listings = append(listings, []any{all[i].ID, "owner", all[i].ID, "page", status, true, "", "", 1, 0})
			}
			return db.Insert(t.Context(), tx, "listings", "id, account_id, location_id, directory, status, wanted, url, detail, version, updated_at", listings, "")
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, test := range []struct {
			from       Location
			want       []string
			statements int
		}{
			{all[3], []string{"door 1", "door 2", "door 3", "door 4", "door 5", "door 6"}, 1},
			{place("elsewhere", 33.8), []string{"far", "door 6", "door 5", "door 4", "door 3", "door 2"}, 3},
			{place("nowhere", 20), nil, 3},
		} {
			asked.Taken()
			found, err := (&Service{db: d}).near(t.Context(), &test.from)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, n := range found {
				got = append(got, n.Name)
			}
			if texts := asked.Taken(); !slices.Equal(got, test.want) || len(texts) != test.statements {
				t.Errorf("near to %s: %v by %d statements, want %v by %d", test.from.ID, got, len(texts), test.want, test.statements)
			}
		}
	})
}
