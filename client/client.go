// Package client speaks to a Trigpoint server: locations, campaigns, trackings and the account itself, with the types of
// its documents. One API key is enough for all of them.
//
//	c, err := client.New("https://trigpoint.example.com", client.Key(os.Getenv("TRIGPOINT_KEY")))
//	for location, err := range c.Locations.List(ctx, client.LocationFilter{}) { … }
//
// What fails for a moment is tried again, and a change that was sent twice is done once: see Retries. A Client may be
// used from many goroutines.
package client

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// Client is a server and an account there.
type Client struct {
	Locations Locations
	Campaigns Campaigns
	Trackings Trackings
	Account   Account

	base    string
	key     string
	agent   string
	http    *http.Client
	retries int
	token   token
}

// Option changes how a Client speaks to its server.
type Option func(*Client)

// Key is the API key (tpk_…) that requests are made with.
func Key(key string) Option { return func(c *Client) { c.key = key } }

// HTTPClient is used in place of one that gives every request two minutes.
func HTTPClient(h *http.Client) Option { return func(c *Client) { c.http = h } }

// Retries is how often a request is tried again that was refused with 429, 502, 503 or 504, or whose connection broke;
// 4 unless it is set. It waits as long as the server says, else longer each time. Requests that create something bear an
// Idempotency-Key, so that the server does them once.
func Retries(n int) Option { return func(c *Client) { c.retries = n } }

// UserAgent is sent with every request.
func UserAgent(name string) Option { return func(c *Client) { c.agent = name } }

const requestTime = 2 * time.Minute

// New returns a client of the server at baseURL, such as https://trigpoint.example.com.
func New(baseURL string, options ...Option) (*Client, error) {
	u, err := url.Parse(baseURL)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return nil, fmt.Errorf("%q is no address of a server; it looks like https://trigpoint.example.com", baseURL)
	}
	c := &Client{base: strings.TrimRight(baseURL, "/"), agent: "trigpoint-go", http: &http.Client{Timeout: requestTime}, retries: 4}
	for _, set := range options {
		set(c)
	}
	if c.key == "" {
		return nil, errors.New("an API key is needed: client.Key(\"tpk_…\")")
	}
	c.Locations, c.Campaigns, c.Trackings, c.Account = Locations{c}, Campaigns{c}, Trackings{c}, Account{c}
	return c, nil
}

// Ptr returns a pointer to a value, for fields that may be left out.
func Ptr[T any](v T) *T { return &v }
