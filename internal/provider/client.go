package provider

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/trigpoint/trigpoint/internal/clock"
	"github.com/trigpoint/trigpoint/internal/trace"
)

const (
	defaultTimeout = 30 * time.Second
	defaultMaxBody = 8 << 20
	maxErrorBody   = 64 << 10
)

// ClientOptions describe the HTTP API of one vendor. Only Descriptor and BaseURL are required.
type ClientOptions struct {
	Descriptor  Descriptor
	BaseURL     string
	Credentials http.Header   // sent with every request to BaseURL, and never shown
	QueryKey    url.Values    // the same, for vendors that want their key in the query
	Secrets     []string      // further words that are never shown, such as a password within a credential
	Timeout     time.Duration // of one exchange up to the last byte of its body; 30 s
	MaxBody     int64         // bytes of an answer, unpacked; 8 MiB
	Clock       clock.Clock

	// Authorize adds a credential that must be fetched first, such as an access token. Its error is returned as it is.
	Authorize func(*http.Request) error

	// Explain reads a refusal in the vendor's own form.
	Explain func(status int, body []byte) Refusal

	// RetryAfter finds what others write as Retry-After in the headers of a vendor that has none.
	RetryAfter func(http.Header) string
}

// Answer is what a vendor's JSON is decoded into.
type Answer interface {
	// Verify returns nil only where something in the answer proves that the vendor has done what it was
	// asked. Many fail with status 200 and a body that would read as "nothing found".
	Verify() error
}

// Client speaks JSON with one vendor: it bounds time and size and turns every failure into an *Error.
// It does not retry or pace: see Caller. It is safe for concurrent use.
type Client struct {
	opts ClientOptions
	base *url.URL
	http *http.Client
}

