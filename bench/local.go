package main

import (
	"bufio"
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib" // registers "pgx"

	"github.com/trigpoint/trigpoint/internal/category"
	"github.com/trigpoint/trigpoint/internal/local"
)

const (
	runFor  = 3 * time.Second
	warmFor = 500 * time.Millisecond
)

// benchLocal measures area A over HTTP on the real binary: creates, gets and lists a second, memory, and
// the time from the start of the process to its first answer; and a bare ServeMux that returns the same
// bytes, in the same run.
func benchLocal(out io.Writer) error {
	dir, err := os.MkdirTemp("", "trigpoint-bench")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	binary, err := build(dir, "trigpoint", ".", "./cmd/trigpoint")
	if err != nil {
		return err
	}
	rate, err := diskSyncs(dir)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "disk: %.0f appends with fsync a second\n", rate)
	for _, engine := range []struct{ name, url string }{{"SQLite", ""}, {"PostgreSQL", freshDatabase(os.Getenv("TRIGPOINT_TEST_POSTGRES"))}} {
		if engine.name == "PostgreSQL" && engine.url == "" {
			fmt.Fprintln(out, "PostgreSQL: no server; run with make bench")
			continue
		}
		fmt.Fprintf(out, "\n%s\n", engine.name)
		if err := benchEngine(out, binary, filepath.Join(dir, engine.name), engine.url); err != nil {
			return fmt.Errorf("%s: %w", engine.name, err)
		}
	}
	return nil
}

// build makes a binary of a package of the module in a folder.
func build(dir, name, module, pkg string) (string, error) {
	binary := filepath.Join(dir, name)
	build := exec.CommandContext(context.Background(), "go", "build", "-C", module, "-o", binary, pkg)
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if text, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build %s: %w: %s", name, err, text)
	}
	return binary, nil
}

// environment is what the program is run with: its store, and a plan without limits.
func environment(data, database string) []string {
	return append(os.Environ(), "TRIGPOINT_DATA="+data, "TRIGPOINT_DATABASE_URL="+database, "TRIGPOINT_LISTEN=127.0.0.1:0", "TRIGPOINT_LOG_LEVEL=warn",
		`TRIGPOINT_PLANS={"agency":{"rate":0,"locations":10000000}}`)
}

// newAccount makes an account and returns what its requests are signed with.
func newAccount(binary string, env []string, name string) (credential string, err error) {
	create := exec.CommandContext(context.Background(), binary, "account", "create", "--email", name+"@trigpoint.example", "--plan", "agency", "--json")
	create.Env = env
	made, err := create.Output()
	if err != nil {
		return "", err
	}
	var owner struct {
		Key string `json:"api_key"`
	}
	err = json.Unmarshal(made, &owner)
	return "Apikey " + owner.Key, err
}

// startService makes an account and serves on an empty store.
func startService(binary, data, database string) (service *process, took time.Duration, c *client, err error) {
	env := environment(data, database)
	credential, err := newAccount(binary, env, "bench")
	if err != nil {
		return nil, 0, nil, err
	}
	port, err := freePort()
	if err != nil {
		return nil, 0, nil, err
	}
	service, took, err = launch(env, "http://"+port+"/readyz", binary, "serve", "--listen", port)
	return service, took, &client{base: "http://" + port + local.Prefix, credential: credential}, err
}

func benchEngine(out io.Writer, binary, data, database string) error {
	service, took, c, err := startService(binary, data, database)
	if err != nil {
		return err
	}
	defer service.stop()
	fmt.Fprintf(out, "  start to first answer  %6.0f ms   memory %.0f MB\n", float64(took.Microseconds())/1000, service.megabytes())

	body, err := json.Marshal(newLocation())
	if err != nil {
		return err
	}
	var first string
	for _, clients := range []int{1, 32} {
		n, err := c.measure(clients, runFor, func(ctx context.Context) error {
			answer, err := c.send(ctx, http.MethodPost, "/locations", body)
			if first == "" && err == nil {
				var made struct {
					Data struct {
						ID string `json:"location_id"`
					}
				}
				err = json.Unmarshal(answer, &made)
				first = made.Data.ID
			}
			return err
		})
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "  create  %2d clients     %8.0f a second\n", clients, n)
	}
	answer, err := c.send(context.Background(), http.MethodGet, "/locations/"+first, nil)
	if err != nil {
		return err
	}
	bare, err := launchBare(answer)
	if err != nil {
		return err
	}
	defer bare.stop()
	peer := client{base: bare.url}
	for _, clients := range []int{1, 32} {
		gets, err := c.measure(clients, runFor, func(ctx context.Context) error {
			_, err := c.send(ctx, http.MethodGet, "/locations/"+first, nil)
			return err
		})
		if err != nil {
			return err
		}
		bares, err := peer.measure(clients, runFor, func(ctx context.Context) error {
			_, err := peer.send(ctx, http.MethodGet, "/locations/"+first, nil)
			return err
		})
		if err != nil {
			return err
		}
		lists, err := c.measure(clients, runFor, func(ctx context.Context) error {
			_, err := c.send(ctx, http.MethodGet, "/locations?limit=50", nil)
			return err
		})
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "  get     %2d clients     %8.0f a second   bare ServeMux %8.0f, %.1f times as many\n", clients, gets, bares, bares/gets)
		fmt.Fprintf(out, "  list 50 %2d clients     %8.0f a second\n", clients, lists)
	}
	fmt.Fprintf(out, "  memory after all       %6.0f MB\n", service.megabytes())
	few, many := client{base: c.base}, client{base: c.base}
	env := environment(data, database)
	if few.credential, err = newAccount(binary, env, "few"); err != nil {
		return err
	}
	if many.credential, err = newAccount(binary, env, "many"); err != nil {
		return err
	}
	return benchLists(out, &few, &many)
}

