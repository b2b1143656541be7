package db

import (
	"strings"
	"testing"
)

func TestStatementsAreToldWithoutTheirValues(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, name, shape string }{
		{"SELECT id, name2 FROM locations\n\t\tWHERE account_id = $1 AND state = 'it''s' AND n > 10.5 LIMIT $2", "SELECT locations", "SELECT id, name2 FROM locations WHERE account_id = ? AND state = ? AND n > ? LIMIT ?"},
		{"INSERT INTO points (a, b) VALUES ($1,$2),($3,$4), ($5, $6) ON CONFLICT (a) DO UPDATE SET b = 1", "INSERT points", "INSERT INTO points (a, b) VALUES (?) ON CONFLICT (a) DO UPDATE SET b = ?"},
		{"UPDATE keys SET used = $1 WHERE id IN ($2,$3)", "UPDATE keys", "UPDATE keys SET used = ? WHERE id IN (?)"},
		{"-- name: Gone :exec\nDELETE FROM river_job WHERE id = $1", "DELETE river_job", "DELETE FROM river_job WHERE id = ?"},
		{"WITH due AS (SELECT id FROM a FOR UPDATE) UPDATE b SET n = 1 FROM due", "UPDATE b", "WITH due AS (SELECT id FROM a FOR UPDATE) UPDATE b SET n = ? FROM due"},
		{"WITH due AS (SELECT id FROM a) SELECT count(*) FROM (SELECT 1 FROM due)", "SELECT a", "WITH due AS (SELECT id FROM a) SELECT count(*) FROM (SELECT ? FROM due)"},
		{"SELECT 1 /* x */ WHERE a = 'left open", "SELECT", "SELECT ? /* x */ WHERE a = ?"},
		{"-- ping", "", ""},
		{"COMMIT", "COMMIT", "COMMIT"},
	} {
		told := shape(c.text)
		if name, _ := summary(told); name != c.name || told != c.shape {
			t.Errorf("%s:\n%q\n%q", c.text, name, told)
		}
	}
	wide := shape("INSERT INTO t VALUES " + strings.Repeat("($1, 'secret', 3), ", 10_000))
	if len(wide) > 100 || strings.Contains(wide, "secret") {
		t.Errorf("a wide insert is told as %.300s", wide)
	}
}
