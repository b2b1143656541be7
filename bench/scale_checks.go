package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/trigpoint/trigpoint/internal/db"
)

const (
	scalePace    = 500 // requests a second that the vendor takes
	scaleWorkers = 2
	scaleMinute  = time.Minute
)

// checks lets two workers, processes of their own, check keywords that are all due, at a vendor's pace.
func (b *scaleBench) checks(ctx context.Context, out io.Writer) error {
	dir, err := os.MkdirTemp("", "trigpoint-bench")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	binary, err := build(dir, "trigpoint", ".", "./cmd/trigpoint")
	if err != nil {
		return err
	}
	pool, err := sql.Open("pgx", b.store)
	if err != nil {
		return err
	}
	defer func() { _ = pool.Close() }()
	yesterday := db.Micros(time.Now().Add(-24 * time.Hour))
	if _, err := pool.ExecContext(ctx, "UPDATE rank_states SET next_check_at = $1, checked_at = $1, claimed_until = 0 WHERE next_check_at <> $1", yesterday); err != nil {
		return err
	}
	if err := b.settle(ctx); err != nil {
		return err
	}
	for _, latency := range []time.Duration{0, 200 * time.Millisecond} {
		if err := b.checkFor(ctx, out, pool, binary, dir, latency); err != nil {
			return err
		}
	}
	return nil
}

func (b *scaleBench) checkFor(ctx context.Context, out io.Writer, pool *sql.DB, binary, dir string, latency time.Duration) error {
	vendor := newSearchVendor(latency)
	server := httptest.NewServer(vendor)
	defer server.Close()
	env := append(environment(filepath.Join(dir, "data"), b.store), "TRIGPOINT_SERP_PROVIDER=searxng", "TRIGPOINT_SEARXNG_URL="+server.URL,
		fmt.Sprintf("TRIGPOINT_SEARXNG_RATE=%d", scalePace), "TRIGPOINT_SEARXNG_CONCURRENCY=250")
	var workers []*process
	for range scaleWorkers {
		port, err := freePort()
		if err != nil {
			return err
		}
		w, _, err := launch(append(env, "TRIGPOINT_ADMIN_LISTEN="+port), "http://"+port+"/metrics", binary, "worker")
		if err != nil {
			return err
		}
		defer w.stop()
		workers = append(workers, w)
	}
	time.Sleep(5 * time.Second) // until both are at it
	took := func() ([3]float64, error) {
		store, err := storeSeconds(ctx, pool)
		var here syscall.Rusage
		_ = syscall.Getrusage(syscall.RUSAGE_SELF, &here) // it cannot fail
		seconds := [3]float64{0, store, float64(here.Utime.Sec+here.Stime.Sec) + float64(here.Utime.Usec+here.Stime.Usec)/1e6}
		for _, w := range workers {
			seconds[0] += cpuSeconds(w.cmd.Process.Pid)
		}
		return seconds, err
	}
	before, err := took()
	if err != nil {
		return err
	}
	asked, start := vendor.asked.Load(), time.Now()
	time.Sleep(scaleMinute)
	after, err := took()
	if err != nil {
		return err
	}
	rate := float64(vendor.asked.Load()-asked) / time.Since(start).Seconds()
	load, _ := os.ReadFile("/proc/loadavg") // empty where there is none
	fmt.Fprintf(out, "\ntwo workers check %.0f keywords a second of a vendor that takes %d and answers in %v; processor seconds a second: workers %.2f, PostgreSQL %.2f, vendor %.2f; load %.14s\n",
		rate, scalePace, latency, (after[0]-before[0])/scaleMinute.Seconds(), (after[1]-before[1])/scaleMinute.Seconds(), (after[2]-before[2])/scaleMinute.Seconds(), load)
	return nil
}

// searchVendor answers as a SearXNG server does, with ten results and the domain among them, and counts.
type searchVendor struct {
	latency time.Duration
	asked   atomic.Int64
	results string
}

func newSearchVendor(latency time.Duration) *searchVendor {
	type result struct {
		URL       string   `json:"url"`
		Title     string   `json:"title"`
		Content   string   `json:"content"`
		Engines   []string `json:"engines"`
		Positions []int    `json:"positions"`
	}
	var results []result
	for _, item := range newInstantWeb().page.Items[:10] {
		if item.Rank == 7 {
			item.URL = "https://www.site.com/found"
		}
		results = append(results, result{item.URL, item.Title, item.Description, []string{"google"}, []int{item.Rank}})
	}
	text, err := json.Marshal(results)
	if err != nil {
		panic(err)
	}
	return &searchVendor{latency: latency, results: string(text)}
}

// ServeHTTP implements http.Handler.
func (v *searchVendor) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	v.asked.Add(1)
	time.Sleep(v.latency)
	query, _ := json.Marshal(r.FormValue("q")) // a string
	w.Header().Set("Content-Type", "application/json")
	fmt.Fprintf(w, `{"query":%s,"results":%s,"suggestions":[],"unresponsive_engines":[]}`, query, v.results)
}

// storeSeconds is the processor time of the server's processes that are there now.
func storeSeconds(ctx context.Context, pool *sql.DB) (seconds float64, err error) {
	rows, err := pool.QueryContext(ctx, "SELECT pid FROM pg_stat_activity")
	if err != nil {
		return 0, err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var pid int
		if err := rows.Scan(&pid); err != nil {
			return 0, err
		}
		seconds += cpuSeconds(pid)
	}
	return seconds, rows.Err()
}

// cpuSeconds is the processor time that a process has had, where /proc tells it.
func cpuSeconds(pid int) float64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0
	}
	_, figures, _ := strings.Cut(string(text), ") ") // behind a name that may have spaces
	fields := strings.Fields(figures)
	var user, system float64
	if len(fields) > 12 {
		_, _ = fmt.Sscan(fields[11], &user)
		_, _ = fmt.Sscan(fields[12], &system)
	}
	return (user + system) / 100
}
