package main

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/trigpoint/trigpoint/internal/account"
	"github.com/trigpoint/trigpoint/internal/app"
	"github.com/trigpoint/trigpoint/internal/config"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/httpapi"
	"github.com/trigpoint/trigpoint/internal/local"
	"github.com/trigpoint/trigpoint/internal/maprank"
	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/rankwatch"
)

// What one account holds; ten thousand of them are a million locations, a hundred thousand campaigns and a million keywords.
const (
	scaleLocations = 100
	scaleCampaigns = 10
	scaleKeywords  = 100
	scaleAccounts  = 10_000
	scaleRuns      = 100
	scalePace      = 500 // checks a second that the provider takes
)

// accountsVariable makes the run smaller.
const accountsVariable = "TRIGPOINT_BENCH_ACCOUNTS"

// benchScale makes one account through the API, measures it alone, puts thousands of copies beside it and measures it again; then
// it lets two workers check what is due.
func benchScale(out io.Writer) error {
	database := freshDatabase(os.Getenv("TRIGPOINT_TEST_POSTGRES"))
	if database == "" {
		fmt.Fprintln(out, "no PostgreSQL; run with make bench")
		return nil
	}
	accounts := scaleAccounts
	if text := os.Getenv(accountsVariable); text != "" {
		var err error
		if accounts, err = strconv.Atoi(text); err != nil {
			return err
		}
	}
	ctx := context.Background()
	b, err := openScale(ctx, database)
	if err != nil {
		return err
	}
	defer b.close()
	if err := b.fill(ctx); err != nil {
		return err
	}
	if err := b.settle(ctx); err != nil {
		return err
	}
	alone, err := b.reads()
	if err != nil {
		return err
	}
	start := time.Now()
	if err := b.multiply(ctx, accounts-1); err != nil {
		return err
	}
	fmt.Fprintf(out, "%d accounts with %d locations, %d campaigns and %d keywords are made in %v\n", accounts, accounts*scaleLocations, accounts*scaleCampaigns, accounts*scaleKeywords, time.Since(start).Round(time.Second))
	if err := b.settle(ctx); err != nil {
		return err
	}
	among, err := b.reads()
	if err != nil {
		return err
	}
	fmt.Fprintln(out, "\nmedian of a read, alone and among them")
	for i, ask := range b.asks {
		fmt.Fprintf(out, "  %-20s %8v %8v (%.2f)\n", ask.name, alone[i].Round(10*time.Microsecond), among[i].Round(10*time.Microsecond), float64(among[i])/float64(alone[i]))
	}
	if err := b.sizes(ctx, out); err != nil {
		return err
	}
	return b.checks(ctx, out)
}

type ask struct{ name, path string }

// scaleBench is the program in this process, as a server and as two workers.
type scaleBench struct {
	apps    []*app.App
	web     *countingWeb
	handler http.Handler
	owner   string
	key     string
	token   string
	asks    []ask
	close   func()
}

// countingWeb answers at once, at the pace of a vendor.
type countingWeb struct {
	*instantWeb
	asked atomic.Int64
}

// Describe implements provider.Provider.
func (*countingWeb) Describe() provider.Descriptor {
	return provider.Descriptor{Name: "fake", Title: "Fake", Account: "bench", Pace: provider.Pace{Concurrent: 64, PerSecond: scalePace}, Devices: []provider.Device{provider.Desktop}}
}

// SearchWeb implements provider.WebSearcher.
func (w *countingWeb) SearchWeb(ctx context.Context, q provider.WebQuery) (provider.WebPage, error) {
	w.asked.Add(1)
	return w.instantWeb.SearchWeb(ctx, q)
}

