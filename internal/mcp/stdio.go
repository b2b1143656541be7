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

// Serve answers one assistant that speaks over in and out, until it ends. A line that is no message is told so, and the rest goes on.
func Serve(ctx context.Context, s *sdk.Server, in io.ReadCloser, out io.WriteCloser) error {
	shared := &sharedWriter{WriteCloser: out}
	return s.Run(ctx, &sdk.IOTransport{Reader: &sieve{Closer: in, in: bufio.NewReader(in), out: shared}, Writer: shared})
}

// sharedWriter writes one message after the other.
type sharedWriter struct {
	io.WriteCloser
	mu sync.Mutex
}

// Write implements io.Writer.
func (w *sharedWriter) Write(message []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.WriteCloser.Write(message)
}

// sieve lets messages through and answers what is none, at which the protocol's own reader would end.
type sieve struct {
	io.Closer
	in   *bufio.Reader
	out  io.Writer
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
			s.left = line
			continue // what ends after it ends again
		}
		if err != nil {
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