func newLocation() map[string]any {
	page, _, _ := category.List("US", 1, 0)
	return map[string]any{
		"business_name": "Decatur Deli", "phone_number": "+1 404-555-0123", "country": "US", "region": "GA", "city": "Decatur",
		"zip": "30030", "address_line_1": "1 Main Street", "category_ids": []string{page[0].ID}, "website_url": "www.test.com",
		"description":    "Sandwiches and soups, made here every morning.",
		"business_hours": map[string]any{"monday_hours": []map[string]string{{"from": "09:00", "to": "17:00"}}},
	}
}

// client asks over its own pool of connections.
type client struct {
	base, credential string
	http             http.Client
}

func (c *client) send(ctx context.Context, method, path string, body []byte) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, method, c.base+path, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Authorization", c.credential)
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	res, err := c.http.Do(req)
	if err != nil {
		return nil, err
	}
	defer func() { _ = res.Body.Close() }()
	answer, err := io.ReadAll(res.Body)
	if err == nil && res.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s %s answered %d %s", method, path, res.StatusCode, answer)
	}
	return answer, err
}

// measure has each of n clients call as fast as it can for a while and returns calls a second.
func (c *client) measure(n int, d time.Duration, call func(context.Context) error) (float64, error) {
	c.http.Transport = &http.Transport{MaxIdleConnsPerHost: n}
	defer c.http.CloseIdleConnections()
	var done atomic.Int64
	var fault atomic.Pointer[error]
	round := func(d time.Duration) {
		var wg sync.WaitGroup
		end := time.Now().Add(d)
		for range n {
			wg.Go(func() {
				for time.Now().Before(end) {
					if err := call(context.Background()); err != nil {
						fault.Store(&err)
						return
					}
					done.Add(1)
				}
			})
		}
		wg.Wait()
	}
	round(warmFor)
	done.Store(0)
	start := time.Now()
	round(d)
	rate := float64(done.Load()) / time.Since(start).Seconds()
	if err := fault.Load(); err != nil {
		return 0, *err
	}
	return rate, nil
}

// process is a server under measurement.
type process struct {
	cmd *exec.Cmd
	url string
}

func launch(env []string, ready string, name string, args ...string) (*process, time.Duration, error) {
	cmd := exec.CommandContext(context.Background(), name, args...)
	cmd.Env, cmd.Stderr = env, os.Stderr
	return start(cmd, ready)
}

// start starts a server and waits for its first answer at ready.
func start(cmd *exec.Cmd, ready string) (*process, time.Duration, error) {
	began := time.Now()
	if err := cmd.Start(); err != nil {
		return nil, 0, err
	}
	p := &process{cmd: cmd}
	for time.Since(began) < 20*time.Second {
		res, err := http.Get(ready)
		if err == nil {
			_ = res.Body.Close()
			return p, time.Since(began), nil
		}
		time.Sleep(2 * time.Millisecond)
	}
	p.stop()
	return nil, 0, fmt.Errorf("%s did not start", cmd.Path)
}

func (p *process) stop() {
	_ = p.cmd.Process.Signal(os.Interrupt)
	_ = p.cmd.Wait()
}

// megabytes is the resident memory of the process.
func (p *process) megabytes() float64 {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.cmd.Process.Pid))
	if err != nil {
		return 0
	}
	lines := bufio.NewScanner(bytes.NewReader(status))
	for lines.Scan() {
		var kilobytes float64
		if n, _ := fmt.Sscanf(lines.Text(), "VmRSS: %f kB", &kilobytes); n == 1 {
			return kilobytes / 1024
		}
	}
	return 0
}

// launchBare starts this command again as the peer: a ServeMux that returns fixed bytes.
func launchBare(answer []byte) (*process, error) {
	port, err := freePort()
	if err != nil {
		return nil, err
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	p, _, err := launch(append(os.Environ(), "BENCH_ANSWER="+string(answer)), "http://"+port+"/ready", self, "bare", port)
	if err != nil {
		return nil, err
	}
	p.url = "http://" + port
	return p, nil
}

func serveBare(address string) {
	answer := []byte(os.Getenv("BENCH_ANSWER"))
	mux := http.NewServeMux()
	mux.HandleFunc("GET /ready", func(http.ResponseWriter, *http.Request) {})
	mux.HandleFunc("GET /locations/{id}", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(answer)
	})
	if err := http.ListenAndServe(address, mux); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func freePort() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	defer func() { _ = l.Close() }()
	return l.Addr().String(), nil
}

// diskSyncs is how many small appends a second the disk takes, each with a sync of its own.
func diskSyncs(dir string) (float64, error) {
	f, err := os.Create(filepath.Join(dir, "sync"))
	if err != nil {
		return 0, err
	}
	defer func() { _ = f.Close() }()
	block, n, start := make([]byte, 4096), 0, time.Now()
	for time.Since(start) < time.Second {
		if _, err := f.Write(block); err != nil {
			return 0, err
		}
		if err := f.Sync(); err != nil {
			return 0, err
		}
		n++
	}
	return float64(n) / time.Since(start).Seconds(), nil
}

// freshDatabase makes a database of its own on the server and returns its URL.
func freshDatabase(server string) string {
	if server == "" {
		return ""
	}
	u, err := url.Parse(server)
	if err != nil {
		return ""
	}
	admin, err := sql.Open("pgx", server)
	if err != nil {
		return ""
	}
	defer func() { _ = admin.Close() }()
	name := fmt.Sprintf("bench_%d", time.Now().UnixNano())
	if _, err := admin.ExecContext(context.Background(), "CREATE DATABASE "+name); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return ""
	}
	u.Path = "/" + name
	return u.String()
}
