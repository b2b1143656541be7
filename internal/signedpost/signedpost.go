// Package signedpost posts JSON to receivers that people name: signed as Standard Webhooks says, bounded in time and size, and
// never to a private network unless that is allowed. It keeps nothing and tries nothing again.
package signedpost

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"github.com/trigpoint/trigpoint/internal/trace"
)

// maxAnswer bounds what is read of a receiver's answer.
const maxAnswer = 64 << 10

// TimeLimit is how long a receiver may take to answer, from the call until its answer is whole.
const TimeLimit = 15 * time.Second

// Client reaches receivers.
type Client struct {
	http         *http.Client
	allowPrivate bool
}

// New returns a client. With allowPrivate it also reaches loopback and private addresses.
func New(allowPrivate bool) *Client {
	dialer := &net.Dialer{Timeout: 5 * time.Second}
	if !allowPrivate {
		dialer.Control = refusePrivate
	}
	return &Client{allowPrivate: allowPrivate, http: &http.Client{
		Timeout: TimeLimit,
		Transport: &http.Transport{
			DialContext: dialer.DialContext, TLSHandshakeTimeout: 5 * time.Second,
			MaxIdleConnsPerHost: 4, IdleConnTimeout: 30 * time.Second,
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// Close ends connections that wait for another message.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// CheckURL tells what is wrong with the URL of a receiver, or nothing.
func CheckURL(text string) error {
	u, err := url.Parse(text)
	if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" {
		return errors.New("it is not an http(s) URL")
	}
	return nil
}

// CheckURL tells what keeps the client from ever reaching a URL, or nothing. Where a name leads is seen when it is dialled.
func (c *Client) CheckURL(text string) error {
	if err := CheckURL(text); err != nil || c.allowPrivate {
		return err
	}
	u, err := url.Parse(text)
	if err != nil {
		return err
	}
	host := strings.ToLower(u.Hostname())
	ip, err := netip.ParseAddr(host)
	if err == nil && !public(ip.Unmap()) || host == "localhost" || strings.HasSuffix(host, ".localhost") {
		return fmt.Errorf("%s is not a public address (see --webhook-allow-private)", host)
	}
	return nil
}

// Hint is as much of the URL of a receiver as others may see: the rest may be its secret.
func Hint(url string) string {
	if url == "" {
		return ""
	}
	scheme, rest, _ := strings.Cut(url, "://")
	host, _, _ := strings.Cut(rest, "/")
	host, _, _ = strings.Cut(host, "?")
	return scheme + "://" + host[strings.LastIndexByte(host, '@')+1:] + "/…"
}

// Signer signs for one receiver.
type Signer = standardwebhooks.Webhook

// NewSigner reads a secret as Standard Webhooks writes it: whsec_ and base64.
func NewSigner(secret string) (*Signer, error) {
	signer, err := standardwebhooks.NewWebhook(secret)
	if err != nil || secret == "" {
		return nil, errors.New("the webhook secret must be whsec_ followed by base64")
	}
	return signer, nil
}

// Message is what is posted. Receivers know it again by its ID.
type Message struct {
	ID   string
	At   time.Time // of this attempt
	Body []byte
}

// Answer is what a receiver said.
type Answer struct {
	Status int
	Header http.Header
	Body   []byte // its beginning
}

// Post sends a message and reads the answer, whatever its status. Without a signer it is not signed. Errors do not tell the URL, which
// may hold a secret.
func (c *Client) Post(ctx context.Context, to string, signer *Signer, m Message) (Answer, error) {
	ctx, span := trace.BeginCall(ctx, http.MethodPost)
	defer span.End()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, to, bytes.NewReader(m.Body))
	if err != nil {
		return Answer{}, errors.New("its URL cannot be used")
	}
	span.Set("server.address", req.URL.Hostname())
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("User-Agent", "Trigpoint")
	if signer != nil {
		signature, err := signer.Sign(m.ID, m.At, m.Body)
		if err != nil {
			return Answer{}, err
		}
		req.Header.Set(standardwebhooks.HeaderWebhookID, m.ID)
		req.Header.Set(standardwebhooks.HeaderWebhookTimestamp, fmt.Sprint(m.At.Unix()))
		req.Header.Set(standardwebhooks.HeaderWebhookSignature, signature)
	}
	res, err := c.http.Do(req)
	if err != nil {
		span.Fail("unreachable")
		var wrapped *url.Error
		if errors.As(err, &wrapped) { // its text repeats the URL
			err = wrapped.Err
		}
		if wrapped != nil && wrapped.Timeout() {
			err = errors.New("it did not answer in time")
		}
		return Answer{}, err
	}
	defer func() { _ = res.Body.Close() }()
	span.SetInt("http.response.status_code", res.StatusCode)
	if res.StatusCode >= http.StatusBadRequest {
		span.Fail(strconv.Itoa(res.StatusCode))
	}
	answer := Answer{Status: res.StatusCode, Header: res.Header}
	if answer.Body, err = io.ReadAll(io.LimitReader(res.Body, maxAnswer)); err != nil {
		return answer, fmt.Errorf("it did not finish its answer: %w", err)
	}
	return answer, nil
}

// Excerpt is the beginning of an answer as a person may read it.
func Excerpt(answer []byte) string {
	text := strings.ToValidUTF8(strings.Map(func(r rune) rune {
		if r < ' ' {
			return ' '
		}
		return r
	}, string(answer)), "")
	if runes := []rune(text); len(runes) > 200 {
		text = string(runes[:200]) + "…"
	}
	return strings.TrimSpace(text)
}

// refusePrivate looks at the address that is really dialled, so a name cannot hide it.
func refusePrivate(_, address string, _ syscall.RawConn) error {
	at, err := netip.ParseAddrPort(address)
	if err != nil {
		return err
	}
	if ip := at.Addr().Unmap(); !public(ip) {
		return fmt.Errorf("%s is not a public address (see --webhook-allow-private)", ip)
	}
	return nil
}

func public(ip netip.Addr) bool {
	return ip.IsGlobalUnicast() && !ip.IsPrivate() && !slices.ContainsFunc(special, func(p netip.Prefix) bool { return p.Contains(ip) })
}

// special are the ranges that look global and lead, or may lead, to a private network.
var special = []netip.Prefix{
	netip.MustParsePrefix("0.0.0.0/8"),     // this network
	netip.MustParsePrefix("100.64.0.0/10"), // shared address space
	netip.MustParsePrefix("198.18.0.0/15"), // measurements
	netip.MustParsePrefix("240.0.0.0/4"),   // reserved
	netip.MustParsePrefix("fec0::/10"),     // site-local
	// These wrap any IPv4 address, private ones too: IPv4-compatible, NAT64, 6to4.
	netip.MustParsePrefix("::/96"),
	netip.MustParsePrefix("64:ff9b::/96"),
	netip.MustParsePrefix("64:ff9b:1::/48"),
	netip.MustParsePrefix("2002::/16"),
}
