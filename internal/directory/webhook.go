package directory

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"syscall"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"github.com/trigpoint/trigpoint/internal/clock"
)

// WebhookOptions says where and how locations are pushed.
type WebhookOptions struct {
	URL          string
	Secret       string // whsec_… as Standard Webhooks writes it
	Countries    []string
	AllowPrivate bool // reach loopback and private addresses
	Clock        clock.Clock
}

// Webhook pushes locations to a URL, signed as Standard Webhooks says. Without a URL its listings are
// UNAVAILABLE.
type Webhook struct {
	options WebhookOptions
	signer  *standardwebhooks.Webhook
	client  *http.Client
}

// NewWebhook checks the options and returns the connector.
func NewWebhook(o WebhookOptions) (*Webhook, error) {
	w := &Webhook{options: o}
	if o.URL == "" {
		return w, nil
	}
	u, err := url.Parse(o.URL)
	if err != nil || u.Host == "" || (u.Scheme != "https" && u.Scheme != "http") {
		return nil, errors.New("the webhook URL is not an http(s) URL")
	}
	if w.signer, err = standardwebhooks.NewWebhook(o.Secret); err != nil || o.Secret == "" {
		return nil, errors.New("the webhook secret must be whsec_ followed by base64")
	}
	dialer := &net.Dialer{Timeout: 5 * time.Second}
	if !o.AllowPrivate {
		dialer.Control = refusePrivate
	}
	w.client = &http.Client{
		Timeout: 15 * time.Second,
		Transport: &http.Transport{
			DialContext: dialer.DialContext, TLSHandshakeTimeout: 5 * time.Second,
			ResponseHeaderTimeout: 10 * time.Second, MaxIdleConnsPerHost: 4, IdleConnTimeout: 30 * time.Second,
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	return w, nil
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

// Describe implements Connector.
func (w *Webhook) Describe() Descriptor {
	return Descriptor{
		ID: "webhook", Name: "Webhook", Controllable: true,
		Countries: w.options.Countries, Fingerprint: w.fingerprint(),
	}
}

// fingerprint does not tell the URL, which may hold a secret.
func (w *Webhook) fingerprint() string {
	sum := sha256.Sum256([]byte(w.options.URL + " " + strings.Join(w.options.Countries, ",")))
	return hex.EncodeToString(sum[:16])
}

// Place implements Connector.
func (w *Webhook) Place(Item) Outcome {
	if w.client == nil {
		return Outcome{Status: Unavailable, Detail: "No webhook URL is configured."}
	}
	return Outcome{Status: Processing}
}

// Remove implements Connector.
func (w *Webhook) Remove() Outcome {
	if w.client == nil {
		return Outcome{Status: Disconnected}
	}
	return Outcome{Status: Processing}
}

type webhookBody struct {
	Type      string      `json:"type"`
	Timestamp string      `json:"timestamp"`
	Data      webhookData `json:"data"`
}

type webhookData struct {
	LocationID string   `json:"location_id"`
	Profile    *Profile `json:"location,omitempty"`
	Images     []Image  `json:"images,omitempty"`
}

// maxAnswer bounds what is read of a receiver's answer.
const maxAnswer = 64 << 10

// Compose makes the body of an event.
func (w *Webhook) Compose(e Event) ([]byte, error) {
	body := webhookBody{Type: e.Type, Timestamp: e.At.UTC().Format(time.RFC3339Nano), Data: webhookData{LocationID: e.Item.LocationID}}
	if e.Type == Published {
		body.Data.Profile, body.Data.Images = &e.Item.Profile, e.Item.Images
	}
	return json.Marshal(body)
}

// Push delivers a message. The receiver may answer {"url": "…"} with the live page.
func (w *Webhook) Push(ctx context.Context, m Message) (Outcome, error) {
	if w.client == nil {
		return Outcome{}, &Rejected{Reason: "no webhook URL is configured"}
	}
	now := w.options.Clock.Now()
	signature, err := w.signer.Sign(m.ID, now, m.Body)
	if err != nil {
		return Outcome{}, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, w.options.URL, bytes.NewReader(m.Body))
	if err != nil {
		return Outcome{}, err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("User-Agent", "Trigpoint")
	req.Header.Set(standardwebhooks.HeaderWebhookID, m.ID)
	req.Header.Set(standardwebhooks.HeaderWebhookTimestamp, fmt.Sprint(now.Unix()))
	req.Header.Set(standardwebhooks.HeaderWebhookSignature, signature)
	res, err := w.client.Do(req)
	if err != nil {
		var wrapped *url.Error
		if errors.As(err, &wrapped) { // its text repeats the URL, which may hold a secret
			err = wrapped.Err
		}
		return Outcome{}, &Undelivered{Reason: "the webhook could not be reached", Cause: err}
	}
	defer func() { _ = res.Body.Close() }()
	answer, err := io.ReadAll(io.LimitReader(res.Body, maxAnswer))
	if err != nil {
		return Outcome{}, &Undelivered{Reason: "the webhook did not finish its answer", Cause: err}
	}
	return w.judge(res.StatusCode, answer, m.Type)
}

func (w *Webhook) judge(status int, answer []byte, event string) (Outcome, error) {
	switch {
	case status == http.StatusBadRequest || status == http.StatusUnprocessableEntity:
		return Outcome{}, &Rejected{Reason: fmt.Sprintf("it answered %d %s", status, excerpt(answer))}
	case status < 200 || status > 299:
		return Outcome{}, &Undelivered{Reason: fmt.Sprintf("the webhook answered %d", status)}
	case event != Published:
		return Outcome{Status: Disconnected}, nil
	}
	var told struct {
		URL string `json:"url"`
	}
	_ = json.Unmarshal(answer, &told) // an answer without JSON is fine
	if u, err := url.Parse(told.URL); err != nil || len(told.URL) > 2000 || (u.Scheme != "https" && u.Scheme != "http") {
		told.URL = ""
	}
	return Outcome{Status: Connected, URL: told.URL}, nil
}

func excerpt(answer []byte) string {
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
