package db_test

import (
	"fmt"
	"testing"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/db/dbtest"
)

// A statement serves one reader at a time; a second one of the same text gets its own.
func TestTheSameStatementWithinItself(t *testing.T) {
	t.Parallel()
	d := dbtest.SQLite(t)
	const numbers = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n LIMIT $1"
	count := 0
	err := d.Tx(t.Context(), func(tx *db.Tx) error {
		return db.Each(t.Context(), tx, func(db.Scanner) error {
			return db.Each(t.Context(), tx, func(db.Scanner) error {
				count++
				return nil
			}, numbers, 5)
		}, numbers, 3)
	})
	if err != nil || count != 15 {
		t.Fatalf("%d rows, %v", count, err)
	}
}

func TestMoreStatementsThanAreKept(t *testing.T) {
	t.Parallel()
	d := dbtest.SQLite(t)
	for round := range 2 {
		for i := range 600 {
			got, err := db.One(t.Context(), d, db.Value[int], fmt.Sprintf("SELECT %d + $1", i), round)
			if err != nil || got != i+round {
				t.Fatalf("statement %d: %d, %v", i, got, err)
			}
		}
	}
}

func BenchmarkList(b *testing.B) {
	d := dbtest.SQLite(b)
	for b.Loop() {
		if _, err := db.All(b.Context(), d, db.Value[string], "SELECT id FROM locations WHERE account_id = $1 ORDER BY submitted_at DESC, id DESC LIMIT $2", "nobody", 50); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkWrite(b *testing.B) {
	d := dbtest.SQLite(b)
	for b.Loop() {
		err := d.Tx(b.Context(), func(tx *db.Tx) error {
			_, err := tx.Exec(b.Context(), "UPDATE accounts SET email = $2 WHERE id = $1", "nobody", "nobody@example.com")
			return err
		})
		if err != nil {
			b.Fatal(err)
		}
	}
}
