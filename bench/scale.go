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
	"time"

	"github.com/trigpoint/trigpoint/internal/account"
	"github.com/trigpoint/trigpoint/internal/app"
	"github.com/trigpoint/trigpoint/internal/config"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/httpapi"
	"github.com/trigpoint/trigpoint/internal/local"
	"github.com/trigpoint/trigpoint/internal/maprank"
	"github.com/trigpoint/trigpoint/internal/rankwatch"
)

// What one account holds; ten thousand of them are a million locations, a hundred thousand campaigns and a million keywords.
const (
	scaleLocations = 100
	scaleCampaigns = 10
	scaleKeywords  = 100
	scaleAccounts  = 10_000
	scaleRuns      = 100
)

const (
	accountsVariable = "TRIGPOINT_BENCH_ACCOUNTS" // makes the run smaller
	storeVariable    = "TRIGPOINT_BENCH_STORE"    // URL of a store that an earlier run has filled and left
)

// benchScale asks for one account that is alone and for the same among thousands, in turns; then it looks at what workers read to find
// what is due, and how many checks two of them make.
func benchScale(out io.Writer) error {
	server := os.Getenv("TRIGPOINT_TEST_POSTGRES")
	if server == "" {
		fmt.Fprintln(out, "no PostgreSQL; run with make bench")
		return nil
	}
	ctx := context.Background()
	alone, err := openScale(ctx, freshDatabase(server))
	if err != nil {
		return err
	}
	defer alone.close()
	if err := alone.fill(ctx); err != nil {
		return err
	}
	among, err := openFilled(ctx, out, server)
	if err != nil {
		return err
	}
	defer among.close()
	for _, b := range []*scaleBench{alone, among} {
		if err := b.settle(ctx); err != nil {
			return err
		}
	}
	if err := compareReads(out, alone, among); err != nil {
		return err
	}
	if err := among.sizes(ctx, out); err != nil {
		return err
	}
	if err := among.due(ctx, out); err != nil {
		return err
	}
	return among.checks(ctx, out)
}

// openFilled opens a store with thousands of accounts and takes one from their midst.
func openFilled(ctx context.Context, out io.Writer, server string) (*scaleBench, error) {
	if store := os.Getenv(storeVariable); store != "" {
		b, err := openScale(ctx, store)
		if err != nil {
			return nil, err
		}
		return b, b.chooseAccount(ctx)
	}
	accounts := scaleAccounts
	if text := os.Getenv(accountsVariable); text != "" {
		var err error
		if accounts, err = strconv.Atoi(text); err != nil {
			return nil, err
		}
	}
	store := freshDatabase(server)
	b, err := openScale(ctx, store)
	if err != nil {
		return nil, err
	}
	if err := b.fill(ctx); err != nil {
		return nil, err
	}
	start := time.Now()
	if err := b.multiply(ctx, accounts-1); err != nil {
		return nil, err
	}
	fmt.Fprintf(out, "%d accounts with %d locations, %d campaigns and %d keywords are made in %v: %s\n",
		accounts, accounts*scaleLocations, accounts*scaleCampaigns, accounts*scaleKeywords, time.Since(start).Round(time.Second), store)
	return b, b.chooseAccount(ctx)
}

type ask struct{ name, path string }

// scaleBench is the program in this process on one store.
type scaleBench struct {
	store   string
	app     *app.App
	web     *countingWeb
	handler http.Handler
	owner   string
	key     string
	token   string
	close   func()
}

func openScale(ctx context.Context, store string) (*scaleBench, error) {
	dir, err := os.MkdirTemp("", "trigpoint-bench")
	if err != nil {
		return nil, err
	}
	b := &scaleBench{store: store, web: &countingWeb{instantWeb: newInstantWeb()}}
	c := &config.Config{
		Data: dir, DatabaseURL: store, MaxConns: 16, Listen: "127.0.0.1:0", ShutdownGrace: 10 * time.Second, JobTakeover: time.Minute, SerpDepth: 100,
		Plans: `{"agency":{"rate":0}}`,
	}
	d, err := app.OpenForCommand(ctx, c, false)
	if err != nil {
		return nil, err
	}
	b.close = func() {
		_ = d.Close()
		_ = os.RemoveAll(dir)
	}
	if b.app, err = app.New(c, d, slog.New(slog.DiscardHandler), app.Options{Web: b.web, Map: app.MapOptions{Provider: newBenchMap(500, 50)}}); err != nil {
		return nil, err
	}
	b.handler = b.app.Server("bench").Handler()
	return b, nil
}

