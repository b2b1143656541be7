package webhook

import (
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/trigpoint/trigpoint/internal/errs"
	"github.com/trigpoint/trigpoint/internal/event"
	"github.com/trigpoint/trigpoint/internal/httpapi"
	"github.com/trigpoint/trigpoint/internal/signedpost"
)

// Webhook is where an account is told of what happens, as the API shows it.
type Webhook struct {
	ID        string     `json:"id"`
	URL       string     `json:"url"`
	Kinds     []string   `json:"kinds" nullable:"false"`
	CreatedAt time.Time  `json:"created_at"`
	PausedAt  *time.Time `json:"paused_at,omitempty"`
	Detail    string     `json:"detail,omitempty"`
}

// MadeWebhook is a new webhook with the secret that signs its messages, which is shown this once.
type MadeWebhook struct {
	Webhook
	Secret string `json:"secret"`
}

// ReceiverInput makes or changes a webhook; what is absent stays as it is.
type ReceiverInput struct {
	URL    httpapi.Field[string]   `json:"url" required:"false"`
	Kinds  httpapi.Field[[]string] `json:"kinds" required:"false"`
	Paused httpapi.Field[bool]     `json:"paused" required:"false"`
}

const (
	maxWebhooks = 10
	maxURL      = 2000
)

// check reads a request; a webhook that is made needs a URL, which the client must be able to reach.
func (in *ReceiverInput) check(client *signedpost.Client, making bool) error {
	var problems errs.Problems
	switch wrong := len(problems); {
	case in.URL.Given(&problems, "url"):
		in.URL.Value = strings.TrimSpace(in.URL.Value)
		checkURL(&problems, in.URL.Value, client)
	case making && len(problems) == wrong:
		problems.Add("url", errs.NotSpecified, "url is not specified; say where events are sent, such as https://example.com/hooks/trigpoint.")
	}
	if in.Kinds.Given(&problems, "kinds") {
		slices.Sort(in.Kinds.Value)
		in.Kinds.Value = slices.Compact(in.Kinds.Value)
		for _, kind := range in.Kinds.Value {
			if _, known := event.Find(kind); !known {
				problems.Add("kinds", errs.InvalidValue, "kinds: there is no %.64q; there are %s.", kind, strings.Join(kindNames(), ", "))
			}
		}
	}
	in.Paused.Mistyped(&problems, "paused")
	return problems.Err()
}

func kindNames() (names []string) {
	for _, d := range event.Kinds() {
		names = append(names, string(d.Kind))
	}
	return names
}

func checkURL(problems *errs.Problems, text string, client *signedpost.Client) {
	u, err := url.Parse(text)
	switch {
	case len(text) > maxURL:
		problems.Add("url", errs.TooLong, "url has %d characters; at most %d are allowed.", len(text), maxURL)
	case err != nil || signedpost.CheckURL(text) != nil:
		problems.Add("url", errs.InvalidValue, "url must be an http(s) URL, such as https://example.com/hooks/trigpoint.")
	case u.User != nil:
		problems.Add("url", errs.InvalidValue, "url must not hold a user or password, since it is shown; the signature of a message proves who sends it.")
	default:
		if err := client.CheckURL(text); err != nil {
			problems.Add("url", errs.InvalidValue, "url: %v.", err)
		}
	}
}

// apply changes a webhook as the request says.
func (in *ReceiverInput) apply(w *Webhook, now time.Time) {
	if in.URL.Set && !in.URL.Null {
		w.URL = in.URL.Value
	}
	if in.Kinds.Set {
		w.Kinds = append([]string{}, in.Kinds.Value...)
	}
	switch paused := in.Paused.Value; {
	case !in.Paused.Set:
	case !paused:
		w.PausedAt, w.Detail = nil, ""
	case w.PausedAt == nil:
		w.PausedAt = &now
	}
}

// Kinds are stored as one text with a space on each side of every kind, so that one is found by itself; all are the empty text.

func joinKinds(kinds []string) string {
	if len(kinds) == 0 {
		return ""
	}
	return " " + strings.Join(kinds, " ") + " "
}

func splitKinds(text string) []string { return append([]string{}, strings.Fields(text)...) }
