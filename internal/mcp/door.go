package mcp

import (
	"bytes"
	"context"
	"crypto/sha256"
	"io"
	"net/http"
	"sync"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/trigpoint/trigpoint/client"
)

// Door lets assistants in over streamable HTTP. It keeps no sessions, so that any process may answer any request; what
// the tools ask goes through the service's own handler, with the key that came with the request.
type Door struct {
	api     http.Handler
	version string
	stream  http.Handler

	mu      sync.Mutex
	servers map[holder]*sdk.Server
}

// holder is who holds a key. The key itself is not kept as one.
type holder struct {
	key    [sha256.Size]byte
	writes bool
}

// maxServers is how many holders are remembered; more start anew.
const maxServers = 1000

// maxMessage is how much an assistant may say at once.
const maxMessage = 1 << 20

// NewDoor returns a door to an API.
func NewDoor(api http.Handler, version string) *Door {
	d := &Door{api: api, version: version, servers: map[holder]*sdk.Server{}}
	d.stream = sdk.NewStreamableHTTPHandler(func(r *http.Request) *sdk.Server {
		server, _ := r.Context().Value(serverOf{}).(*sdk.Server)
		return server
	}, &sdk.StreamableHTTPOptions{
		Stateless: true, JSONResponse: true, MaxRequestBodyBytes: maxMessage, PropagateRequestCancellation: true,
		DisableLocalhostProtection: true, // a key comes with every request, and proxies on the same machine are welcome
	})
	return d
}

type serverOf struct{}

// Serve answers a request of whoever holds a key, which has been found to be good.
func (d *Door) Serve(w http.ResponseWriter, r *http.Request, key string, writes bool) error {
	server, err := d.server(key, writes)
	if err != nil {
		return err
	}
	d.stream.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), serverOf{}, server)))
	return nil
}

// server finds or makes what speaks for a key. It is kept because its client has an access token, which is not made anew
// for every question.
func (d *Door) server(key string, writes bool) (*sdk.Server, error) {
	who := holder{sha256.Sum256([]byte(key)), writes}
	d.mu.Lock()
	defer d.mu.Unlock()
	if s := d.servers[who]; s != nil {
		return s, nil
	}
	c, err := client.New("http://localhost", client.Key(key), client.UserAgent("trigpoint-mcp/"+d.version), client.Retries(2), client.HTTPClient(&http.Client{Transport: inProcess{d.api}}))
	if err != nil {
		return nil, err
	}
	if len(d.servers) >= maxServers {
		clear(d.servers)
	}
	s := New(c, d.version, writes)
	d.servers[who] = s
	return s, nil
}

// inProcess asks a handler without a network.
type inProcess struct{ handler http.Handler }

// RoundTrip implements http.RoundTripper.
func (t inProcess) RoundTrip(req *http.Request) (*http.Response, error) {
	asked := req.Clone(req.Context())
	asked.RemoteAddr = "127.0.0.1:0" // limits and the log want a client's address
	asked.RequestURI = req.URL.RequestURI()
	if asked.Body == nil {
		asked.Body = http.NoBody
	}
	w := &answer{header: http.Header{}, status: http.StatusOK}
	t.handler.ServeHTTP(w, asked)
	if err := req.Context().Err(); err != nil {
		return nil, err
	}
	return &http.Response{
		Status: http.StatusText(w.status), StatusCode: w.status, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: w.header, Body: io.NopCloser(&w.body), ContentLength: int64(w.body.Len()), Request: req,
	}, nil
}

// answer keeps what a handler writes.
type answer struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (w *answer) Header() http.Header            { return w.header }
func (w *answer) WriteHeader(status int)         { w.status = status }
func (w *answer) Write(part []byte) (int, error) { return w.body.Write(part) }
