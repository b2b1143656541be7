package app_test

import (
	"context"
	"database/sql"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/trigpoint/trigpoint/internal/app/apptest"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/db/dbtest"
)

// Sweeps look for work every few seconds, in every process: what they ask must not read a table through, also with a plan that
// PostgreSQL makes for any bind.
func TestWhatIsDueIsFoundWithoutAScan(t *testing.T) {
	t.Parallel()
	dbtest.EachTraced(t, func(t *testing.T, d *db.DB, asked *dbtest.Statements) {
		if d.Dialect != db.Postgres {
			t.Skip("SQLite does not guess how soon a scan meets a row")
		}
		conn, err := d.Writer().Conn(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = conn.Close() }()
		later := db.Micros(time.Now().Add(12 * time.Hour))
		tables := []string{"rank_states", "tracking_summaries", "webhook_deliveries"}
		for _, text := range []string{
			"SET plan_cache_mode = force_generic_plan",
			"SET session_replication_role = replica", // rows without those that they refer to
			fmt.Sprintf("INSERT INTO rank_states (keyword, next_check_at) SELECT n, %d FROM generate_series(1, 5000) AS n", later),
			fmt.Sprintf("INSERT INTO tracking_summaries (tracking_id, account_id, due_at) SELECT n, n, %d FROM generate_series(1, 5000) AS n", later),
			"INSERT INTO webhook_deliveries (event_id, webhook_id, at, status) SELECT n, n, 0, 'delivered' FROM generate_series(1, 5000) AS n",
			"ANALYZE " + strings.Join(tables, ", "),
		} {
			if _, err := conn.ExecContext(t.Context(), text); err != nil {
				t.Fatalf("%s: %v", text, err)
			}
		}
		asked.Taken()
		apptest.Start(t, d)
		looked := map[string]bool{}
		seen := map[string]bool{}
		for deadline := time.Now().Add(20 * time.Second); len(looked) < len(tables); time.Sleep(10 * time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatalf("no sweep has looked at some of %v, only at %v", tables, looked)
			}
			for _, text := range asked.Taken() {
				i := slices.IndexFunc(tables, func(table string) bool { return strings.Contains(text, "FROM "+table) })
				if i < 0 || seen[text] || strings.HasPrefix(text, "UPDATE") {
					continue
				}
				seen[text], looked[tables[i]] = true, true
				if plan := genericPlan(t, conn, text); strings.Contains(plan, "Seq Scan on "+tables[i]) {
					t.Errorf("%s\nis found by a scan:\n%s", text, plan)
				}
			}
		}
	})
}

var bind = regexp.MustCompile(`\$\d+`)

// genericPlan is how PostgreSQL would do a statement whatever its binds are.
func genericPlan(t *testing.T, conn *sql.Conn, text string) string {
	t.Helper()
	ctx := context.WithoutCancel(t.Context())
	binds := bind.FindAllString(text, -1)
	slices.Sort(binds)
	args := ""
	if n := len(slices.Compact(binds)); n > 0 {
		args = "(NULL" + strings.Repeat(", NULL", n-1) + ")"
	}
	if _, err := conn.ExecContext(ctx, "PREPARE look AS "+text); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	defer func() { _, _ = conn.ExecContext(ctx, "DEALLOCATE look") }()
	rows, err := conn.QueryContext(ctx, "EXPLAIN EXECUTE look"+args)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	defer func() { _ = rows.Close() }()
	var plan strings.Builder
	for rows.Next() {
		var line string
		if err := rows.Scan(&line); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintln(&plan, line)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return plan.String()
}
