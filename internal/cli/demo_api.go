package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/trigpoint/trigpoint/internal/local"
)

// demoAPI is the public API, asked without a network.
type demoAPI struct {
	handler http.Handler
	key     string
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

func (api demoAPI) post(ctx context.Context, path string, in, out any) error {
	body, err := json.Marshal(in)
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, path, bytes.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	if strings.HasPrefix(path, local.Prefix) {
		req.Header.Set("Authorization", "Apikey "+api.key)
	} else {
		req.Header.Set("X-Access-Token", api.key)
	}
	req.RemoteAddr = "127.0.0.1:0" // limits and the log want a client's address
	w := &answer{header: http.Header{}, status: http.StatusOK}
	api.handler.ServeHTTP(w, req)
	if w.status >= 300 {
		text, _ := io.ReadAll(&w.body)
		return fmt.Errorf("%s answered %d: %s", path, w.status, text)
	}
	if out == nil {
		return nil
	}
	return json.Unmarshal(w.body.Bytes(), out)
}
