package main

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"time"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/id"
	"github.com/trigpoint/trigpoint/internal/local"
	"github.com/trigpoint/trigpoint/internal/maprank"
	"github.com/trigpoint/trigpoint/internal/rankwatch"
)

// collected is a campaign as far as the run reads it.
type collected struct {
	Data struct {
		ID             string
		Status         string
		Keywords       []struct{ ID string }
		LastReportDate string
		Business       struct{ CID string }
	}
}

// fill makes what one account holds, collected and checked once.
func (b *scaleBench) fill(ctx context.Context) error {
	acc, err := b.app.Accounts.Create(ctx, "bench@trigpoint.example", "agency")
	if err != nil {
		return err
	}
	if err := b.as(ctx, acc.ID); err != nil {
		return err
	}
	stop, err := b.app.Work(ctx)
	if err != nil {
		return err
	}
	defer stop()
	for i := range scaleLocations {
		if err := b.send("POST", local.Prefix+"/locations", map[string]any{
			"business_name": fmt.Sprintf("Deli %d", i), "phone_number": "+1 404-555-0123", "country": "US", "region": "GA", "city": "Decatur", "zip": "30030",
			"address_line_1": "1 Main Street", "category_ids": []string{"amenity.fast_food.sandwich"},
		}, nil); err != nil {
			return err
		}
	}
	for i := range scaleCampaigns {
		if err := b.collect(i); err != nil {
			return err
		}
	}
	keywords := make([]string, scaleKeywords)
	for i := range keywords {
		keywords[i] = fmt.Sprintf("keyword %d", i)
	}
	if err := b.send("POST", rankwatch.Prefix+"/rankwatch/trackings", map[string]any{"domain": "site.com", "location_id": 0, "platform_id": 1, "keywords": keywords}, nil); err != nil {
		return err
	}
	if err := until(func() (bool, error) {
		return db.One(ctx, b.app.DB, db.Value[bool], `SELECT NOT EXISTS (SELECT 1 FROM rank_states WHERE checked_at IS NULL) AND NOT EXISTS (SELECT 1 FROM locations WHERE status = 'PROCESSING')
			AND NOT EXISTS (SELECT 1 FROM tracking_summaries WHERE keywords = 0 OR due_at < $1)`, db.Micros(time.Now().Add(time.Minute)))
	}); err != nil {
		return err
	}
	return b.app.DB.Tx(ctx, func(tx *db.Tx) error { return hook(ctx, tx, acc.ID) })
}

// collect makes a campaign with a weekly schedule and collects it once.
func (b *scaleBench) collect(n int) error {
	var c collected
	if err := b.send("POST", maprank.Prefix+"/campaigns", map[string]any{
		"placeId": newBenchMap(500, 50).businesses[n].PlaceID, "keywords": []string{"pizza", "deli", "lunch"}, "gridSettings": map[string]any{"template": "7x7"},
		"collectingFrequency": map[string]any{"frequency": "WEEKLY", "positions": []int{1 + n%7}},
	}, &c); err != nil {
		return err
	}
	path := maprank.Prefix + "/campaigns/" + c.Data.ID
	if err := b.send("PUT", path+"/collect", nil, nil); err != nil {
		return err
	}
	return until(func() (bool, error) {
		c = collected{}
		err := b.send("GET", path, nil, &c)
		return c.Data.Status == "COLLECTED", err
	})
}

// hook gives an account a webhook that has been told of all that has happened.
func hook(ctx context.Context, tx *db.Tx, accountID string) error {
	webhook, now := id.New(), db.Micros(time.Now())
	if _, err := tx.Exec(ctx, "INSERT INTO webhooks (id, account_id, url, kinds, secret, created_at) VALUES ($1, $2, 'https://receiver.example/', '', 'whsec_c2VjcmV0IHNlY3JldCBzZWNyZXQ=', $3)", webhook, accountID, now); err != nil {
		return err
	}
	_, err := tx.Exec(ctx, "INSERT INTO webhook_deliveries (event_id, webhook_id, at, status, attempts, tried_at, took, code) SELECT id, $1, at, 'delivered', 1, $2, 20000, 204 FROM events WHERE account_id = $3", webhook, now, accountID)
	return err
}

func until(holds func() (bool, error)) error {
	for deadline := time.Now().Add(5 * time.Minute); ; time.Sleep(50 * time.Millisecond) {
		done, err := holds()
		if done || err != nil {
			return err
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("the work of one account is not done")
		}
	}
}

