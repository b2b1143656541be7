package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/trigpoint/trigpoint/internal/account"
	"github.com/trigpoint/trigpoint/internal/app"
	"github.com/trigpoint/trigpoint/internal/config"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/location"
	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/research"
	"github.com/trigpoint/trigpoint/internal/serp"
)

const (
	researchSearches = 10_000 // keywords with a result page
	researchResults  = 100    // of each page
	researchHosts    = 20_000 // that rank for them
	researchPlace    = 4191124
	keepBatch        = 100
)

// benchResearch measures the search for locations, what it costs to keep result pages, and the answers
// of the research half of area C at the handler, with many pages behind one account.
func benchResearch(out io.Writer) error {
	benchLocations(out)
	for _, engine := range []struct{ name, url string }{{"SQLite", ""}, {"PostgreSQL", freshDatabase(os.Getenv("TRIGPOINT_TEST_POSTGRES"))}} {
		if engine.name == "PostgreSQL" && engine.url == "" {
			fmt.Fprintln(out, "PostgreSQL: no server; run with make bench")
			continue
		}
		fmt.Fprintf(out, "\n%s\n", engine.name)
		if err := benchResearchOn(out, engine.url); err != nil {
			return fmt.Errorf("%s: %w", engine.name, err)
		}
	}
	return nil
}

func heap() float64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc) / (1 << 20)
}

func benchLocations(out io.Writer) {
	before, start := heap(), time.Now()
	location.Search("london", 1)
	fmt.Fprintf(out, "locations: first search after %v, %.1f MB of memory\n", time.Since(start).Round(time.Millisecond), heap()-before)
	for _, query := range []string{"london", "lo", "san", "sa", "sao paulo", "portland, oregon", "st", "new york united states"} {
		const runs = 200
		times := make([]time.Duration, runs)
		found := 0
		for i := range times {
			start := time.Now()
			found = len(location.Search(query, location.MaxResults))
			times[i] = time.Since(start)
		}
		slices.Sort(times)
		fmt.Fprintf(out, "  %-24q %3d found  median %v  slowest %v\n", query, found, times[runs/2].Round(time.Microsecond), times[runs-1].Round(time.Microsecond))
	}
}

// researchBench is the program in this process.
type researchBench struct {
	app     *app.App
	handler http.Handler
	owner   string
	key     string
}

func benchResearchOn(out io.Writer, database string) error {
	dir, err := os.MkdirTemp("", "trigpoint-bench")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	ctx := context.Background()
	c := &config.Config{Data: dir, DatabaseURL: database, MaxConns: 16, Listen: "127.0.0.1:0", Plans: `{"agency":{"rate":0}}`}
	d, err := app.OpenStore(ctx, c)
	if err != nil {
		return err
	}
	defer func() { _ = d.Close() }()
	a, err := app.New(c, d, slog.New(slog.DiscardHandler), app.Options{})
	if err != nil {
		return err
	}
	b := &researchBench{app: a, handler: a.Server("bench").Handler()}
	acc, err := a.Accounts.Create(ctx, "bench@trigpoint.example", "agency")
	if err != nil {
		return err
	}
	b.owner = acc.ID
	if b.key, _, err = a.Accounts.Issue(ctx, acc.ID, account.Issue{Kind: account.Key}); err != nil {
		return err
	}
	for range 2 { // the second time every page replaces another
		if err := b.keepAll(ctx, out); err != nil {
			return err
		}
	}
	return b.answers(out)
}

