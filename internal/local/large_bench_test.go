package local

import (
	"fmt"
	"testing"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/db/dbtest"
	"github.com/trigpoint/trigpoint/internal/directory"
)

// BenchmarkLargeAccount searches 10,000 locations of one city by words, and finds those near to one of them. Before their
// words were kept, and those next door looked at first, this took ten times as long.
func BenchmarkLargeAccount(b *testing.B) {
	b.Run("sqlite", func(b *testing.B) { benchLarge(b, dbtest.SQLite(b)) })
	b.Run("postgres", func(b *testing.B) {
		d, err := db.Open(b.Context(), dbtest.Postgres(b))
		if err != nil {
			b.Fatal(err)
		}
		b.Cleanup(func() { _ = d.Close() })
		benchLarge(b, d)
	})
}

func benchLarge(b *testing.B, d *db.DB) {
	const locations = 10_000
	ctx, s := b.Context(), &Service{db: d}
	at := func(i int) (lat, lng float64) { return 33.6 + float64(i%100)/250, -84.5 + float64(i/100)/250 } // 40 km wide
	err := d.Tx(ctx, func(tx *db.Tx) error {
		if err := db.Insert(ctx, tx, "accounts", "id, email, plan, feed_token, created_at, locations", [][]any{{"owner", "owner@example.com", "agency", "token", 0, locations}}, ""); err != nil {
			return err
		}
		for i := range locations {
			lat, lng := at(i)
			l := Location{ID: fmt.Sprintf("l%05d", i), accountID: "owner", Status: Completed, SubmitDate: &Time{db.Time(int64(i))}, version: 1, Profile: directory.Profile{
				BusinessName: fmt.Sprintf("Deli number %d", i), City: "Atlanta", Region: "GA", Zip: "30303", AddressLine1: fmt.Sprintf("%d Peachtree Street", i), PhoneNumber: fmt.Sprintf("+1 404-%07d", i),
				Description: "Sandwiches, soups and salads, made to order from what the farmers of the county bring in the morning.",
				Coordinates: &directory.Coordinates{Latitude: &lat, Longitude: &lng},
			}}
			if err := insertLocation(ctx, tx, &l); err != nil {
				return err
			}
			if _, err := tx.Exec(ctx, "INSERT INTO listings (id, account_id, location_id, directory, status, wanted, url, detail, version, updated_at) VALUES ($1, 'owner', $1, 'page', 'CONNECTED', TRUE, '', '', 1, 0)", l.ID); err != nil {
				return err
			}
		}
		if d.Dialect == db.Postgres { // which does so by itself, a minute later
			_, err := tx.Exec(ctx, "ANALYZE")
			return err
		}
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
	for _, query := range []string{"deli", "1234"} {
		b.Run("search "+query, func(b *testing.B) {
			for b.Loop() {
				if _, total, err := searchLocations(ctx, d, "owner", locationFilter{}, []string{query}, 50, 0); err != nil || total == 0 {
					b.Fatalf("%d found, %v", total, err)
				}
			}
		})
	}
	b.Run("near", func(b *testing.B) {
		lat, lng := at(5_050)
		l := Location{ID: "l05050", accountID: "owner", Profile: directory.Profile{Coordinates: &directory.Coordinates{Latitude: &lat, Longitude: &lng}}}
		for b.Loop() {
			if found, err := s.near(ctx, &l); err != nil || len(found) != nearLocations {
				b.Fatalf("%d near, %v", len(found), err)
			}
		}
	})
}
