package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime"
	"slices"
	"time"

	"github.com/trigpoint/trigpoint/internal/account"
	"github.com/trigpoint/trigpoint/internal/app"
	"github.com/trigpoint/trigpoint/internal/clock"
	"github.com/trigpoint/trigpoint/internal/config"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/rankwatch"
	"github.com/trigpoint/trigpoint/internal/rankwatch/series"
)

const (
	rankChecks   = 10_000 // keywords of the daily run
	rankKeywords = 1_000  // keywords whose stats are read
	rankDays     = 365
	rankRuns     = 40 // requests of each kind
)

// benchRankWatch measures a day's checks against a provider that answers at once, the size of a year of
// ranks, and the requests that read it, at the handler.
func benchRankWatch(out io.Writer) error {
	for _, engine := range []struct{ name, url string }{{"SQLite", ""}, {"PostgreSQL", freshDatabase(os.Getenv("TRIGPOINT_TEST_POSTGRES"))}} {
		if engine.name == "PostgreSQL" && engine.url == "" {
			fmt.Fprintln(out, "PostgreSQL: no server; run with make bench")
			continue
		}
		fmt.Fprintf(out, "\n%s\n", engine.name)
		if err := benchRanksOn(out, engine.url); err != nil {
			return fmt.Errorf("%s: %w", engine.name, err)
		}
	}
	return nil
}

// instantWeb answers every search at once with the same hundred results.
type instantWeb struct{ page provider.WebPage }

func newInstantWeb() *instantWeb {
	w := &instantWeb{page: provider.WebPage{Pages: 10}}
	for n := 1; n <= 100; n++ {
		item := provider.WebItem{
			Type: provider.Organic, Rank: n, URL: fmt.Sprintf("https://site-%03d.example/some/page-%d", n, n*7919), Domain: fmt.Sprintf("site-%03d.example", n),
			Title: fmt.Sprintf("A result that stands at place %d of the page", n), Description: fmt.Sprintf("What the page says of it, in a sentence or two: %d and %d.", n*104729, n*1299709),
		}
		if n == 87 {
			item.URL = "https://www.site.com/found"
		}
		w.page.Items = append(w.page.Items, item)
	}
	return w
}

// Describe implements provider.Provider.
func (*instantWeb) Describe() provider.Descriptor {
	return provider.Descriptor{Name: "instant", Title: "Instant", Pace: provider.Pace{Concurrent: 8}, Devices: []provider.Device{provider.Desktop}}
}

// SearchWeb implements provider.WebSearcher.
func (w *instantWeb) SearchWeb(_ context.Context, q provider.WebQuery) (provider.WebPage, error) {
	for _, item := range w.page.Items {
		if q.Until(item) {
			break
		}
	}
	return w.page, q.Check()
}

// rankBench is the program in this process, with a clock that the benchmark moves.
type rankBench struct {
	app     *app.App
	clock   *clock.Fake
	handler http.Handler
	owner   string
	key     string
}

func benchRanksOn(out io.Writer, database string) error {
	dir, err := os.MkdirTemp("", "trigpoint-bench")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	ctx := context.Background()
	c := &config.Config{Data: dir, DatabaseURL: database, MaxConns: 16, Listen: "127.0.0.1:0", ShutdownGrace: time.Minute, Plans: `{"agency":{"rate":0}}`}
	d, err := app.OpenStore(ctx, c)
	if err != nil {
		return err
	}
	defer func() { _ = d.Close() }()
	b := &rankBench{clock: clock.NewFake(time.Date(2026, 3, 31, 12, 0, 0, 0, time.UTC))}
	if b.app, err = app.New(c, d, slog.New(slog.DiscardHandler), app.Options{Clock: b.clock, Web: newInstantWeb()}); err != nil {
		return err
	}
	b.handler = b.app.Server("bench").Handler()
	acc, err := b.app.Accounts.Create(ctx, "bench@trigpoint.example", "agency")
	if err != nil {
		return err
	}
	b.owner = acc.ID
	if b.key, _, err = b.app.Accounts.Issue(ctx, acc.ID, account.Issue{Kind: account.Key}); err != nil {
		return err
	}
	if err := b.beside(ctx, out); err != nil {
		return err
	}
	if err := b.growth(ctx, out); err != nil {
		return err
	}
	if err := b.history(ctx, out); err != nil {
		return err
	}
	return b.dailyRuns(ctx, out)
}