// as signs requests as an account.
func (b *scaleBench) as(ctx context.Context, accountID string) (err error) {
	b.owner = accountID
	if b.key, _, err = b.app.Accounts.Issue(ctx, accountID, account.Issue{Kind: account.Key}); err != nil {
		return err
	}
	b.token, _, err = b.app.Accounts.Issue(ctx, accountID, account.Issue{Kind: account.Token})
	return err
}

// chooseAccount signs requests as an account that has as many before it as after it.
func (b *scaleBench) chooseAccount(ctx context.Context) error {
	middle, err := db.One(ctx, b.app.DB, db.Value[string], "SELECT id FROM accounts ORDER BY id LIMIT 1 OFFSET (SELECT count(*) / 2 FROM accounts)")
	if err != nil {
		return err
	}
	return b.as(ctx, middle)
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

// asks are the reads of the account that are measured.
func (b *scaleBench) asks() ([]ask, error) {
	var locations struct {
		Data []struct {
			LocationID string `json:"location_id"`
		}
	}
	if err := b.send("GET", local.Prefix+"/locations", nil, &locations); err != nil {
		return nil, err
	}
	var campaigns struct {
		Data struct{ Content []struct{ ID string } }
	}
	if err := b.send("GET", maprank.Prefix+"/campaigns", nil, &campaigns); err != nil {
		return nil, err
	}
	var c collected
	campaign := maprank.Prefix + "/campaigns/" + campaigns.Data.Content[0].ID
	if err := b.send("GET", campaign, nil, &c); err != nil {
		return nil, err
	}
	var trackings []rankwatch.Tracking
	if err := b.send("GET", rankwatch.Prefix+"/rankwatch/trackings", nil, &trackings); err != nil {
		return nil, err
	}
	tracking := rankwatch.Prefix + "/rankwatch/trackings/" + trackings[0].ID
	of := fmt.Sprintf("?keywordId=%s&cid=%s", c.Data.Keywords[0].ID, c.Data.Business.CID)
	return []ask{
		{"locations", local.Prefix + "/locations"},
		{"a location", local.Prefix + "/locations/" + locations.Data[0].LocationID},
		{"locations by words", local.Prefix + "/locations?query=deli"},
		{"campaigns", maprank.Prefix + "/campaigns"},
		{"a campaign", campaign},
		{"heatmap", campaign + "/heatmap" + of + "&reportDate=" + c.Data.LastReportDate},
		{"metrics", campaign + "/metrics" + of},
		{"trackings", rankwatch.Prefix + "/rankwatch/trackings"},
		{"tracked keywords", tracking + "/tracked-keywords"},
		{"overview", httpapi.AccountPrefix + "/overview"},
	}, nil
}

// settle does as autovacuum does when many rows have changed.
func (b *scaleBench) settle(ctx context.Context) error {
	pool, err := sql.Open("pgx", b.store) // it is silent for minutes, which the program's own would take for a fault
	if err != nil {
		return err
	}
	defer func() { _ = pool.Close() }()
	_, err = pool.ExecContext(ctx, "VACUUM ANALYZE")
	return err
}

// compareReads asks the same of two stores, in turns, so that whatever else the machine does slows both alike.
func compareReads(out io.Writer, stores ...*scaleBench) error {
	asks := make([][]ask, len(stores))
	for i, b := range stores {
		var err error
		if asks[i], err = b.asks(); err != nil {
			return err
		}
	}
	fmt.Fprintln(out, "\nmedian of a read, alone and among them")
	for n, ask := range asks[0] {
		times := make([][]time.Duration, len(stores))
		for range scaleRuns {
			for i, b := range stores {
				start := time.Now()
				if err := b.send("GET", asks[i][n].path, nil, nil); err != nil {
					return err
				}
				times[i] = append(times[i], time.Since(start))
			}
		}
		var medians []time.Duration
		for _, t := range times {
			slices.Sort(t)
			medians = append(medians, t[scaleRuns/2])
		}
		fmt.Fprintf(out, "  %-20s %8v %8v (%.2f)\n", ask.name, medians[0].Round(10*time.Microsecond), medians[1].Round(10*time.Microsecond), float64(medians[1])/float64(medians[0]))
	}
	return nil
}

func (b *scaleBench) sizes(ctx context.Context, out io.Writer) error {
	fmt.Fprintln(out, "\nsizes: rows and their indexes, MB")
	return db.Each(ctx, b.app.DB, func(row db.Scanner) error {
		var name string
		var table, indexes int64
		if err := row.Scan(&name, &table, &indexes); err != nil {
			return err
		}
		fmt.Fprintf(out, "  %-20s %6d %6d\n", name, table>>20, indexes>>20)
		return nil
	}, `SELECT relname, pg_table_size(relid), pg_indexes_size(relid) FROM pg_stat_user_tables ORDER BY pg_total_relation_size(relid) DESC LIMIT 15`)
}
