package server

import (
	"compress/gzip"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
)

// compressFrom is the size from which an answer is worth compressing: smaller ones fit a packet or two anyway.
const compressFrom = 1 << 10

// gzips are writers to use again: a new one takes a few hundred kilobytes. Speed counts more than the last percent.
var gzips = sync.Pool{New: func() any {
	z, _ := gzip.NewWriterLevel(io.Discard, gzip.BestSpeed) // a level that there is
	return z
}}

// compress packs JSON answers for clients that can unpack them.
func compress(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c := &compressor{ResponseWriter: w, able: acceptsGzip(r.Header) && r.Method != http.MethodHead}
		next.ServeHTTP(c, r)
		c.end() // not after a panic: what was held back is not sent, and what was begun is seen to be cut off
	})
}

// acceptsGzip tells whether a client names gzip, and not to refuse it.
func acceptsGzip(h http.Header) bool {
	for _, part := range strings.Split(strings.Join(h.Values("Accept-Encoding"), ","), ",") {
		coding, parameters, _ := strings.Cut(part, ";")
		if strings.EqualFold(strings.TrimSpace(coding), "gzip") {
			weight, is := strings.CutPrefix(strings.TrimSpace(parameters), "q=")
			q, err := strconv.ParseFloat(weight, 64)
			return !is || err == nil && q > 0
		}
	}
	return false
}

// compressor holds an answer back until it is known to be worth compressing, or ends.
type compressor struct {
	http.ResponseWriter
	able    bool
	status  int
	held    []byte
	decided bool
	zip     *gzip.Writer // nil when the answer goes out as it is
}

func (c *compressor) WriteHeader(status int) {
	if status < http.StatusOK { // goes out at once, before the answer
		c.ResponseWriter.WriteHeader(status)
		return
	}
	if c.status == 0 {
		c.status = status
	}
}

func (c *compressor) Write(p []byte) (int, error) {
	c.WriteHeader(http.StatusOK)
	if c.decided {
		return c.body().Write(p)
	}
	if c.held = append(c.held, p...); len(c.held) < compressFrom && c.packs() {
		return len(p), nil
	}
	return len(p), c.decide(c.packs())
}

// packs tells whether the answer is of the kind that is compressed, and neither compressed yet nor a part of one.
func (c *compressor) packs() bool {
	h := c.Header()
	kind, _, _ := strings.Cut(h.Get("Content-Type"), ";")
	return (kind == "application/json" || strings.HasSuffix(kind, "+json")) && h.Get("Content-Encoding") == "" && h.Get("Content-Range") == ""
}

// decide sends the header, and what was held back.
func (c *compressor) decide(pack bool) error {
	if c.decided = true; c.packs() {
		c.Header().Add("Vary", "Accept-Encoding")
	}
	if pack && c.able {
		c.Header().Set("Content-Encoding", "gzip")
		c.Header().Del("Content-Length")
		if tag := c.Header().Get("ETag"); strings.HasPrefix(tag, `"`) {
			c.Header().Set("ETag", "W/"+tag) // the same answer, not the same bytes
		}
		c.zip = gzips.Get().(*gzip.Writer)
		c.zip.Reset(c.ResponseWriter)
	}
	c.ResponseWriter.WriteHeader(c.status)
	if len(c.held) == 0 {
		return nil
	}
	_, err := c.body().Write(c.held)
	c.held = nil
	return err
}

func (c *compressor) body() io.Writer {
	if c.zip != nil {
		return c.zip
	}
	return c.ResponseWriter
}

// Flush sends what there is: an answer that is flushed before it is long enough goes out as it is.
func (c *compressor) Flush() {
	c.WriteHeader(http.StatusOK)
	if !c.decided {
		_ = c.decide(false) // the next write tells that the client has gone
	}
	if c.zip != nil {
		_ = c.zip.Flush()
	}
	_ = http.NewResponseController(c.ResponseWriter).Flush()
}

// Unwrap lets http.ResponseController reach the connection.
func (c *compressor) Unwrap() http.ResponseWriter { return c.ResponseWriter }

// end sends the rest of an answer.
func (c *compressor) end() {
	if !c.decided && c.status != 0 {
		_ = c.decide(false) // the client has gone
	}
	if c.zip != nil {
		_ = c.zip.Close()
		gzips.Put(c.zip)
	}
}
