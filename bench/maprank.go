package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/trigpoint/trigpoint/internal/account"
	"github.com/trigpoint/trigpoint/internal/app"
	"github.com/trigpoint/trigpoint/internal/config"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/maprank"
	"github.com/trigpoint/trigpoint/internal/maprank/grid"
)

const (
	gridSide     = 21
	gridKeywords = 100
	gridResults  = 20
	observations = gridSide * gridSide * gridKeywords * gridResults
	historyLen   = 1_000
)

// benchMapRank measures area B: a collection of the largest report with a provider that answers at once and
// with one that takes its time, what the report costs in the store, and the answers at the handler with a
// long history behind one campaign and many campaigns beside it.
func benchMapRank(out io.Writer) error {
	for _, engine := range []struct{ name, url string }{{"SQLite", ""}, {"PostgreSQL", freshDatabase(os.Getenv("TRIGPOINT_TEST_POSTGRES"))}} {
		if engine.name == "PostgreSQL" && engine.url == "" {
			fmt.Fprintln(out, "PostgreSQL: no server; run with make bench")
			continue
		}
		fmt.Fprintf(out, "\n%s\n", engine.name)
		if err := benchMapRankOn(out, engine.url); err != nil {
			return fmt.Errorf("%s: %w", engine.name, err)
		}
	}
	return nil
}

// mapBench is the program in this process.
type mapBench struct {
	app     *app.App
	maps    *benchMap
	handler http.Handler
	owner   string
	token   string
	close   func()
}

func openMapBench(database string, maps *benchMap) (*mapBench, error) {
	dir, err := os.MkdirTemp("", "trigpoint-bench")
	if err != nil {
		return nil, err
	}
	ctx := context.Background()
	c := &config.Config{
		Data: dir, DatabaseURL: database, MaxConns: 16, Listen: "127.0.0.1:0", ShutdownGrace: 10 * time.Second,
		Plans: `{"agency":{"rate":0,"campaigns":100000,"credits":100000000}}`,
	}
	d, err := app.OpenStore(ctx, c)
	if err != nil {
		return nil, err
	}
	a, err := app.New(c, d, slog.New(slog.DiscardHandler), app.Options{Map: app.MapOptions{Provider: maps}})
	if err != nil {
		return nil, err
	}
	stop, err := a.Work(ctx)
	if err != nil {
		return nil, err
	}
	b := &mapBench{app: a, maps: maps, handler: a.Server("bench").Handler(), close: func() {
		stop()
		_ = d.Close()
		_ = os.RemoveAll(dir)
	}}
	acc, err := a.Accounts.Create(ctx, fmt.Sprintf("bench%d@trigpoint.example", time.Now().UnixNano()), "agency")
	if err != nil {
		return nil, err
	}
	b.owner = acc.ID
	b.token, _, err = a.Accounts.Issue(ctx, acc.ID, account.Issue{Kind: account.Token})
	return b, err
}

func benchMapRankOn(out io.Writer, database string) error {
	maps := newBenchMap(5_000, 400)
	b, err := openMapBench(database, maps)
	if err != nil {
		return err
	}
	defer b.close()
	ctx := context.Background()
	keywords := make([]string, gridKeywords)
	for i := range keywords {
		keywords[i] = fmt.Sprintf("keyword %d", i)
	}
	// A small report first, so that what is measured is the report and not the first page of each table.
	if err := b.collect(ctx, io.Discard, "", keywords[:1], 0); err != nil {
		return err
	}
	empty, err := b.sizes(ctx)
	if err != nil {
		return err
	}
	for _, which := range []string{"first", "second"} {
		if err := b.collect(ctx, out, "21x21 points, 100 keywords, answered at once, "+which+" report", keywords, 0); err != nil {
			return err
		}
		full, err := b.sizes(ctx)
		if err != nil {
			return err
		}
		full.less(empty).print(out)
		empty = full
	}
	if os.Getenv("BENCH_SLOW") != "0" {
		maps.slow(200*time.Millisecond, 100)
		slow, err := openMapBench(freshDatabase(database), maps)
		if err != nil {
			return err
		}
		defer slow.close()
		least := time.Duration(gridSide*gridSide*gridKeywords) * 200 * time.Millisecond / 100
		if err := slow.collect(ctx, out, "the same, 200 ms an answer, 100 at a time", keywords, least); err != nil {
			return err
		}
		maps.slow(0, 0)
	}
	return b.answers(ctx, out)
}

