package rankwatch

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/db/dbtest"
	"github.com/trigpoint/trigpoint/internal/id"
)

// noSerps keeps no pages.
type noSerps struct{}

func (noSerps) Pack(Serp) (any, error)                          { return nil, nil }
func (noSerps) Keep(_ context.Context, _ *db.Tx, _ []any) error { return nil }

// stored is the size of tables with their indexes, in bytes.
func stored(t testing.TB, d *db.DB, tables ...string) (total int64) {
	t.Helper()
	query := "SELECT coalesce(sum(pgsize), 0) FROM dbstat WHERE name IN (SELECT name FROM sqlite_master WHERE tbl_name = $1)"
	if d.Dialect == db.Postgres {
		query = "SELECT pg_total_relation_size($1::text::regclass)"
	}
	for _, table := range tables {
		size, err := db.One(t.Context(), d, db.Value[int64], query, table)
		if err != nil {
			t.Fatal(err)
		}
		total += size
	}
	return total
}

// A year of daily checks, recorded day by day as they are in life, on keywords that move.
func TestADayOfAKeywordTakesFewBytes(t *testing.T) {
	t.Parallel()
	const keywords, days = 400, 365
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		ctx := t.Context()
		s := &Service{db: d, serps: noSerps{}}
		list := make([]wanted, keywords)
		for i := range list {
			list[i] = wanted{fmt.Sprintf("some keyword %d", i), fmt.Sprintf("some keyword %d", i)}
		}
		tr := tracking{id: id.New(), accountID: id.New(), target: target(t, "site.com"), platformID: desktop, createdAt: time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC)}
		all := newKeywords(list, tr.createdAt)
		err := d.Tx(ctx, func(tx *db.Tx) error {
			if _, err := tx.Exec(ctx, "INSERT INTO accounts (id, email, plan, feed_token, created_at) VALUES ($1, 'a', 'a', 'a', 0)", tr.accountID); err != nil {
				return err
			}
			if err := insertTracking(ctx, tx, &tr); err != nil {
				return err
			}
			return insertKeywords(ctx, tx, &tr, all)
		})
		if err != nil {
			t.Fatal(err)
		}
		before := stored(t, d, "tracked_keywords", "rank_states", "rank_years")
		r := rand.New(rand.NewPCG(1, 2))
		seen := make([]finding, keywords)
		for i := range seen {
			seen[i] = finding{Observation: Observation{Rank: uint16(1 + r.IntN(90)), Features: SimilarQuestions | LocalPack}, url: "https://www.site.com/page-1"}
		}
		for day := range days {
			at := tr.createdAt.AddDate(0, 0, day).Add(time.Hour)
			batch := make([]outcome, 0, maxRecord)
			for i := range all {
				move(&seen[i], r)
				if r.IntN(50) == 0 {
					continue // a check that failed
				}
				batch = append(batch, outcome{claim: claim{number: all[i].number, tracking: &tr}, at: at, found: seen[i]})
			}
			for from := 0; from < len(batch); from += maxRecord {
				if err := s.record(ctx, batch[from:min(from+maxRecord, len(batch))]); err != nil {
					t.Fatal(err)
				}
			}
			if d.Dialect == db.Postgres && day%2 == 0 { // autovacuum comes every day: all rows have changed
				if _, err := d.Writer().ExecContext(ctx, "VACUUM rank_states, rank_years"); err != nil {
					t.Fatal(err)
				}
			}
		}
		grown := float64(stored(t, d, "tracked_keywords", "rank_states", "rank_years")-before) / (keywords * days)
		if grown >= 8 {
			t.Errorf("%.2f bytes a keyword and day, want less than 8", grown)
		}
		t.Logf("%.2f bytes a keyword and day, row and index overhead included", grown)
	})
}

// move lets a day pass: the rank wanders, features come and go, now and then another page ranks.
func move(f *finding, r *rand.Rand) {
	f.Rank = uint16(min(max(int(f.Rank)+r.IntN(5)-2, 1), 100))
	if r.IntN(3) == 0 {
		f.Features ^= 1 << r.IntN(9)
	}
	if r.IntN(12) == 0 {
		f.url = fmt.Sprintf("https://www.site.com/page-%d", r.IntN(4))
	}
}