func (b *rankBench) request(method, path string, body any) (*httptest.ResponseRecorder, error) {
	var text []byte
	if body != nil {
		var err error
		if text, err = json.Marshal(body); err != nil {
			return nil, err
		}
	}
	req := httptest.NewRequest(method, rankwatch.Prefix+"/rankwatch"+path, bytes.NewReader(text))
	req.Header.Set("X-Access-Token", b.key)
	req.Header.Set("Content-Type", "application/json")
	res := httptest.NewRecorder()
	b.handler.ServeHTTP(res, req)
	if res.Code >= 300 {
		return res, fmt.Errorf("%s %s: %d %.300s", method, path, res.Code, res.Body)
	}
	return res, nil
}

// track makes a tracking with n keywords.
func (b *rankBench) track(domain string, n int) (rankwatch.TrackingCreated, error) {
	keywords := make([]string, n)
	for i := range keywords {
		keywords[i] = fmt.Sprintf("kw %d", i)
	}
	var made rankwatch.TrackingCreated
	res, err := b.request(http.MethodPost, "/trackings", map[string]any{"domain": domain, "location_id": 0, "platform_id": 1, "keywords": keywords})
	if err != nil {
		return made, err
	}
	return made, json.Unmarshal(res.Body.Bytes(), &made)
}

// beside asks for a tracking of 100 keywords while the account holds ever more others.
func (b *rankBench) beside(ctx context.Context, out io.Writer) error {
	made, err := b.track("small.com", 100)
	if err != nil {
		return err
	}
	path := "/trackings/" + made.Tracking.ID
	asks := []struct{ name, method, path string }{
		{"tracked keywords", http.MethodGet, path + "/tracked-keywords"},
		{"a tracked keyword", http.MethodGet, path + "/tracked-keywords/" + made.Tracking.KeywordIDs[0]},
		{"detail", http.MethodGet, path + "/detail"},
		{"stats, 30 days", http.MethodPost, path + "/stats"},
		{"all trackings", http.MethodGet, "/trackings"},
	}
	trackings, keywords := 1, 100
	var ids []string
	for _, step := range []struct{ trackings, keywords int }{{9, 100}, {10, 1_910}, {970, 1}} {
		for range step.trackings {
			other, err := b.track(fmt.Sprintf("other-%d.com", trackings), step.keywords)
			if err != nil {
				return err
			}
			ids = append(ids, other.Tracking.ID)
			trackings, keywords = trackings+1, keywords+step.keywords
		}
		if b.app.DB.Dialect == db.Postgres { // as autovacuum does when many rows have changed
			if _, err := b.app.DB.Writer().ExecContext(ctx, "ANALYZE trackings, tracked_keywords, rank_states, rank_years, keywords"); err != nil {
				return err
			}
		}
		fmt.Fprintf(out, "  100 of an account's %d keywords in %d trackings\n", keywords, trackings)
		for _, ask := range asks {
			median, _, _, err := b.measure(ask.method, ask.path)
			if err != nil {
				return err
			}
			fmt.Fprintf(out, "    %-20s median %v\n", ask.name, median)
		}
	}
	for _, id := range append(ids, made.Tracking.ID) {
		if _, err := b.request(http.MethodDelete, "/trackings/"+id, nil); err != nil {
			return err
		}
	}
	return nil
}

