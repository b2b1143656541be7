package directory

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/trigpoint/trigpoint/internal/clock"
	"github.com/trigpoint/trigpoint/internal/signedpost"
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
	signer  *signedpost.Signer
	client  *signedpost.Client
}

// NewWebhook checks the options and returns the connector.
func NewWebhook(o WebhookOptions) (*Webhook, error) {
	w := &Webhook{options: o}
	if o.URL == "" {
		return w, nil
	}
	if err := signedpost.CheckURL(o.URL); err != nil {
		return nil, fmt.Errorf("the webhook URL: %w", err)
	}
	var err error
	if w.signer, err = signedpost.NewSigner(o.Secret); err != nil {
		return nil, err
	}
	w.client = signedpost.New(o.AllowPrivate)
	return w, nil
}

// Describe implements Connector.
func (w *Webhook) Describe() Descriptor {
	return Descriptor{
		ID: "webhook", Name: "Webhook", Controllable: w.client != nil, // without a URL there is nothing to switch
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
	answer, err := w.client.Post(ctx, w.options.URL, w.signer, signedpost.Message{ID: m.ID, At: w.options.Clock.Now(), Body: m.Body})
	switch {
	case err != nil && answer.Status == 0:
		return Outcome{}, &Undelivered{Reason: "the webhook could not be reached", Cause: err}
	case err != nil:
		return Outcome{}, &Undelivered{Reason: "the webhook did not finish its answer", Cause: err}
	}
	return w.judge(answer.Status, answer.Body, m.Type)
}

func (w *Webhook) judge(status int, answer []byte, event string) (Outcome, error) {
	switch {
	case status == http.StatusBadRequest || status == http.StatusUnprocessableEntity:
		return Outcome{}, &Rejected{Reason: fmt.Sprintf("it answered %d %s", status, signedpost.Excerpt(answer))}
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
