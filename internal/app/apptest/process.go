package apptest

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/trigpoint/trigpoint/internal/db"
)

// binaryVariable names the program where it is already built, as `make test` does.
const binaryVariable = "TRIGPOINT_TEST_BINARY"

// binary builds the program once for all tests of a process. Linking is most of it, and less without debug tables.
var binary = sync.OnceValues(func() (string, error) {
	if built := os.Getenv(binaryVariable); built != "" {
		return built, nil
	}
	dir, err := os.MkdirTemp("", "trigpoint-bin")
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, "trigpoint")
	out, err := exec.CommandContext(context.Background(), "go", "build", "-ldflags=-s -w", "-o", path, "github.com/trigpoint/trigpoint/cmd/trigpoint").CombinedOutput()
	if err != nil {
		return "", &buildError{string(out), err}
	}
	return path, nil
})

type buildError struct {
	output string
	cause  error
}

func (e *buildError) Error() string { return e.cause.Error() + ": " + e.output }

// Binary is the path of the real program.
func Binary(t testing.TB) string {
	t.Helper()
	path, err := binary()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// Environment is what a real process needs to use the store of a test.
func Environment(o db.Options) []string {
	return []string{"TRIGPOINT_DATA=" + o.Dir, "TRIGPOINT_DATABASE_URL=" + o.URL, "TRIGPOINT_LISTEN=127.0.0.1:0"}
}

// Process is the real program, running.
type Process struct {
	URL  string // when it serves
	cmd  *exec.Cmd
	done chan struct{}
}

// Run runs a command of the real program to its end and returns what it printed.
func Run(t testing.TB, env []string, args ...string) string {
	t.Helper()
	cmd := command(t, env, args...)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("trigpoint %s: %v\n%s", strings.Join(args, " "), err, cmd.Stderr)
	}
	return string(out)
}

func command(t testing.TB, env []string, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.CommandContext(context.Background(), Binary(t), args...)
	cmd.Env = append(os.Environ(), env...)
	return cmd
}

// Launch starts the real program and waits until it says that it is there. It is killed with the test.
func Launch(t testing.TB, env []string, args ...string) *Process {
	t.Helper()
	cmd := command(t, env, args...)
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	p := &Process{cmd: cmd, done: make(chan struct{})}
	t.Cleanup(p.Kill)
	ready := make(chan string, 1)
	var log strings.Builder
	go func() {
		defer close(p.done)
		lines := bufio.NewScanner(stderr)
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			var line struct{ Msg, URL string }
			if json.Unmarshal(lines.Bytes(), &line) == nil && (line.Msg == "listening" || line.Msg == "working") {
				ready <- line.URL
				break
			}
			log.WriteString(lines.Text() + "\n")
		}
		_, _ = io.Copy(io.Discard, stderr)
		_ = cmd.Wait()
	}()
	select {
	case p.URL = <-ready:
	case <-p.done:
		t.Fatalf("trigpoint %s ended: %s", strings.Join(args, " "), log.String())
	case <-time.After(Patience):
		t.Fatalf("trigpoint %s did not start: %s", strings.Join(args, " "), log.String())
	}
	return p
}

// Kill ends the process as kill -9 does.
func (p *Process) Kill() {
	_ = p.cmd.Process.Kill()
	<-p.done
}

// Interrupt asks the process to stop and waits until it has.
func (p *Process) Interrupt() {
	_ = p.cmd.Process.Signal(os.Interrupt)
	<-p.done
}

// Send makes a plain request to the process. It returns status 0 when the process did not answer.
func (p *Process) Send(ctx context.Context, method, path, authorization, body string) (status int, answer []byte) {
	var reader io.Reader
	if body != "" {
		reader = strings.NewReader(body)
	}
	req, err := http.NewRequestWithContext(ctx, method, p.URL+path, reader)
	if err != nil {
		return 0, nil
	}
	req.Header.Set("Authorization", authorization)
	req.Header.Set("Content-Type", "application/json")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0, nil
	}
	defer func() { _ = res.Body.Close() }()
	if answer, err = io.ReadAll(res.Body); err != nil {
		return 0, nil
	}
	return res.StatusCode, answer
}
