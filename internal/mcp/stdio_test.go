package mcp_test

import (
	"bufio"
	"io"
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
