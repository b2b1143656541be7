package main

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"io"
	"maps"
	"slices"
	"sync/atomic"
	"time"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/provider"
)

// How many are made due of each kind, spread over the accounts.
const (
	dueKeywords  = 200
	dueLocations = 200
	dueCampaigns = 20
	dueWebhooks  = 20
)

// countingWeb answers at once, and counts.
type countingWeb struct {
	*instantWeb
	asked atomic.Int64
}

// SearchWeb implements provider.WebSearcher.
func (w *countingWeb) SearchWeb(ctx context.Context, q provider.WebQuery) (provider.WebPage, error) {
	w.asked.Add(1)
	return w.instantWeb.SearchWeb(ctx, q)
}

// due tells how many rows a worker reads while nothing is due, and while a little is.
func (b *scaleBench) due(ctx context.Context, out io.Writer) error {
	pool, err := sql.Open("pgx", b.store) // some statements take longer than the program's own connections allow
	if err != nil {
		return err
	}
	defer func() { _ = pool.Close() }()
	tomorrow := db.Micros(time.Now().UTC().Truncate(24 * time.Hour).Add(24 * time.Hour))
	if _, err := pool.ExecContext(ctx, "UPDATE rank_states SET next_check_at = $1 WHERE next_check_at < $1", tomorrow); err != nil {
		return err
	}
	if err := b.settle(ctx); err != nil {
		return err
	}
	stop, err := b.app.Work(ctx)
	if err != nil {
		return err
	}
	defer stop()
	time.Sleep(10 * time.Second) // what is done once, at the start
	idle, err := rowsRead(ctx, pool, func() error { time.Sleep(15 * time.Second); return nil })
	if err != nil {
		return err
	}
	busy, err := rowsRead(ctx, pool, func() error { return b.makeDue(ctx, pool) })
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "\nrows that a worker reads in 15 s while nothing is due, and when %d keywords, %d locations, %d campaigns and %d webhooks are: by index, by scan\n",
		dueKeywords, dueLocations, dueCampaigns, dueWebhooks)
	for _, table := range slices.Sorted(maps.Keys(busy)) {
		i, d := idle[table], busy[table]
		if d != ([2]int64{}) || i != ([2]int64{}) {
			fmt.Fprintf(out, "  %-20s %7d %7d   %7d %7d\n", table, i[0], i[1], d[0], d[1])
		}
	}
	return nil
}

// makeDue makes a little due and gives it time.
func (b *scaleBench) makeDue(ctx context.Context, pool *sql.DB) error {
	// Chosen without reading the tables whose reads are counted: ids are spread evenly over the accounts.
	var accounts []string
	rows, err := pool.QueryContext(ctx, "SELECT id FROM accounts ORDER BY right(id, 4), id LIMIT $1", max(dueKeywords, dueLocations))
	if err != nil {
		return err
	}
	for rows.Next() {
		var id string
		if err := rows.Scan(&id); err != nil {
			return err
		}
		accounts = append(accounts, id)
	}
	if err := cmp.Or(rows.Err(), rows.Close()); err != nil {
		return err
	}
	asked := b.web.asked.Load()
	for _, one := range []struct {
		most int
		text string
	}{
		{dueKeywords, "UPDATE rank_states SET next_check_at = 0 WHERE keyword = (SELECT min(number) FROM tracked_keywords WHERE account_id = $1 AND removed_at IS NULL)"},
		{dueLocations, "UPDATE locations SET status = 'PROCESSING' WHERE id = (SELECT id FROM locations WHERE account_id = $1 ORDER BY submitted_at DESC, id DESC LIMIT 1)"},
		{dueCampaigns, "UPDATE campaigns SET next_report_at = 1 WHERE id = (SELECT id FROM campaigns WHERE account_id = $1 ORDER BY created_at LIMIT 1)"},
		{dueWebhooks, "UPDATE webhook_deliveries d SET due_at = 0, status = 'pending' FROM webhooks w WHERE w.account_id = $1 AND d.webhook_id = w.id AND d.at = (SELECT max(at) FROM webhook_deliveries WHERE webhook_id = w.id)"},
	} {
		for _, id := range accounts[:min(one.most, len(accounts))] {
			if _, err := pool.ExecContext(ctx, one.text, id); err != nil {
				return err
			}
		}
	}
	time.Sleep(30 * time.Second) // to ask whether it is done would read rows, too
	left, err := db.One(ctx, b.app.DB, db.Value[int], `SELECT (SELECT count(*) FROM locations WHERE status = 'PROCESSING') + (SELECT count(*) FROM campaigns WHERE next_report_at = 1)
		+ (SELECT count(*) FROM reports WHERE status = 'COLLECTING') + (SELECT count(*) FROM webhook_deliveries WHERE due_at = 0)`)
	if checked := b.web.asked.Load() - asked; err == nil && (left > 0 || checked < int64(min(dueKeywords, len(accounts)))) {
		err = fmt.Errorf("%d are left, and %d keywords are checked", left, checked)
	}
	return err
}

// rowsRead counts the rows of each table that are read while something is done, through indexes and by scans.
func rowsRead(ctx context.Context, pool *sql.DB, do func() error) (map[string][2]int64, error) {
	before, err := rowsReadUntilNow(ctx, pool)
	if err != nil {
		return nil, err
	}
	if err := do(); err != nil {
		return nil, err
	}
	read, err := rowsReadUntilNow(ctx, pool)
	for table, n := range read {
		read[table] = [2]int64{n[0] - before[table][0], n[1] - before[table][1]}
	}
	return read, err
}

func rowsReadUntilNow(ctx context.Context, pool *sql.DB) (map[string][2]int64, error) {
	time.Sleep(12 * time.Second) // until idle sessions have told their figures
	rows, err := pool.QueryContext(ctx, "SELECT relname, coalesce(idx_tup_fetch, 0), seq_tup_read FROM pg_stat_user_tables WHERE relname NOT LIKE 'river%'")
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	read := map[string][2]int64{}
	for rows.Next() {
		var table string
		var n [2]int64
		if err := rows.Scan(&table, &n[0], &n[1]); err != nil {
			return nil, err
		}
		read[table] = n
	}
	return read, rows.Err()
}
