package db_test

import (
	"fmt"
	"testing"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/db/dbtest"
)

func TestInsertWritesMoreRowsThanOneStatementHolds(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		const many = 10_000 // with 5 values each: more than either engine takes at once
		rows := make([][]any, many)
		for i := range rows {
			name := fmt.Sprint(i)
			rows[i] = []any{name, name + "@example.com", "free", name, i}
		}
		insert := func(rows [][]any, onConflict string) error {
			return d.Tx(t.Context(), func(tx *db.Tx) error {
				return db.Insert(t.Context(), tx, "accounts", "id, email, plan, feed_token, created_at", rows, onConflict)
			})
		}
		if err := insert(rows, ""); err != nil {
			t.Fatal(err)
		}
		if n := count(t, d); n != many {
			t.Fatalf("%d rows are stored, want %d", n, many)
		}
		last, err := db.One(t.Context(), d, db.Value[string], "SELECT email FROM accounts WHERE created_at = $1", many-1)
		if err != nil || last != "9999@example.com" {
			t.Errorf("the last row has the email %q (%v)", last, err)
		}

		if err := insert(rows[:1], ""); !db.IsUnique(err) {
			t.Errorf("a row that is there was inserted again: %v", err)
		}
		rows[0][2] = "pro"
		if err := insert(rows[:2], "ON CONFLICT (id) DO UPDATE SET plan = excluded.plan"); err != nil {
			t.Fatal(err)
		}
		pros, err := db.One(t.Context(), d, db.Value[int64], "SELECT count(*) FROM accounts WHERE plan = 'pro'")
		if err != nil || pros != 1 {
			t.Errorf("%d rows were updated (%v), want the one that was there with another plan", pros, err)
		}
		if err := insert(nil, ""); err != nil {
			t.Errorf("inserting nothing: %v", err)
		}
	})
}
