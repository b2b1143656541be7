package client

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	mathrand "math/rand/v2"
	"net/http"
	"net/url"
	"strconv"
	"time"
)

// area is a part of the API, with its own base path and credential.
type area string

const (
	localArea   area = "/_api/apis/v4/local/v1"
	mapArea     area = "/_api/apis/v4/map-rank-tracker/v0"
	keywordArea area = "/_api/v3"
	accountArea area = "/_api/apis/v4/account/v1"
)

// call is a request, however often it is tried.
type call struct {
	area   area
	method string
	path   string
	query  url.Values
	body   any
}

// maxAnswer bounds what is read of an answer.
const maxAnswer = 256 << 20

// do makes a call and decodes its answer.
func (c *Client) do(ctx context.Context, want call, into any) error {
	var body []byte
	if want.body != nil {
		var err error
		if body, err = json.Marshal(want.body); err != nil {
			return err
		}
	}
	idempotencyKey := ""
	if want.method == http.MethodPost || want.method == http.MethodPut {
		idempotencyKey = rand.Text()
	}
	for try := 0; ; try++ {
		answer, err := c.try(ctx, want, body, idempotencyKey)
		if err == nil {
			if into == nil || len(answer) == 0 {
				return nil
			}
			if err := json.Unmarshal(answer, into); err != nil {
				return fmt.Errorf("%s %s: the answer is not as its document says: %w", want.method, want.path, err)
			}
			return nil
		}
		var refused *Error
		if errors.As(err, &refused) {
			if try > 0 && want.method == http.MethodDelete && refused.Status == http.StatusNotFound {
				return nil // an earlier try has done it, and its answer was lost
			}
			if !refused.Temporary() {
				return err
			}
		}
		if try >= c.retries || ctx.Err() != nil {
			return err
		}
		if failed := pause(ctx, try, refused); failed != nil {
			return errors.Join(failed, err)
		}
	}
}

const (
	firstPause = 200 * time.Millisecond
	maxPause   = 10 * time.Second
	// patience is the longest that a server may ask to wait for; beyond it the caller is told.
	patience = time.Minute
)

// pause waits before the next try: as long as the server says, else up to twice as long each time, at random, so that
// many clients do not come back at once.
func pause(ctx context.Context, try int, refused *Error) error {
	wait := time.Duration((0.5 + mathrand.Float64()/2) * float64(min(firstPause<<min(try, 10), maxPause))) //nolint:gosec // no secret
	if refused != nil && refused.RetryAfter > 0 {
		wait = refused.RetryAfter
	}
	if wait > patience {
		return fmt.Errorf("the server asks to wait for %s", wait)
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

// try makes a call once. A token that has ended is exchanged for another.
func (c *Client) try(ctx context.Context, want call, body []byte, idempotencyKey string) ([]byte, error) {
	answer, err := c.send(ctx, want, body, idempotencyKey)
	var refused *Error
	if want.area == mapArea && errors.As(err, &refused) && refused.Status == http.StatusUnauthorized && c.token.used() {
		c.token.forget()
		return c.send(ctx, want, body, idempotencyKey)
	}
	return answer, err
}

func (c *Client) send(ctx context.Context, want call, body []byte, idempotencyKey string) ([]byte, error) {
	address := c.base + string(want.area) + want.path
	if len(want.query) > 0 {
		address += "?" + want.query.Encode()
	}
	req, err := http.NewRequestWithContext(ctx, want.method, address, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	if idempotencyKey != "" {
		req.Header.Set("Idempotency-Key", idempotencyKey)
	}
	switch want.area {
	case mapArea:
		secret, err := c.accessToken(ctx)
		if err != nil {
			return nil, err
		}
		req.Header.Set("Authorization", "Bearer "+secret)
	case keywordArea:
		req.Header.Set("X-Access-Token", c.key)
	default:
		req.Header.Set("Authorization", "Apikey "+c.key)
	}
	return c.exchange(req)
}

// exchange sends a request and reads the whole answer.
func (c *Client) exchange(req *http.Request) ([]byte, error) {
	req.Header.Set("Accept", "application/json")
	req.Header.Set("User-Agent", c.agent)
	res, err := c.http.Do(req)
	if err != nil {
		return nil, err
	}
	defer func() { _ = res.Body.Close() }()
	answer, err := io.ReadAll(io.LimitReader(res.Body, maxAnswer+1))
	if err != nil {
		return nil, err
	}
	if len(answer) > maxAnswer {
		return nil, fmt.Errorf("%s %s: the answer is larger than %d MiB", req.Method, req.URL.Path, maxAnswer>>20)
	}
	if res.StatusCode/100 != 2 {
		return nil, refusal(res, answer)
	}
	return answer, nil
}

// enveloped is an answer of all areas but that of keywords.
type enveloped[T any] struct {
	Meta struct {
		Total int64 `json:"total"`
	} `json:"meta"`
	Data T `json:"data"`
}

// get asks for the data in an envelope.
func get[T any](ctx context.Context, c *Client, want call) (T, error) {
	var answer enveloped[T]
	err := c.do(ctx, want, &answer)
	return answer.Data, err
}

// segment makes a path segment of an identifier.
func segment(id string) string { return "/" + url.PathEscape(id) }

// query makes a query of names and values; an empty value is left out.
func query(namesAndValues ...string) url.Values {
	q := url.Values{}
	for i := 0; i < len(namesAndValues); i += 2 {
		if namesAndValues[i+1] != "" {
			q.Set(namesAndValues[i], namesAndValues[i+1])
		}
	}
	return q
}

func number(n int) string { return strconv.Itoa(n) }

func instant(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339Nano)
}