// keepAll stores a result page for every keyword.
func (b *researchBench) keepAll(ctx context.Context, out io.Writer) error {
	start := time.Now()
	for from := 0; from < researchSearches; from += keepBatch {
		packed := make([]serp.Packed, keepBatch)
		var work sync.WaitGroup
		errs := make([]error, 2)
		for half := range 2 {
			work.Go(func() {
				for i := half; i < keepBatch; i += 2 {
					if packed[i], errs[half] = b.app.Serps.Pack(b.page(from + i)); errs[half] != nil {
						return
					}
				}
			})
		}
		work.Wait()
		for _, err := range errs {
			if err != nil {
				return err
			}
		}
		if err := b.app.DB.Tx(ctx, func(tx *db.Tx) error { return b.app.Serps.Keep(ctx, tx, packed) }); err != nil {
			return err
		}
	}
	took := time.Since(start)
	fmt.Fprintf(out, "  kept %d pages of %d results: %.0f a second\n", researchSearches, researchResults, researchSearches/took.Seconds())
	return nil
}

// page is the result page of a keyword: hosts that rank for neighbouring keywords, too.
func (b *researchBench) page(n int) serp.Fetched {
	r := rand.New(rand.NewPCG(uint64(n), 1))
	var page provider.WebPage
	for i := range researchResults {
		host := fmt.Sprintf("site%d.example", (n/10*50+r.IntN(500))%researchHosts)
		page.Items = append(page.Items, provider.WebItem{
			Type: provider.Organic, Rank: i + 1, URL: fmt.Sprintf("https://%s/some/page-%d", host, r.IntN(1000)), Domain: host,
			Title: fmt.Sprintf("A result about keyword %d and %d", n, r.IntN(1000)), Description: fmt.Sprintf("What the page says of it, in a sentence or two: %d, %d and %d.", r.Int(), r.Int(), i),
		})
	}
	return serp.Fetched{
		Key: serp.Key{AccountID: b.owner, Keyword: fmt.Sprintf("keyword %d of many", n), LocationID: researchPlace, PlatformID: serp.Desktop}, At: b.app.Clock.Now(), Page: page, Whole: true,
	}
}

// answers times requests at the handler.
func (b *researchBench) answers(out io.Writer) error {
	serp := fmt.Sprintf("/serpcheck/serps?kw=keyword+77+of+many&location_id=%d", researchPlace)
	for _, request := range []struct {
		name, path string
		runs       int
	}{
		{"cached result page", serp, 2000},
		{"competitor keywords", "/keywordtool/competitor-keywords?url=site300.example&location_id=0", 20},
		{"competitor domains", "/keywordtool/competitor-domain?url=site300.example&location_id=0", 20},
		{"suggested keywords", "/keywordtool/suggested-keywords?url=site300.example&location_id=0", 10},
		{"related keywords", fmt.Sprintf("/keywordtool/related-keywords?kw=keyword+77+of+many&location_id=%d", researchPlace), 10},
		{"URL metrics", "/serpcheck/url-metrics?url=site300.example", 20},
		{"locations", "/shared/locations?query=london", 500},
	} {
		times := make([]time.Duration, request.runs)
		for i := range times {
			start := time.Now()
			if err := b.get(request.path); err != nil {
				return err
			}
			times[i] = time.Since(start)
		}
		slices.Sort(times)
		fmt.Fprintf(out, "  %-20s median %v, slowest %v\n", request.name, times[len(times)/2].Round(10*time.Microsecond), times[len(times)-1].Round(10*time.Microsecond))
	}
	const requests, clients = 10_000, 8
	start := time.Now()
	var work sync.WaitGroup
	var failed error
	var once sync.Once
	for range clients {
		work.Go(func() {
			for range requests / clients {
				if err := b.get(serp); err != nil {
					once.Do(func() { failed = err })
				}
			}
		})
	}
	work.Wait()
	fmt.Fprintf(out, "  cached result pages, %d clients: %.0f a second\n", clients, requests/time.Since(start).Seconds())
	return failed
}

func (b *researchBench) get(path string) error {
	req := httptest.NewRequest(http.MethodGet, research.Prefix+path, nil)
	req.Header.Set("X-Access-Token", b.key)
	res := httptest.NewRecorder()
	b.handler.ServeHTTP(res, req)
	if res.Code != http.StatusOK {
		return fmt.Errorf("%s: %d %s", path, res.Code, res.Body)
	}
	return nil
}