// copied are the tables that hold what accounts hold.
var copied = []string{
	"accounts", "credentials", "locations", "location_changes", "listings", "campaigns", "campaign_access", "campaign_counts", "campaign_points", "campaign_keywords",
	"reports", "report_keywords", "report_businesses", "trackings", "tracked_keywords", "rank_states", "tracking_summaries", "tracking_movers", "serps", "searches",
	"keywords", "keyword_words", "quota_months", "costs", "events", "webhooks", "webhook_deliveries",
}

// multiply puts copies of the account beside it, inside the database: each has ids of its own. Indexes that hold no promise are made
// again afterwards, which is faster than filling them row by row.
func (b *scaleBench) multiply(ctx context.Context, copies int) error {
	pool, err := sql.Open("pgx", b.store) // a statement of minutes would be a silent server to the program's own
	if err != nil {
		return err
	}
	defer func() { _ = pool.Close() }()
	conn, err := pool.Conn(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close() }()
	if _, err := conn.ExecContext(ctx, "SET session_replication_role = replica; SET synchronous_commit = off"); err != nil { // references are copied whole
		return err
	}
	for _, table := range copied {
		if err := multiplyTable(ctx, conn, table, copies); err != nil {
			return fmt.Errorf("%s: %w", table, err)
		}
	}
	if _, err := conn.ExecContext(ctx, "UPDATE location_revision SET revision = (SELECT max(revision) FROM location_changes)"); err != nil {
		return err
	}
	_, err = conn.ExecContext(ctx, "UPDATE keyword_numbers SET last = (SELECT max(number) FROM tracked_keywords)")
	return err
}

func multiplyTable(ctx context.Context, conn *sql.Conn, table string, copies int) error {
	columns, values, err := copyOf(ctx, conn, table)
	if err != nil {
		return err
	}
	names, texts, err := plainIndexes(ctx, conn, table)
	if err != nil {
		return err
	}
	for _, name := range names {
		if _, err := conn.ExecContext(ctx, "DROP INDEX "+name); err != nil {
			return err
		}
	}
	if _, err := conn.ExecContext(ctx, fmt.Sprintf("INSERT INTO %s (%s) SELECT %s FROM generate_series(1, %d) AS n CROSS JOIN %s t", table, columns, values, copies, table)); err != nil {
		return err
	}
	for _, text := range texts {
		if _, err := conn.ExecContext(ctx, text); err != nil {
			return err
		}
	}
	return nil
}

// plainIndexes are the indexes of a table that are not unique, and the statements that make them.
func plainIndexes(ctx context.Context, conn *sql.Conn, table string) (names, texts []string, err error) {
	rows, err := conn.QueryContext(ctx, "SELECT indexname, indexdef FROM pg_indexes WHERE schemaname = 'public' AND tablename = $1 AND indexdef LIKE 'CREATE INDEX%'", table)
	if err != nil {
		return nil, nil, err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var name, text string
		if err := rows.Scan(&name, &text); err != nil {
			return nil, nil, err
		}
		names, texts = append(names, name), append(texts, text)
	}
	return names, texts, rows.Err()
}

// copyOf names the columns of a table, and what the n-th copy has in them.
func copyOf(ctx context.Context, conn *sql.Conn, table string) (columns, values string, err error) {
	rows, err := conn.QueryContext(ctx, "SELECT column_name, data_type FROM information_schema.columns WHERE table_schema = 'public' AND table_name = $1 ORDER BY ordinal_position", table)
	if err != nil {
		return "", "", err
	}
	defer func() { _ = rows.Close() }()
	var names, copies []string
	for rows.Next() {
		var name, kind string
		if err := rows.Scan(&name, &kind); err != nil {
			return "", "", err
		}
		names, copies = append(names, name), append(copies, valueOf(table, name, kind))
	}
	return strings.Join(names, ", "), strings.Join(copies, ", "), rows.Err()
}

// valueOf is what the n-th copy of a row has in a column.
func valueOf(table, name, kind string) string {
	value := "t." + name
	switch {
	case name == "email" || name == "feed_token" || name == "share_token":
		return value + " || '-' || n"
	case kind == "text" && (name == "id" || name == "subject" || strings.HasSuffix(name, "_id")):
		return fmt.Sprintf("CASE WHEN length(%[1]s) = 32 THEN substr(%[1]s, 1, 24) || lpad(to_hex(n), 8, '0') ELSE %[1]s END", value)
	case name == "hash":
		return value + " || int4send(n)"
	case name == "next_report_at":
		return value + " + n % 86400 * CAST(1000000 AS BIGINT)" // over the day
	case name == "keyword" || table == "tracked_keywords" && name == "number" || table == "location_changes" && name == "revision":
		return value + fmt.Sprintf(" + n * %d", 10*scaleKeywords)
	}
	return value
}
