package cli

import (
	"context"
	"io"
	"strings"
	"testing"
	"time"
)

// said passes on what a command prints.
type said chan string

// Write implements io.Writer.
func (s said) Write(p []byte) (int, error) {
	s <- string(p)
	return len(p), nil
}

// Whoever serves an empty store is told what to do; standard output carries nothing else, as the log goes to
// standard error.
func TestServingAnEmptyStoreTellsHowToBegin(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	out, ended := make(said, 10), make(chan int)
	go func() {
		ended <- run(ctx, []string{"serve", "--data", t.TempDir(), "--listen", "127.0.0.1:0", "--log-level", "error"}, out, io.Discard)
	}()
	var address string
	select {
	case text := <-out:
		_, link, _ := strings.Cut(text, "http://")
		address, _, _ = strings.Cut(link, "/")
		if !strings.Contains(text, "There is no account yet") || !strings.Contains(text, "trigpoint account create --email") || !strings.Contains(text, "/setup?token=tpl_") {
			t.Errorf("said %q", text)
		}
	case status := <-ended:
		t.Fatalf("serve ended with %d", status)
	case <-time.After(5 * time.Minute): // a busy machine may need a while
		t.Fatal("nothing was said")
	}
	if status, text := health(t, address); status != 0 || text != "ready\n" {
		t.Errorf("while it serves, health ends with %d: %s", status, text)
	}
	stop()
	if status := <-ended; status != 0 {
		t.Errorf("serve ended with %d", status)
	}
	if status, text := health(t, address); status != 1 || !strings.Contains(text, "no service answers at "+address) {
		t.Errorf("afterwards health ends with %d: %s", status, text)
	}
}

func health(t *testing.T, address string) (status int, text string) {
	t.Helper()
	var told strings.Builder
	status = run(t.Context(), []string{"health", "--listen", address}, &told, &told)
	return status, told.String()
}