// NewClient checks the options. Close the client when it is no longer used.
func NewClient(opts ClientOptions) (*Client, error) {
	base, ok := apiURL(opts.BaseURL)
	if !ok {
		return nil, fmt.Errorf("%s: %s is not the http(s) URL of an API", opts.Descriptor.Title, opts.Descriptor.Env("url"))
	}
	if opts.Timeout <= 0 {
		opts.Timeout = defaultTimeout
	}
	if opts.MaxBody <= 0 {
		opts.MaxBody = defaultMaxBody
	}
	if opts.Clock == nil {
		opts.Clock = clock.System{}
	}
	transport := http.DefaultTransport.(*http.Transport).Clone()
	// The default of 2 would open a new connection for nearly every request of a busy collection.
	transport.MaxIdleConnsPerHost = max(opts.Descriptor.Pace.Concurrent, 2)
	transport.MaxIdleConns = 0
	return &Client{opts: opts, base: base, http: &http.Client{
		Transport: transport,
		// APIs do not move. Following would hand the credential to wherever the answer points.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}, nil
}

// Close drops idle connections.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// Request is one question to a vendor.
type Request struct {
	Method string // GET when empty, POST with a body
	Path   string // below the base URL
	Query  url.Values
	Header http.Header
	Body   any // sent as JSON; nil is none
}

func (r Request) method() string {
	if r.Body != nil {
		return cmp.Or(r.Method, http.MethodPost)
	}
	return cmp.Or(r.Method, http.MethodGet)
}

// endSpan notes what came of asking. That there is no such thing, or that the answer comes later, is no failure.
func endSpan(span trace.Span, returned bool, err error) {
	if span.On() {
		outcome := outcomeOf(returned, err)
		span.Set("trigpoint.outcome", outcome)
		if kind := KindOf(err); outcome != answered && kind != NotFound && kind != Pending {
			span.Fail(outcome)
		}
	}
	span.End()
}

// Post sends in as JSON to a path below the base URL, decodes the answer into out and verifies it.
func (c *Client) Post(ctx context.Context, path string, in any, out Answer) error {
	return c.Do(ctx, Request{Method: http.MethodPost, Path: path, Body: in}, out)
}

// Get asks a path below the base URL, decodes the answer into out and verifies it.
func (c *Client) Get(ctx context.Context, path string, query url.Values, out Answer) error {
	return c.Do(ctx, Request{Path: path, Query: query}, out)
}

// Do asks, decodes the answer into out and verifies it. When the caller's context ends first, the error is
// the context's.
func (c *Client) Do(ctx context.Context, r Request, out Answer) (err error) {
	ctx, span := trace.BeginCall(ctx, r.method())
	span.Set("server.address", c.base.Hostname())
	defer func() { endSpan(span, true, err) }()
	bounded, cancel := context.WithTimeout(ctx, c.opts.Timeout)
	defer cancel()
	req, err := c.request(bounded, r)
	if err != nil {
		return err
	}
	res, err := c.http.Do(req)
	if err != nil {
		return c.unreachable(ctx, err)
	}
	defer func() { _ = res.Body.Close() }()
	span.SetInt("http.response.status_code", res.StatusCode)
	if res.StatusCode < 200 || res.StatusCode > 299 {
		return c.refused(ctx, res)
	}
	return c.decode(ctx, res, out)
}

func (c *Client) request(ctx context.Context, r Request) (*http.Request, error) {
	method, body := r.method(), io.Reader(nil)
	if method == http.MethodGet {
		// An empty body that cannot be read twice, in place of none: Go would send the request again, unasked, when a
		// kept connection breaks, and the vendor would bill both.
		body = io.MultiReader()
	}
	if r.Body != nil {
		encoded, err := json.Marshal(r.Body)
		if err != nil {
			return nil, fmt.Errorf("encode request: %w", err)
		}
		body = bytes.NewReader(encoded)
	}
	target := c.base.JoinPath(r.Path)
	query := url.Values{}
	maps.Copy(query, r.Query)
	maps.Copy(query, c.opts.QueryKey)
	target.RawQuery = query.Encode()
	req, err := http.NewRequestWithContext(ctx, method, target.String(), body)
	if err != nil {
		return nil, fmt.Errorf("make request: %w", err)
	}
	for _, header := range []http.Header{r.Header, c.opts.Credentials} {
		for name, values := range header {
			req.Header[http.CanonicalHeaderKey(name)] = values
		}
	}
	if r.Body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	req.Header.Set("Accept", "application/json")
	req.Header.Set("User-Agent", "trigpoint")
	if c.opts.Authorize != nil {
		return req, c.opts.Authorize(req)
	}
	return req, nil
}

func (c *Client) decode(ctx context.Context, res *http.Response, out Answer) error {
	raw, err := io.ReadAll(io.LimitReader(res.Body, c.opts.MaxBody+1))
	if err != nil {
		return c.unreachable(ctx, err)
	}
	if int64(len(raw)) > c.opts.MaxBody {
		return c.errorf(Transient, "%s sent an answer of more than %d bytes.", c.title(), c.opts.MaxBody)
	}
	if err := json.Unmarshal(raw, out); err != nil {
		return c.errorf(Transient, "%s sent an answer that cannot be read.", c.title()).Because(errors.New(c.redact(err.Error())))
	}
	if err := out.Verify(); err != nil {
		e := c.refusal(res, raw)
		return e.Because(fmt.Errorf("%s; %w", c.redact(err.Error()), e.cause))
	}
	return nil
}

// refused reads as much of the body as explains the status.
func (c *Client) refused(ctx context.Context, res *http.Response) error {
	raw, _ := io.ReadAll(io.LimitReader(res.Body, maxErrorBody))
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("%s: %w", c.title(), err)
	}
	e := c.refusal(res, raw)
	if e.Kind.Retryable() {
		e.RetryAfter = cmp.Or(c.retryAfter(res.Header), e.RetryAfter)
	}
	return e
}

// retryAfter is what the headers say, or 0.
func (c *Client) retryAfter(header http.Header) time.Duration {
	after := header.Get("Retry-After")
	if after == "" && c.opts.RetryAfter != nil {
		after = c.opts.RetryAfter(header)
	}
	return parseRetryAfter(after, c.opts.Clock.Now())
}

// unreachable tells a caller who gave up from a vendor that did not answer.
func (c *Client) unreachable(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return fmt.Errorf("%s: %w", c.title(), ctx.Err())
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return c.errorf(Transient, "%s did not answer within %s.", c.title(), c.opts.Timeout)
	}
	var wrapped *url.Error
	if errors.As(err, &wrapped) {
		err = wrapped.Err // without the URL, in which some vendors want the key
	}
	e := c.errorf(Transient, "%s could not be reached.", c.title())
	var network *net.OpError
	e.unsent = errors.As(err, &network) && network.Op == "dial"
	return e.Because(errors.New(c.redact(err.Error())))
}

func (c *Client) title() string { return c.opts.Descriptor.Title }

func (c *Client) errorf(kind Kind, format string, args ...any) *Error {
	return Errorf(kind, c.title(), format, args...)
}

// redact takes the credentials out of words that came from outside.
func (c *Client) redact(s string) string {
	for _, secret := range c.opts.Secrets {
		s = hide(s, secret)
	}
	for _, credentials := range []map[string][]string{c.opts.Credentials, c.opts.QueryKey} {
		for _, values := range credentials {
			for _, secret := range values {
				// Bearer and Basic are no secrets; what follows them is.
				if _, bare, ok := strings.Cut(secret, " "); ok {
					secret = bare
				}
				s = hide(s, secret)
			}
		}
	}
	return s
}

// hide takes a secret out of words, as it is and as it is written in a URL.
func hide(words, secret string) string {
	if secret == "" {
		return words
	}
	for _, form := range []string{secret, url.QueryEscape(secret), url.PathEscape(secret)} {
		words = strings.ReplaceAll(words, form, "[hidden]")
	}
	return words
}

// apiURL reads a base URL to which paths can be added.
func apiURL(text string) (*url.URL, bool) {
	u, err := url.Parse(text)
	return u, err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" && u.User == nil && u.RawQuery == ""
}
