package main

import (
	"context"
	"database/sql"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	_ "modernc.org/sqlite" // registers "sqlite"
)

// benchRows keeps the largest report the plain way, a row for each result, as a peer for how maprank packs it: the
// same engine and durability, one transaction a report, five hundred rows a statement, an index for the heatmap.
func benchRows(out io.Writer) error {
	dir, err := os.MkdirTemp("", "trigpoint-bench")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	path := filepath.Join(dir, "rows.db")
	d, err := sql.Open("sqlite", "file:"+path+"?_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)")
	if err != nil {
		return err
	}
	defer func() { _ = d.Close() }()
	d.SetMaxOpenConns(1)
	ctx := context.Background()
	if _, err := d.ExecContext(ctx, `CREATE TABLE results (keyword INTEGER, point INTEGER, position INTEGER, business INTEGER,
			PRIMARY KEY (keyword, point, position)) WITHOUT ROWID;
		CREATE INDEX by_business ON results (keyword, business, point, position)`); err != nil {
		return err
	}
	start := time.Now()
	if err := writeRows(ctx, d); err != nil {
		return err
	}
	wrote := time.Since(start)
	var pages, pageSize int64
	if err := d.QueryRowContext(ctx, "SELECT page_count, page_size FROM pragma_page_count, pragma_page_size").Scan(&pages, &pageSize); err != nil {
		return err
	}
	const looks = 200
	start = time.Now()
	for i := range looks {
		if err := readHeatmap(ctx, d, i%gridKeywords); err != nil {
			return err
		}
	}
	fmt.Fprintf(out, "one row a result: written in %.1f s, %.1f bytes an observation, a heatmap's rows read in %v\n",
		wrote.Seconds(), float64(pages*pageSize)/observations, (time.Since(start) / looks).Round(time.Microsecond))
	return nil
}

func writeRows(ctx context.Context, d *sql.DB) error {
	const rows = 500
	tx, err := d.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }()
	insert, err := tx.PrepareContext(ctx, "INSERT INTO results VALUES (?, ?, ?, ?)"+strings.Repeat(", (?, ?, ?, ?)", rows-1))
	if err != nil {
		return err
	}
	args := make([]any, 0, 4*rows)
	for n := range observations {
		keyword, point, position := n/(gridSide*gridSide*gridResults), n/gridResults%(gridSide*gridSide), n%gridResults
		// About four hundred businesses rank for a keyword, as in the report that maprank is measured with.
		args = append(args, keyword, point, position+1, keyword*400+(point*7+position*13)%400)
		if len(args) < 4*rows {
			continue
		}
		if _, err := insert.ExecContext(ctx, args...); err != nil {
			return err
		}
		args = args[:0]
	}
	if len(args) > 0 {
		return fmt.Errorf("%d rows are left over: the report is no multiple of %d", len(args)/4, rows)
	}
	return tx.Commit()
}

func readHeatmap(ctx context.Context, d *sql.DB, keyword int) error {
	rows, err := d.QueryContext(ctx, "SELECT point, position FROM results WHERE keyword = ? AND business = ?", keyword, keyword*400+7)
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var point, position int
		if err := rows.Scan(&point, &position); err != nil {
			return err
		}
	}
	return rows.Err()
}