// measure sends a request many times.
func (b *rankBench) measure(method, path string) (median, slowest time.Duration, size int, err error) {
	times := make([]time.Duration, rankRuns)
	for i := range times {
		start := time.Now()
		res, err := b.request(method, path, nil)
		if err != nil {
			return 0, 0, 0, err
		}
		times[i], size = time.Since(start), res.Body.Len()
	}
	slices.Sort(times)
	return times[rankRuns/2].Round(10 * time.Microsecond), times[rankRuns-1].Round(10 * time.Microsecond), size, nil
}

// growth writes a year day by day, as it is in life, and tells what it takes.
func (b *rankBench) growth(ctx context.Context, out io.Writer) error {
	const keywords = 500
	made, err := b.track("grows.com", keywords)
	if err != nil {
		return err
	}
	before, err := tableSize(ctx, b.app.DB, rankTables)
	if err != nil {
		return err
	}
	r := rand.New(rand.NewPCG(3, 4))
	years := make([][]rankwatch.PastCheck, keywords)
	for i := range years {
		years[i] = livelyYear(r, series.DayOf(b.clock.Now()))
	}
	for day := range rankDays {
		past := make([]rankwatch.PastChecks, keywords)
		for i, id := range made.Tracking.KeywordIDs {
			past[i] = rankwatch.PastChecks{KeywordID: id, Checks: years[i][day : day+1]}
		}
		if err := b.app.RankWatch.ImportHistory(ctx, b.owner, past); err != nil {
			return err
		}
		if b.app.DB.Dialect == db.Postgres { // as autovacuum does when every row has changed
			if _, err := b.app.DB.Writer().ExecContext(ctx, "VACUUM rank_states, rank_years"); err != nil {
				return err
			}
		}
	}
	after, err := tableSize(ctx, b.app.DB, rankTables)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "  a keyword and day takes %.2f bytes with rows and indexes, written day by day (%d keywords, %d days)\n", float64(after-before)/(keywords*rankDays), keywords, rankDays)
	_, err = b.request(http.MethodDelete, "/trackings/"+made.Tracking.ID, nil)
	return err
}

// rankTables are the tables that grow with the days.
var rankTables = []string{"rank_states", "rank_years"}

// history puts a year behind keywords and reads it.
func (b *rankBench) history(ctx context.Context, out io.Writer) error {
	made, err := b.track("site.com", rankKeywords)
	if err != nil {
		return err
	}
	before, err := tableSize(ctx, b.app.DB, rankTables)
	if err != nil {
		return err
	}
	r := rand.New(rand.NewPCG(1, 2))
	today := series.DayOf(b.clock.Now())
	for part := range slices.Chunk(made.Tracking.KeywordIDs, 100) {
		past := make([]rankwatch.PastChecks, len(part))
		for i, id := range part {
			past[i] = rankwatch.PastChecks{KeywordID: id, Checks: livelyYear(r, today)}
		}
		if err := b.app.RankWatch.ImportHistory(ctx, b.owner, past); err != nil {
			return err
		}
	}
	after, err := tableSize(ctx, b.app.DB, rankTables)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "  a keyword and day takes %.2f bytes when the year is written at once (%d keywords)\n", float64(after-before)/(rankKeywords*rankDays), rankKeywords)
	tracking := "/trackings/" + made.Tracking.ID
	for _, ask := range []struct{ name, method, path string }{
		{"stats, 1,000 keywords, 365 days", http.MethodPost, fmt.Sprintf("%s/stats?from=%s", tracking, today-rankDays+1)},
		{"stats, 1,000 keywords, 30 days", http.MethodPost, tracking + "/stats"},
		{"1,000 keywords with a year of history", http.MethodGet, tracking + "/tracked-keywords?fields=history"},
		{"1,000 keywords", http.MethodGet, tracking + "/tracked-keywords"},
		{"detail", http.MethodGet, tracking + "/detail"},
		{"list of trackings with stats", http.MethodGet, "/trackings"},
	} {
		median, slowest, size, err := b.measure(ask.method, ask.path)
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "  %-38s median %v, slowest %v, %d KB\n", ask.name, median, slowest, size>>10)
	}
	_, err = b.request(http.MethodDelete, tracking, nil)
	return err
}

