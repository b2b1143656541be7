package mcp_test

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/trigpoint/trigpoint/client"
	"github.com/trigpoint/trigpoint/internal/mcp"
)

// What is no message is answered, and what follows it still is.
func TestBrokenLinesEndNothing(t *testing.T) {
	t.Parallel()
	c, err := client.New("http://localhost:1", client.Key("tpk_none"))
	if err != nil {
		t.Fatal(err)
	}
	in, ask := io.Pipe()
	answer, out := io.Pipe()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = mcp.Serve(t.Context(), mcp.New(c, "test", false), in, out)
	}()
	go func() {
		_, _ = io.WriteString(ask, "{broken\n\n42\n"+strings.Repeat("x", 5<<20)+"\n"+
			`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}`+"\n")
	}()
	answers := bufio.NewScanner(answer)
	for _, want := range []string{`"code":-32700`, `"code":-32600`, `"code":-32600`, `"serverInfo"`} {
		if !answers.Scan() || !strings.Contains(answers.Text(), want) {
			t.Fatalf("answered %q in place of %s", answers.Text(), want)
		}
	}
	_ = ask.Close()
	<-ended
}

// toTheEnd tells when it has been read to its end.
type toTheEnd struct {
	io.Reader
	end context.CancelFunc
}

func (r toTheEnd) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	if err != nil {
		r.end()
	}
	return n, err
}

// Who asks and goes, as a pipe does, is answered all the same.
func TestWhatWasAskedIsAnsweredAtTheEnd(t *testing.T) {
	t.Parallel()
	ended, end := context.WithCancel(t.Context())
	in := toTheEnd{end: end, Reader: strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"usage"}}
{"jsonrpc":"2.0","id":"three","method":"tools/call","params":{"name":"usage"}}`)}
	api := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		<-ended.Done()
		w.WriteHeader(http.StatusForbidden)
	}))
	defer api.Close()
	c, err := client.New(api.URL, client.Key("tpk_none"))
	if err != nil {
		t.Fatal(err)
	}
	answer, out := io.Pipe()
	go func() { _ = mcp.Serve(t.Context(), mcp.New(c, "test", false), io.NopCloser(in), out) }()
	said, err := io.ReadAll(answer)
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{`"id":1,`, `"id":2,`, `"id":"three",`} {
		if !strings.Contains(string(said), id) {
			t.Errorf("there is no answer with %s in %s", id, said)
		}
	}
}