func openScale(ctx context.Context, database string) (*scaleBench, error) {
	dir, err := os.MkdirTemp("", "trigpoint-bench")
	if err != nil {
		return nil, err
	}
	b := &scaleBench{web: &countingWeb{instantWeb: newInstantWeb()}, close: func() { _ = os.RemoveAll(dir) }}
	c := &config.Config{
		Data: dir, DatabaseURL: database, MaxConns: 16, Listen: "127.0.0.1:0", ShutdownGrace: 10 * time.Second, JobTakeover: time.Minute, SerpDepth: 100,
		Plans: `{"agency":{"rate":0}}`,
	}
	for range 2 {
		d, err := app.OpenForCommand(ctx, c, false)
		if err != nil {
			return nil, err
		}
		a, err := app.New(c, d, slog.New(slog.DiscardHandler), app.Options{Web: b.web, Map: app.MapOptions{Provider: newBenchMap(500, 50)}})
		if err != nil {
			return nil, err
		}
		b.apps = append(b.apps, a)
	}
	first := b.apps[0]
	b.handler = first.Server("bench").Handler()
	acc, err := first.Accounts.Create(ctx, "bench@trigpoint.example", "agency")
	if err != nil {
		return nil, err
	}
	b.owner = acc.ID
	if b.key, _, err = first.Accounts.Issue(ctx, acc.ID, account.Issue{Kind: account.Key}); err != nil {
		return nil, err
	}
	b.token, _, err = first.Accounts.Issue(ctx, acc.ID, account.Issue{Kind: account.Token})
	return b, err
}

// send makes a request and reads the answer into one that may be nil.
func (b *scaleBench) send(method, path string, body, answer any) error {
	var text bytes.Buffer
	if body != nil {
		if err := json.NewEncoder(&text).Encode(body); err != nil {
			return err
		}
	}
	req := httptest.NewRequest(method, path, &text)
	req.Header.Set("Content-Type", "application/json")
	switch {
	case strings.HasPrefix(path, maprank.Prefix):
		req.Header.Set("Authorization", "Bearer "+b.token)
	case strings.HasPrefix(path, rankwatch.Prefix):
		req.Header.Set("X-Access-Token", b.key)
	default:
		req.Header.Set("Authorization", "Apikey "+b.key)
	}
	res := httptest.NewRecorder()
	b.handler.ServeHTTP(res, req)
	if res.Code >= 300 {
		return fmt.Errorf("%s %s: %d %.300s", method, path, res.Code, res.Body)
	}
	if answer == nil {
		return nil
	}
	return json.Unmarshal(res.Body.Bytes(), answer)
}

