package directory

import (
	"context"
	"encoding/base64"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/trigpoint/trigpoint/internal/clock"
)

var secret = "whsec_" + base64.StdEncoding.EncodeToString([]byte("a secret of at least 24 bytes"))

func newTestWebhook(t *testing.T, url string, private bool) *Webhook {
	t.Helper()
	w, err := NewWebhook(WebhookOptions{URL: url, Secret: secret, AllowPrivate: private, Clock: clock.System{}})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// A receiver that hangs holds nothing once the push has been given up.
func TestReceiverThatHangsLeavesNoGoroutine(t *testing.T) {
	defer goleak.VerifyNone(t)
	release := make(chan struct{})
	arrived := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		close(arrived)
		<-release
	}))
	defer server.Close()
	defer close(release)
	w := newTestWebhook(t, server.URL, true)
	defer w.client.Close()
	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-arrived; cancel() }()
	if _, err := w.Push(ctx, Message{ID: "1", Type: Published}); !errors.Is(err, context.Canceled) {
		t.Errorf("gave up with %v", err)
	}
}

func TestAnswersOfAReceiver(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		status int
		body   string
		want   Outcome
		failed string // "", "again" or "rejected"
	}{
		{200, `{"url":"https://x.example/1"}`, Outcome{Status: Connected, URL: "https://x.example/1"}, ""},
		{204, ``, Outcome{Status: Connected}, ""},
		{200, `{"url":"javascript:alert(1)"}`, Outcome{Status: Connected}, ""},
		{200, strings.Repeat("x", 1<<20), Outcome{Status: Connected}, ""},
		{302, ``, Outcome{}, "again"},
		{429, ``, Outcome{}, "again"},
		{500, `oops`, Outcome{}, "again"},
		{400, "bad\x00 zip", Outcome{}, "rejected"},
		{422, `bad`, Outcome{}, "rejected"},
	} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Location", "http://127.0.0.1:1/")
			w.WriteHeader(c.status)
			_, _ = w.Write([]byte(c.body))
		}))
		got, err := newTestWebhook(t, server.URL, true).Push(t.Context(), Message{ID: "1", Type: Published})
		server.Close()
		var rejected *Rejected
		failed := ""
		if errors.As(err, &rejected) {
			failed = "rejected"
		} else if err != nil {
			failed = "again"
		}
		if got != c.want || failed != c.failed {
			t.Errorf("%d: %+v %q (%v)", c.status, got, failed, err)
		}
	}
}

func TestSettingsThatCannotWork(t *testing.T) {
	t.Parallel()
	for _, o := range []WebhookOptions{{URL: "ftp://x", Secret: secret}, {URL: "https://x.example", Secret: "short!"}, {URL: "https://x.example"}, {URL: "::", Secret: secret}} {
		if _, err := NewWebhook(o); err == nil {
			t.Errorf("%+v was accepted", o)
		}
	}
	w, err := NewWebhook(WebhookOptions{})
	if err != nil || w.Place(Item{}).Status != Unavailable || w.Remove().Status != Disconnected {
		t.Errorf("without a URL: %v %+v", err, w.Place(Item{}))
	}
}

func TestErrorDoesNotTellTheURL(t *testing.T) {
	t.Parallel()
	w := newTestWebhook(t, "http://127.0.0.1:1/hidden-token", true)
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
	defer cancel()
	if _, err := w.Push(ctx, Message{ID: "1", Type: Published}); err == nil || strings.Contains(err.Error(), "hidden-token") {
		t.Errorf("%v", err)
	}
}
