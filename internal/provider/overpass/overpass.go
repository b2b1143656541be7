// Package overpass asks an Overpass API, which answers questions about OpenStreetMap. It owns the exchange: what such
// a server wants of a client, when it is worth asking again, and what its failures mean. What is asked, and what the
// elements of an answer are, is the business of whoever asks.
package overpass

import (
	"context"
	"errors"
	"fmt"
	"html"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

const (
	attempts   = 4
	firstPause = 5 * time.Second // between attempts; the next ones are three times as long
	maxPause   = 2 * time.Minute // beyond, a person decides

	defaultPatience = 30 * time.Minute
	maxAnswer       = 1 << 30  // bytes; public servers ask for no more in a day
	maxPage         = 64 << 10 // bytes of a page that explains a failure
)

// Client asks one server.
type Client struct {
	URL string // of the interpreter; see CheckURL

	// Patience bounds one attempt, up to the last byte of its answer; 30 minutes when 0.
	Patience time.Duration
	// Waiting is told why and for how long the client waits before it asks again; it may be nil.
	Waiting func(reason error, pause time.Duration)
	// Sleep waits, unless ctx ends; nil is the real thing.
	Sleep func(ctx context.Context, pause time.Duration) error
}

// CheckURL tells what keeps a URL from being that of an interpreter.
func CheckURL(text string) error {
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil || u.RawQuery != "" {
		return errors.New("it must be the http(s) URL of an interpreter, such as https://overpass-api.de/api/interpreter")
	}
	return nil
}

// Ask sends a query and returns the JSON that the server answers with, as it arrives. A server that is busy is asked
// again a few times. That JSON arrives does not mean that the query succeeds: an answer may end with a remark.
func (c *Client) Ask(ctx context.Context, query string) (io.ReadCloser, error) {
	pause := firstPause
	for attempt := 1; ; attempt++ {
		body, err := c.ask(ctx, query)
		var busy *busyError
		if !errors.As(err, &busy) {
			return body, err
		}
		pause = max(pause, busy.retryAfter)
		if attempt == attempts || pause > maxPause {
			return nil, fmt.Errorf("%w. Try again later, ask for a smaller radius, or use another server", busy)
		}
		if c.Waiting != nil {
			c.Waiting(busy, pause)
		}
		if err := c.sleep(ctx, pause); err != nil {
			return nil, err
		}
		pause *= 3
	}
}

func (c *Client) sleep(ctx context.Context, pause time.Duration) error {
	if c.Sleep != nil {
		return c.Sleep(ctx, pause)
	}
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (c *Client) ask(ctx context.Context, query string) (io.ReadCloser, error) {
	patience := c.Patience
	if patience == 0 {
		patience = defaultPatience
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	form := strings.NewReader(url.Values{"data": {query}}.Encode())
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.URL, form)
	if err != nil {
		cancel()
		return nil, err
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	req.Header.Set("Accept", "application/json")
	req.Header.Set("User-Agent", "trigpoint")
	// A redirect is not followed: it would turn the question into a GET.
	res, err := http.DefaultTransport.RoundTrip(req) //nolint:bodyclose // the answer closes it
	if err != nil {
		cancel()
		return nil, fmt.Errorf("the Overpass API could not be reached: %w", err)
	}
	a := &answer{body: res.Body, cancel: cancel, left: maxAnswer}
	if kind, _, _ := mime.ParseMediaType(res.Header.Get("Content-Type")); res.StatusCode == http.StatusOK && kind == "application/json" {
		return a, nil
	}
	defer func() { _ = a.Close() }()
	return nil, refusal(res)
}

// answer bounds what is read of a body, in bytes and time.
type answer struct {
	body   io.ReadCloser
	cancel context.CancelFunc
	left   int64
}

// Read implements io.Reader.
func (a *answer) Read(p []byte) (int, error) {
	n, err := a.body.Read(p)
	if a.left -= int64(n); a.left < 0 {
		return 0, fmt.Errorf("the answer of Overpass has more than %d MB; ask for a smaller radius", maxAnswer>>20)
	}
	if err != nil && !errors.Is(err, io.EOF) {
		err = fmt.Errorf("the answer of Overpass broke off: %w", err)
	}
	return n, err
}

// Close gives up what has not been read.
func (a *answer) Close() error {
	a.cancel()
	return a.body.Close()
}

// busyError is a refusal for the time being.
type busyError struct {
	reason     string
	retryAfter time.Duration // what the server asks for; 0 when it does not say
}

func (b *busyError) Error() string { return "the Overpass API is busy: " + b.reason }

// refusal explains an answer without data.
func refusal(res *http.Response) error {
	raw, _ := io.ReadAll(io.LimitReader(res.Body, maxPage)) // as much as there is
	page := string(raw)
	busy := func(reason string) error {
		seconds, _ := strconv.Atoi(res.Header.Get("Retry-After")) // often it does not say
		return &busyError{reason, time.Duration(min(max(seconds, 0), 86400)) * time.Second}
	}
	switch {
	case res.StatusCode == http.StatusTooManyRequests:
		return busy("all that this address may ask at once is under way (status 429)")
	case res.StatusCode >= 502 && res.StatusCode <= 504:
		return busy(fmt.Sprintf("it has too much to do (status %d)", res.StatusCode))
	case res.StatusCode == http.StatusOK && strings.Contains(page, "OSM3S"): // the title of its pages
		return busy("it answers with a page in place of data" + said(page))
	case res.StatusCode == http.StatusOK:
		return fmt.Errorf("what answers is not the interpreter of an Overpass API, whose URL ends in /api/interpreter, or it is overloaded: it sends %.64q in place of JSON",
			res.Header.Get("Content-Type"))
	case res.StatusCode >= 300 && res.StatusCode <= 399:
		return fmt.Errorf("the server sends to %.200q; ask there", res.Header.Get("Location"))
	}
	return fmt.Errorf("the Overpass API refuses the query with status %d%s", res.StatusCode, said(page))
}

// said quotes the first error that a page of Overpass tells.
func said(page string) string {
	_, text, found := strings.Cut(page, "Error</strong>:")
	text, _, ended := strings.Cut(text, "</p>")
	if !found || !ended {
		return ""
	}
	return fmt.Sprintf(", and says %.300q", html.UnescapeString(strings.Join(strings.Fields(text), " ")))
}