// fill makes what one account holds, collected and checked once.
func (b *scaleBench) fill(ctx context.Context) error {
	stop, err := b.apps[0].Work(ctx)
	if err != nil {
		return err
	}
	defer stop()
	var location struct {
		Data struct {
			LocationID string `json:"location_id"`
		}
	}
	for i := range scaleLocations {
		if err := b.send("POST", local.Prefix+"/locations", map[string]any{
			"business_name": fmt.Sprintf("Deli %d", i), "phone_number": "+1 404-555-0123", "country": "US", "region": "GA", "city": "Decatur", "zip": "30030",
			"address_line_1": "1 Main Street", "category_ids": []string{"amenity.fast_food.sandwich"},
		}, &location); err != nil {
			return err
		}
	}
	type campaign struct {
		Data struct {
			ID             string
			Status         string
			Keywords       []struct{ ID string }
			LastReportDate string
			Business       struct{ CID string }
		}
	}
	var c campaign
	for i := range scaleCampaigns {
		place := newBenchMap(500, 50).businesses[i].PlaceID
		if err := b.send("POST", maprank.Prefix+"/campaigns", map[string]any{"placeId": place, "keywords": []string{"pizza", "deli", "lunch"}, "gridSettings": map[string]any{"template": "7x7"}}, &c); err != nil {
			return err
		}
		path := maprank.Prefix + "/campaigns/" + c.Data.ID
		if err := b.send("PUT", path+"/collect", nil, nil); err != nil {
			return err
		}
		if err := until(func() (bool, error) {
			c = campaign{}
			err := b.send("GET", path, nil, &c)
			return c.Data.Status == "COLLECTED", err
		}); err != nil {
			return err
		}
	}
	keywords := make([]string, scaleKeywords)
	for i := range keywords {
		keywords[i] = fmt.Sprintf("keyword %d", i)
	}
	var made rankwatch.TrackingCreated
	if err := b.send("POST", rankwatch.Prefix+"/rankwatch/trackings", map[string]any{"domain": "site.com", "location_id": 0, "platform_id": 1, "keywords": keywords}, &made); err != nil {
		return err
	}
	tracking := rankwatch.Prefix + "/rankwatch/trackings/" + made.Tracking.ID
	err = until(func() (bool, error) {
		n, err := db.One(ctx, b.apps[0].DB, db.Value[int], "SELECT count(*) FROM rank_states WHERE checked_at IS NULL")
		return n == 0, err
	})
	report := fmt.Sprintf("%s/campaigns/%s/heatmap?keywordId=%s&reportDate=%s&cid=%s", maprank.Prefix, c.Data.ID, c.Data.Keywords[0].ID, c.Data.LastReportDate, c.Data.Business.CID)
	b.asks = []ask{
		{"locations", local.Prefix + "/locations"},
		{"a location", local.Prefix + "/locations/" + location.Data.LocationID},
		{"locations by words", local.Prefix + "/locations?query=deli"},
		{"campaigns", maprank.Prefix + "/campaigns"},
		{"a campaign", maprank.Prefix + "/campaigns/" + c.Data.ID},
		{"heatmap", report},
		{"metrics", fmt.Sprintf("%s/campaigns/%s/metrics?keywordId=%s&cid=%s", maprank.Prefix, c.Data.ID, c.Data.Keywords[0].ID, c.Data.Business.CID)},
		{"trackings", rankwatch.Prefix + "/rankwatch/trackings"},
		{"tracked keywords", tracking + "/tracked-keywords"},
		{"overview", httpapi.AccountPrefix + "/overview"},
	}
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

// settle does as autovacuum does when many rows have changed.
func (b *scaleBench) settle(ctx context.Context) error {
	_, err := b.apps[0].DB.Writer().ExecContext(ctx, "VACUUM ANALYZE")
	return err
}

func (b *scaleBench) reads() ([]time.Duration, error) {
	medians := make([]time.Duration, len(b.asks))
	for i, ask := range b.asks {
		times := make([]time.Duration, scaleRuns)
		for n := range times {
			start := time.Now()
			if err := b.send("GET", ask.path, nil, nil); err != nil {
				return nil, err
			}
			times[n] = time.Since(start)
		}
		slices.Sort(times)
		medians[i] = times[scaleRuns/2]
	}
	return medians, nil
}

// copied are the tables that hold what accounts hold.
var copied = []string{
	"accounts", "locations", "location_changes", "listings", "campaigns", "campaign_access", "campaign_counts", "campaign_points", "campaign_keywords", "reports", "report_keywords",
	"report_businesses", "trackings", "tracked_keywords", "rank_states", "tracking_summaries", "tracking_movers", "serps", "searches", "keywords", "quota_months", "events",
}

// multiply puts copies of the account beside it, inside the database: each has ids of its own.
func (b *scaleBench) multiply(ctx context.Context, copies int) error {
	conn, err := b.apps[0].DB.Writer().Conn(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close() }()
	if _, err := conn.ExecContext(ctx, "SET session_replication_role = replica; SET synchronous_commit = off"); err != nil { // references are copied whole
		return err
	}
	defer func() {
		_, _ = conn.ExecContext(ctx, "RESET session_replication_role; RESET synchronous_commit") // the run ends with it
	}()
	for _, table := range copied {
		columns, values, err := copyOf(ctx, conn, table)
		if err != nil {
			return err
		}
		if _, err := conn.ExecContext(ctx, fmt.Sprintf("INSERT INTO %s (%s) SELECT %s FROM %s t CROSS JOIN generate_series(1, %d) AS n", table, columns, values, table, copies)); err != nil {
			return fmt.Errorf("%s: %w", table, err)
		}
	}
	_, err = conn.ExecContext(ctx, "UPDATE keyword_numbers SET last = (SELECT max(number) FROM tracked_keywords)")
	return err
}

// copyOf names the columns of a table, and what a copy has in them.
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
		value := "t." + name
		switch {
		case kind == "text" && (name == "id" || strings.HasSuffix(name, "_id") || name == "email" || name == "feed_token" || name == "share_token"):
			value += " || '-' || n"
		case kind == "bigint" && (table == "tracked_keywords" && name == "number" || name == "keyword" || table == "location_changes" && name == "revision"):
			value += fmt.Sprintf(" + n * %d", 10*scaleKeywords)
		}
		names, copies = append(names, name), append(copies, value)
	}
	return strings.Join(names, ", "), strings.Join(copies, ", "), rows.Err()
}