// livelyYear moves the rank a little every day, and now and then a feature or the page.
func livelyYear(r *rand.Rand, today series.Day) []rankwatch.PastCheck {
	checks := make([]rankwatch.PastCheck, 0, rankDays)
	o := series.Observation{Rank: uint16(1 + r.IntN(90)), Features: series.SimilarQuestions | series.LocalPack}
	url := 0
	for i := rankDays; i >= 1; i-- {
		o.Rank = uint16(min(max(int(o.Rank)+r.IntN(5)-2, 1), 100))
		if r.IntN(3) == 0 {
			o.Features ^= 1 << r.IntN(9)
		}
		if r.IntN(12) == 0 {
			url = r.IntN(4)
		}
		checks = append(checks, rankwatch.PastCheck{Day: today - series.Day(i), Observation: o, URL: fmt.Sprintf("https://www.site.com/page-%d", url)})
	}
	return checks
}

// tableSize is the size of tables with their indexes.
func tableSize(ctx context.Context, d *db.DB, tables []string) (total int64, err error) {
	query := "SELECT coalesce(sum(pgsize), 0) FROM dbstat WHERE name IN (SELECT name FROM sqlite_master WHERE tbl_name = $1)"
	if d.Dialect == db.Postgres {
		query = "SELECT pg_total_relation_size($1::text::regclass)"
	}
	for _, table := range tables {
		size, err := db.One(ctx, d, db.Value[int64], query, table)
		if err != nil {
			return 0, err
		}
		total += size
	}
	return total, nil
}

// dailyRuns checks every keyword on the last day of a month and on the first of the next.
func (b *rankBench) dailyRuns(ctx context.Context, out io.Writer) error {
	start := time.Now()
	large, err := b.track("large.com", 100_000-rankChecks)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "  a tracking of %d keywords is made in %v\n", large.Tracking.Count, time.Since(start).Round(time.Millisecond))
	if _, err := b.request(http.MethodDelete, "/trackings/"+large.Tracking.ID, nil); err != nil {
		return err
	}
	if _, err := b.track("www.site.com/found", rankChecks); err != nil {
		return err
	}
	stop, err := b.app.Work(ctx)
	if err != nil {
		return err
	}
	defer stop()
	for _, name := range []string{"first checks", "the next day, a month later"} {
		start := time.Now()
		peak, err := b.awaitChecks(ctx)
		if err != nil {
			return err
		}
		took := time.Since(start)
		fmt.Fprintf(out, "  %-28s %d checks in %v: %.0f a second, pages of 100 results kept; heap at most %.0f MB\n", name, rankChecks, took.Round(time.Millisecond), rankChecks/took.Seconds(), peak)
		b.clock.Advance(24 * time.Hour)
	}
	return nil
}

// awaitChecks waits until all keywords have been checked on the clock's day and returns the largest heap
// that was seen meanwhile.
func (b *rankBench) awaitChecks(ctx context.Context) (peak float64, err error) {
	runtime.GC()
	midnight := db.Micros(series.DayOf(b.clock.Now()).Start())
	for deadline := time.Now().Add(5 * time.Minute); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		peak = max(peak, float64(m.HeapAlloc)/(1<<20))
		left, err := db.One(ctx, b.app.DB, db.Value[int], "SELECT count(*) FROM rank_states WHERE next_check_at IS NOT NULL AND (checked_at IS NULL OR checked_at < $1)", midnight)
		if err != nil || left == 0 {
			return peak, err
		}
	}
	return peak, fmt.Errorf("the checks did not end")
}
