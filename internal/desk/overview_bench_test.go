package desk_test

import (
	"fmt"
	"testing"

	"github.com/trigpoint/trigpoint/internal/app/apptest"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/db/dbtest"
	"github.com/trigpoint/trigpoint/internal/id"
)

// BenchmarkOverview reads the overview of an account with 10,000 campaigns of 12 reports, 1,000 trackings of 100 keywords and
// 10,000 locations, a tenth of which need attention. Without the order of its joins SQLite took half a minute.
func BenchmarkOverview(b *testing.B) {
	b.Run("sqlite", func(b *testing.B) { benchOverview(b, dbtest.SQLite(b)) })
	b.Run("postgres", func(b *testing.B) {
		d, err := db.Open(b.Context(), dbtest.Postgres(b))
		if err != nil {
			b.Fatal(err)
		}
		b.Cleanup(func() { _ = d.Close() })
		benchOverview(b, d)
	})
}

func benchOverview(b *testing.B, d *db.DB) {
	p := apptest.Start(b, d, prepare)
	fillLarge(b, p)
	b.ResetTimer()
	for b.Loop() {
		p.Do(b, apptest.Call{Method: "GET", Path: base + "/overview"}).Want(b, 200)
	}
}

func fillLarge(b *testing.B, p *apptest.Program) {
	const campaigns, reports, trackings, keywords, locations = 10_000, 12, 1_000, 100, 10_000
	owner, ctx := p.Owner.ID, b.Context()
	micros := func(daysAgo int) int64 { return db.Micros(now.AddDate(0, 0, -daysAgo)) }
	insert := func(table, columns string, n int, row func(i int) []any) {
		for from := 0; from < n; from += 2_000 {
			var rows [][]any
			for i := from; i < min(n, from+2_000); i++ {
				rows = append(rows, row(i))
			}
			if err := p.DB.Tx(ctx, func(tx *db.Tx) error { return db.Insert(ctx, tx, table, columns, rows, "") }); err != nil {
				b.Fatal(err)
			}
		}
	}
	ids := func(n int) []string {
		all := make([]string, n)
		for i := range all {
			all[i] = id.New()
		}
		return all
	}
	campaign, tracking, location := ids(campaigns), ids(trackings), ids(locations)
	business := `{"name":"Decatur Deli","address":"1 Main Street, Decatur, GA 30030","coordinates":{"lat":33.77,"lng":-84.29}}`
	insert("campaigns", "id, account_id, name, status, status_at, status_detail, created_at, country, zone, business, points_id, points_number, keywords_number, frequency_at, last_report_at, metrics, search, next_set_at", campaigns, func(i int) []any {
		return []any{campaign[i], owner, fmt.Sprint("Campaign ", i), "COLLECTED", micros(0), "", micros(i % 900), "US", "America/New_York", business, id.New(), 25, 4, micros(0), micros(i % 7), "{}", "campaign", 0}
	})
	insert("campaign_access", "account_id, campaign_id, access, created_at, business_name, last_report_at, moved", campaigns, func(i int) []any {
		return []any{owner, campaign[i], "OWNER", micros(i % 900), "Decatur Deli", micros(i % 7), float64(i%97) / 10}
	})
	insert("campaign_counts", "account_id, seen", 1, func(int) []any { return []any{owner, campaigns} })
	insert("reports", "id, campaign_id, account_id, at, start_at, status, points_id, points_number, keywords_number, charged, refunded, month, reason, average_position, share_of_voice", campaigns*reports, func(i int) []any {
		c, age := i/reports, i%reports
		return []any{id.New(), campaign[c], owner, micros(c%7 + 7*age), micros(c % 7), "COLLECTED", "", 25, 4, 100, 0, 202611, "", float64(1 + (c+age)%20), 10.0}
	})
	insert("trackings", "id, account_id, domain, location_id, platform_id, config, created_at", trackings, func(i int) []any {
		return []any{tracking[i], owner, fmt.Sprintf("site%d.com", i), london, 1, "{}", micros(60)}
	})
	insert("tracking_summaries", "tracking_id, account_id, due_at, keywords, visibility, change, moved, trend", trackings, func(i int) []any {
		return []any{tracking[i], owner, micros(-1), keywords, 20.5, float64(i % 50), float64(i % 50), "[20.5]"}
	})
	insert("tracked_keywords", "number, id, account_id, tracking_id, kw, kw_key, created_at", trackings*keywords, func(i int) []any {
		return []any{i + 1, id.New(), owner, tracking[i/keywords], fmt.Sprint("keyword ", i), fmt.Sprint("keyword ", i), micros(60)}
	})
	insert("tracking_movers", "keyword, tracking_id, account_id, rank, change", trackings*10, func(i int) []any {
		return []any{i*10 + 1, tracking[i/10], owner, 5, i%90 - 45}
	})
	insert("locations", "id, account_id, status, frozen, submitted_at, version, profile, errors", locations, func(i int) []any {
		return []any{location[i], owner, "COMPLETED", i%100 == 0, micros(i % 900), 1, `{"business_name":"Decatur Deli","phone_number":"+1 404-555-0123"}`, "[]"}
	})
	insert("listings", "id, account_id, location_id, directory, status, wanted, url, detail, version, updated_at", locations*4, func(i int) []any {
		status := "CONNECTED"
		if i%4 == 3 && i%40 == 3 {
			status = "UNAVAILABLE"
		}
		return []any{id.New(), owner, location[i/4], []string{"page", "sitemap", "feed", "map"}[i%4], status, true, "", "The phone number differs.", 1, micros(i % 90)}
	})
}