func (b *scaleBench) sizes(ctx context.Context, out io.Writer) error {
	fmt.Fprintln(out, "\nsizes: rows and their indexes, MB")
	return db.Each(ctx, b.apps[0].DB, func(row db.Scanner) error {
		var name string
		var table, indexes int64
		if err := row.Scan(&name, &table, &indexes); err != nil {
			return err
		}
		fmt.Fprintf(out, "  %-20s %6d %6d\n", name, table>>20, indexes>>20)
		return nil
	}, `SELECT relname, pg_table_size(relid), pg_indexes_size(relid) FROM pg_stat_user_tables ORDER BY pg_total_relation_size(relid) DESC LIMIT 10`)
}

// checks lets two workers check what is due: first a few keywords, to see what is read to find them, then all, at the vendor's pace.
func (b *scaleBench) checks(ctx context.Context, out io.Writer) error {
	d := b.apps[0].DB
	const few = 200
	if _, err := d.Writer().ExecContext(ctx, fmt.Sprintf("UPDATE rank_states SET next_check_at = CASE WHEN keyword IN (SELECT keyword FROM rank_states ORDER BY keyword DESC LIMIT %d) THEN 0 ELSE %d END", few, db.Micros(time.Now().Add(20*time.Hour)))); err != nil {
		return err
	}
	if err := b.settle(ctx); err != nil {
		return err
	}
	var stops []func()
	for _, a := range b.apps {
		stop, err := a.Work(ctx)
		if err != nil {
			return err
		}
		stops = append(stops, stop)
	}
	defer func() {
		for _, stop := range stops {
			stop()
		}
	}()
	before, err := touched(ctx, d)
	if err != nil {
		return err
	}
	asked := b.web.asked.Load()
	if err := until(func() (bool, error) { return b.web.asked.Load()-asked >= few, nil }); err != nil {
		return err
	}
	time.Sleep(15 * time.Second) // until the sessions have told their figures
	after, err := touched(ctx, d)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "\n%d keywords are due: of rank_states %d rows were fetched through indexes and %d by scans\n", few, after[0]-before[0], after[1]-before[1])
	if _, err := d.Writer().ExecContext(ctx, "UPDATE rank_states SET next_check_at = 0, checked_at = NULL"); err != nil {
		return err
	}
	asked = b.web.asked.Load()
	start := time.Now()
	time.Sleep(time.Minute)
	fmt.Fprintf(out, "two workers check %.0f keywords a second of a provider that takes %d\n", float64(b.web.asked.Load()-asked)/time.Since(start).Seconds(), scalePace)
	return nil
}

// touched is how many rows of the checks' state have been read through indexes, and by scans.
func touched(ctx context.Context, d *db.DB) ([2]int64, error) {
	return db.One(ctx, d, func(row db.Scanner) (n [2]int64, err error) {
		err = row.Scan(&n[0], &n[1])
		return n, err
	}, "SELECT coalesce(idx_tup_fetch, 0), seq_tup_read FROM pg_stat_user_tables WHERE relname = 'rank_states'")
}
