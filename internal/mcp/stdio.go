package mcp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// Serve answers one assistant that speaks over in and out, until it ends and what it asked has been answered. A line that is no
// message is told so, and the rest goes on.
func Serve(ctx context.Context, s *sdk.Server, in io.ReadCloser, out io.WriteCloser) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	answers := &answers{WriteCloser: out, over: ctx.Done(), asked: map[jsonrpc.ID]bool{}, written: make(chan struct{}, 1)}
	return s.Run(ctx, &sdk.IOTransport{Reader: &sieve{Closer: in, in: bufio.NewReader(in), out: answers}, Writer: answers})
}

// answers writes one message after the other, and knows what has been asked and not yet answered.
type answers struct {
	io.WriteCloser
	over    <-chan struct{}
	written chan struct{} // has one when something was written since it was last looked at

	mu    sync.Mutex
	asked map[jsonrpc.ID]bool
}

// Write implements io.Writer.
func (w *answers) Write(message []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	n, err := w.WriteCloser.Write(message)
	for _, m := range messages(message) {
		if answer, ok := m.(*jsonrpc.Response); ok {
			delete(w.asked, answer.ID)
		}
	}
	select {
	case w.written <- struct{}{}:
	default:
	}
	return n, err
}

// expect takes note of what a line asks.
func (w *answers) expect(line []byte) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, m := range messages(line) {
		if call, ok := m.(*jsonrpc.Request); ok && call.IsCall() {
			w.asked[call.ID] = true
		}
	}
}

// settle waits until all that was asked has been answered.
func (w *answers) settle() {
	for {
		w.mu.Lock()
		open := len(w.asked)
		w.mu.Unlock()
		if open == 0 {
			return
		}
		select {
		case <-w.written:
		case <-w.over:
			return
		}
	}
}

// messages reads a line, which may be a batch.
func messages(line []byte) (all []jsonrpc.Message) {
	var batch []json.RawMessage
	if json.Unmarshal(line, &batch) != nil {
		batch = []json.RawMessage{line}
	}
	for _, one := range batch {
		if m, err := jsonrpc.DecodeMessage(one); err == nil {
			all = append(all, m)
		}
	}
	return all
}

// sieve lets messages through and answers what is none, at which the protocol's own reader would end. It tells of the end only when
// all is answered, since the protocol's own writer is silent from then on.
type sieve struct {
	io.Closer
	in   *bufio.Reader
	out  *answers
	left []byte // of the message that is being read
}

// maxLine bounds a message.
const maxLine = 4 << 20

// Read implements io.Reader.
func (s *sieve) Read(p []byte) (int, error) {
	for len(s.left) == 0 {
		line, err := s.line()
		if code, wrong := fault(line); wrong != "" {
			if _, err := fmt.Fprintf(s.out, `{"jsonrpc":"2.0","id":null,"error":{"code":%d,"message":%q}}`+"\n", code, wrong); err != nil {
				return 0, err
			}
		} else if len(bytes.TrimSpace(line)) > 0 {
			s.out.expect(line)
			s.left = line
			continue // what ends after it ends again
		}
		if err != nil {
			s.out.settle()
			return 0, err
		}
	}
	n := copy(p, s.left)
	s.left = s.left[n:]
	return n, nil
}

// line reads to the end of a line, of which no more is kept than is needed to see that it is too long.
func (s *sieve) line() (line []byte, err error) {
	for {
		part, err := s.in.ReadSlice('\n')
		if len(line) <= maxLine {
			line = append(line, part...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, err
		}
	}
}

// fault tells what keeps a line from being a message, with the code that JSON-RPC has for it.
func fault(line []byte) (code int, wrong string) {
	text := bytes.TrimSpace(line)
	switch {
	case len(text) == 0 || text[0] == '[' && json.Valid(text): // batches are the protocol's to judge
		return 0, ""
	case len(line) > maxLine:
		return jsonrpc.CodeInvalidRequest, fmt.Sprintf("A message has at most %d MB.", maxLine>>20)
	case !json.Valid(text):
		return jsonrpc.CodeParseError, "This line is no JSON; each message is one line."
	}
	if _, err := jsonrpc.DecodeMessage(text); err != nil {
		return jsonrpc.CodeInvalidRequest, "This is no message of JSON-RPC 2.0."
	}
	return 0, ""
}
