package providertest

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
)

// Status answers with a status and {"message","statusCode"}, the usual form of a refusal.
func Status(code int, message string) Fault {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(code)
		fmt.Fprintf(w, `{"message":%s,"statusCode":%d}`, strconv.Quote(message), code)
	}
}

// TooManyRequests answers 429, with a Retry-After header unless it is empty.
func TooManyRequests(retryAfter string) Fault {
	return func(w http.ResponseWriter, r *http.Request) {
		if retryAfter != "" {
			w.Header().Set("Retry-After", retryAfter)
		}
		Status(http.StatusTooManyRequests, "Too many requests")(w, r)
	}
}

// Unavailable answers 503, with a Retry-After header unless it is empty.
func Unavailable(retryAfter string) Fault {
	return func(w http.ResponseWriter, r *http.Request) {
		if retryAfter != "" {
			w.Header().Set("Retry-After", retryAfter)
		}
		Status(http.StatusServiceUnavailable, "Service unavailable")(w, r)
	}
}

// NoCredits answers as Serper does for an empty account: 400, told from a bad query by its words alone.
func NoCredits() Fault { return Status(http.StatusBadRequest, "Not enough credits") }

// TaskError is a refusal inside a success: HTTP 200 whose body carries the error.
func TaskError(code int, message string) Fault {
	return Body(fmt.Sprintf(`{"message":%s,"statusCode":%d}`, strconv.Quote(message), code))
}

// answerJSON is how fakes answer.
func answerJSON(w http.ResponseWriter, answer any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(answer) // a client that has left is no fault of the fake
}

// Body answers 200 with these bytes.
func Body(body string) Fault {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, body)
	}
}

// InvalidJSON answers 200 with a web page, as proxies and captive portals do.
func InvalidJSON() Fault { return Body("<html><body>Please sign in</body></html>") }

// Truncated ends the connection in the middle of an answer.
func Truncated() Fault {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "1000")
		io.WriteString(w, `{"places":[{"title":"Half a b`)
		flush(w)
		panic(http.ErrAbortHandler)
	}
}

// CutJSON is half an answer that claims to be whole.
func CutJSON() Fault { return Body(`{"places":[{"title":"Half a b`) }

// Stalled sends the start of an answer and then nothing, until the client leaves.
func Stalled() Fault {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, `{"places":[`)
		flush(w)
		<-r.Context().Done()
	}
}

// Huge answers 200 with valid JSON of at least this many bytes, without saying how many.
func Huge(size int) Fault {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, `{"padding":"`)
		flush(w)
		chunk := strings.Repeat("x", 64<<10)
		for sent := 0; sent < size; sent += len(chunk) {
			if _, err := io.WriteString(w, chunk); err != nil {
				return
			}
		}
		io.WriteString(w, `"}`)
	}
}

// Bomb answers 200 with valid JSON that unpacks to at least this many bytes, a thousandth of it on the wire.
func Bomb(size int) Fault {
	packed := sync.OnceValue(func() []byte {
		var b bytes.Buffer
		packer := gzip.NewWriter(&b)
		io.WriteString(packer, `{"padding":"`)
		io.CopyN(packer, padding{}, int64(size))
		io.WriteString(packer, `"}`)
		_ = packer.Close()
		return b.Bytes()
	})
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Content-Encoding", "gzip")
		_, _ = w.Write(packed()) // a client that has left is no fault of the fake
	}
}

type padding struct{}

func (padding) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}

// Changed is the vendor's own answer with a change to its JSON object.
func Changed(vendor http.Handler, change func(answer map[string]any)) Fault {
	return func(w http.ResponseWriter, r *http.Request) {
		record := httptest.NewRecorder()
		vendor.ServeHTTP(record, r)
		var answer map[string]any
		if err := json.Unmarshal(record.Body.Bytes(), &answer); err != nil {
			http.Error(w, err.Error(), http.StatusTeapot)
			return
		}
		change(answer)
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(answer)
	}
}

// Dropped closes the connection without an answer.
func Dropped() Fault {
	return func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }
}

// Redirect points to another address, keeping the method.
func Redirect(to string) Fault {
	return func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, to, http.StatusTemporaryRedirect)
	}
}

func flush(w http.ResponseWriter) {
	if f, ok := w.(http.Flusher); ok {
		f.Flush()
	}
}
