package main

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/provider"
)

const (
	paceFor     = 15 * time.Second
	paceWorkers = 100 // of each process: always more than may ask
)

// benchPace measures how much of a vendor account's pace two processes that share it on PostgreSQL use, beside one
// process that has it all to itself.
func benchPace(out io.Writer) error {
	database := freshDatabase(os.Getenv("TRIGPOINT_TEST_POSTGRES"))
	if database == "" {
		fmt.Fprintln(out, "PostgreSQL: no server; run with make bench")
		return nil
	}
	if err := migrate(database); err != nil {
		return err
	}
	for _, c := range []struct {
		pace    provider.Pace
		latency time.Duration
	}{
		{provider.Pace{Concurrent: 50, PerSecond: 20}, 100 * time.Millisecond},
		{provider.Pace{Concurrent: 50, PerSecond: 50}, 100 * time.Millisecond},
		{provider.Pace{Concurrent: 50, PerSecond: 200}, 100 * time.Millisecond},
		{provider.Pace{Concurrent: 10, PerSecond: 200}, 200 * time.Millisecond}, // the slots allow 50
	} {
		alone, err := measurePace(c.pace, c.latency, "", 1)
		if err != nil {
			return err
		}
		together, err := measurePace(c.pace, c.latency, database, 2)
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "  %3.0f a second, %2d at once, %s an answer: alone %s; two processes %s: %.1f%% of one alone\n",
			c.pace.PerSecond, c.pace.Concurrent, c.latency, alone, together, 100*together.perSecond/alone.perSecond)
	}
	return nil
}

func migrate(database string) error {
	d, err := db.Open(context.Background(), db.Options{URL: database})
	if err != nil {
		return err
	}
	defer func() { _ = d.Close() }()
	return d.Migrate(context.Background())
}

// seen is what the vendor saw of those who asked it.
type seen struct {
	perSecond  float64
	mostSecond int // requests within any second
	mostAtOnce int
}

func (s seen) String() string {
	return fmt.Sprintf("%.1f a second, at most %d within one and %d at once", s.perSecond, s.mostSecond, s.mostAtOnce)
}

// measurePace lets processes ask a vendor as hard as they may. The clock runs once all of them have asked.
func measurePace(pace provider.Pace, latency time.Duration, database string, processes int) (seen, error) {
	v := &slowVendor{latency: latency}
	server := httptest.NewServer(v)
	defer server.Close()
	self, err := os.Executable()
	if err != nil {
		return seen{}, err
	}
	for range processes {
		cmd := exec.CommandContext(context.Background(), self, "ask", "-url", server.URL, "-database", database,
			"-concurrent", strconv.Itoa(pace.Concurrent), "-rate", fmt.Sprint(pace.PerSecond))
		cmd.Stderr = os.Stderr
		stdout, err := cmd.StdoutPipe()
		if err != nil {
			return seen{}, err
		}
		if err := cmd.Start(); err != nil {
			return seen{}, err
		}
		defer func() { _ = cmd.Process.Kill(); _ = cmd.Wait() }()
		if !bufio.NewScanner(stdout).Scan() {
			return seen{}, errors.New("a process that asks the vendor did not begin")
		}
	}
	time.Sleep(2 * time.Second) // the first slots go to who came first
	v.forget()
	time.Sleep(paceFor)
	return v.told(), nil
}

// slowVendor answers after its latency and keeps count.
type slowVendor struct {
	latency time.Duration

	mu            sync.Mutex
	starts        []time.Time
	underWay, top int
}

func (v *slowVendor) ServeHTTP(http.ResponseWriter, *http.Request) {
	v.mu.Lock()
	v.starts = append(v.starts, time.Now())
	v.underWay++
	v.top = max(v.top, v.underWay)
	v.mu.Unlock()
	time.Sleep(v.latency)
	v.mu.Lock()
	v.underWay--
	v.mu.Unlock()
}

func (v *slowVendor) forget() {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.starts, v.top = nil, v.underWay
}

func (v *slowVendor) told() seen {
	v.mu.Lock()
	defer v.mu.Unlock()
	s := seen{perSecond: float64(len(v.starts)) / paceFor.Seconds(), mostAtOnce: v.top}
	for i, start := range v.starts {
		end, _ := slices.BinarySearchFunc(v.starts, start.Add(time.Second), time.Time.Compare)
		s.mostSecond = max(s.mostSecond, end-i)
	}
	return s
}

// askVendor is a process that asks a vendor without end. It says so on stdout when it has the first answer.
func askVendor(args []string) error {
	flags := flag.NewFlagSet("ask", flag.ContinueOnError)
	url := flags.String("url", "", "of the vendor")
	database := flags.String("database", "", "by which the pace is shared; empty shares it with nobody")
	concurrent := flags.Int("concurrent", 1, "requests at once")
	rate := flags.Float64("rate", 0, "requests a second")
	if err := flags.Parse(args); err != nil {
		return err
	}
	descriptor := provider.Descriptor{
		Name: "slow", Title: "Slow", Account: "slow-" + *url, Pace: provider.Pace{Concurrent: *concurrent, PerSecond: *rate},
	}
	var options provider.CallerOptions
	if *database != "" {
		d, err := db.Open(context.Background(), db.Options{URL: *database, MaxConns: 8})
		if err != nil {
			return err
		}
		options.Store = d
	}
	caller := provider.NewCaller(descriptor, options)
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: paceWorkers}}
	ask := func(ctx context.Context) (struct{}, error) {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, *url, nil)
		if err != nil {
			return struct{}{}, err
		}
		res, err := client.Do(req)
		if err != nil {
			return struct{}{}, err
		}
		return struct{}{}, res.Body.Close()
	}
	var began sync.Once
	failed := make(chan error)
	for range paceWorkers {
		go func() {
			for {
				if _, err := provider.Call(context.Background(), caller, ask); err != nil {
					failed <- err
					return
				}
				began.Do(func() { fmt.Println("asking") })
			}
		}()
	}
	return <-failed
}