// campaign makes one of the largest grid.
func (b *mapBench) campaign(ctx context.Context, keywords []string) (maprank.Campaign, error) {
	own := b.maps.businesses[0]
	return b.app.MapRank.Create(ctx, maprank.Draft{
		AccountID: b.owner, PlaceID: own.PlaceID, Keywords: keywords,
		Grid: &grid.Grid{Template: fmt.Sprintf("%dx%d", gridSide, gridSide), Unit: grid.Kilometres, Distance: 10, BasePoint: grid.Coordinates{Lat: own.Lat, Lng: own.Lng}},
	})
}

func (b *mapBench) collect(ctx context.Context, out io.Writer, what string, keywords []string, least time.Duration) error {
	c, err := b.campaign(ctx, keywords)
	if err != nil {
		return err
	}
	memory := watchMemory()
	start := time.Now()
	at, err := b.app.MapRank.Collect(ctx, c.ID)
	if err != nil {
		return err
	}
	accepted := time.Since(start)
	for {
		p, err := b.app.MapRank.Progress(ctx, c.ID, at)
		if err != nil {
			return err
		}
		if p.Status != maprank.Collecting {
			if p.Status != maprank.Collected || p.Reason != "" {
				return fmt.Errorf("the collection ended as %s: %s", p.Status, p.Reason)
			}
			break
		}
		time.Sleep(20 * time.Millisecond)
	}
	took := time.Since(start)
	fmt.Fprintf(out, "%s: %.1f s (accepted in %v), at most %.0f MB resident", what, took.Seconds(), accepted.Round(time.Millisecond), memory())
	if least > 0 {
		fmt.Fprintf(out, ", %.1f%% over the provider's minimum of %.1f s", 100*(took.Seconds()/least.Seconds()-1), least.Seconds())
	}
	fmt.Fprintln(out)
	return nil
}

// mapTables are all that the area keeps. The queue forgets its jobs after an hour and is told apart.
var mapTables = []string{
	"campaigns", "campaign_access", "campaign_counts", "campaign_points", "campaign_keywords", "campaign_removals",
	"reports", "report_keywords", "report_businesses", "report_slices", "report_batches",
}

const queueTable = "river_job"

// tableSizes are bytes by table, with its indexes.
type tableSizes map[string]float64

func (b *mapBench) sizes(ctx context.Context) (tableSizes, error) {
	sizes := tableSizes{}
	for _, table := range append(mapTables, queueTable) {
		bytes, err := b.tableSize(ctx, table)
		if err != nil {
			return nil, fmt.Errorf("size of %s: %w", table, err)
		}
		sizes[table] = bytes
	}
	return sizes, nil
}

func (s tableSizes) less(before tableSizes) tableSizes {
	grown := tableSizes{}
	for table, bytes := range s {
		grown[table] = bytes - before[table]
	}
	return grown
}

// print tells what a report has cost: what all tables have grown by, after the engine's own tidying.
func (s tableSizes) print(out io.Writer) {
	total := 0.0
	var parts []string
	for _, table := range mapTables {
		total += s[table]
		if share := s[table] / observations; share >= 0.005 {
			parts = append(parts, fmt.Sprintf("%s %.2f", table, share))
		}
	}
	fmt.Fprintf(out, "  stored: %.2f bytes an observation (%.2f MB for %d; %s); in the queue for an hour %.2f\n",
		total/observations, total/1e6, observations, strings.Join(parts, ", "), s[queueTable]/observations)
}

func (b *mapBench) tableSize(ctx context.Context, table string) (float64, error) {
	d := b.app.DB
	if d.Dialect == db.Postgres {
		if _, err := d.Writer().ExecContext(ctx, "VACUUM "+table); err != nil {
			return 0, err
		}
		return db.One(ctx, d, db.Value[float64], "SELECT pg_total_relation_size($1::text::regclass)::float8", table)
	}
	return db.One(ctx, d, db.Value[float64], `SELECT CAST(coalesce(sum(s.pgsize), 0) AS REAL) FROM dbstat s
		WHERE s.name = $1 OR s.name IN (SELECT name FROM sqlite_master WHERE type = 'index' AND tbl_name = $1)`, table)
}
